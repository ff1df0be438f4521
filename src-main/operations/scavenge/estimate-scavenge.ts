/** How long the run of a plan takes on this machine, from the bytes that it reads and writes. */
import type { ScavengeReportData } from '../../../src-core/index.ts';
import type { ScavengeOptions } from '../../contract/operations/operation-contract.ts';
import type { ThresholdsReport } from '../../contract/operations/usage-reports.ts';
import { withDatabase } from '../database/database-access.ts';
import { digestsOf } from '../database/digests-of.ts';
import type { OperationContext } from '../operation.ts';
import { scavengeRate } from './thresholds-rate.ts';

type PlannedReport = Pick<ScavengeReportData, 'chunks' | 'scavengePoint'>;

export interface ScavengeWork {
  rate: NonNullable<ThresholdsReport['rate']>;
  /** Of each chunk of the log before the point: accumulation reads them all. */
  readBytes: number[];
  /** Chunks that are read once more, in the order of the run: those that stay all the same, too. */
  worked: ScavengeReportData['chunks'];
}

/** null: the speed of this machine is not known, or there is nothing to do. */
export function workOfPlan(
  options: ScavengeOptions,
  { chunks, scavengePoint }: PlannedReport,
  context: OperationContext,
  { isFull = false }: { isFull?: boolean } = {}
): Promise<ScavengeWork | null> {
  if (scavengePoint === null) return Promise.resolve(null);
  return withDatabase(options, context, async ({ log }) => {
    const rate = await scavengeRate(
      options,
      { chunks: log.chunks, digests: digestsOf(options, context), isFull },
      context
    );
    if (!rate) return null;
    const readBytes = log.chunks
      .filter(({ startPosition }) => startPosition < scavengePoint.position)
      .map(({ dataSize }) => dataSize);
    return { rate, readBytes, worked: chunks.filter(({ decision }) => decision !== 'skipped') };
  });
}

/** Milliseconds; null: the speed of this machine is not known, or there is nothing to do. */
export async function estimateScavenge(
  options: ScavengeOptions,
  report: PlannedReport,
  context: OperationContext,
  { isFull = false }: { isFull?: boolean } = {}
): Promise<number | null> {
  const work = await workOfPlan(options, report, context, { isFull });
  if (!work) return null;
  const read = work.readBytes.reduce((sum, bytes) => sum + bytes, 0);
  const moved = work.worked.reduce((sum, { bytesBefore, bytesAfter }) => sum + bytesBefore + bytesAfter, 0);
  return Math.round((read + moved) / bytesPerMs(work, options));
}

/** As fast as the options allow. */
export function bytesPerMs(
  { rate }: ScavengeWork,
  { throttlePercent, bytesPerSecond }: Pick<ScavengeOptions, 'throttlePercent' | 'bytesPerSecond'>
): number {
  const limit = bytesPerSecond === undefined || bytesPerSecond === 0 ? Infinity : bytesPerSecond;
  return Math.min(rate.bytesPerSecond * (throttlePercent / 100), limit) / 1000;
}
