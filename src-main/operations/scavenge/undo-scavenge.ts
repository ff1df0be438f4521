/** Puts back what a scavenge replaced and kept, or plans that; and removes what is kept. */
import path from 'node:path';
import {
  detachedStateDirectory,
  expireKept,
  forgetKept,
  forgettable,
  invalidRequest,
  planUndo,
  readUndoJournal,
  readableKept,
  requireKept,
  ticksFromMs,
  undoScavenge as undo,
  type UndoOutcome,
  type UndoPlan,
  counted
} from '../../../src-core/index.ts';
import type { CheckedRequestOf } from '../../contract/operations/operation-contract.ts';
import type { ForgetReport, UndoReport } from '../../contract/operations/undo/undo-reports.ts';
import { timeOf, type OperationContext } from '../operation.ts';
import { planIdOf, requirePlan, type PlanParts } from '../plan/plan-identity.ts';
import { databaseState, keptState } from '../plan/plan-state.ts';

type Asked = CheckedRequestOf<'planUndoScavenge'>;

interface Place {
  fileSystem: OperationContext['fileSystem'];
  dataDirectory: string;
  indexDirectory: string;
}

export async function planUndoScavenge(request: Asked, context: OperationContext): Promise<UndoReport> {
  const place = placeOf(request, context);
  const begun = readUndoJournal(place.fileSystem, place.dataDirectory);
  const planId = planIdOf(identify(request, context), timeOf(context));
  if (begun) return { ...resumedReport(place, begun), resumed: true, planId };
  const steps = stepsOf(place, request.to);
  const plan = await planUndo({ ...place, id: steps[0], control: context.control });
  return { ...planReport(place, plan), steps, planId };
}

export async function undoScavenge(
  request: CheckedRequestOf<'undoScavenge'>,
  context: OperationContext
): Promise<UndoReport> {
  const place = placeOf(request, context);
  const { assumeStopped, plan } = request;
  const confirm = (): void => requirePlan(plan, () => identify(request, context));
  confirm();
  const begun = readUndoJournal(place.fileSystem, place.dataDirectory);
  if (begun) {
    const outcome = await undo(place, { control: context.control, assumeStopped });
    return resumedReport(place, outcome);
  }
  const steps = stepsOf(place, request.to);
  let first: UndoReport | undefined;
  for (const [i, id] of steps.entries()) {
    const underLock = (planned: UndoPlan): void => {
      if (i === 0) confirm();
      forgetDetached(place, planned, request.winnowHome);
    };
    const outcome = await undo({ ...place, id }, { control: context.control, assumeStopped, underLock });
    first ??= outcome.plan ? planReport(place, outcome.plan) : resumedReport(place, outcome);
    context.log({ level: 'info', message: `The scavenge of ${id} is undone.` });
  }
  return { ...first!, steps };
}

export function forgetReplaced(
  request: CheckedRequestOf<'forgetReplaced'>,
  context: OperationContext
): Promise<ForgetReport> {
  const place = placeOf(request, context);
  const { dryRun, assumeStopped, to: id } = request;
  if (request.expired) {
    const now = ticksFromMs(context.clock());
    const outcome = expireKept({ ...place, assumeStopped, now }) ?? { forgotten: [], freedBytes: 0 };
    return Promise.resolve({ dryRun: false, dataDirectory: place.dataDirectory, ...outcome });
  }
  const would = forgettable({ ...place, id });
  if (would.forgotten.length === 0) {
    throw invalidRequest(
      `Nothing that a scavenge replaced is kept in ${place.dataDirectory}${id === undefined ? '' : ` of ${id}`}.`,
      id === undefined ? 'forget' : 'to',
      'There is nothing to remove.'
    );
  }
  const outcome = dryRun ? would : forgetKept({ ...place, id, assumeStopped });
  return Promise.resolve({ dryRun, dataDirectory: place.dataDirectory, ...outcome });
}

