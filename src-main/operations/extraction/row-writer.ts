/** How events become bytes of a file. One writer for each file; bytes go to a sink in order. */
import type { EventValues } from './event-values.ts';

export type RowSink = (bytes: Uint8Array) => void;

export interface RowWriter {
  add(event: EventValues): void;
  /** Everything so far has gone to the sink. */
  settle(): void;
  /** Nothing waits to be written, and a next run can go on here. */
  readonly canBeLeft: boolean;
  /** What a next run needs beside the bytes so far, as JSON; undefined: nothing. */
  left(): unknown;
  /** Writes what ends the file. */
  finish(): void;
}

/** What an earlier run has left of a file. */
export interface LeftFile {
  /** That are kept; not 0. */
  bytes: number;
  /** As `RowWriter.left` gave it, from a file that anybody may have written. */
  left: unknown;
}

export interface RowOptions {
  /** Of formats that gather rows: so many at most. */
  groupRows: number;
}

export interface RowFormat {
  /** What is left for a next run grows with the file: kept at the earliest when the file has grown by this share. */
  readonly leftShare: number;
  /** Throws InvalidRequest for something left that does not fit. */
  open(sink: RowSink, options: RowOptions, left?: LeftFile): RowWriter;
}
