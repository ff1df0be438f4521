/** Answers of the operations that read a database in depth. */
import type { IndexEntryRow, RecordRow, StreamRow } from './reports.ts';

export interface RecordsFound {
  rows: RecordRow[];
  /** Where to continue; null: everything has been searched. */
  nextFrom: number | null;
  /** Everything before it has been searched; the end of the search. */
  searchedTo: number;
  searchEnd: number;
}

export interface RecordPlace {
  /** First number of the chunk file. */
  chunk: number;
  /** Index of the record in its chunk. */
  index: number;
  position: number;
}

export interface ChunkTimes {
  chunkStart: number;
  /** ISO 8601; null: the chunk has no records, or cannot be read. */
  first: string | null;
  last: string | null;
}

export interface TimelineReport {
  chunks: ChunkTimes[];
}

export interface StreamPlace {
  chunkStart: number;
  chunkEnd: number;
  file: string;
  events: number;
  bytes: number;
  firstPosition: number;
}

export interface MetadataVersion {
  eventNumber: number | string;
  position: number;
  time: string;
  /** As written; null if it is not JSON. */
  json: string | null;
  metadata: StreamRow['metadata'];
}

export interface StreamDescription {
  stream: string;
  hash: string;
  /** In the order of the log. */
  places: StreamPlace[];
  /** Newest first. */
  metadataHistory: MetadataVersion[];
  /** Index entries whose record a scavenge has removed. */
  goneEntries: number;
  /** Entries of other streams with the same hash. */
  foreignEntries: number;
  /** There are so many entries that only the newest were read. */
  cutAt: number | null;
}

export interface LookedUpEntry extends IndexEntryRow {
  /** The stream of the record there; null: there is no longer one. */
  stream: string | null;
  eventType: string | null;
}

export interface TableAsked {
  /** File name; null: the entries that are only in the log. */
  table: string | null;
  filter: 'no' | 'maybe' | 'none';
  entries: number;
}

export interface StreamLookUp {
  hash: string;
  tables: TableAsked[];
  rows: LookedUpEntry[];
  /** Number of entries found; `rows` are the first of them. */
  total: number;
}

export interface FilterFacts {
  fileSize: number;
  bits: number;
  /** Share of set bits; null: too large to count. */
  fill: number | null;
  /** False-positive rate: share of streams that are not in the table but pass the filter. */
  falsePositives: number | null;
  damagedLines: number;
}

export interface IndexTableDescription {
  table: string;
  fileSize: number;
  version: number;
  entries: number;
  midpoints: number;
  /** Null: missing or unusable. */
  filter: FilterFacts | null;
  filterProblem: string | null;
  rows: IndexEntryRow[];
  offset: number;
  total: number;
}

export interface IndexMapText {
  /** Null: there is no map. */
  text: string | null;
}

export interface ComparedFile {
  /** Null: what a scavenge would leave. */
  file: string | null;
  /** Its origin: the data directory, a backup by its name, a plan. */
  from: string;
  fileSize: number;
  records: number;
  bytes: number;
}

export interface ComparedStream {
  stream: string;
  records: number;
  bytes: number;
}

export interface ChunkComparison {
  chunkStart: number;
  chunkEnd: number;
  before: ComparedFile;
  after: ComparedFile;
  /** In `before` and not in `after`. */
  removed: { records: number; bytes: number };
  /** In `after` and not in `before`: they are not two versions of one chunk. */
  added: { records: number; bytes: number };
  /** Those that lose the most bytes first. */
  streams: ComparedStream[];
  streamCount: number;
  /** The first of the removed records. */
  rows: RecordRow[];
}

export interface ReadingReplies {
  searchRecords: RecordsFound;
  locateRecord: RecordPlace;
  readTimeline: TimelineReport;
  describeStream: StreamDescription;
  lookUpStream: StreamLookUp;
  describeIndexTable: IndexTableDescription;
  readIndexMap: IndexMapText;
  compareChunk: ChunkComparison;
}