function placeOf(
  request: Pick<Asked, 'dataDirectory' | 'indexDirectory'>,
  { fileSystem }: OperationContext
): Place {
  const dataDirectory = path.resolve(request.dataDirectory);
  const indexDirectory = path.resolve(request.indexDirectory ?? path.join(dataDirectory, 'index'));
  return { fileSystem, dataDirectory, indexDirectory };
}

function identify(request: Asked, context: OperationContext): PlanParts {
  const { fileSystem, dataDirectory } = placeOf(request, context);
  const state = [...databaseState(fileSystem, request), keptState(fileSystem, dataDirectory)];
  return { operation: 'undoScavenge', request, state };
}

/** The newest first, down to the one that is asked for. */
function stepsOf(place: Place, to: string | undefined): string[] {
  const ids = readableKept(place)
    .map(({ id }) => id)
    .reverse();
  // Looked for after that: what a restore moved away meanwhile is not there any more, and this says so.
  const { id: wanted } = requireKept(place, to);
  const at = ids.indexOf(wanted);
  return at < 0 ? stepsOf(place, to) : ids.slice(0, at + 1);
}

function planReport(place: Place, plan: UndoPlan): UndoReport {
  const { manifest, kind, puts, removes, bytesPut, bytesRemoved, later, notPutBack, end, indexFrom } = plan;
  const { records, bytes, from } = later;
  return {
    dataDirectory: place.dataDirectory,
    indexDirectory: place.indexDirectory,
    steps: [manifest.id],
    id: manifest.id,
    keptAt: manifest.keptAt,
    scavengePoint: manifest.point?.number ?? null,
    kind,
    end,
    resumed: false,
    files: {
      putBack: puts.length,
      bytesPutBack: bytesPut,
      removed: removes.length,
      bytesRemoved
    },
    later: { records, bytes, from },
    notPutBack,
    indexFrom,
    warnings: warningsOf(plan)
  };
}

function warningsOf({
  kind,
  later,
  notPutBack,
  indexFrom,
  removesExistence
}: UndoPlan): UndoReport['warnings'] {
  const warnings: UndoReport['warnings'] = [];
  if (kind === 'joined') {
    warnings.push({
      code: 'logWentOn',
      message: `The log went on after the scavenge: ${counted(later.records, 'record')} from position ${later.from ?? 0} ${later.records === 1 ? 'stays' : 'stay'}, joined with the old files. The directory does not become what it was.`,
      remedy: `Nothing to do. At its next start the server reads the log from position ${indexFrom ?? 0} for its index; the next scavenge begins without a state.`
    });
  }
  for (const { from, to } of notPutBack) {
    const what = from === to ? `Chunk ${from} stays` : `Chunks ${from} to ${to} stay`;
    warnings.push({
      code: 'notPutBack',
      message: `${what} scavenged: a later merge joined them with newer chunks, or their completed files were not kept.`,
      remedy: 'Their removed events are only in a backup.'
    });
  }
  if (kind === 'exact' && removesExistence) {
    warnings.push({
      code: 'existenceFilterRemoved',
      message: 'The stream existence filter was changed since and is removed.',
      remedy: 'Nothing to do: the server makes it again at its next start.'
    });
  }
  return warnings;
}

function resumedReport(
  place: Place,
  { id, kind, end }: Pick<UndoOutcome, 'id' | 'kind' | 'end'>
): UndoReport {
  return {
    dataDirectory: place.dataDirectory,
    indexDirectory: place.indexDirectory,
    steps: [id],
    id,
    keptAt: null,
    scavengePoint: null,
    kind,
    end,
    resumed: true,
    files: null,
    later: null,
    notPutBack: [],
    indexFrom: null,
    warnings: []
  };
}

/** The state of a detached scavenge is of the log that it left; without it the next one begins afresh. */
function forgetDetached(place: Place, { manifest }: UndoPlan, winnowHome: string | undefined): void {
  if (winnowHome === undefined || manifest.point?.placement !== 'detached') return;
  const { fileSystem, dataDirectory } = place;
  fileSystem.removeDirectory(detachedStateDirectory(fileSystem, path.resolve(winnowHome), dataDirectory));
}
