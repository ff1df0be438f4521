/** A walk over the log that stops at the prepares of one stream only; names are compared as bytes. */
import type { RecordHead } from '../../records/record-head.ts';
import type { HeadSource } from '../../log/log-reader.ts';
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
  async forEach(visit: (record: RecordHead) => Promise<void> | void): Promise<void> {
    const { session, control } = this.#planned;
    const { log } = session.database;
    if (log.knownHeads && !this.#isInexact) return this.#forEachKnown(log.knownHeads, visit);
    const cursor = log.heads();
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

  /** Without a look at the records of other streams. */
  async #forEachKnown(heads: HeadSource, visit: (record: RecordHead) => Promise<void> | void): Promise<void> {
    const { session, control } = this.#planned;
    for (const chunk of session.database.log.chunks) {
      const cursor = heads.headsOfStream(chunk, this.#stream);
      while (cursor?.next()) {
        const waiting = visit(cursor.record);
        if (waiting) await waiting;
      }
      if (control.isDue()) await control.breathe();
    }
  }

  #isOfStream(record: RecordHead): boolean {
    if (record.kind !== 'prepare') return false;
    if (this.#isInexact) return record.stream === this.#stream;
    const { streamStart, streamEnd, bytes } = record;
    if (streamEnd - streamStart !== this.#name.length) return false;
    return this.#name.compare(bytes, streamStart, streamEnd) === 0;
  }
}
