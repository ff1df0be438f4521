/**
 * A stream as ranges of event numbers of which the same is said. Everything of it that lies in the log is looked at,
 * also what the index has forgotten; numbers without a record are ranges of their own, so that from the first to the
 * last nothing is left out.
 */
import { EngineError } from '../../errors.ts';
import { DELETED_STREAM_EVENT_NUMBER } from '../../units/event-number.ts';
import type { ExplainedLimits, ExplainedRange, ExplainedStream } from './explanation.ts';
import { explainGone, type EventQuestion } from './explain-event.ts';
import type { Decided } from './record-explainer.ts';
import { isNumbered } from './record-ruling.ts';
import { RecordsOfStream } from './records-of-stream.ts';

interface OpenRange {
  from: number;
  to: number;
  key: string;
  first: Decided;
  last: Decided;
}

export async function explainStream(question: EventQuestion, stream: string): Promise<ExplainedStream> {
  const { planned, explainer } = question;
  const { parts, ranges } = await readRanges(question, stream);
  ranges.push(...(await indexedParts(question, stream, parts)));
  const present = merged(ranges);
  const atEnd = explainer.atEnd(stream);
  const last = Math.max(atEnd?.last ?? -1, present.at(-1)?.to ?? -1);
  if (last < 0 && parts.size === 0 && !atEnd?.metadata) throw noSuchStream(stream);
  return {
    kind: 'stream',
    scavenge: planned.facts,
    stream,
    rules: atEnd?.metadata ?? null,
    rulesAtPoint: limitsAtPoint(question, stream),
    lastEvent: last < 0 ? null : last,
    ranges: withGaps(question, stream, present, last),
    unnumberedRecords: parts.size
  };
}

/** Ranges of records with a number of their own, and the positions of those without. */
async function readRanges({ planned, explainer }: EventQuestion, stream: string) {
  const ranges: OpenRange[] = [];
  const parts = new Set<number>();
  await new RecordsOfStream(planned, stream).forEach(async (record) => {
    if (!record.isSelfCommitted) {
      parts.add(record.position);
      return;
    }
    addTo(ranges, await explainer.decide(record), record.eventNumber);
  });
  return { ranges, parts };
}

/** Events of committed transactions: only the index knows their numbers. They leave `parts`. */
async function indexedParts(
  { planned, explainer }: EventQuestion,
  stream: string,
  parts: Set<number>
): Promise<OpenRange[]> {
  if (parts.size === 0) return [];
  const { index, database } = planned.session;
  const ranges: OpenRange[] = [];
  const entries = index.entries.range(index.hashOf(stream), 0, Infinity).reverse();
  for (const { number, position } of entries) {
    const record = parts.has(position) ? database.log.readAt(position) : undefined;
    if (!record) continue;
    parts.delete(position);
    // Old tables number a deletion 2^31-1.
    const shown = record.isTombstone ? DELETED_STREAM_EVENT_NUMBER : number;
    addTo(ranges, await explainer.decide(record), shown);
    if (planned.control.isDue()) await planned.control.breathe();
  }
  return ranges;
}

function addTo(ranges: OpenRange[], decided: Decided, number: number): void {
  const key = keyOf(decided);
  const open = ranges.at(-1);
  if (open?.key === key && number === open.to + 1) {
    open.to = number;
    open.last = decided;
  } else {
    ranges.push({ from: number, to: number, key, first: decided, last: decided });
  }
}

/** Of records with the same key the same is said. */
function keyOf({ ruling, fate, isKept, facts }: Decided): string {
  const held = fate && isKept ? `${fate.kind} ${fate.chunk.startNumber}` : '';
  return `${ruling.reason} ${isKept ? 'keep' : 'discard'} ${held} ${isNumbered(facts) ? '' : 'part'}`;
}

/** By number; neighbours that were met apart become one. */
function merged(ranges: OpenRange[]): OpenRange[] {
  const sorted = [...ranges].sort((a, b) => a.from - b.from || a.to - b.to);
  const result: OpenRange[] = [];
  for (const range of sorted) {
    const before = result.at(-1);
    const covers = before !== undefined && range.from <= before.to;
    if (before && before.key === range.key && range.from <= before.to + 1) {
      if (range.to > before.to) [before.to, before.last] = [range.to, range.last];
    } else if (!covers) {
      result.push({ ...range });
    } else if (range.to > before.to) {
      // A number that was written twice is told of once, by the record that was written first.
      result.push({ ...range, from: before.to + 1 });
    }
  }
  return result;
}

/** The ranges in words, and between them the numbers that have no record. */
function withGaps(
  question: EventQuestion,
  stream: string,
  present: readonly OpenRange[],
  last: number
): ExplainedRange[] {
  const { explainer } = question;
  const told: ExplainedRange[] = [];
  let next = 0;
  const addGap = (to: number) => {
    for (const end of cutsBetween(question, stream, next, to)) {
      const gone = explainGone(question, stream, next, end - next > 1);
      const before = told.at(-1);
      if (before?.verdict === 'alreadyGone' && before.to === next - 1 && before.rule === gone.rule) {
        before.to = end - 1;
      } else {
        told.push({ from: next, to: end - 1, ...gone });
      }
      next = end;
    }
  };
  for (const { from, to, first, last: end } of present) {
    // Numbers between the last event and the tombstone were never used.
    if (from < DELETED_STREAM_EVENT_NUMBER) addGap(from);
    const several = to > from ? { last: end } : undefined;
    told.push({ from, to, ...explainer.explain(first, several) });
    next = to + 1;
  }
  if (last < DELETED_STREAM_EVENT_NUMBER) addGap(last + 1);
  return told;
}

/** Where within numbers that are gone another limit begins to be the reason; with their end. */
function cutsBetween({ explainer }: EventQuestion, stream: string, from: number, to: number): number[] {
  if (from >= to) return [];
  const atEnd = explainer.atEnd(stream);
  const { truncateBefore = -1, maxCount = -1 } = atEnd?.limits ?? {};
  const byCount = maxCount < 0 ? -1 : (atEnd?.last ?? -1) - maxCount + 1;
  const cuts = [truncateBefore, byCount].filter((cut) => cut > from && cut < to);
  return [...cuts.sort((a, b) => a - b), to];
}

function limitsAtPoint({ planned, explainer }: EventQuestion, stream: string): ExplainedLimits {
  const { decisions } = planned;
  const rules = decisions ? explainer.rulings.rulesOf(stream, decisions) : undefined;
  const orNull = (value: number | undefined) => (value === undefined || value < 0 ? null : value);
  return {
    maxCount: orNull(rules?.maxCount),
    maxAgeSeconds: orNull(rules?.maxAgeSeconds),
    truncateBefore: orNull(rules?.truncateBefore)
  };
}

function noSuchStream(stream: string): EngineError {
  return new EngineError({
    code: 'StreamNotFound',
    message: `There is no stream "${stream}" in this log.`,
    remedy: 'See "winnow streams" for the streams of this database.',
    details: { stream }
  });
}
