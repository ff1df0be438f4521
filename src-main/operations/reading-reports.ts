/** What the operations answer that look into a database in depth. */
import type { IndexEntryRow, RecordRow, StreamRow } from './reports.ts';

export interface RecordsFound {
  rows: RecordRow[];
  /** Where to go on; null: everything has been looked at. */
  nextFrom: number | null;
  /** Everything below has been looked at; where the search ends. */
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
  /** ISO 8601; null: the chunk holds no record, or cannot be read. */
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
  /** As written; null where it is no JSON. */
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
  /** Index entries whose record is gone: a scavenge has removed it. */
  goneEntries: number;
  /** Entries of other streams that have the same hash. */
  foreignEntries: number;
  /** Only the newest entries were looked at, so many there are. */
  cutAt: number | null;
}

export interface LookedUpEntry extends IndexEntryRow {
  /** Whose record lies there; null: none does any more. */
  stream: string | null;
  eventType: string | null;
}

export interface TableAsked {
  /** File name; null: the entries that only the log holds. */
  table: string | null;
  filter: 'no' | 'maybe' | 'none';
  entries: number;
}

export interface StreamLookUp {
  hash: string;
  tables: TableAsked[];
  rows: LookedUpEntry[];
  /** Entries that were found; `rows` are the first of them. */
  total: number;
}

export interface FilterFacts {
  fileSize: number;
  bits: number;
  /** Share of the bits that are set; null: too large to count. */
  fill: number | null;
  /** Of the streams that the table does not hold, so many are asked for in vain. */
  falsePositives: number | null;
  damagedLines: number;
}

export interface IndexTableDescription {
  table: string;
  fileSize: number;
  version: number;
  entries: number;
  midpoints: number;
  /** Null: there is none, or it cannot be used. */
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
  /** Where it is from: the data directory, a backup by its name, a plan. */
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
  /** Those that lose most bytes first. */
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
