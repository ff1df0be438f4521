/**
 * Which events are to be redacted: by their ids, or by stream and number. Pure; compares bytes first, so that a walk
 * over a log makes no text for records that are not meant.
 */
import { encodeGuid } from '../codec/guid.ts';
import { invalidRequest } from '../errors.ts';
import type { LogRecord } from '../records/log-record.ts';

export interface RedactionQuestion {
  eventIds: readonly string[];
  /** As the records themselves number them: members of explicit transactions have no number of their own. */
  events: readonly { stream: string; number: number }[];
}

/** What was asked for, in the words of the question. */
export interface AskedEvent {
  eventId: string | null;
  stream: string | null;
  number: number | null;
}

const GUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const GUID_LENGTH = 16;

export class WantedEvents {
  readonly asked: AskedEvent[] = [];
  readonly #ids: { bytes: Buffer; index: number }[] = [];
  readonly #numbers = new Map<number, { stream: string; index: number }[]>();

  constructor({ eventIds, events }: RedactionQuestion) {
    for (const id of new Set(eventIds.map((one) => one.toLowerCase()))) {
      if (!GUID.test(id)) throw invalidRequest(`"${id}" is not an event id.`, 'eventIds', 'Give a GUID.');
      const bytes = Buffer.alloc(GUID_LENGTH);
      encodeGuid(id, bytes, 0);
      this.#ids.push({ bytes, index: this.asked.length });
      this.asked.push({ eventId: id, stream: null, number: null });
    }
    for (const { stream, number } of events) {
      const same = this.#numbers.get(number) ?? [];
      if (same.some((one) => one.stream === stream)) continue;
      same.push({ stream, index: this.asked.length });
      this.#numbers.set(number, same);
      this.asked.push({ eventId: null, stream, number });
    }
    if (this.asked.length === 0) {
      throw invalidRequest('The request names no event.', 'eventIds', 'Name an event by its id.');
    }
  }

  /** Indexes in `asked` of what means this record. */
  matching(record: LogRecord): number[] {
    if (record.kind !== 'prepare') return NONE;
    let found = NONE;
    const { bytes } = record;
    const at = record.eventIdAt;
    for (const wanted of this.#ids) {
      if (wanted.bytes[0] !== bytes[at]) continue;
      if (wanted.bytes.compare(bytes, at, at + GUID_LENGTH) === 0) found = [...found, wanted.index];
    }
    for (const { stream, index } of this.#numbers.get(record.eventNumber) ?? []) {
      if (record.hasData && record.stream === stream) found = [...found, index];
    }
    return found;
  }
}

const NONE: number[] = [];
