/**
 * Truncates the log as the server's first start does if truncate.chk is set, so that one start is enough and a scavenge
 * or anything else that needs a log in order can begin. A scavenge state that is ahead of the truncated log is
 * moved aside: with it the next scavenge would delete live events.
 */
import path from 'node:path';
import {
  applyTruncation,
  describeTruncation,
  effectOf,
  lockDirectory,
  lookBeforeLock,
  moveStateAside,
  openDatabase,
  planTruncation,
  type TruncationPlan
} from '../../../src-core/index.ts';
import type { OperationContext } from '../operation.ts';
import type { CheckedRequestOf } from '../../contract/operations/operation-contract.ts';
import type { CutLogReport } from '../../contract/operations/restore-reports.ts';
import { nextStartText } from './restored-database.ts';

export async function cutLog(
  request: CheckedRequestOf<'cutLog'>,
  context: OperationContext
): Promise<CutLogReport> {
  const { fileSystem, control } = context;
  const dataDirectory = path.resolve(request.dataDirectory);
  const indexDirectory = path.resolve(request.indexDirectory ?? path.join(dataDirectory, 'index'));
  // Reports a directory that is not a database before it tries a lock.
  await lookBeforeLock({ fileSystem, dataDirectory }, () =>
    openDatabase({ fileSystem, dataDirectory, indexDirectory }).close()
  );
  const { maxTruncationBytes, dryRun, assumeStopped } = request;
  const question = { fileSystem, dataDirectory, maxTruncationBytes, control };
  if (dryRun)
    return report(await planTruncation(question), { dataDirectory, isApplied: false, aside: undefined });
  const release = lockDirectory({ fileSystem, dataDirectory, assumeStopped });
  try {
    const planned = await planTruncation(question);
    const state = path.join(indexDirectory, 'scavenging');
    const aside = planned && effectOf(planned) !== 'nothing' ? moveStateAside(fileSystem, state) : undefined;
    const plan = await applyTruncation(question);
    return report(plan, { dataDirectory, isApplied: plan !== undefined, aside });
  } finally {
    release();
  }
}

interface Facts {
  dataDirectory: string;
  isApplied: boolean;
  aside: string | undefined;
}

function report(plan: TruncationPlan | undefined, { dataDirectory, isApplied, aside }: Facts): CutLogReport {
  const warnings: CutLogReport['warnings'] = [];
  if (aside !== undefined) {
    warnings.push({
      code: 'scavengeStateMovedAside',
      message: `The scavenge state was moved to ${aside}: it may be ahead of the log now.`,
      remedy: 'Nothing to do. The next scavenge starts without a state and takes longer.'
    });
  }
  return {
    dataDirectory,
    applied: isApplied,
    requested: plan?.requested ?? null,
    truncatesTo: plan?.end ?? null,
    cutBytes: plan?.cutBytes ?? 0,
    removed: (plan?.removed ?? []).map(({ file, bytes }) => ({ file, bytes })),
    bytesRemoved: (plan?.removed ?? []).reduce((sum, { bytes }) => sum + bytes, 0),
    reopened: plan?.reopened?.file ?? null,
    nextStart: plan
      ? nextStartText({ isApplied, truncatesTo: plan.end, cut: describeTruncation(plan) })
      : 'There is nothing to cut: the server starts as usual.',
    warnings
  };
}
