/**
 * What a scavenge must leave of a log, said as naively as possible: for each stream its newest rules and its last
 * event, then one condition per record. Holds where times rise, numbers have no gaps that matter, every chunk is
 * rewritten, and there are no explicit transactions.
 */
import type { CaseRecord } from '../../src-main/conformance/case-format.ts';
import { numberOf } from '../../src-main/conformance/case-format.ts';

/** Does the record stay? Records are those before the scavenge point, in order; `nowMs` is the point's time. */
export function survivors(records: readonly CaseRecord[], nowMs: number): boolean[] {
  const last = new Map<string, number>();
  const rules = new Map<string, CaseRecord['metadata']>();
  const deleted = new Set<string>();
  for (const { kind, stream = '', eventNumber = 0, metadata } of records) {
    last.set(stream, Math.max(last.get(stream) ?? -1, numberOf(eventNumber)));
    if (kind === 'tombstone') deleted.add(stream);
    if (kind === 'metadata') rules.set(stream.slice(2), metadata ?? {});
  }
  return records.map(({ kind, stream = '', eventNumber = 0, time = '' }) => {
    const number = numberOf(eventNumber);
    if (stream.startsWith('$$')) return !deleted.has(stream.slice(2)) && number === last.get(stream);
    if (kind === 'tombstone' || number === last.get(stream)) return true;
    if (deleted.has(stream)) return false;
    const { maxCount, maxAgeSeconds, truncateBefore } = rules.get(stream) ?? {};
    const isSet = (limit: unknown) => limit !== undefined && limit !== null;
    if (isSet(truncateBefore) && number < numberOf(truncateBefore)) return false;
    if (isSet(maxCount) && number <= last.get(stream)! - numberOf(maxCount)) return false;
    return !(isSet(maxAgeSeconds) && Date.parse(time) < nowMs - numberOf(maxAgeSeconds) * 1000);
  });
}
