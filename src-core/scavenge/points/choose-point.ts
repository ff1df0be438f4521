/**
 * Finds or writes the scavenge point of a run and opens the state that goes with it. Whatever speaks against the
 * run is said here, before anything is written: state of another log, a point that may not be written, records
 * that no scavenge can pass.
 */
import { EventAppender } from '../../database/event-appender.ts';
import { invalidRequest } from '../../errors.ts';
import { LogWriter } from '../../log/log-writer.ts';
import type { FileSystem } from '../../storage/file-system.ts';
import { chunkNumberOf } from '../../units/log-position.ts';
import type { ChosenPlacement, PointPlacement } from '../../units/scavenge-terms.ts';
import { ticksToIso, type Ticks } from '../../units/ticks.ts';
import { holdActingState, pacedBy } from '../state/acting-state.ts';
import { checkDetachedState, checkFoundState, checkState, isActingStage } from '../state/check-state.ts';
import { refuseObstacles } from '../find-obstacle.ts';
import {
  findLatestScavengePoint,
  findNewestReadablePoint,
  requireOpenPoints
} from './find-scavenge-point.ts';
import type { KeptPoint } from '../../replaced/keep-replaced.ts';
import type { RunControl } from '../run-control.ts';
import type { RunProgress } from '../run-progress.ts';
import type { ScavengePoint } from './scavenge-point.ts';
import {
  effectiveNowOf,
  type ScavengeEnvironment,
  type ScavengeReportData,
  type ScavengeRequest
} from '../scavenge-request.ts';
import type { ScavengeSession } from '../scavenge-session.ts';
import type { ScavengeStart } from '../scavenger.ts';
import { decideStart } from './start-decision.ts';
import { requireCompletedBefore } from './open-chunk.ts';
import type { RunState } from '../state/run-state.ts';
import type { ScavengeCheckpoint } from '../state/scavenge-checkpoint.ts';
import type { ScavengeState } from '../state/scavenge-state.ts';

export interface Chosen {
  start: ScavengeStart;
  placement: ChosenPlacement;
  state: ScavengeState;
  /** Path of a state that was there before the run, which is believed only as far as the log agrees. */
  foundStatePath: string | undefined;
  /** The state was found as the run before this one left it. */
  isSealed: boolean;
  /** All by which the run goes from here on was compared with the log; of a found state that is not sealed. */
  isHeld: boolean;
  /** The log as it is now: opened again when a point was written. */
  session: ScavengeSession;
}

export interface ChoosePoint {
  request: ScavengeRequest;
  environment: ScavengeEnvironment;
  /** The run's: of a plan one that keeps its changes to itself. */
  fileSystem: FileSystem;
  session: ScavengeSession;
  reopen: () => Promise<ScavengeSession>;
  states: RunState;
  progress?: RunProgress | undefined;
  control: RunControl;
  /** Nothing is written, so what cannot be passed may as well be met in the middle. */
  isPlan?: boolean;
  /** Called once it is certain that there is work to do, before the first write; says which unfinished run it continues. */
  beforeWriting: (isContinued: (point: KeptPoint) => boolean) => Promise<void>;
}

export function pointOf(start: ScavengeStart): ScavengePoint {
  return start.kind === 'fresh' ? start.point : start.checkpoint.scavengePoint;
}

/** As a report has it. */
export function describePoint({ start, placement }: Chosen): ScavengeReportData['scavengePoint'] {
  const { number, position, effectiveNow, threshold } = pointOf(start);
  return { number, position, effectiveNow: ticksToIso(effectiveNow), threshold, placement };
}

