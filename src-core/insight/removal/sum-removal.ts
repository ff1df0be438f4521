/**
 * What a planned scavenge removes, by rule, by category and by stream. Each record is judged by the scavenger's own
 * decision, in the chunks that the plan replaces and in no other, so the sums are those of the plan; the rule is the one
 * that an explanation names.
 *
 * Memory does not grow with the number of streams: a table that is full is summed up, and the rest counted in another pass.
 */
import type { Chunk } from '../../chunks/chunk.ts';
import { judgeRecords } from '../../scavenge/decisions/judge-records.ts';
import { shouldDiscardRecord } from '../../scavenge/decisions/should-discard.ts';
import type { Decisions, PlannedScavenge } from '../explain/planned-scavenge.ts';
import { HASH_END } from '../usage/group-table.ts';
import type { Removal } from './removal.ts';
import { RemovalSum } from './removal-sum.ts';
import { RemovedStreams } from './removed-streams.ts';

export interface SumRemoval {
  planned: PlannedScavenge;
  decisions: Decisions;
  /** The physical chunks that the plan replaces. */
  chunks: readonly Chunk[];
  /** Streams and categories named at most; the rest is one more item. */
  top: number;
  /** Streams counted at once; for tests. */
  mostNames?: number | undefined;
}

export async function sumRemoval(parts: SumRemoval): Promise<Removal> {
  const { planned, decisions, top, mostNames } = parts;
  const { state, entries } = decisions;
  const sum = new RemovalSum({ top, mostNames });
  const by = { state, entries, hasher: planned.session.index.hasher };
  for (let from = 0; from < HASH_END;) {
    const removed = new RemovedStreams(by, { from, mostNames });
    for (const chunk of parts.chunks) {
      const { heads } = decisions.judging;
      await (heads ? addKnown(parts, chunk, removed) : addRead(parts, chunk, removed));
      await planned.control.breatheWhenDue();
    }
    sum.add(removed.table);
    from = removed.table.to;
  }
  return sum.removal();
}

/** From what is known of the chunk; a stream is looked up once. */
async function addKnown(
  { planned, decisions }: SumRemoval,
  chunk: Chunk,
  removed: RemovedStreams
): Promise<void> {
  const judging = { ...decisions.judging, judged: undefined, wantsDiscards: true };
  const { discards } = await judgeRecords(judging, chunk);
  if (discards) await removed.addAll(discards, planned.control);
}

async function addRead(
  { planned, decisions }: SumRemoval,
  chunk: Chunk,
  removed: RemovedStreams
): Promise<void> {
  const { ignoreHardDeletes, pointPosition } = decisions.judging;
  const { control } = planned;
  const { log } = planned.session.database;
  const cursor = log.heads(chunk.startPosition, Math.min(chunk.endPosition, pointPosition));
  try {
    while (cursor.next()) {
      const { record } = cursor;
      if (record.kind !== 'prepare') continue;
      const verdict = decisions.verdicts.ofRecord(record);
      if (shouldDiscardRecord(record, verdict, ignoreHardDeletes)) removed.add(record, verdict);
      if (control.isDue()) await control.breathe();
    }
  } finally {
    cursor.close();
  }
}
