/** A restore: planned, run, continued, undone. */
import path from 'node:path';
import {
  continueRestore as goOn,
  describeTruncation,
  planRestore as plan,
  runRestore as run,
  ticksFromMs,
  undoRestore as goBack,
  type RestoreEnvironment,
  type RestoreOutcome,
  type RestorePlan,
  type RestoreSource,
  type RestoreWarning
} from '../../../src-core/index.ts';
import { timeOf, type OperationContext } from '../operation.ts';
import type { CheckedRequestOf } from '../../contract/operations/operation-contract.ts';
import { planIdOf, requirePlan, timeOfPlan, type PlanParts } from '../plan/plan-identity.ts';
import { databaseState, restoreSourceState } from '../plan/plan-state.ts';
import type {
  RestorePlanReport,
  RestoreReport,
  UndoneRestoreReport
} from '../../contract/operations/restore-reports.ts';
import { withBackup } from './restore-source.ts';
import { nextStartText, requireSound } from './restored-database.ts';

type RestoreOptions = CheckedRequestOf<'runRestore'>;

export function planRestore(
  request: CheckedRequestOf<'planRestore'>,
  context: OperationContext
): Promise<RestorePlanReport> {
  return withBackup(request, context, async ({ source }) => {
    const time = timeOf(context);
    const planId = planIdOf(identify(source, request, context), time);
    return { ...asPlanReport(planOf(source, request, { context, time })), planId };
  });
}

export function runRestore(request: RestoreOptions, context: OperationContext): Promise<RestoreReport> {
  return withBackup(request, context, async ({ source }) => {
    const time = request.plan === undefined ? timeOf(context) : timeOfPlan(request.plan, 'runRestore');
    // Compared at once, so that a wrong plan does not create directories for a lock.
    const confirm = (): void => requirePlan(request.plan, () => identify(source, request, context));
    confirm();
    const planned = planOf(source, request, { context, time });
    const said: RestoreWarning[] = [];
    const environment = { ...environmentOf(context, request.assumeStopped, said), underLock: confirm };
    return asReport(await run(planned, source, environment), planned, said);
  });
}

function identify(
  source: RestoreSource,
  request: CheckedRequestOf<'planRestore'>,
  { fileSystem }: OperationContext
): PlanParts {
  const state = [...databaseState(fileSystem, request), restoreSourceState(fileSystem, source)];
  return { operation: 'runRestore', request, state };
}

export async function continueRestore(
  { dataDirectory, assumeStopped, ...access }: CheckedRequestOf<'continueRestore'>,
  context: OperationContext
): Promise<RestoreReport> {
  const said: RestoreWarning[] = [];
  const outcome = await goOn(
    {
      dataDirectory: path.resolve(dataDirectory),
      withSource: ({ target, id }, work) =>
        withBackup({ ...access, target, id: id ?? undefined }, context, ({ source }) => work(source))
    },
    environmentOf(context, assumeStopped, said)
  );
  return asReport(outcome, undefined, said);
}

export async function undoRestore(
  { dataDirectory, assumeStopped }: CheckedRequestOf<'undoRestore'>,
  context: OperationContext
): Promise<UndoneRestoreReport> {
  const directory = path.resolve(dataDirectory);
  const { backup } = await goBack(directory, environmentOf(context, assumeStopped));
  return { backup, dataDirectory: directory, undone: true };
}

/** `time` becomes part of the names of the directories for the old files. */
function planOf(
  source: RestoreSource,
  request: CheckedRequestOf<'planRestore'>,
  { context, time }: { context: OperationContext; time: string }
): RestorePlan {
  const dataDirectory = path.resolve(request.dataDirectory);
  return plan(context.fileSystem, {
    source,
    dataDirectory,
    indexDirectory: path.resolve(request.indexDirectory ?? path.join(dataDirectory, 'index')),
    appliesTruncation: request.applyTruncation,
    stamp: stampOf(time)
  });
}

/** `20261121T050000Z` */
export function stampOf(time: string): string {
  return `${time.slice(0, 19).replaceAll(/[-:]/g, '')}Z`;
}

/** `said` collects warnings on the way. */
export function environmentOf(
  context: OperationContext,
  assumeStopped: boolean,
  said: RestoreWarning[] = []
): RestoreEnvironment {
  return {
    fileSystem: context.fileSystem,
    control: context.control,
    now: () => ticksFromMs(context.clock()),
    verify: async (database, facts) => {
      const { isIndexLeftOut, warnings } = await requireSound(database, facts, context);
      said.push(...warnings);
      return { isIndexLeftOut };
    },
    assumeStopped
  };
}

function asPlanReport(planned: RestorePlan): Omit<RestorePlanReport, 'planId'> {
  const { files, leftOut, truncatesTo, cutBytes, cut, appliesTruncation, replaces } = planned;
  return {
    backup: planned.backup,
    dataDirectory: planned.dataDirectory,
    indexDirectory: planned.indexDirectory,
    files: files.length,
    bytes: planned.bytes,
    leftOut: leftOut.map(({ area, name, why }) => ({ file: `${area}/${name}`, why })),
    movesAside: planned.movesAside,
    truncatesTo,
    cutBytes,
    removes: (cut?.removed ?? []).map(({ file, bytes }) => ({ file, bytes })),
    appliesTruncation,
    replaces,
    space: planned.space,
    nextStart: nextStartText({ isApplied: appliesTruncation, truncatesTo, ...cutWords(planned) }),
    warnings: planned.warnings
  };
}

function cutWords({ cut }: RestorePlan): { cut?: string } {
  return cut ? { cut: describeTruncation(cut) } : {};
}

function asReport(
  outcome: RestoreOutcome,
  planned: RestorePlan | undefined,
  said: readonly RestoreWarning[]
): RestoreReport {
  const { isTruncationApplied, truncatesTo } = outcome;
  return {
    backup: outcome.backup,
    dataDirectory: outcome.dataDirectory,
    indexDirectory: outcome.indexDirectory,
    filesCopied: outcome.filesCopied,
    bytesCopied: outcome.bytesCopied,
    movedAside: outcome.movedAside,
    truncatesTo,
    appliedTruncation: isTruncationApplied,
    nextStart: nextStartText({
      isApplied: isTruncationApplied,
      truncatesTo,
      ...(planned?.truncatesTo === truncatesTo ? cutWords(planned) : {})
    }),
    fullBackupAdvised: outcome.isSourceNode,
    // What was found is more precise than what was predicted about the same fault.
    warnings: [
      ...(planned?.warnings ?? []).filter(({ code }) => said.every((one) => one.code !== code)),
      ...said
    ]
  };
}
