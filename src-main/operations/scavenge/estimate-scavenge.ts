/** How long the run of a plan takes on this machine, from the bytes that it reads and writes. */
import type { ScavengeReportData } from '../../../src-core/index.ts';
import type { ScavengeOptions } from '../../contract/operations/operation-contract.ts';
import { withDatabase } from '../database/database-access.ts';
import { digestsOf } from '../database/digests-of.ts';
import type { OperationContext } from '../operation.ts';
import { scavengeRate } from './thresholds-rate.ts';

/** Milliseconds; null: the speed of this machine is not known, or there is nothing to do. */
export function estimateScavenge(
  options: ScavengeOptions,
  { chunks, scavengePoint }: Pick<ScavengeReportData, 'chunks' | 'scavengePoint'>,
  context: OperationContext,
  { isFull = false }: { isFull?: boolean } = {}
): Promise<number | null> {
  if (scavengePoint === null) return Promise.resolve(null);
  return withDatabase(options, context, async ({ log }) => {
    const rate = await scavengeRate(
      options,
      { chunks: log.chunks, digests: digestsOf(options, context), isFull },
      context
    );
    if (!rate) return null;
    // Accumulation reads all of the log; a chunk that is rewritten is read once more, and so is one that stays all the same.
    const read = log.chunks
      .filter(({ startPosition }) => startPosition < scavengePoint.position)
      .reduce((sum, { dataSize }) => sum + dataSize, 0);
    const worked = chunks.filter(({ decision }) => decision !== 'skipped');
    const moved = worked.reduce((sum, { bytesBefore, bytesAfter }) => sum + bytesBefore + bytesAfter, 0);
    const { throttlePercent, bytesPerSecond } = options;
    const limit = bytesPerSecond === undefined || bytesPerSecond === 0 ? Infinity : bytesPerSecond;
    const perMs = Math.min(rate.bytesPerSecond * (throttlePercent / 100), limit) / 1000;
    return Math.round((read + moved) / perMs);
  });
}
