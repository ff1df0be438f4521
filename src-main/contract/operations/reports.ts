/**
 * The JSON answers of operations, one schema per report: the types of the window, the documents of
 * `--json`, and the files of resources/schemas all come from here. Member names and meanings are the
 * contract's; members may be added, never renamed.
 */
import { z } from 'zod';
import {
  CHOSEN_PLACEMENTS,
  CHUNK_DECISIONS,
  NEXT_SCAVENGE_KINDS,
  REMOVAL_RULES,
  SCAVENGE_PHASES,
  SCAVENGE_RESULTS,
  type ScavengePhase
} from '../../../src-core/units/scavenge-terms.ts';
import { finding } from './finding-report.ts';
import { budgetMembers, logCoverageReport } from './coverage-reports.ts';
import { healthReport } from './health-reports.ts';
import { planId } from './plan-option.ts';
import { indexRebuildReport } from './rebuild-reports.ts';
import { replacedUse } from './undo/undo-reports.ts';
import { repairReport } from './repair-reports.ts';
import { runPace, windowPlan } from './window-reports.ts';

const count = z.number().int();
/** An event number: a decimal string above 2^53-1 (the tombstone's 9223372036854775807). */
const eventNumber = z.union([count, z.string().regex(/^\d+$/)]);
/** ISO 8601 in UTC with seven fraction digits. */
const time = z.string().regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{7}Z$/);
const hash = z.string().regex(/^[0-9a-f]{16}$/);

export const warning = z.object({ code: z.string(), message: z.string(), remedy: z.string() });
export type Warning = z.infer<typeof warning>;

export const scavengePoint = z.object({
  number: count,
  position: count,
  effectiveNow: time,
  threshold: count
});

export const inspectReport = z.object({
  dataDirectory: z.string(),
  indexDirectory: z.string(),
  inUse: z.object({ by: z.string(), pid: count.nullable() }).nullable(),
  restoreState: z.string().nullable(),
  chunkSize: count,
  checkpoints: z.object({
    writer: count.nullable(),
    chaser: count.nullable(),
    epoch: count.nullable(),
    proposal: count.nullable(),
    truncate: count.nullable(),
    index: count.nullable(),
    scavenge: count.nullable()
  }),
  epochs: z.array(z.object({ number: count, position: count, id: z.string() })),
  chunkCount: z.object({ physical: count, logical: count, scavenged: count, merged: count }),
  bytes: z.object({ data: count, index: count, state: count }),
  index: z
    .object({
      mapVersion: count,
      prepareCheckpoint: count,
      commitCheckpoint: count,
      tables: count,
      entries: count
    })
    .nullable(),
  scavengePoints: z.array(scavengePoint),
  scavengeState: z.object({ stage: z.string(), scavengePoint: count.nullable() }).nullable(),
  nextScavenge: z.object({
    kind: z.enum(NEXT_SCAVENGE_KINDS),
    point: count.nullable(),
    because: z.string()
  }),
  /** null: never, or nobody knows. */
  lastScavenged: time.nullable(),
  /**
   * `history`: a run ended then, or did its last work. `files`: no run is told of; the newest scavenged chunk file was
   * written then, so it was scavenged then at the latest. `unknown`: it was scavenged, nothing tells when.
   */
  lastScavengedFrom: z.enum(['history', 'files', 'unknown', 'never']),
  health: healthReport,
  /** How much of the log was verified in the last 30 days; absent where results are not kept. */
  coverage: logCoverageReport.optional(),
  /** What scavenges replaced and is kept, so that they can be undone. */
  replaced: replacedUse,
  /** An undo of a scavenge that was begun and has not ended. */
  undoUnfinished: z.boolean(),
  freeBytes: count,
  warnings: z.array(warning)
});
export type InspectReport = z.infer<typeof inspectReport>;

export const chunkRow = z.object({
  file: z.string(),
  chunkStart: count,
  chunkEnd: count,
  version: count,
  formatVersion: count,
  isCompleted: z.boolean(),
  isScavenged: z.boolean(),
  logicalStart: count,
  logicalEnd: count,
  logicalDataSize: count,
  physicalDataSize: count,
  fileSize: count,
  mapEntries: count,
  md5: z.string().nullable(),
  weight: z.number().nullable(),
  isActive: z.boolean()
});
export type ChunkRow = z.infer<typeof chunkRow>;

