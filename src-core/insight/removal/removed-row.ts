/**
 * A row of numbers for what is removed of a stream or a category: records and bytes by rule, and the limits of the stream,
 * which are found once and tell the rule of each of its records.
 */
import { REMOVAL_RULES } from '../../units/scavenge-terms.ts';
import type { DiscardLimits } from '../explain/discard-reason.ts';
import type { RemovedByRule, RemovedItem } from './removal.ts';

const RULE_COUNT = REMOVAL_RULES.length;

/** Records by rule, bytes by rule, then these. */
export const RemovedColumn = {
  records: 0,
  bytes: RULE_COUNT,
  streams: 2 * RULE_COUNT,
  truncate: 2 * RULE_COUNT + 1,
  count: 2 * RULE_COUNT + 2,
  isSoftDeleted: 2 * RULE_COUNT + 3
} as const;
/** Of a category, which has no limits. */
export const SUM_COLUMNS = 2 * RULE_COUNT + 1;
export const STREAM_COLUMNS = 2 * RULE_COUNT + 4;

export function putLimits(values: Float64Array, row: number, limits: DiscardLimits): void {
  values[row + RemovedColumn.truncate] = limits.truncate;
  values[row + RemovedColumn.count] = limits.count;
  values[row + RemovedColumn.isSoftDeleted] = limits.isSoftDeleted ? 1 : 0;
}

export function readLimits(values: Float64Array, row: number, into: DiscardLimits): void {
  into.truncate = values[row + RemovedColumn.truncate]!;
  into.count = values[row + RemovedColumn.count]!;
  into.isSoftDeleted = values[row + RemovedColumn.isSoftDeleted] === 1;
}

/** Adds the sums of one row to those of another. */
export function addRemoved(to: Float64Array, toRow: number, from: Float64Array, fromRow: number): void {
  for (let column = 0; column < SUM_COLUMNS; column++) to[toRow + column]! += from[fromRow + column]!;
}

export function bytesOf(values: Float64Array, row: number): number {
  let bytes = 0;
  for (let rule = 0; rule < RULE_COUNT; rule++) bytes += values[row + RemovedColumn.bytes + rule]!;
  return bytes;
}

/** In the order of the rules. */
export function rulesOf(values: Float64Array, row: number): RemovedByRule[] {
  return REMOVAL_RULES.map((rule, at) => ({
    rule,
    records: values[row + RemovedColumn.records + at]!,
    bytes: values[row + RemovedColumn.bytes + at]!
  })).filter(({ records }) => records > 0);
}

export function itemOf(name: string, values: Float64Array, row: number): RemovedItem {
  const byRule = rulesOf(values, row).sort((a, b) => b.bytes - a.bytes);
  return {
    name,
    streams: values[row + RemovedColumn.streams]!,
    records: byRule.reduce((sum, { records }) => sum + records, 0),
    bytes: byRule.reduce((sum, { bytes }) => sum + bytes, 0),
    byRule
  };
}
