/** What a scavenge would free at different thresholds, what it would cost, and how long it would take. */
import { compareThresholds as compare, type Usage } from '../../../src-core/index.ts';
import type { OperationContext } from '../operation.ts';
import type { CheckedRequestOf } from '../../contract/operations/operation-contract.ts';
import { scavengeRate } from './thresholds-rate.ts';
import { withUsage } from '../usage/usage-access.ts';
import { pointOf } from '../usage/usage-read.ts';
import type { ThresholdsReport } from '../../contract/operations/usage-reports.ts';
import type { UsagePlace } from '../../contract/operations/usage-requests.ts';

export function compareThresholds(
  request: CheckedRequestOf<'compareThresholds'>,
  context: OperationContext
): Promise<ThresholdsReport> {
  return withUsage(request, context, (usage) => thresholdsOf(usage, request, context));
}

/** The report from an open count. */
export async function thresholdsOf(
  usage: Usage,
  request: UsagePlace & { thresholds: number[] },
  context: OperationContext
): Promise<ThresholdsReport> {
  const rows = await compare(usage, context.control, request.thresholds);
  const { chunks: logChunks } = usage.session.database.log;
  const log = { chunks: logChunks, digests: usage.digests };
  const rate = rows.length === 0 ? null : await scavengeRate(request, log, context);
  const logBytes = logChunks
    .filter(({ startPosition }) => startPosition < (usage.point?.position ?? 0))
    .reduce((sum, { dataSize }) => sum + dataSize, 0);
  return {
    rows: rows.map(({ chunks, chunksRewritten, bytesJudged, bytesWritten, ...row }) => ({
      ...row,
      bytesFreed: row.spaceSaved.total,
      chunks: chunksRewritten,
      chunksJudged: chunks,
      // Accumulation reads all of the log whatever the threshold.
      estimatedMs: rate
        ? Math.round(((logBytes + bytesJudged + bytesWritten) / rate.bytesPerSecond) * 1000)
        : null
    })),
    rate,
    point: pointOf(usage),
    warnings: usage.warnings
  };
}