/** A part of the log that no file in the directory serves; the finding is the one that `verify` reports. */
export const logGap = z.object({
  chunkStart: count,
  chunkEnd: count,
  state: z.enum(['missing', 'unreadable']),
  logicalStart: count,
  logicalEnd: count,
  finding
});
export type LogGapRow = z.infer<typeof logGap>;

export const chunksReport = z.object({
  chunks: z.array(chunkRow),
  /** In log order; together with `chunks` they cover the log exactly once. */
  gaps: z.array(logGap),
  superseded: z.array(z.object({ file: z.string(), fileSize: count })),
  leftovers: z.array(z.object({ file: z.string(), fileSize: count }))
});
export type ChunksReport = z.infer<typeof chunksReport>;

const recordHead = {
  position: count,
  chunk: count,
  fileOffset: count,
  length: count,
  version: count,
  time
};
const payload = { data: z.string().optional(), metadata: z.string().optional() };

export const recordRow = z.discriminatedUnion('kind', [
  z.object({
    ...recordHead,
    kind: z.literal('prepare'),
    stream: z.string(),
    eventNumber,
    /** For events inside explicit transactions: the number that the commit gives them; null: not committed. */
    committedEventNumber: eventNumber.nullable().optional(),
    expectedVersion: eventNumber.or(count),
    eventId: z.string(),
    correlationId: z.string().optional(),
    eventType: z.string(),
    flags: z.array(z.string()),
    flagBits: count,
    transactionPosition: count,
    transactionOffset: count,
    dataLength: count,
    metadataLength: count,
    dataSha256: z.string(),
    metadataSha256: z.string(),
    ...payload
  }),
  z.object({
    ...recordHead,
    kind: z.literal('commit'),
    firstEventNumber: eventNumber,
    transactionPosition: count,
    eventId: z.string()
  }),
  z.object({
    ...recordHead,
    kind: z.literal('system'),
    systemType: z.string(),
    dataLength: count,
    dataSha256: z.string(),
    data: z.string().optional()
  })
]);
export type RecordRow = z.infer<typeof recordRow>;

/** With `--salvage`: bytes between two records that cannot be read as records. Log positions, half-open. */
export const skippedRow = z.object({
  skipped: z.object({ file: z.string(), from: count, to: count, why: z.string() })
});
export type SkippedRow = z.infer<typeof skippedRow>;

export const streamRow = z.object({
  stream: z.string(),
  hash,
  firstEventNumber: eventNumber.nullable(),
  lastEventNumber: eventNumber.nullable(),
  eventCount: count,
  bytes: count,
  state: z.enum(['live', 'truncated', 'softDeleted', 'hardDeleted', 'metadataOnly']),
  metadata: z
    .object({
      maxCount: eventNumber.nullable(),
      maxAgeSeconds: eventNumber.nullable(),
      truncateBefore: eventNumber.nullable(),
      cacheControlSeconds: eventNumber.nullable(),
      acl: z.record(z.string(), z.unknown()).nullable()
    })
    .nullable()
});
export type StreamRow = z.infer<typeof streamRow>;

export const eventRow = z.object({
  stream: z.string(),
  eventNumber,
  position: count,
  /** Only for `$all`: the position of the commit, equal to `position` for self-committed events. */
  commitPosition: count.optional(),
  eventId: z.string(),
  eventType: z.string(),
  time,
  isJson: z.boolean(),
  dataLength: count,
  metadataLength: count,
  dataSha256: z.string(),
  metadataSha256: z.string(),
  ...payload
});
export type EventRow = z.infer<typeof eventRow>;

export const indexReport = z.object({
  mapVersion: count,
  prepareCheckpoint: count,
  commitCheckpoint: count,
  tables: z.array(
    z.object({
      file: z.string(),
      level: count,
      order: count,
      version: count,
      entries: count,
      minHash: hash.nullable(),
      maxHash: hash.nullable(),
      hasFilter: z.boolean(),
      md5: z.string()
    })
  ),
  /** Entries that are only in the log, after the map's checkpoint. */
  entriesBehindCheckpoint: count
});
export type IndexReport = z.infer<typeof indexReport>;

export const indexEntryRow = z.object({ hash, eventNumber, position: count, table: z.string() });
export type IndexEntryRow = z.infer<typeof indexEntryRow>;

