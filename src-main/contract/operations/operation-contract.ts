/**
 * The operations of the engine: each with the shape of its request and its answer. All clients
 * (window, command line, HTTP) go through this table; requests are validated against it at the engine's
 * door, so nothing behind it sees an unchecked value.
 *
 * Operations marked `stream` answer with rows in batches; the others with one report.
 */
import { config, z } from 'zod';
import { madeByNeed } from '../made-by-need.ts';
import { POINT_PLACEMENTS, SCAVENGE_PHASES } from '../../../src-core/units/scavenge-terms.ts';
import type { BackupReplies } from './backup-reports.ts';
import { backupRequests } from './backup-requests.ts';
import type { BundleReplies } from './bundle/bundle-reports.ts';
import { bundleRequests } from './bundle/bundle-requests.ts';
import type { ClusterPointReport } from './cluster-reports.ts';
import type { MembersPlan } from './window-reports.ts';
import { clusterRequests } from './cluster-requests.ts';
import type { DifferenceReplies } from './difference-reports.ts';
import { differenceRequests } from './difference-requests.ts';
import type { ExtractionReplies } from './extraction-reports.ts';
import { extractionRequests } from './extraction-requests.ts';
import type { ExplainReplies } from './explain-reports.ts';
import { explainRequests } from './explain-requests.ts';
import type { ReadingReplies } from './reading-reports.ts';
import { undoRequests } from './undo/undo-requests.ts';
import type { ForgetReport, UndoReport } from './undo/undo-reports.ts';
import { readingRequests } from './reading-requests.ts';
import type { DoctorReport, StartupReport } from './doctor-reports.ts';
import { doctorRequests } from './doctor-requests.ts';
import type { ErasureReplies } from './erasure-reports.ts';
import { backupErasureRequests, erasureRequests, redactionRequests } from './erasure-requests.ts';
import { planOption } from './plan-option.ts';
import { rebuildRequests } from './rebuild-requests.ts';
import type { UsageReplies } from './usage-reports.ts';
import { usageRequests } from './usage-requests.ts';
import { repairRequests } from './repair-requests.ts';
import type { RedactionReplies } from './redaction-reports.ts';
import { rescueRequests } from './rescue-requests.ts';
import type { RepairReport } from './repair-reports.ts';
import type { IndexRebuildReport } from './rebuild-reports.ts';
import { restoreRequests } from './restore-requests.ts';
import type {
  CutLogReport,
  RehearseReport,
  RestorePlanReport,
  RestoreReport,
  UndoneRestoreReport
} from './restore-reports.ts';
import type {
  ChunksReport,
  EventRow,
  HistoryReport,
  IndexEntryRow,
  IndexReport,
  InspectReport,
  RecordRow,
  SampleReport,
  ScavengeReport,
  ScheduleReport,
  SkippedRow,
  StreamRow,
  VerifyReport
} from './reports.ts';

// Most processes check one or two values: to write and compile code for each schema takes longer than it saves.
config({ jitless: true });

const whole = z.number().int().nonnegative();

/** What a reader sees of a stream. */
export const STREAM_STATES = ['live', 'truncated', 'softDeleted', 'hardDeleted', 'metadataOnly'] as const;
/** What the metadata of a stream may limit; `none`: nothing. */
export const STREAM_RULES = ['maxAge', 'maxCount', 'truncateBefore', 'none'] as const;

/** Location of a database. `indexDirectory` defaults to `index` inside the data directory. */
export const databaseLocation = z.object({
  dataDirectory: z.string().min(1),
  indexDirectory: z.string().min(1).optional()
});
export type DatabaseLocation = z.infer<typeof databaseLocation>;

const dataForm = z.enum(['none', 'utf8', 'hex', 'base64']).default('none');
const timeText = z.string();

/** What decides which scavenge a request means. */
const whichScavenge = () => ({
  scavengePoint: z.enum(POINT_PLACEMENTS).default('auto'),
  startAfresh: z.boolean().default(false),
  /**
   * true: a single node, for which `auto` writes a new point if it needs one. false: a member of a cluster. Absent:
   * nobody knows.
   */
  singleNode: z.boolean().optional(),
  /** The cluster in which the directory is registered as a member. */
  clusterName: z.string().optional()
});

