/**
 * Compares two logs over one range, by position. Both are walked side by side by their frames; as long as positions and
 * lengths agree nothing is looked at, and the bytes of the whole run are compared at once. Only where they differ is a
 * record decoded.
 */
import { type SideName } from '../../units/difference-terms.ts';
import { readInt64 } from '../../codec/int64.ts';
import type { OperationControl } from '../../database/operation-control.ts';
import { FRAME_LENGTH, LogRecord } from '../../records/log-record.ts';
import type { Hole } from './difference-side.ts';
import { differentBytes } from './record-bytes.ts';
import type { DifferentBytes } from './difference.ts';
import { POSITION_IN_FRAME, type FrameWalk } from './frame-walk.ts';

/** What a comparison finds, in the order of the log. Records are views: valid until the call returns. */
export interface Found {
  equal(records: number, bytes: number): void;
  /** Both have a record there; of one that cannot be decoded only the place is told. */
  differs(one: FoundRecord, other: FoundRecord, bytes: DifferentBytes): void;
  /** `hole`: the other side cannot be read there. */
  onlyHere(side: SideName, found: FoundRecord, hole: Hole | undefined): void;
}

export interface FoundRecord {
  position: number;
  framedLength: number;
  fileName: string;
  fileOffset: number;
  /** Undefined where the frame is whole and its content is not a record. */
  record: LogRecord | undefined;
}

export async function compareRange(
  one: FrameWalk,
  other: FrameWalk,
  found: Found,
  control: OperationControl
): Promise<void> {
  const comparison = new Comparison(one, other, found);
  await one.next();
  await other.next();
  while (one.position < Infinity || other.position < Infinity) {
    const order = one.position - other.position;
    if (order === 0 && one.framedLength === other.framedLength) {
      comparison.extendRun();
      const hasFirst = one.step();
      const hasSecond = other.step();
      if (hasFirst && hasSecond) continue;
      comparison.endRun();
      if (!hasFirst) await one.next();
      if (!hasSecond) await other.next();
      continue;
    }
    comparison.endRun();
    if (order === 0) comparison.differAt(one.at, one.framedLength, other.at, other.framedLength);
    else if (order < 0) comparison.onlyIn('one', one, other);
    else comparison.onlyIn('other', other, one);
    if (control.isDue) await control.breathe();
    if (order <= 0) await one.next();
    if (order >= 0) await other.next();
  }
}

class Comparison {
  readonly #one: FrameWalk;
  readonly #other: FrameWalk;
  readonly #found: Found;
  readonly #record = new LogRecord();
  readonly #second = new LogRecord();
  /** Records in a row of which both sides have the frames; their bytes are still to be compared. */
  #runRecords = 0;
  #runLength = 0;
  #runOne = 0;
  #runOther = 0;

  constructor(one: FrameWalk, other: FrameWalk, found: Found) {
    this.#one = one;
    this.#other = other;
    this.#found = found;
  }

  extendRun(): void {
    if (this.#runRecords === 0) {
      this.#runOne = this.#one.at;
      this.#runOther = this.#other.at;
    }
    this.#runRecords++;
    this.#runLength += this.#one.framedLength;
  }

  endRun(): void {
    if (this.#runRecords === 0) return;
    if (this.#isSame(this.#runOne, this.#runOther, this.#runLength)) {
      this.#found.equal(this.#runRecords, this.#runLength);
    } else this.#splitRun();
    this.#runRecords = 0;
    this.#runLength = 0;
  }

  differAt(at: number, framedLength: number, otherAt: number, otherLength: number): void {
    const first = this.#one.buffer.subarray(at, at + framedLength);
    const second = this.#other.buffer.subarray(otherAt, otherAt + otherLength);
    const bytes = differentBytes(first, second);
    if (!bytes) return;
    const one = describe(this.#one, at, framedLength, this.#record);
    this.#found.differs(one, describe(this.#other, otherAt, otherLength, this.#second), bytes);
  }

  onlyIn(side: SideName, holder: FrameWalk, lacking: FrameWalk): void {
    const found = describe(holder, holder.at, holder.framedLength, this.#record);
    this.#found.onlyHere(side, found, lacking.holeAt(holder.position));
  }

  #isSame(at: number, otherAt: number, length: number): boolean {
    const { buffer } = this.#one;
    return buffer.compare(this.#other.buffer, otherAt, otherAt + length, at, at + length) === 0;
  }

  /** Record by record, since at least one differs. */
  #splitRun(): void {
    let equalRecords = 0;
    let equalBytes = 0;
    for (let done = 0; done < this.#runLength;) {
      const at = this.#runOne + done;
      const otherAt = this.#runOther + done;
      const framedLength = this.#one.view.getInt32(at, true) + FRAME_LENGTH;
      if (this.#isSame(at, otherAt, framedLength)) {
        equalRecords++;
        equalBytes += framedLength;
      } else {
        if (equalRecords > 0) this.#found.equal(equalRecords, equalBytes);
        equalRecords = 0;
        equalBytes = 0;
        this.differAt(at, framedLength, otherAt, framedLength);
      }
      done += framedLength;
    }
    if (equalRecords > 0) this.#found.equal(equalRecords, equalBytes);
  }
}

function describe(walk: FrameWalk, at: number, framedLength: number, into: LogRecord): FoundRecord {
  const { buffer, view } = walk;
  const problem = into.parse(buffer, view, at + 4, framedLength - FRAME_LENGTH);
  return {
    position: readInt64(view, at + POSITION_IN_FRAME),
    framedLength,
    fileName: walk.fileName,
    fileOffset: walk.fileOffsetOf(at),
    record: problem === undefined ? into : undefined
  };
}
