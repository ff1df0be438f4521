/**
 * What a comparison of two logs says. Positions are those of the log, ranges half-open. `one` and `other` are the two
 * sides in the order of the question; a verdict is all right only where it is `equal` or `explained`.
 */
import type { ComparedBy, MissingVerdict, RangeVerdict, SideName } from '../../units/difference-terms.ts';
import type { RemovalRule } from '../../units/scavenge-terms.ts';
import type { Hole } from './difference-side.ts';

export interface Amount {
  records: number;
  /** Payload and both length fields. */
  bytes: number;
}

/** Records that only this side has. */
export interface OnlyHere {
  explained: Amount;
  notKnown: Amount;
  unexplained: Amount;
  /** The other side cannot be read there: whether it has them is not known. */
  unreadable: Amount;
  /** The explained ones. */
  byRule: Map<RemovalRule, Amount>;
}

export interface DifferenceRange {
  from: number;
  /** Exclusive. */
  to: number;
  verdict: RangeVerdict;
  how: ComparedBy;
  equal: Amount;
  /** Records that both have, with different bytes. */
  differing: number;
  one: OnlyHere;
  other: OnlyHere;
  /** Places at which one of the two cannot be read. */
  holes: number;
}

/** The bytes in which two records of one position differ. */
export interface DifferentBytes {
  /** Of the first one, in the framed record. */
  first: number;
  /** Of the last one. */
  last: number;
  /** The part of the record in which the first one lies. */
  part: string;
  /** How many, as far as both are equally long. */
  count: number;
}

/** One place where the two are not the same. `Row`: a record as the caller describes it. */
export interface Difference<Row> {
  kind: 'bytes' | 'missing' | 'unreadable';
  position: number;
  /** Exclusive end of what cannot be read; null for a record. */
  to: number | null;
  /** The side that lacks the record or cannot be read; null where both have one. */
  lackedBy: SideName | null;
  /** null unless a record is missing. */
  verdict: MissingVerdict | null;
  because: string;
  one: Row | null;
  other: Row | null;
  bytes: DifferentBytes | null;
  hole: Hole | null;
}

export interface LogDifference<Row> {
  verdict: RangeVerdict;
  /** The end of the shorter log: up to here was compared. */
  comparedTo: number;
  /** The side that ends before the other. */
  behind: { side: SideName; bytes: number } | null;
  /** In the order of the log, neighbours of one kind joined. */
  ranges: DifferenceRange[];
  /** Of all ranges. */
  total: Omit<DifferenceRange, 'from' | 'to' | 'verdict' | 'how'>;
  /** The first places that are not all right, in the order of the log; `differenceCount` counts all. */
  differences: Difference<Row>[];
  differenceCount: number;
  /** The first record that only one side has because of a rule. */
  firstExplained: Difference<Row> | null;
  /** Files whose stored hashes were equal. */
  trustedFiles: number;
  /** Of both sides. */
  bytesRead: number;
  bytesTrusted: number;
}

export function noAmount(): Amount {
  return { records: 0, bytes: 0 };
}

export function nothingHere(): OnlyHere {
  return {
    explained: noAmount(),
    notKnown: noAmount(),
    unexplained: noAmount(),
    unreadable: noAmount(),
    byRule: new Map()
  };
}

export function count(amount: Amount, records: number, bytes: number): void {
  amount.records += records;
  amount.bytes += bytes;
}

export function addOnlyHere(sum: OnlyHere, more: OnlyHere): void {
  for (const name of ['explained', 'notKnown', 'unexplained', 'unreadable'] as const) {
    count(sum[name], more[name].records, more[name].bytes);
  }
  for (const [rule, amount] of more.byRule) {
    const known = sum.byRule.get(rule) ?? noAmount();
    count(known, amount.records, amount.bytes);
    sum.byRule.set(rule, known);
  }
}
