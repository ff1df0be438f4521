/** A walk over the log that stops at the prepares of one stream only; names are compared as bytes. */
import type { LogRecord } from '../../records/log-record.ts';
import type { PlannedScavenge } from './planned-scavenge.ts';

export class RecordsOfStream {
  readonly #planned: PlannedScavenge;
  readonly #name: Buffer;
  readonly #stream: string;
  /** The name has characters that stand for invalid bytes: only the decoded name tells. */
  readonly #isInexact: boolean;

  constructor(planned: PlannedScavenge, stream: string) {
    this.#planned = planned;
    this.#stream = stream;
    this.#name = Buffer.from(stream);
    this.#isInexact = stream.includes('\u{fffd}');
  }

  /** Calls `visit` for each record, in the order of the log; the view is valid until it returns. */
  async forEach(visit: (record: LogRecord) => Promise<void> | void): Promise<void> {
    const { session, control } = this.#planned;
    const cursor = session.database.log.cursor();
    try {
      while (cursor.next()) {
        if (this.#isOfStream(cursor.record)) {
          const waiting = visit(cursor.record);
          if (waiting) await waiting;
        }
        if (control.isDue()) await control.breathe();
      }
    } finally {
      cursor.close();
    }
  }

  #isOfStream(record: LogRecord): boolean {
    if (record.kind !== 'prepare') return false;
    if (this.#isInexact) return record.stream === this.#stream;
    const { streamStart, streamEnd, bytes } = record;
    if (streamEnd - streamStart !== this.#name.length) return false;
    return this.#name.compare(bytes, streamStart, streamEnd) === 0;
  }
}
