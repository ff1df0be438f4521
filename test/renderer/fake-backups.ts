/** Backups of the fake database, and the plans and reports of work on them. */
import type {
  BackupErasureReport,
  BackupPlanReport,
  BackupRow,
  BackupsReport,
  BackupVerifyReport,
  NodeEntry,
  PruneReport,
  RekeyReport,
  RestorePlanReport,
  RestoreReport
} from '../../src-main/contract/verbs/workbench-contract.ts';
import { node } from './fake-database.ts';

const MIB = 1024 * 1024;

export const nodeWithBackups: NodeEntry = { ...node, backupTarget: '/backups' };

export const backup: BackupRow = {
  id: '20260101T050000Z-4f2a',
  mode: 'full',
  startedAt: '2026-01-01T05:00:00.0000000Z',
  endedAt: '2026-01-01T05:01:00.0000000Z',
  basedOn: null,
  node: { address: null, dataDirectory: '/data/orders', role: null, serverVersion: null, databaseTag: null },
  writer: 4 * MIB,
  chaser: 4 * MIB,
  chunkCount: 4,
  fileCount: 9,
  bytes: 5 * MIB,
  bytesCopied: 5 * MIB,
  verified: { at: '2026-01-02T05:00:00.0000000Z', ok: true, damage: 0 },
  rehearsed: null,
  encodings: [],
  rewrites: null,
  notes: []
};

export const laterBackup: BackupRow = {
  ...backup,
  id: '20260102T050000Z-77aa',
  mode: 'differential',
  startedAt: '2026-01-02T05:00:00.0000000Z',
  basedOn: backup.id,
  bytesCopied: MIB,
  verified: { at: '2026-01-03T05:00:00.0000000Z', ok: false, damage: 2 }
};

export const backupsReport: BackupsReport = {
  target: '/backups',
  backups: [backup, laterBackup],
  unfinished: [],
  damaged: [],
  warnings: []
};

export const backupPlan: BackupPlanReport = {
  target: '/backups',
  mode: 'full',
  basedOn: null,
  resumes: null,
  files: [],
  fileCount: 9,
  bytes: 5 * MIB,
  bytesToCopy: 5 * MIB,
  freeBytes: 900 * MIB,
  notes: []
};

export const backupVerification: BackupVerifyReport = {
  backup: backup.id,
  findings: [],
  checked: { files: 9, bytes: 5 * MIB, records: 0, indexEntries: 0 },
  notChecked: [],
  ok: true
};

export const prunePlan: PruneReport = {
  target: '/backups',
  kept: [{ id: laterBackup.id, startedAt: laterBackup.startedAt, rules: ['last'] }],
  removed: [{ id: backup.id, startedAt: backup.startedAt, bytes: 5 * MIB }],
  leftovers: [],
  bytesFreed: 4 * MIB,
  warnings: [],
  dryRun: true,
  planId: 'plan-of-prune'
};

export const restorePlan: RestorePlanReport = {
  backup: `/backups@${backup.id}`,
  dataDirectory: '/data/orders',
  indexDirectory: '/data/orders/index',
  files: 9,
  bytes: 5 * MIB,
  leftOut: [{ file: 'index/stream-existence', why: 'madeByTheServer' }],
  movesAside: ['/data/orders.before-restore-1'],
  truncatesTo: 4 * MIB,
  cutBytes: 0,
  removes: [],
  appliesTruncation: false,
  replaces: { writer: 5 * MIB, lostBytes: MIB, isSameHistory: true, hasScavengeState: false },
  space: [{ directory: '/data/orders', neededBytes: 5 * MIB, freeBytes: 900 * MIB }],
  nextStart: 'The first start of the server cuts the log and ends; start it a second time.',
  planId: 'plan-of-restore',
  warnings: []
};

export const restored: RestoreReport = {
  backup: `/backups@${backup.id}`,
  dataDirectory: '/data/orders',
  indexDirectory: '/data/orders/index',
  filesCopied: 9,
  bytesCopied: 5 * MIB,
  movedAside: ['/data/orders.before-restore-1'],
  truncatesTo: 4 * MIB,
  appliedTruncation: true,
  nextStart: 'The server starts as usual.',
  fullBackupAdvised: true,
  warnings: []
};

export const erasurePlan: BackupErasureReport = {
  target: '/backups',
  backup: backup.id,
  work: 'scavenge',
  result: 'planned',
  newBackup: null,
  old: { mode: 'full', startedAt: backup.startedAt, bytes: 5 * MIB, files: 9, completedChunks: 3 },
  scavengePoint: 'detached, at the end of the last completed chunk',
  scavenge: null,
  redaction: null,
  files: null,
  verified: null,
  oldRemoved: false,
  bytesFreed: 0,
  stillHeldBy: [{ id: laterBackup.id, files: 3 }],
  scratch: { directory: '/tmp/gathered', neededBytes: 7 * MIB, freeBytes: 900 * MIB },
  targetSpace: { neededBytes: 4 * MIB, freeBytes: 900 * MIB },
  warnings: [],
  planId: 'plan-of-erasure'
};

export const erased: BackupErasureReport = {
  ...erasurePlan,
  result: 'rewritten',
  newBackup: {
    ...backup,
    id: '20260103T050000Z-0e0e',
    rewrites: { of: backup.id, at: '2026-01-03T05:00:00.0000000Z', work: 'scavenge' }
  },
  files: { shared: 6, sharedBytes: MIB, stored: 3, storedBytes: 3 * MIB, replaced: [] },
  verified: { ok: true, damage: 0, files: 9, bytes: 4 * MIB }
};

export const encryptedBackup: BackupRow = { ...backup, encodings: ['age:age1old'] };

export const rekeyPlan: RekeyReport = {
  target: '/backups',
  result: 'planned',
  recipients: ['age1anna', 'age1ben'],
  due: [backup.id],
  done: [],
  plain: [laterBackup.id],
  unfinished: [],
  bytes: 5 * MIB,
  freeBytes: 900 * MIB,
  rekeyed: [],
  warnings: [
    {
      code: 'notEncrypted',
      message: `The backup ${laterBackup.id} is not encrypted, and stays so.`,
      remedy: 'Take an encrypted one, then remove it.'
    }
  ],
  planId: 'plan-of-rekey'
};
