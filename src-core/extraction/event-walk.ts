/**
 * The events of a source that are wanted, in the order of the log: what lies there up to the writer checkpoint, committed,
 * with the numbers that readers see. No rule of retention is applied: what a scavenge has not removed yet is there. Commits,
 * epochs, writes without events and members of transactions that were never committed are no events.
 *
 * What cannot be read is told and passed over.
 */
import type { OperationControl } from '../database/operation-control.ts';
import type { LogRecord } from '../records/log-record.ts';
import type { SkippedRange } from '../repair/salvage-chunk.ts';
import { DELETED_STREAM_EVENT_NUMBER } from '../units/event-number.ts';
import { CommitSearch } from './commit-search.ts';
import { EventMatcher, type EventSelection } from './event-selection.ts';
import type { PositionRange, RecordSource, RecordWalk } from './record-walk.ts';

export interface EventWalkParts {
  source: RecordSource;
  /** For commits that lie ahead; another one than `source` if chunks are decoded into files. */
  ahead: RecordSource;
  selection: EventSelection;
  range: PositionRange;
  control: OperationControl;
  onUnreadable: (range: SkippedRange) => void;
  /** Hears now and then how far the walk is. */
  onPosition: (position: number) => void;
}

const RECORDS_BETWEEN_LOOKS = 512;

export class EventWalk {
  readonly #parts: EventWalkParts;
  readonly #matcher: EventMatcher;
  readonly #walk: RecordWalk;
  readonly #commits: CommitSearch;
  #eventNumber = 0;
  #seen = 0;
  /** Members of transactions that were never committed. */
  notCommitted = 0;

  constructor(parts: EventWalkParts) {
    this.#parts = parts;
    this.#matcher = new EventMatcher(parts.selection);
    this.#walk = parts.source.walk(parts.range);
    this.#commits = new CommitSearch(parts.ahead, parts.control);
  }

  /** The event's prepare, valid until the next call of `next`. */
  get record(): LogRecord {
    return this.#walk.record;
  }

  /** Of the current event; of a tombstone DELETED_STREAM_EVENT_NUMBER. */
  get eventNumber(): number {
    return this.#eventNumber;
  }

  /** To the next event; false behind the last one. */
  async next(): Promise<boolean> {
    const { control, onUnreadable, onPosition } = this.#parts;
    for (;;) {
      if (++this.#seen % RECORDS_BETWEEN_LOOKS === 0 && control.isDue) await control.breathe();
      const found = this.#walk.next();
      if (found === 'end') return false;
      if (found === 'chunk') await this.#walk.enter();
      else if (found === 'skipped') onUnreadable(this.#walk.skipped!);
      else {
        const { record } = this.#walk;
        if (this.#seen % RECORDS_BETWEEN_LOOKS === 0) onPosition(record.position);
        if (record.kind !== 'prepare' || !(record.hasData || record.isTombstone)) continue;
        if (!this.#matcher.matches(record)) continue;
        const number = record.isSelfCommitted ? record.eventNumber : await this.#committed(record);
        if (number === undefined) continue;
        this.#eventNumber = number;
        return true;
      }
    }
  }

  close(): void {
    this.#walk.close();
    this.#commits.close();
  }

  async #committed(record: LogRecord): Promise<number | undefined> {
    const first = await this.#commits.firstNumber(record);
    if (typeof first === 'number') {
      return record.isTombstone ? DELETED_STREAM_EVENT_NUMBER : first + record.transactionOffset;
    }
    if (first === null) this.notCommitted++;
    else {
      const { position, length } = record;
      const file = `chunk-${String(Math.floor(position / this.#parts.source.chunkSizeBytes)).padStart(6, '0')}`;
      const why = 'the commit of its transaction may lie where nothing could be read';
      this.#parts.onUnreadable({ file, from: position, to: position + length + 8, why });
    }
    return undefined;
  }
}