const scavengeOptions = () =>
  z.object({
    ...databaseLocation.shape,
    ...whichScavenge(),
    threshold: z.number().int().min(-1).default(0),
    threads: z.number().int().min(1).default(1),
    throttlePercent: z.number().int().min(1).max(100).default(100),
    /** Read and written at most, by all threads together; 0 or absent: as fast as it goes. */
    bytesPerSecond: z.number().int().nonnegative().optional(),
    syncOnly: z.boolean().default(false),
    merge: z.boolean().default(true),
    unsafeIgnoreHardDeletes: z.boolean().default(false),
    alwaysKeepScavenged: z.boolean().default(false),
    /** KiB for 1..64, bytes for 512..65536. */
    pageSize: z.number().int().positive().optional(),
    cacheSizeBytes: z.number().int().positive().optional(),
    hashUsersCacheCapacity: z.number().int().positive().optional(),
    /** Effective time of a detached or new point. ISO 8601. */
    now: timeText.optional(),
    stopAfter: z.enum(SCAVENGE_PHASES).optional(),
    /** A run stops at its next checkpoint once this time has come; the next one resumes it. ISO 8601. */
    until: timeText.optional(),
    /**
     * `02:00-04:00`, local time: a plan says what is done in which night; a run begins only inside and stops at its end,
     * and the next night's resumes it.
     */
    window: z.string().max(40).optional(),
    /**
     * How threads and throttle came about. `asked`: they were given, and stay. `planned`: as the last plan of a window
     * named. Absent: `asked` without a window; in one, `asked` if they are not the defaults, else `planned`.
     */
    pace: z.enum(['asked', 'planned']).optional(),
    /** plan with a window only: its nights begin at this time, when the member before is through. ISO 8601. */
    nightsFrom: timeText.optional(),
    /** plan with a window only: so many members of a cluster, one after the other, with logs like this one. */
    members: z.number().int().min(1).max(100).optional(),
    assumeStopped: z.boolean().default(false),
    /** plan only: also says which records are removed, by rule, by category and by stream. */
    breakdown: z.boolean().optional(),
    /** plan only: directory for its temporary state. */
    scratchDirectory: z.string().optional(),
    /** Retention, in days, of the history that a run on a single node writes to the log. */
    scavengeHistoryMaxAgeDays: z.number().int().min(1).max(36_500).default(30),
    /** Our own data: state of detached runs, history. */
    winnowHome: z.string().optional(),
    /** runScavenge only: the run's id, if the caller has already passed it on. */
    scavengeId: z.uuid().optional(),
    plan: planOption,
    /** How long what is replaced is kept, in milliseconds, so that the scavenge can be undone; absent: not at all. */
    keepReplacedMs: z.number().int().positive().optional()
  });
export type ScavengeOptions = z.infer<ReturnType<typeof scavengeOptions>>;

