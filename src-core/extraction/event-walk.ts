/**
 * The events of a source that are wanted, in the order of the log: what lies there up to the writer checkpoint, committed,
 * with the numbers that readers see. No rule of retention is applied: what a scavenge has not removed yet is there. Commits,
 * epochs, writes without events and members of transactions that were never committed are no events.
 *
 * What cannot be read is told and passed over.
 */
import type { OperationControl } from '../database/operation-control.ts';
import { FRAME_LENGTH, type LogRecord } from '../records/log-record.ts';
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
  #commitPosition = 0;
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

  /** Where the current event became visible: its own position, or that of its transaction's commit. */
  get commitPosition(): number {
    return this.#commitPosition;
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
        this.#commitPosition = record.position;
        const number = record.isSelfCommitted ? record.eventNumber : await this.#committed(record);
        if (number === undefined) continue;
        if (!isNumber(number)) {
          this.#tellUnreadable(record, 'its event number is none that a stream can have');
          continue;
        }
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
    const commit = await this.#commits.commitOf(record);
    if (commit) {
      this.#commitPosition = commit.position;
      return record.isTombstone
        ? DELETED_STREAM_EVENT_NUMBER
        : commit.firstEventNumber + record.transactionOffset;
    }
    if (commit === null) this.notCommitted++;
    else this.#tellUnreadable(record, 'the commit of its transaction may lie where nothing could be read');
    return undefined;
  }

  #tellUnreadable({ position, length }: LogRecord, why: string): void {
    const chunk = Math.floor(position / this.#parts.source.chunkSizeBytes);
    const file = `chunk-${String(chunk).padStart(6, '0')}`;
    this.#parts.onUnreadable({ file, from: position, to: position + length + FRAME_LENGTH, why });
  }
}

/** Of an event, or of a tombstone. */
function isNumber(value: number): boolean {
  return (value >= 0 && value <= Number.MAX_SAFE_INTEGER) || value === DELETED_STREAM_EVENT_NUMBER;
}
