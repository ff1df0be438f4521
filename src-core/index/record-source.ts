/**
 * What the index needs of the log. The index never imports the log: it is handed these. LogReader and LogRecord
 * fit as they are.
 */
import type { NamedRecord } from './stream-hash.ts';

/** One record as the index uses it. A view: valid until its source moves on. */
export interface IndexedRecord extends NamedRecord {
  readonly kind: 'prepare' | 'commit' | 'system';
  readonly version: number;
  readonly position: number;
  readonly flags: number;
  readonly transactionPosition: number;
  readonly transactionOffset: number;
  /** Prepare: its own number. Commit: that of the first event of its transaction. */
  readonly eventNumber: number;
  readonly ticks: bigint;
  readonly data: Uint8Array;
  readonly isSelfCommitted: boolean;
  readonly isTombstone: boolean;
  readonly hasData: boolean;
}

/** Records in the order of the log. */
export interface RecordSource {
  readonly record: IndexedRecord;
  /** Moves to the next record; false at the end. */
  next(): boolean;
  close(): void;
}

/** The chunk of a position, as far as the index uses it. */
export interface RecordChunk {
  readonly startPosition: number;
  /** Records may have been removed from it. */
  readonly isScavenged: boolean;
  readonly header: { readonly transformType: number };
}

export interface RecordLog {
  /** Exclusive. */
  readonly end: number;
  /** Records at or after `from` and below `to`. */
  cursor(from: number, to: number): RecordSource;
  /** The same, perhaps without their data. */
  heads?(from: number, to: number): RecordSource;
  /** The record that starts exactly at `position`; undefined when it was scavenged or never existed. */
  readAt(position: number): IndexedRecord | undefined;
  /** As `readAt`, of many at once: see `readRising` of log/rising-reads.ts. */
  readMany?(
    positions: readonly number[],
    found: (index: number, record: IndexedRecord | undefined) => void,
    failed: (index: number, error: unknown) => void
  ): void;
  /** undefined where no chunk is. */
  chunkAt(position: number): RecordChunk | undefined;
}
