/**
 * Everything that can be checked without a server: the log by itself, the index by itself, one against the other.
 * Answers with findings and never repairs; throws only when it cannot look at all. What could not be checked is
 * named, never passed over.
 */
import type { Database } from '../database/database.ts';
import type { OperationControl } from '../database/operation-control.ts';
import { EngineError } from '../errors.ts';
import { IndexDirectory } from '../index/index-directory.ts';
import type { IndexProblem, IndexProblemCode } from '../index/index-problem.ts';
import { readRecentEntries } from '../index/read-recent-entries.ts';
import { hashStream } from '../index/stream-hash.ts';
import { verifyIndex } from '../index/verify-index.ts';
import { compareIndexWithLog } from './compare-index-with-log.ts';
import { damage, hint, type Finding } from './finding.ts';
import { verifyLog } from './verify-log.ts';

const SCAVENGE_POINTS_STREAM = '$scavengePoints';
const REBUILD_COMMAND = 'winnow index rebuild';

export interface VerifyDatabase {
  database: Database;
  /** Without hashes of chunks and tables. */
  quick: boolean;
  control: OperationControl;
}

export interface Verification {
  findings: Finding[];
  checked: { files: number; bytes: number; records: number; indexEntries: number };
  notChecked: string[];
  /** No damage; hints may be there. */
  ok: boolean;
}

export async function verifyDatabase({ database, quick, control }: VerifyDatabase): Promise<Verification> {
  const log = await verifyLog({ database, quick, control });
  const findings = [...log.findings];
  const notChecked = [...log.notChecked];
  const checked = { files: log.files, bytes: log.bytes, records: log.records, indexEntries: 0 };

  const directory = IndexDirectory.open({
    fileSystem: database.fileSystem,
    directory: database.indexDirectory,
    logEnd: database.checkpoints.chaser ?? 0
  });
  try {
    control.report({ phase: 'index', done: 0, total: directory.tables.length, unit: 'tables' }, true);
    const problems = await verifyIndex(directory, { breathe: () => control.breathe(), isQuick: quick });
    findings.push(...problems.map(asFinding), ...aheadAfterTruncation(database, directory));
    if (quick && directory.tables.length > 0) notChecked.push('hashes of index tables');
    checked.files += directory.tables.length;
    if (!directory.isUsable || problems.some(({ code }) => code === 'tableHashMismatch')) {
      notChecked.push('index entries against records: the index cannot be used');
    } else if (log.findings.some(({ severity }) => severity === 'damage')) {
      notChecked.push('index entries against records: the log is damaged');
    } else if (database.problems.some(({ code }) => code === 'encrypted')) {
      notChecked.push('index entries against records: chunks are encrypted');
    } else {
      const compared = await compare({ database, quick, control }, directory);
      findings.push(...compared.findings);
      checked.indexEntries = compared.entriesChecked;
    }
  } finally {
    directory.close();
  }
  return { findings, checked, notChecked, ok: findings.every(({ severity }) => severity !== 'damage') };
}

async function compare({ database, control }: VerifyDatabase, directory: IndexDirectory) {
  const { log } = database;
  const breathe = () => control.breathe();
  const read = { log, end: log.end, hasher: hashStream, breathe };
  control.report({ phase: 'index against log', done: 0, total: null, unit: 'records' }, true);
  try {
    const all = await readRecentEntries({ ...read, prepareCheckpoint: -1, commitCheckpoint: -1 });
    const recent = await readRecentEntries({ ...read, ...directory.checkpoints });
    return await compareIndexWithLog({
      log,
      tables: directory.tables,
      all,
      recent,
      scavengePointPosition: newestScavengePoint(all),
      control
    });
  } catch (error) {
    if (error instanceof EngineError && error.code === 'LogCorrupt') {
      return { findings: [unreadable(error)], entriesChecked: 0 };
    }
    // An entry that no table may hold: verifyIndex has told of it, unless hashes and order were left out.
    if (!(error instanceof EngineError) || error.code !== 'IndexCorrupt') throw error;
    return { findings: [asFinding(problemOfTable(error))], entriesChecked: 0 };
  }
}

/** Each record by itself reads well, but a commit leads to a place where none begins. */
function unreadable({ message, remedy, details }: EngineError): Finding {
  const { file = null, offset = null, position = null } = details;
  return damage('recordInvalid', { file, offset, position, message, remedy });
}

function problemOfTable(error: EngineError): IndexProblem {
  return {
    severity: 'damage',
    code: 'tableInvalid',
    file: error.details.file ?? 'indexmap',
    offset: error.details.offset ?? null,
    message: error.message
  };
}

/** Position of the newest scavenge point, -1 without one. Entries come newest first within a hash. */
function newestScavengePoint(all: Awaited<ReturnType<typeof readRecentEntries>>): number {
  const { high, low } = hashStream(SCAVENGE_POINTS_STREAM);
  const at = all.firstAtOrBelow(high, low, Number.POSITIVE_INFINITY);
  if (at >= all.count) return -1;
  const entry = all.readEntry(at, { hashHigh: 0, hashLow: 0, number: 0, position: 0 });
  return entry.hashHigh === high && entry.hashLow === low ? entry.position : -1;
}

/** A truncation that waits for the next start may cut below what the index reaches. */
function aheadAfterTruncation({ checkpoints, log }: Database, directory: IndexDirectory): Finding[] {
  const to = checkpoints.truncate;
  const reached = directory.map?.commitCheckpoint ?? -1;
  if (to === null || to < 0 || to >= log.end || reached < to) return [];
  return [
    hint('indexAheadOfLog', {
      file: 'indexmap',
      position: reached,
      message: `The index reaches to position ${reached}; after the pending truncation to ${to} it is ahead of the log.`,
      remedy: 'Nothing to do: the server rebuilds it from the log after the truncation.'
    })
  ];
}

const REBUILT = 'Rebuild the index from the log; the server does it by itself at its next start.';
const REMEDIES: Record<IndexProblemCode, { remedy: string; command: string | null }> = {
  indexMapInvalid: { remedy: REBUILT, command: REBUILD_COMMAND },
  indexMapMissing: { remedy: REBUILT, command: REBUILD_COMMAND },
  indexAheadOfLog: { remedy: REBUILT, command: REBUILD_COMMAND },
  tableMissing: { remedy: REBUILT, command: REBUILD_COMMAND },
  tableInvalid: { remedy: REBUILT, command: REBUILD_COMMAND },
  tableHashMismatch: { remedy: REBUILT, command: REBUILD_COMMAND },
  filterMissing: {
    remedy: 'Nothing to do: look-ups in this table are slower until it is merged or scavenged.',
    command: null
  },
  filterInvalid: {
    remedy: 'Nothing to do: the server takes damaged parts of a filter for full.',
    command: null
  },
  filterFalseNegative: {
    remedy: 'Remove the filter file: without it the table is searched as a whole and nothing is missed.',
    command: null
  },
  temporaryFile: { remedy: 'Nothing to do: the server removes it at its next start.', command: null },
  orphanFile: { remedy: 'Nothing to do: the server removes it at its next start.', command: null }
};

function asFinding(problem: IndexProblem): Finding {
  return { ...problem, position: null, ...REMEDIES[problem.code] };
}
