/** How long the run of a plan takes on this machine, from the bytes that it reads and writes. */
import { speedAt, type ScavengeReportData, type Speed } from '../../../src-core/index.ts';
import type { ScavengeOptions } from '../../contract/operations/operation-contract.ts';
import type { ThresholdsReport } from '../../contract/operations/usage-reports.ts';
import { withDatabase } from '../database/database-access.ts';
import { digestsOfPlan } from '../database/digests-of.ts';
import type { OperationContext } from '../operation.ts';
import { longestBeginnings, measuredRuns, speedsOf } from './measured-speeds.ts';
import { scavengeRate } from './thresholds-rate.ts';

type PlannedReport = Pick<ScavengeReportData, 'chunks' | 'scavengePoint'>;

export interface ScavengeWork {
  /** By the number of threads, ascending; what was not measured is not there. One thread always is. */
  speeds: Speed[];
  /** What a run takes before its work, and one that resumes, as far as it was measured; 0: not. */
  beginMs: number;
  resumeMs: number;
  /** Of one thread, reading and replacing together. */
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
      { chunks: log.chunks, digests: digestsOfPlan(options, context), isFull },
      context
    );
    if (!rate) return null;
    const readBytes = log.chunks
      .filter(({ startPosition }) => startPosition < scavengePoint.position)
      .map(({ dataSize }) => dataSize);
    const perMs = rate.bytesPerSecond / 1000;
    const runs = measuredRuns(options);
    const measured = speedsOf(runs);
    const isKnown = measured.some(({ threads }) => threads === 1);
    const speeds = isKnown ? measured : [{ threads: 1, readPerMs: perMs, workPerMs: perMs }, ...measured];
    return {
      speeds,
      rate,
      ...longestBeginnings(runs),
      readBytes,
      worked: chunks.filter(({ decision }) => decision !== 'skipped')
    };
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
  const { threads, throttlePercent } = options;
  const known = work.speeds.findLast((speed) => speed.threads <= threads) ?? work.speeds[0]!;
  return Math.round(msOfWork(work, speedAt(known, throttlePercent, limitOf(options))));
}

/** Milliseconds of all of it. */
export function msOfWork({ readBytes, worked }: ScavengeWork, { readPerMs, workPerMs }: Speed): number {
  const read = readBytes.reduce((sum, bytes) => sum + bytes, 0);
  return read / readPerMs + movedBytes(worked) / workPerMs;
}

/** Bytes that are read and written. */
export function bytesOfWork({ readBytes, worked }: ScavengeWork): number {
  return readBytes.reduce((sum, bytes) => sum + bytes, 0) + movedBytes(worked);
}

function movedBytes(worked: ScavengeWork['worked']): number {
  return worked.reduce((sum, { bytesBefore, bytesAfter }) => sum + bytesBefore + bytesAfter, 0);
}

/** Bytes per millisecond that the options allow. */
export function limitOf({ bytesPerSecond = 0 }: Pick<ScavengeOptions, 'bytesPerSecond'>): number {
  return bytesPerSecond === 0 ? Infinity : bytesPerSecond / 1000;
}