/** Of every check that answers with findings. */
export const checkReport = z.object({
  findings: z.array(finding),
  checked: z.object({ files: count, bytes: count, records: count, indexEntries: count }),
  notChecked: z.array(z.string()),
  ok: z.boolean()
});
export const verifyReport = checkReport.extend(budgetMembers);
export type VerifyReport = z.infer<typeof verifyReport>;

export const phaseName = z.enum(SCAVENGE_PHASES);
export type PhaseName = ScavengePhase;

/** File bytes that a scavenge frees; the glossary says what counts. */
export const spaceSaved = z.object({
  /** Of chunk files. */
  log: count,
  /** Of index tables. */
  index: count,
  total: count
});

export type SpaceSaved = z.infer<typeof spaceSaved>;

const removedSum = {
  records: count,
  /** Payload and both length fields: what the records take in the chunk files, without padding and position maps. */
  bytes: count
};
const removedByRule = z.object({ rule: z.enum(REMOVAL_RULES), ...removedSum });
const removedItems = z.object({
  /** The most bytes first. What is not named is one more item, `(others)`, so that the sum is always the total. */
  items: z.array(
    z.object({ name: z.string(), streams: count, ...removedSum, byRule: z.array(removedByRule) })
  ),
  itemCount: count
});

/** What the records that a scavenge removes are, in three ways with the same total. */
export const removedReport = z.object({
  ...removedSum,
  /** The rule is the one that `explain` names; in the order in which the decision asks. */
  byRule: z.array(removedByRule.extend({ streams: count })),
  /** By what comes before the first `-`. */
  byCategory: removedItems,
  byStream: removedItems
});
export type RemovedReport = z.infer<typeof removedReport>;

export const scavengeReport = z.object({
  scavengeId: z.string().optional(),
  result: z.enum(SCAVENGE_RESULTS),
  scavengePoint: scavengePoint.extend({ placement: z.enum(CHOSEN_PLACEMENTS) }).nullable(),
  resumed: z.boolean(),
  recordsDiscarded: count,
  indexEntriesDiscarded: count,
  bytesBefore: count,
  bytesAfter: count,
  /** The total of `spaceSaved`. */
  spaceSavedBytes: count,
  spaceSaved,
  /** Chunk files before the point; how many of them were replaced; and files that replace several. */
  chunkCount: z.object({ visited: count, rewritten: count, merges: count }),
  /** Other changes on disk, except the scavenge state: bytes freed, or, if negative, used. */
  besides: z.array(z.object({ cause: z.enum(['pointChunk', 'leftovers', 'filters']), bytes: count })),
  /** Only in a plan that judged every chunk: the same plan with other thresholds. */
  thresholds: z.array(z.object({ threshold: count, chunks: count, spaceSaved })).optional(),
  /** Upper bound of the space that the run needs besides the old files. */
  scratchBytes: count.optional(),
  /** What was replaced is kept until then: see `scavenge --undo`. Absent: it is not. */
  kept: z.object({ id: z.string(), expiresAt: time }).optional(),
  /** Only in a plan that keeps what is replaced: bytes that are freed only later, and that are needed beside them now. */
  keeps: z.object({ replacedBytes: count, neededBytes: count, keepMs: count }).optional(),
  leftInActiveChunk: z.object({ records: count, bytes: count }),
  /** Only of a run that was stopped among its chunks: chunk files before the point that it has not visited. */
  chunksLeft: count.optional(),
  /** Only of a run that was stopped because the time given as `until` came: that time. */
  stoppedAtTime: z.string().optional(),
  /** With `removed`: the same by rule, where scripts look for it. Sums: `recordsDiscarded`, and the bytes of `removed`. */
  byRule: z.array(removedByRule.extend({ streams: count })).optional(),
  /** Only in a plan that was asked for it: which records. Its `records` are `recordsDiscarded`. */
  removed: removedReport.optional(),
  /** Only in a plan of a rescue, or one that was asked for `removed`: how long the run takes, if that can be told. */
  estimatedMs: count.optional(),
  /** Only in a plan that was asked for a maintenance window. */
  window: windowPlan.optional(),
  /** Only of a run in a maintenance window, or by its plan: what it worked with. */
  pace: runPace.optional(),
  /** Names that accumulation found in memory, and those that it had to look up in the stored state. */
  hashUsersCache: z.object({ hits: count, misses: count }).optional(),
  warnings: z.array(warning),
  threads: count,
  chunks: z.array(
    z.object({
      chunkStart: count,
      chunkEnd: count,
      weight: z.number(),
      decision: z.enum(CHUNK_DECISIONS),
      bytesBefore: count,
      bytesAfter: count,
      recordsDiscarded: count,
      newFile: z.string().optional()
    })
  ),
  tables: z.array(
    z.object({
      level: count,
      order: count,
      entriesBefore: count,
      entriesAfter: count,
      bytesBefore: count,
      bytesAfter: count
    })
  ),
  phases: z.array(z.object({ phase: phaseName, elapsedMs: z.number().optional() })),
  /** In a plan: its identity; in the report of a stopped run: the identity of the rest. */
  planId: planId.optional()
});
export type ScavengeReport = z.infer<typeof scavengeReport>;

