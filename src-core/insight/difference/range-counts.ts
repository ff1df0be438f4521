/** Counts what a comparison finds in one range and draws the verdict of it; keeps the first places that are not all right. */
import { type RangeVerdict, type SideName } from '../../units/difference-terms.ts';
import type { LogRecord } from '../../records/log-record.ts';
import type { Found, FoundRecord } from './compare-range.ts';
import {
  count,
  noAmount,
  nothingHere,
  type Difference,
  type DifferenceRange,
  type DifferentBytes
} from './difference.ts';
import type { Hole } from './difference-side.ts';
import type { PendingRecords } from './pending-records.ts';
import type { Ruling } from './removal-judge.ts';

/** How a caller describes a record; its view is valid for the call only. */
export type DescribeRecord<Row> = (record: LogRecord, place: { fileName: string; fileOffset: number }) => Row;

/** A place that is not all right, as it is found. */
export type Differs<Row> = (difference: Difference<Row>) => void;

export interface RangeCountsParts<Row> {
  /** About a record that a side lacks. */
  judge: (lackedBy: SideName, record: LogRecord) => Ruling;
  /** Many records are going to be judged, of these streams. */
  prepare: (lackedBy: SideName, streams: ReadonlySet<string>) => void;
  /** Shared by all ranges, and empty between them. */
  pending: PendingRecords;
  describe: DescribeRecord<Row>;
  /** Not asked for descriptions once the caller has enough of them. */
  wantsMore: () => boolean;
  onDifference: Differs<Row>;
  /** The same of records that a rule explains. */
  wantsExplained: () => boolean;
  onExplained: Differs<Row>;
}

export class RangeCounts<Row> implements Found {
  readonly equalAmount = noAmount();
  differing = 0;
  readonly one = nothingHere();
  readonly other = nothingHere();
  holes = 0;
  /** Those that nobody can look into. */
  #encrypted = 0;
  readonly #parts: RangeCountsParts<Row>;

  constructor(parts: RangeCountsParts<Row>) {
    this.#parts = parts;
  }

  equal(records: number, bytes: number): void {
    count(this.equalAmount, records, bytes);
  }

  differs(one: FoundRecord, other: FoundRecord, bytes: DifferentBytes): void {
    this.flush();
    this.differing++;
    this.#tell({
      kind: 'bytes',
      position: one.position,
      to: null,
      lackedBy: null,
      verdict: null,
      because: `Both have a record there; their bytes differ from byte ${bytes.first} on (${bytes.part}).`,
      one: this.#rowOf(one),
      other: this.#rowOf(other),
      bytes,
      hole: null
    });
  }

  onlyHere(side: SideName, found: FoundRecord, hole: Hole | undefined): void {
    const here = this[side];
    if (hole) {
      count(here.unreadable, 1, found.framedLength);
      return; // the hole itself is told
    }
    const { pending } = this.#parts;
    const { record } = found;
    if (record && pending.add(side, found, record)) return;
    this.flush();
    if (record && pending.add(side, found, record)) return;
    const ruling: Ruling = record
      ? this.#parts.judge(otherOf(side), record)
      : { verdict: 'notKnown', rule: null, because: 'Its bytes are not a record.' };
    this.#rule(side, found, ruling);
  }

  /** Judges what is still to be judged: before anything else is told, and at the end of the range. */
  flush(): void {
    const { pending, prepare, judge } = this.#parts;
    if (pending.isEmpty) return;
    for (const side of ['one', 'other'] as const) prepare(otherOf(side), pending.streamsOf(side));
    pending.take((side, found) => this.#rule(side, found, judge(otherOf(side), found.record)));
  }

  #rule(side: SideName, found: FoundRecord, ruling: Ruling): void {
    const here = this[side];
    const lackedBy = otherOf(side);
    const { verdict, rule } = ruling;
    count(here[verdict], 1, found.framedLength);
    if (rule !== null) {
      const amount = here.byRule.get(rule) ?? noAmount();
      count(amount, 1, found.framedLength);
      here.byRule.set(rule, amount);
    }
    if (verdict === 'explained' && !this.#parts.wantsExplained()) return;
    const row = verdict === 'explained' ? this.#describe(found) : this.#rowOf(found);
    const difference: Difference<Row> = {
      kind: 'missing',
      position: found.position,
      to: null,
      lackedBy,
      verdict,
      because: ruling.because,
      one: side === 'one' ? row : null,
      other: side === 'other' ? row : null,
      bytes: null,
      hole: null
    };
    if (verdict === 'explained') this.#parts.onExplained(difference);
    else this.#tell(difference);
  }

  hole(side: SideName, hole: Hole): void {
    this.flush();
    this.holes++;
    if (hole.kind === 'encrypted') this.#encrypted++;
    this.#tell({
      kind: 'unreadable',
      position: hole.from,
      to: hole.to,
      lackedBy: side,
      verdict: null,
      because: hole.because,
      one: null,
      other: null,
      bytes: null,
      hole
    });
  }

  /** No file of either side serves the range. */
  neitherHas({ from, to }: { from: number; to: number }): void {
    const because = 'Neither side has a file for it here; it may be archived.';
    const hole: Hole = { from, to, kind: 'missing', fileName: null, fileOffset: null, because };
    for (const side of ['one', 'other'] as const) this.hole(side, hole);
  }

  get verdict(): RangeVerdict {
    const { one, other } = this;
    const isUnexplained = one.unexplained.records + other.unexplained.records > 0;
    if (this.differing > 0 || isUnexplained || this.holes > this.#encrypted) return 'differs';
    if (this.holes + one.notKnown.records + other.notKnown.records > 0) return 'notKnown';
    return one.explained.records + other.explained.records > 0 ? 'explained' : 'equal';
  }

  range(place: Pick<DifferenceRange, 'from' | 'to' | 'how'>): DifferenceRange {
    const { equalAmount: equal, differing, one, other, holes, verdict } = this;
    return { ...place, verdict, equal, differing, one, other, holes };
  }

  #rowOf(found: FoundRecord): Row | null {
    return this.#parts.wantsMore() ? this.#describe(found) : null;
  }

  #describe({ record, fileName, fileOffset }: FoundRecord): Row | null {
    return record ? this.#parts.describe(record, { fileName, fileOffset }) : null;
  }

  #tell(difference: Difference<Row>): void {
    this.#parts.onDifference(difference);
  }
}

export function otherOf(side: SideName): SideName {
  return side === 'one' ? 'other' : 'one';
}