/** By need: none of them is made before it is asked for. */
export const requests = madeByNeed({
  ...backupRequests,
  ...bundleRequests,
  ...backupErasureRequests,
  ...restoreRequests,
  ...clusterRequests,
  ...explainRequests,
  ...erasureRequests,
  ...differenceRequests,
  ...readingRequests,
  ...undoRequests,
  inspectDatabase: () =>
    databaseLocation.extend({
      /** For earlier checks, and the history of scavenges that no log records. */
      winnowHome: z.string().optional(),
      /** WriteStatsToDb of the node's configuration. */
      writesStatistics: z.boolean().default(false),
      /** The scavenge to foresee: what it would do here. Members like those of a scavenge. */
      ...whichScavenge(),
      /** For a plan, which only reads: a database in use does not prevent it. */
      forPlan: z.boolean().default(false)
    }),
  listChunks: () =>
    databaseLocation.extend({
      computeWeights: z.boolean().default(false),
      /** For what is kept of chunks. */
      winnowHome: z.string().optional(),
      now: timeText.optional()
    }),
  listRecords: () =>
    databaseLocation.extend({
      /** For what is kept of chunks. */
      winnowHome: z.string().optional(),
      from: whole.optional(),
      to: whole.optional(),
      chunk: whole.optional(),
      stream: z.string().optional(),
      eventType: z.string().optional(),
      /** See record-query.ts; besides the members above. */
      filter: z.string().max(4096).optional(),
      limit: whole.optional(),
      data: dataForm,
      salvage: z.boolean().default(false)
    }),
  listStreams: () =>
    databaseLocation.extend({
      winnowHome: z.string().optional(),
      prefix: z.string().optional(),
      state: z.enum(STREAM_STATES).optional(),
      sort: z.enum(['name', 'bytes', 'events']).default('name'),
      now: timeText.optional(),
      limit: whole.optional()
    }),
  readStream: () =>
    databaseLocation.extend({
      winnowHome: z.string().optional(),
      stream: z.string().min(1),
      from: whole.optional(),
      limit: whole.optional(),
      backward: z.boolean().default(false),
      data: dataForm,
      now: timeText.optional()
    }),
  inspectIndex: () => databaseLocation.extend({ winnowHome: z.string().optional() }),
  ...rebuildRequests,
  ...usageRequests,
  ...repairRequests,
  ...extractionRequests,
  ...rescueRequests,
  ...redactionRequests,
  ...doctorRequests,
  listIndexEntries: () =>
    databaseLocation.extend({ hash: z.string().optional(), stream: z.string().optional() }),
  verifyDatabase: () =>
    databaseLocation.extend({
      quick: z.boolean().default(false),
      threads: z.number().int().min(1).default(1),
      /** Read at most, by all threads together; 0 or absent: as fast as it goes. */
      bytesPerSecond: z.number().int().nonnegative().optional(),
      /** Files one by one, the oldest first, for so long; 0: nothing is read. Absent: all of them, against each other. */
      budgetMs: z.number().int().nonnegative().optional(),
      /** Asks how much of the log was verified within this time. */
      withinMs: z.number().int().positive().optional(),
      /** The window verifies again by itself after a rebuild of the index: not an activity of a person. */
      unasked: z.boolean().optional(),
      /** Our own data, where the result is kept. */
      winnowHome: z.string().optional()
    }),
  planScavenge: () =>
    scavengeOptions().extend({
      /** Made by the window on its own, for the weights of chunks: nobody waits for it. */
      unasked: z.boolean().default(false)
    }),
  runScavenge: scavengeOptions,
  listHistory: () => databaseLocation.extend({ winnowHome: z.string().optional() }),
  writeSample: () =>
    z.object({
      dataDirectory: z.string().min(1),
      sizeBytes: z
        .number()
        .int()
        .positive()
        .default(64 * 1024 * 1024),
      chunkSizeBytes: z
        .number()
        .int()
        .positive()
        .default(1024 * 1024),
      seed: z.number().int().nonnegative().default(1),
      streams: z.number().int().positive().optional(),
      now: timeText.optional()
    }),
  describeSchedule: () =>
    z.object({
      expression: z.string(),
      timeZone: z.string().optional(),
      from: timeText.optional(),
      count: z.number().int().min(1).max(1000).default(5)
    }),
  /** For the window: one page of a chunk's records, with everything a table and a hex view need. */
  readChunkPage: () =>
    databaseLocation.extend({
      chunk: whole,
      /** Index of the first record wanted, counted in the chunk. */
      offset: whole.default(0),
      limit: z.number().int().min(1).max(1000).default(200)
    }),
  /** For the window: header, footer and position map of one chunk, fields with their places. */
  describeChunk: () => databaseLocation.extend({ chunk: whole }),
  /** For the window: the bytes of one record with its decoded fields tied to them. */
  describeRecord: () =>
    databaseLocation.extend({
      position: whole,
      /** All bytes of the record instead of its first 64 KiB. */
      whole: z.boolean().default(false)
    }),
  /** For the window: a page of streams from a list kept in the engine. */
  readStreamsPage: () =>
    databaseLocation.extend({
      winnowHome: z.string().optional(),
      search: z.string().max(1000).default(''),
      /** Only streams of this category, or those without one. */
      category: z.string().max(100_000).optional(),
      /** What a reader sees of them; none named: any. */
      states: z.array(z.enum(STREAM_STATES)).default([]),
      /** Of the rules of their metadata one of these; none named: any. */
      rules: z.array(z.enum(STREAM_RULES)).default([]),
      /** By what is removable: where that is not known without reading chunks, by name. */
      sort: z.enum(['name', 'bytes', 'events', 'removable']).default('name'),
      descending: z.boolean().default(false),
      offset: whole.default(0),
      limit: z.number().int().min(1).max(1000).default(200)
    }),
  /** For the window: the categories of all streams, the largest first. */
  readStreamCategories: () => databaseLocation.extend({ winnowHome: z.string().optional() }),
  /** For the window: a page of a stream's events as a reader sees them. */
  readEventsPage: () =>
    databaseLocation.extend({
      winnowHome: z.string().optional(),
      stream: z.string().min(1),
      from: whole.default(0),
      limit: z.number().int().min(1).max(1000).default(100),
      data: dataForm
    })
});

export type OperationName = keyof typeof requests;
/** As a caller writes it (defaults may be omitted). */
export type RequestOf<N extends OperationName> = z.input<(typeof requests)[N]>;
/** As the operation gets it (defaults filled in). */
export type CheckedRequestOf<N extends OperationName> = z.output<(typeof requests)[N]>;