export const historyRun = z.object({
  /** Of the last run if several are one row. */
  scavengeId: z.string(),
  /** An interrupted run and those that resumed it, oldest first. */
  scavengeIds: z.array(z.string()),
  startedAt: time,
  /** null: no end is recorded. */
  endedAt: time.nullable(),
  /** How it ended. `resumed`: it was interrupted and resumed, and no end is recorded yet. */
  result: z.enum([...SCAVENGE_RESULTS, 'interrupted', 'resumed']),
  /** null, like the threshold: the log does not record it. */
  placement: z.enum(CHOSEN_PLACEMENTS).nullable(),
  threshold: count.nullable(),
  spaceSavedBytes: count,
  /** Working time, without the time between an interruption and the resumption; null: not measured. */
  elapsedMs: z.number().nullable(),
  by: z.enum(['server', 'winnow']),
  /** A server's address, or `winnow@` and a host name. */
  node: z.string().nullable(),
  error: z.string().nullable(),
  /** Id of the stopped or failed run, a row of its own, that this one resumed. */
  resumes: z.string().nullable(),
  recordedIn: z.enum(['log', 'winnowHome'])
});
export type HistoryRun = z.infer<typeof historyRun>;

export const historyReport = z.object({ runs: z.array(historyRun) });
export type HistoryReport = z.infer<typeof historyReport>;

export const sampleReport = z.object({
  dataDirectory: z.string(),
  chunks: count,
  records: count,
  streams: count,
  bytes: count
});
export type SampleReport = z.infer<typeof sampleReport>;

export const scheduleReport = z.object({
  expression: z.string(),
  words: z.string(),
  next: z.array(time),
  timeZone: z.string(),
  /** Parts that are valid but probably mean something other than they seem to, a sentence each. */
  warnings: z.array(z.string())
});
export type ScheduleReport = z.infer<typeof scheduleReport>;

export const errorReport = z.object({
  code: z.string(),
  message: z.string(),
  remedy: z.string(),
  details: z.record(z.string(), z.unknown())
});
export type ErrorReport = z.infer<typeof errorReport>;

/** Snapshot of running work: at most ten per second, complete in itself, so that a reloaded window asks once and follows. */
export const progress = z.object({
  operation: z.string(),
  dataDirectory: z.string(),
  phase: z.string(),
  /** In `unit`s; `total` null while unknown. */
  done: z.number(),
  total: z.number().nullable(),
  unit: z.enum(['bytes', 'records', 'chunks', 'streams', 'entries', 'tables', 'files']),
  /** What is already safe on disk: file bytes freed so far (scavenge). */
  savedBytes: z.number(),
  elapsedMs: z.number(),
  message: z.string().nullable()
});
export type Progress = z.infer<typeof progress>;

/** JSON Schemas of resources/schemas, by command. Streams: the schema of one line. */
export const REPORT_SCHEMAS = {
  inspect: inspectReport,
  chunks: chunksReport,
  records: z.union([recordRow, skippedRow]),
  streams: streamRow,
  read: eventRow,
  index: indexReport,
  'index-entries': indexEntryRow,
  'index-rebuild': indexRebuildReport,
  repair: repairReport,
  verify: verifyReport,
  plan: scavengeReport,
  scavenge: scavengeReport,
  rescue: scavengeReport,
  history: historyReport,
  sample: sampleReport,
  schedule: scheduleReport,
  error: z.object({ error: errorReport })
} as const;
