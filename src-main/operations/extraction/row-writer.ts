/** How events become bytes of a file. One writer for each file; bytes go to a sink in order. */
import type { EventValues } from './event-values.ts';

export type RowSink = (bytes: Uint8Array) => void;

export interface RowWriter {
  add(event: EventValues): void;
  /** Everything so far has gone to the sink. */
  settle(): void;
  /** Writes what ends the file. */
  finish(): void;
}

export interface RowFormat {
  /** A file that ends behind any row can be continued there. */
  readonly isContinuable: boolean;
  /** `isContinued`: rows precede. */
  open(sink: RowSink, isContinued: boolean): RowWriter;
}