/** What the fields of records, chunk headers and footers are called: the window has words of its own for each. */
export type FieldName =
  | 'Length'
  | 'Record type'
  | 'Record version'
  | 'Log position'
  | 'Flags'
  | 'Transaction position'
  | 'Transaction offset'
  | 'Expected version'
  | 'First event number'
  | 'Sort key'
  | 'Stream name length'
  | 'Stream'
  | 'Event id'
  | 'Correlation id'
  | 'Time'
  | 'Event type length'
  | 'Event type'
  | 'Data length'
  | 'Data'
  | 'Metadata length'
  | 'Metadata'
  | 'System record type'
  | 'Serialization'
  | 'Length, again'
  | 'File type'
  | 'Lowest version a reader must know'
  | 'Chunk size'
  | 'First chunk'
  | 'Last chunk'
  | 'Scavenged'
  | 'Chunk id'
  | 'Version'
  | 'Transform'
  | 'Physical data size'
  | 'Logical data size'
  | 'Map size'
  | 'MD5';

/** What a field is about; fields of one kind have one colour beside their bytes. */
export type FieldMeaning = 'length' | 'number' | 'name' | 'id' | 'time' | 'data' | 'metadata';

export interface DescribedField {
  name: string;
  /** Of a record only. */
  meaning?: FieldMeaning;
  /** Decoded value as text. */
  value: string;
  /** Place in the described bytes (or file), in bytes. */
  offset: number;
  length: number;
}

export interface ChunkDescription {
  file: string;
  fileSize: number;
  modifiedMs: number;
  mode: number;
  header: DescribedField[];
  footer: DescribedField[] | null;
  recordCount: number | null;
  positionMap: { entries: number; first: [number, number][]; last: [number, number][] } | null;
}

export interface RecordDescription {
  file: string;
  fileOffset: number;
  position: number;
  /** The framed record; of a longer one only the first 64 KiB, unless all was asked for. */
  bytes: Uint8Array;
  /** Framed length in bytes. */
  totalLength: number;
  fields: DescribedField[];
  record: RecordRow;
}

export interface Page<Row> {
  rows: Row[];
  offset: number;
  total: number;
}

export interface StreamCategory {
  name: string;
  streams: number;
  events: number;
  bytes: number;
}

export interface StreamCategories {
  /** The largest first; streams without a category have one together. */
  categories: StreamCategory[];
  totalBytes: number;
}

export interface Replies
  extends
    BackupReplies,
    BundleReplies,
    UsageReplies,
    ExplainReplies,
    ReadingReplies,
    ErasureReplies,
    DifferenceReplies,
    ExtractionReplies,
    RedactionReplies {
  planRestore: RestorePlanReport;
  runRestore: RestoreReport;
  continueRestore: RestoreReport;
  undoRestore: UndoneRestoreReport;
  cutLog: CutLogReport;
  rehearseBackup: RehearseReport;
  inspectDatabase: InspectReport;
  listChunks: ChunksReport;
  inspectIndex: IndexReport;
  planIndexRebuild: IndexRebuildReport;
  rebuildIndex: IndexRebuildReport;
  repairDatabase: RepairReport;
  verifyDatabase: VerifyReport;
  examineStart: DoctorReport;
  forecastStartup: StartupReport;
  prepareStartup: StartupReport;
  planScavenge: ScavengeReport;
  planCluster: MembersPlan;
  runScavenge: ScavengeReport;
  planUndoScavenge: UndoReport;
  undoScavenge: UndoReport;
  forgetReplaced: ForgetReport;
  planRescue: ScavengeReport;
  runRescue: ScavengeReport;
  writeClusterPoint: ClusterPointReport;
  listHistory: HistoryReport;
  writeSample: SampleReport;
  describeSchedule: ScheduleReport;
  readChunkPage: Page<RecordRow>;
  describeChunk: ChunkDescription;
  describeRecord: RecordDescription;
  /** `totalBytes`: of all streams of the log, those that are not wanted too. */
  readStreamsPage: Page<StreamRow> & { totalBytes: number };
  readStreamCategories: StreamCategories;
  readEventsPage: Page<EventRow> & { isEndOfStream: boolean; nextFrom: number };
}

export interface StreamRows {
  listRecords: RecordRow | SkippedRow;
  listStreams: StreamRow;
  readStream: EventRow;
  listIndexEntries: IndexEntryRow;
}

export type ReportOperation = keyof Replies;
export type StreamOperation = keyof StreamRows;
