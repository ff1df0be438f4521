/** What lies at a position of the log, in words for findings. A look that fails gives less to say, never an error. */
import { requireFault } from '../errors.ts';
import type { LogReader } from '../log/log-reader.ts';
import { eventNumberToJson } from '../units/event-number.ts';

export class RecordNames {
  readonly #log: LogReader;

  constructor(log: LogReader) {
    this.#log = log;
  }

  /** undefined: no prepare lies there, or it cannot be read. */
  streamAt(position: number): string | undefined {
    const record = this.#recordAt(position);
    return record?.kind === 'prepare' ? record.stream : undefined;
  }

  /** `event 3 of stream "order-1"`; undefined if there is no record. */
  eventAt(position: number): string | undefined {
    const record = this.#recordAt(position);
    if (record?.kind !== 'prepare') return record && `a ${record.kind} record`;
    const { stream, eventNumber, isSelfCommitted } = record;
    // Members of explicit transactions get their number from the commit.
    return isSelfCommitted
      ? `event ${eventNumberToJson(eventNumber)} of stream "${stream}"`
      : `an event of stream "${stream}", in a transaction`;
  }

  #recordAt(position: number) {
    try {
      return this.#log.readAt(position);
    } catch (error) {
      // Damage is told where it is found; a file that is gone was replaced by a running server.
      requireFault(error);
      return undefined;
    }
  }
}