/** undefined when there is nothing to do. */
export async function choosePoint(question: ChoosePoint): Promise<Chosen | undefined> {
  const { request, session, states } = question;
  const { log } = session.database;
  const shared = states.openShared();
  const placement = placementOf(request, shared);
  const latest = latestFor(placement, shared?.checkpoint, session);
  const trusts = question.environment.isUnexamined === true;
  const statePath = states.sharedPath;
  const isSealed = shared !== undefined && isSealedState(question, shared, statePath);
  if (shared && placement !== 'detached' && !trusts) {
    const { index } = session;
    const found = { state: shared, log, index, latest, statePath };
    if (isSealed) checkState(found);
    else await checkFoundState({ ...found, extent: 'forRun', ...pacedBy(question.control) });
  }
  const foundStatePath = shared && !trusts && !isSealed ? statePath : undefined;
  const ofState = { foundStatePath, isSealed, isHeld: false };
  const decision = decideStart({
    checkpoint: shared?.checkpoint,
    latest,
    placement,
    mayWritePoint: request.singleNode === true,
    clusterName: request.clusterName,
    threshold: request.threshold
  });
  switch (decision.kind) {
    case 'nothing':
      return undefined;
    case 'detached':
      refuseToFreeRememberedNames(question, shared);
      return chooseDetached(question, latest);
    case 'resume': {
      const { number, position } = decision.checkpoint.scavengePoint;
      if (!trusts) requireCompletedBefore(log, position, { isBegun: true });
      await question.beforeWriting((point) => point.number === number && point.position === position);
      const start: ScavengeStart = { kind: 'resume', checkpoint: decision.checkpoint };
      const isHeld = isActingStage(decision.checkpoint.stage);
      return { start, placement: 'existing', state: states.useShared(), ...ofState, isHeld, session };
    }
    case 'use': {
      const { point, previous } = decision;
      if (!trusts) requireCompletedBefore(log, point.position, { isBegun: false });
      await refuseNewObstacles(question, previous, point.position);
      await question.beforeWriting(() => false);
      return {
        start: { kind: 'fresh', point, previous },
        placement: 'existing',
        state: states.useShared(),
        ...ofState,
        session
      };
    }
    case 'write': {
      const { previous } = decision;
      await refuseNewObstacles(question, previous, log.end);
      await question.beforeWriting(() => false);
      const { point, reopened } = await writePoint(question);
      const start: ScavengeStart = { kind: 'fresh', point, previous };
      return { start, placement: 'new', state: states.useShared(), ...ofState, session: reopened };
    }
  }
}

/**
 * A rescue writes no point unasked: the new chunk that comes with it needs space. What was begun is finished first;
 * a full disk may be what stopped it.
 */
function placementOf(request: ScavengeRequest, shared: ScavengeState | undefined): PointPlacement {
  if (request.syncOnly) return 'existing';
  if (!request.rescue || request.scavengePoint !== 'auto') return request.scavengePoint;
  const stage = shared?.checkpoint?.stage;
  return stage === undefined || stage === 'done' ? 'detached' : 'existing';
}

/**
 * The newest point, as the server takes it where one of the log is worked to. A run that is resumed, and a detached one, need
 * none of it; a new one may follow whatever was written behind the last.
 */
export function latestFor(
  placement: PointPlacement,
  checkpoint: ScavengeCheckpoint | undefined,
  { database: { log }, index }: Pick<ScavengeSession, 'database' | 'index'>
): ScavengePoint | undefined {
  const isUnfinished = checkpoint !== undefined && checkpoint.stage !== 'done';
  if (isUnfinished || placement === 'detached') return findNewestReadablePoint(log, index);
  if (placement !== 'new') return findLatestScavengePoint(log, index);
  requireOpenPoints(index);
  return findNewestReadablePoint(log, index);
}

/** Of what this scavenge is going to accumulate; what lies behind its point is a later one's. */
async function refuseNewObstacles(
  { session, control, environment, isPlan, progress }: ChoosePoint,
  previous: ScavengePoint | null,
  to: number
): Promise<void> {
  if (environment.isUnexamined || isPlan) return;
  const { log } = session.database;
  const reached = previous
    ? (chunkNumberOf(previous.position, log.chunkSizeBytes) + 1) * log.chunkSizeBytes
    : 0;
  const from = Math.min(to, Math.max(reached, progress?.searchedTo ?? 0));
  const onSearched = (position: number) => progress?.searched(log, position);
  const { clear } = session;
  const isEndClear = clear.from < to && to <= clear.to;
  await refuseObstacles(log, { from, to: isEndClear ? Math.max(from, clear.from) : to, onSearched }, control);
  if (isEndClear) onSearched(to);
}

/** Only of a scavenge that is not finished: a later one goes by what this one may have left unlooked at. */
function isSealedState(
  { progress, request, session }: ChoosePoint,
  { checkpoint }: ScavengeState,
  statePath: string
): boolean {
  if (progress === undefined || checkpoint === undefined || checkpoint.stage === 'done') return false;
  return progress.isSealed(statePath, {
    point: checkpoint.scavengePoint,
    ignoreHardDeletes: request.unsafeIgnoreHardDeletes,
    log: session.database.log
  });
}

