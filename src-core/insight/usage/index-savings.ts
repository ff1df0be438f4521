/**
 * Bytes that index tables lose in a scavenge of today: each table counted as the scavenge would copy it. Reads the
 * tables once for a count.
 */
import type { OperationControl } from '../../database/operation-control.ts';
import { entryPredicate } from '../../scavenge/decisions/entry-predicate.ts';
import { RunControl } from '../../scavenge/run-control.ts';
import { shouldDiscardRecord } from '../../scavenge/decisions/should-discard.ts';
import { bytesSaved } from '../../scavenge/space-saved.ts';
import { IndexTableOutput } from '../../scavenge/output/table-output.ts';
import { chunkNumberOf } from '../../units/log-position.ts';
import type { Usage } from './read-usage.ts';
import type { CountedChunk } from './weighed-chunks.ts';

export async function indexSavings(
  usage: Usage,
  chunks: readonly CountedChunk[],
  operation: OperationControl
): Promise<number> {
  if (usage.indexBytesSaved !== null) return usage.indexBytesSaved;
  const bytes = await measureIndex(usage, chunks, operation);
  usage.indexBytesSaved = bytes;
  usage.keepIndexBytes(bytes);
  return bytes;
}

async function measureIndex(
  { session, judgement, point, fileSystem }: Usage,
  chunks: readonly CountedChunk[],
  operation: OperationControl
): Promise<number> {
  const { index, database } = session;
  if (!point) return 0;
  const { state, verdicts } = await judgement();
  const control = new RunControl({ operation });
  const { log } = database;
  const rewritten = rewrittenNumbers(chunks);
  const keep = entryPredicate({
    state,
    verdicts,
    point,
    ignoreHardDeletes: false,
    control,
    // A record of a chunk that is rewritten with threshold 0 may be gone when the index is copied.
    readAt: (position) => {
      const record = log.readAt(position);
      if (record?.kind !== 'prepare' || !rewritten.has(chunkNumberOf(position, log.chunkSizeBytes)))
        return record;
      return shouldDiscardRecord(record, verdicts.ofRecord(record), false) ? undefined : record;
    }
  });
  const tables = new IndexTableOutput({ fileSystem, index, newGuid: () => '', isDryRun: true });
  const rows = [];
  control.enter('indexExecution', 'tables', tables.count);
  for (let at = 0; at < tables.count; at++) {
    rows.push(await tables.measure(at, keep, () => control.breathe()));
    control.advance(1);
  }
  return bytesSaved(rows);
}

function rewrittenNumbers(chunks: readonly CountedChunk[]): ReadonlySet<number> {
  const numbers = new Set<number>();
  for (const { chunk, after, weight } of chunks) {
    if (!after || weight === 0) continue;
    for (let number = chunk.startNumber; number <= chunk.endNumber; number++) numbers.add(number);
  }
  return numbers;
}
