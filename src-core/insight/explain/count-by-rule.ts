/** How many records of a chunk each rule keeps or discards, and how many bytes. */
import type { Chunk } from '../../chunks/chunk.ts';
import type { HeadSource } from '../../log/log-reader.ts';
import { FRAME_LENGTH } from '../../records/log-record.ts';
import type { EventQuestion } from './explain-event.ts';
import type { Reason } from './discard-reason.ts';
import type { RecordsByRule } from './explanation.ts';
import type { RecordRuling } from './record-ruling.ts';
import { ruleOf } from './wording.ts';

type Count = Pick<RecordsByRule, 'records' | 'bytes'>;

class RuleCounts {
  readonly #kept = new Map<Reason, Count>();
  readonly #discarded = new Map<Reason, Count>();

  add(
    { reason, isDiscarded }: Pick<RecordRuling, 'reason' | 'isDiscarded'>,
    bytes: number,
    records = 1
  ): void {
    const counts = isDiscarded ? this.#discarded : this.#kept;
    let count = counts.get(reason);
    if (!count) counts.set(reason, (count = { records: 0, bytes: 0 }));
    count.records += records;
    count.bytes += bytes;
  }

  total(): Count {
    const total = { records: 0, bytes: 0 };
    for (const counts of [this.#kept, this.#discarded]) counts.forEach((count) => addTo(total, count));
    return total;
  }

  list(): RecordsByRule[] {
    const byRule = [...listOf(this.#kept, 'keep'), ...listOf(this.#discarded, 'discard')];
    return byRule.sort((a, b) => b.records - a.records || a.rule.localeCompare(b.rule));
  }
}

/** Several reasons may be of one rule. */
function listOf(counts: Map<Reason, Count>, verdict: RecordsByRule['verdict']): RecordsByRule[] {
  const byRule = new Map<string, RecordsByRule>();
  for (const [reason, count] of counts) {
    const rule = ruleOf(reason);
    const sum = byRule.get(rule) ?? { rule, verdict, records: 0, bytes: 0 };
    addTo(sum, count);
    byRule.set(rule, sum);
  }
  return [...byRule.values()];
}

function addTo(sum: Count, { records, bytes }: Count): void {
  sum.records += records;
  sum.bytes += bytes;
}

/** Largest first; together all records of the chunk. */
export async function countByRule(question: EventQuestion, chunk: Chunk): Promise<RecordsByRule[]> {
  const counts = new RuleCounts();
  const heads = question.planned.session.database.log.knownHeads;
  await (heads ? countKnown(question, { chunk, heads, counts }) : countRead(question, { chunk, counts }));
  return counts.list();
}

/** Stream by stream: its rules are looked up once. */
async function countKnown(
  { planned, explainer }: EventQuestion,
  { chunk, heads, counts }: { chunk: Chunk; heads: HeadSource; counts: RuleCounts }
): Promise<void> {
  const cursor = heads.streamsOf(chunk);
  const rulings = explainer.rulings.streamByStream();
  while (cursor.nextStream()) {
    rulings.enter(cursor.record);
    while (cursor.next()) {
      const { record } = cursor;
      counts.add(rulings.of(record), record.length + FRAME_LENGTH);
      if (planned.control.isDue()) await planned.control.breathe();
    }
  }
  // Commits and records of the system belong to no stream: no rule is about them.
  const prepares = counts.total();
  const others = heads.countOf(chunk) - prepares.records;
  if (others === 0) return;
  counts.add({ reason: 'system', isDiscarded: false }, chunk.dataSize - prepares.bytes, others);
}

async function countRead(
  { planned, explainer }: EventQuestion,
  { chunk, counts }: { chunk: Chunk; counts: RuleCounts }
): Promise<void> {
  const { log } = planned.session.database;
  const cursor = log.cursor(chunk.startPosition, Math.min(chunk.endPosition, log.end));
  try {
    while (cursor.next()) {
      const { record } = cursor;
      const bytes = record.length + FRAME_LENGTH; // the view may be another record's after the next line
      counts.add(explainer.rulings.of(record), bytes);
      if (planned.control.isDue()) await planned.control.breathe();
    }
  } finally {
    cursor.close();
  }
}
