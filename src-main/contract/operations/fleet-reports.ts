/** Many nodes and clusters at once: the JSON of `winnow fleet`. Members may be added, never renamed. */
import { z } from 'zod';
import { logCoverageReport } from './coverage-reports.ts';
import { healthReport } from './health-reports.ts';
import { growthReport } from './usage-reports.ts';

const count = z.number().int();
const time = z.string();
const failure = z.object({ code: z.string(), message: z.string(), remedy: z.string() });

/** What deserves a look, the most urgent first. */
export const FLEET_NOTES = [
  'unreadable',
  'damaged',
  'diskFullSoon',
  'neverScavenged',
  'noBackup',
  'backupNotRehearsed',
  'backupFailed',
  'notVerified'
] as const;

export const fleetNode = z.object({
  name: z.string(),
  dataDirectory: z.string(),
  indexDirectory: z.string().nullable(),
  /** The registered cluster that it is a member of. */
  cluster: z.string().nullable(),
  /** The directory could not be read; everything else is then null. */
  error: failure.nullable(),
  health: healthReport.nullable(),
  /** Who has the database open; null: nobody, or not known. */
  inUse: z.string().nullable(),
  writerCheckpoint: count.nullable(),
  logBytes: count.nullable(),
  indexBytes: count.nullable(),
  freeBytes: count.nullable(),
  /** What a scavenge would free now; null: chunks would have to be read for it. */
  removableBytes: count.nullable(),
  /** null: not known. */
  diskFull: growthReport.shape.full.nullable(),
  /** Why that and the growth are not known; null: they are, or the node cannot be read. */
  growthUnknown: growthReport.shape.unknown,
  coverage: logCoverageReport.nullable(),
  lastScavenged: time.nullable(),
  lastScavengedFrom: z.enum(['history', 'files', 'unknown', 'never']).nullable(),
  /** Where its backups go; null: nowhere that is known. */
  backupTarget: z.string().nullable(),
  /** The newest of this directory; null: none, or the target could not be read. */
  lastBackup: z
    .object({
      id: z.string(),
      endedAt: time,
      verifiedAt: time.nullable(),
      /** When its restore was last rehearsed, whether that went well. */
      rehearsedAt: time.nullable(),
      isRehearsedWell: z.boolean().nullable()
    })
    .nullable(),
  /** Why the backups are not known. */
  backupError: failure.nullable(),
  nextBackup: time.nullable(),
  /** Of the last one by schedule: why it failed; null: it did not. */
  scheduledBackupFailure: z.string().nullable(),
  notes: z.array(z.enum(FLEET_NOTES)),
  /** One of the notes is urgent; the others are advice. */
  needsLook: z.boolean()
});
export type FleetNode = z.infer<typeof fleetNode>;
export type FleetNote = (typeof FLEET_NOTES)[number];

export const fleetCluster = z.object({
  name: z.string(),
  kind: z.enum(['local', 'remote']),
  error: failure.nullable(),
  members: z.array(
    z.object({
      node: z.string(),
      state: z.string(),
      isAlive: z.boolean(),
      writerCheckpoint: count.nullable(),
      error: z.string().nullable()
    })
  ),
  /** null: no schedule, or it is not known. */
  nextScavenge: time.nullable()
});
export type FleetCluster = z.infer<typeof fleetCluster>;

export const fleetReport = z.object({
  at: time,
  nodes: z.array(fleetNode),
  clusters: z.array(fleetCluster)
});
export type FleetReport = z.infer<typeof fleetReport>;

export const FLEET_SCHEMAS = { fleet: fleetReport } as const;