/**
 * A detached scavenge leaves the stored state as it is. Were it to free the names of streams that are remembered there
 * as deleted, the next scavenge with that state would remove what is written to such a stream later.
 */
function refuseToFreeRememberedNames(
  { request, fileSystem, states }: ChoosePoint,
  shared: ScavengeState | undefined
): void {
  if (!request.unsafeIgnoreHardDeletes || !fileSystem.describe(states.sharedPath)?.size) return;
  if (shared?.originals.hasTombstoned === false) return;
  throw invalidRequest(
    `The scavenge state ${states.sharedPath} contains hard-deleted streams. A detached scavenge that ` +
      'ignores hard deletes would free their names and leave that state as it is; the next scavenge would then ' +
      'remove new events with those names.',
    'unsafeIgnoreHardDeletes',
    'Ignore hard deletes in a scavenge with "--scavenge-point existing" or "new", which keeps the state in step.'
  );
}

/** Everything up to the end of the last completed chunk; the log stays as it is. */
async function chooseDetached(
  question: ChoosePoint,
  latest: ScavengePoint | undefined
): Promise<Chosen | undefined> {
  const { request, session, states } = question;
  const { log } = session.database;
  const open = log.chunks.find(({ isActive, isCompleted }) => isActive || !isCompleted);
  const position = open ? open.startPosition : log.end;
  if (position === 0) return undefined;
  const isResumable = (found: ScavengeState | undefined): boolean =>
    found?.checkpoint !== undefined && found.checkpoint.scavengePoint.position <= position;
  // Looking for them reads the whole log; the run that is resumed did so. A rescue is in a hurry and meets them while it
  // accumulates, where nothing but a state of its own was written; and it opens no state before leftovers have made room.
  if (!request.rescue && !isResumable(states.openDetached())) {
    await refuseNewObstacles(question, null, position);
  }
  const isContinued = (point: KeptPoint): boolean =>
    point.placement === 'detached' && point.position <= position && !request.startAfresh;
  await question.beforeWriting(isContinued);
  const state = states.useDetached();
  const unfinished = state.checkpoint;
  if (unfinished) {
    const { path: statePath } = states.placeOf(true);
    const { scavengePoint: earlier, stage } = unfinished;
    checkDetachedState({ state, log, statePath }, earlier, position);
    const isSealed = isSealedState(question, state, statePath);
    if (!isSealed)
      await holdActingState({ state, statePath, session, point: earlier, control: question.control });
    const foundStatePath = isSealed ? undefined : statePath;
    const start: ScavengeStart = { kind: 'resume', checkpoint: unfinished };
    const isHeld = isActingStage(stage);
    return { start, placement: 'detached', state, foundStatePath, isSealed, isHeld, session };
  }
  const point: ScavengePoint = {
    number: (latest?.number ?? -1) + 1,
    position,
    effectiveNow: nowOf(question),
    threshold: request.threshold
  };
  const start: ScavengeStart = { kind: 'fresh', point, previous: null };
  const ofState = { foundStatePath: undefined, isSealed: false, isHeld: false };
  return { start, placement: 'detached', state, ...ofState, session };
}

function nowOf({ request, environment }: ChoosePoint): Ticks {
  return effectiveNowOf(request) ?? environment.now();
}

/** Appends the point's event and completes its chunk, as the server does, then opens everything again. */
async function writePoint(
  question: ChoosePoint
): Promise<{ point: ScavengePoint; reopened: ScavengeSession }> {
  const { request, environment, fileSystem, session, reopen } = question;
  const { database, index } = session;
  const effectiveNow = nowOf(question);
  const { newGuid } = environment;
  const writer = LogWriter.open(
    { fileSystem, directory: database.dataDirectory, newGuid },
    database.chunkSet
  );
  const appender = new EventAppender({
    writer,
    newGuid,
    now: () => effectiveNow,
    lastEventNumber: (stream) => index.lastEventNumber(stream)
  });
  const { position, firstEventNumber } = writeOrAbandon(writer, () => {
    const appended = appender.writeScavengePoint(request.threshold);
    writer.close();
    return appended;
  });
  session.close();
  const reopened = await reopen();
  return {
    point: { number: firstEventNumber, position, effectiveNow, threshold: request.threshold },
    reopened
  };
}

/** The process may live on after a failure: the file is closed. */
function writeOrAbandon<T>(writer: LogWriter, write: () => T): T {
  try {
    return write();
  } catch (error) {
    writer.abandon();
    throw error;
  }
}
