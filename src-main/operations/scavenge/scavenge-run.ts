/**
 * What planning and running a scavenge share: checks before anything is opened for writing, and the
 * engine's environment made from the operation's context.
 */
import { randomUUID } from 'node:crypto';
import os from 'node:os';
import path from 'node:path';
import {
  EngineError,
  ticksFromMs,
  type ScavengeEnvironment,
  type ScavengeReportData,
  type ScavengeRequest
} from '../../../src-core/index.ts';
import { ScavengeProgress } from '../../settings/scavenge-progress.ts';
import { startRewriteWorkersAt } from '../../threads/start-rewrite-workers.ts';
import { withDatabase } from '../database/database-access.ts';
import type { LimitedContext } from '../limited-context.ts';
import type { OperationContext } from '../operation.ts';
import type { ScavengeOptions } from '../../contract/operations/operation-contract.ts';
import type { ScavengeReport } from '../../contract/operations/reports.ts';

export function scavengeEnvironment(
  context: OperationContext & Partial<LimitedContext>
): ScavengeEnvironment {
  return {
    fileSystem: context.fileSystem,
    operation: context.control,
    now: () => ticksFromMs(context.clock()),
    newGuid: () => randomUUID(),
    hostName: os.hostname(),
    workers: { start: startRewriteWorkersAt(context.rate), processorCount: os.availableParallelism() },
    onLog: (message) => context.log({ level: 'info', message })
  };
}

/** What a run leaves for the next one of the same database. Without a home it leaves nothing. */
export function progressOf({
  winnowHome,
  dataDirectory
}: Pick<ScavengeOptions, 'winnowHome' | 'dataDirectory'>): Pick<ScavengeEnvironment, 'progress'> {
  if (winnowHome === undefined) return {};
  return { progress: new ScavengeProgress(path.resolve(winnowHome), path.resolve(dataDirectory)) };
}

/** The engine's request, with absolute directories. */
export function engineRequest(options: ScavengeOptions): ScavengeRequest {
  const absolute = (directory: string | undefined): string | undefined =>
    directory === undefined ? undefined : path.resolve(directory);
  return {
    ...options,
    dataDirectory: path.resolve(options.dataDirectory),
    indexDirectory: absolute(options.indexDirectory),
    scratchDirectory: absolute(options.scratchDirectory),
    winnowHome: absolute(options.winnowHome)
  };
}

/** Encrypted chunks are refused before anything is touched, not when the first one is reached. */
export async function refuseEncrypted(options: ScavengeOptions, context: OperationContext): Promise<void> {
  await withDatabase(options, context, (database) => {
    const encrypted = database.problems.find((problem) => problem.code === 'encrypted');
    if (!encrypted) return;
    throw new EngineError({
      code: 'UnsupportedFormat',
      message: encrypted.message,
      remedy: `${encrypted.remedy} Nothing was changed.`,
      details: encrypted.file === null ? {} : { file: encrypted.file }
    });
  });
}

/** The engine's numbers in the form of the contract. */
export function asScavengeReport(
  data: ScavengeReportData & Pick<ScavengeReport, 'removed' | 'estimatedMs'>
): ScavengeReport {
  return {
    ...data,
    phases: data.phases.map(({ phase, elapsedMs }) =>
      elapsedMs === undefined ? { phase } : { phase, elapsedMs: Math.round(elapsedMs) }
    )
  };
}
