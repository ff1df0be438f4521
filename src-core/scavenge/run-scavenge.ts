/**
 * A scavenge from the request to the report, and its plan. Order: lock, log and index opened, what a cut run left
 * swept, scavenge point chosen or written (choose-point.ts), phases (scavenger.ts), report.
 *
 * A plan takes the same steps over files that cannot be written and a copy of the state, so that its numbers are
 * those of the run.
 */
import { requireWriterCheckpoint } from '../database/writer-checkpoint.ts';
import { removeStrayFiles } from '../index/stray-files.ts';
import { SERVER_RESULTS } from '../units/scavenge-terms.ts';
import { openDatabase } from '../database/database.ts';
import { PreparedHeads } from '../digest/prepared-heads.ts';
import { EngineError, OperationStopped } from '../errors.ts';
import { hashStream } from '../index/stream-hash.ts';
import { writeCheckpointFile } from '../log/checkpoint-file.ts';
import { sweepLeftovers } from '../log/switch-in.ts';
import { lockDirectory } from '../storage/directory-lock.ts';
import { lookBeforeLock } from '../storage/look-before-lock.ts';
import { isFailedFlush, type FileSystem } from '../storage/file-system.ts';
import { choosePoint, describePoint, pointOf, type Chosen } from './points/choose-point.ts';
import { isNewestPointReached } from './points/newest-reached.ts';
import { MeasuringChunkOutput } from './output/measuring-chunk-output.ts';
import { WritingChunkOutput } from './output/writing-chunk-output.ts';
import { DEFAULT_HISTORY_MAX_AGE_DAYS, winnowNodeOf } from './history/history-events.ts';
import { leftoverBytes, totalBytes } from './file-bytes.ts';
import { holdActingState } from './state/acting-state.ts';
import { LogHistory, type RunResult } from './history/log-history.ts';
import { LogEndFiles } from './output/log-end-files.ts';
import {
  countLeftInActiveChunk,
  NOTHING_LEFT,
  type LeftInActiveChunk
} from './decisions/left-in-active-chunk.ts';
import { OverlayFileSystem } from './output/overlay-file-system.ts';
import { refuseTooLittleSpace, scratchBytesOf } from './required-space.ts';
import { budgetOf, isInTheWay, RescueBudget, sharesVolume, stateBytesAt } from './rescue/rescue-budget.ts';
import { keepsOfPlan, ReplacedFiles } from './replaced-files.ts';
import { requireOwnership } from './require-ownership.ts';
import { countThreads, startWorkers } from './rewrite-threads.ts';
import { RunControl } from './run-control.ts';
import { RunProgress } from './run-progress.ts';
import {
  checkRequest,
  type ScavengeEnvironment,
  type ScavengeReportData,
  type ScavengeRequest
} from './scavenge-request.ts';
import { freesNothing, nothingToFree } from './nothing-to-free.ts';
import { ScavengeOutcome } from './scavenge-result.ts';
import { openFiles, openSession, type ScavengeFiles, type ScavengeSession } from './scavenge-session.ts';
import { runScavenger } from './scavenger.ts';
import { plannedThresholds } from './planned-thresholds.ts';
import { RunState } from './state/run-state.ts';
import { requireStatePath, stateDirectoryOf, statePathOf } from './state/state-file.ts';
import { IndexTableOutput } from './output/table-output.ts';

/** Runs a scavenge. A stop is an outcome, not an error: the report then says `stopped`. */
export async function runScavenge(
  request: ScavengeRequest,
  environment: ScavengeEnvironment
): Promise<ScavengeReportData> {
  checkRequest(request);
  const { fileSystem } = environment;
  const { dataDirectory, assumeStopped } = request;
  // A directory that is not a complete database is reported as such, not as one that cannot be locked.
  await lookBeforeLock({ fileSystem, dataDirectory }, () => {
    const glance = openDatabase({ fileSystem, dataDirectory });
    requireWriterCheckpoint(glance);
    glance.requireWhole();
    glance.close();
  });
  const release = lockDirectory({ fileSystem, dataDirectory, assumeStopped });
  try {
    // The rest of a run that paused is what was agreed to when it began.
    if (!environment.continues) environment.underLock?.();
    return await new ScavengeRun(request, environment, fileSystem, false).run();
  } finally {
    release();
  }
}

/** The numbers that a run with the same request would end with. Writes nothing but its state in the scratch directory. */
export async function planScavenge(
  request: ScavengeRequest,
  environment: ScavengeEnvironment
): Promise<ScavengeReportData> {
  checkRequest(request);
  return new ScavengeRun(request, environment, new OverlayFileSystem(environment.fileSystem), true).run();
}

class ScavengeRun {
  readonly #request: ScavengeRequest;
  readonly #environment: ScavengeEnvironment;
  readonly #fileSystem: FileSystem;
  readonly #isPlan: boolean;
  readonly #control: RunControl;
  readonly #outcome = new ScavengeOutcome();
  readonly #openFiles: () => ScavengeFiles;
  readonly #open: (files?: ScavengeFiles) => Promise<ScavengeSession>;
  #files: ScavengeFiles | undefined;
  #session: ScavengeSession | undefined;
  #chosen: Chosen | undefined;
  #bytesBefore = 0;
  #logEnd: LogEndFiles | undefined;
  #threads = 1;
  #scratchBytes = 0;
  #rescue: RescueBudget | undefined;
  /** Of a plan. */
  #measuring: MeasuringChunkOutput | undefined;
  readonly #scavengeId: string;
  #history: LogHistory | undefined;
  readonly #progress: RunProgress | undefined;
  /** What the state says was found out, or compared with the log, by this run or by the one that it resumes. */
  #isStateTrue = false;
  #replaced: ReplacedFiles | undefined;

  constructor(
    request: ScavengeRequest,
    environment: ScavengeEnvironment,
    fileSystem: FileSystem,
    isPlan: boolean
  ) {
    this.#request = request;
    this.#environment = environment;
    this.#fileSystem = fileSystem;
    this.#isPlan = isPlan;
    this.#progress = RunProgress.of(environment, { mayWrite: !isPlan });
    this.#scavengeId = isPlan ? '' : (environment.scavengeId ?? environment.newGuid());
    this.#control = new RunControl({
      operation: environment.operation,
      isPlan,
      throttlePercent: isPlan ? 100 : request.throttlePercent,
      onLog: isPlan ? undefined : environment.onLog,
      ...(environment.sleep ? { sleep: environment.sleep } : {})
    });
    const { hasher, digests, operation } = environment;
    const heads = isPlan && digests ? new PreparedHeads({ digests, fileSystem, operation }) : undefined;
    const opening = { fileSystem, location: request, hasher, control: this.#control, heads };
    this.#openFiles = () => openFiles(opening);
    this.#open = (files) => openSession(opening, files);
  }

  async run(): Promise<ScavengeReportData> {
    try {
      const result = await this.#run();
      this.#keepProgress(result);
      const report = await this.#report(result);
      this.#finishHistory({ result: SERVER_RESULTS[result] });
      return this.#replaced?.ended(report) ?? report;
    } catch (error) {
      if (error instanceof OperationStopped) {
        this.#keepProgress('stopped');
        this.#finishHistory({ result: 'Stopped' });
        const report = await this.#report('stopped', { isHurried: true });
        return this.#replaced?.ended(report) ?? report;
      }
      // Any error but an EngineError is our bug or a failing machine: nothing more is written.
      if (error instanceof EngineError && error.code !== 'AssertionFailed') {
        this.#tellOfError(error);
      }
      throw error;
    } finally {
      (this.#session ?? this.#files)?.close();
      this.#replaced?.close();
    }
  }

  async #run(): Promise<'success' | 'stopped'> {
    const startMs = this.#control.elapsedMs;
    this.#control.enter('beginning', 'chunks');
    const files = this.#openFiles();
    this.#files = files;
    this.#threads = countThreads({ request: this.#request, environment: this.#environment }, files);
    if (await this.#isNothingNew(files)) {
      this.#bytesBefore = totalBytes(files.database, files.directory.tables);
      this.#outcome.phases.push({ phase: 'beginning', elapsedMs: this.#control.elapsedMs - startMs });
      return 'success';
    }
    const [request, environment, control] = [this.#request, this.#environment, this.#control];
    const own = { request, environment, control, isPlan: this.#isPlan };
    const replaced = await ReplacedFiles.prepare({ ...own, database: files.database });
    this.#replaced = replaced;
    const session = (this.#session = await this.#open(files));
    this.#progress?.look(session.database.log);
    const { fileSystem, hasher, newGuid, trace, keepsPlanState = false } = this.#environment;
    const states = new RunState({
      fileSystem,
      indexDirectory: session.database.indexDirectory,
      request: this.#request,
      isPlan: this.#isPlan,
      keepsPlanState,
      hasher: hasher ?? hashStream,
      newGuid,
      trace,
      progress: this.#progress
    });
    try {
      this.#chosen = await choosePoint({
        ...own,
        fileSystem: this.#fileSystem,
        session,
        progress: this.#progress,
        reopen: async () => (this.#session = await this.#open()),
        states,
        beforeWriting: (isContinued) => replaced.begin(isContinued, () => this.#putInOrder(session))
      });
      this.#outcome.phases.push({ phase: 'beginning', elapsedMs: this.#control.elapsedMs - startMs });
      this.#bytesBefore = totalBytes(this.#session.database, this.#session.index.tables);
      if (!this.#chosen) return 'success';
      const { foundStatePath, isHeld } = this.#chosen;
      this.#isStateTrue = foundStatePath === undefined || isHeld;
      this.#warnOfThreshold(this.#chosen);
      replaced.note(this.#chosen);
      await this.#tellOfStart(this.#chosen);
      this.#outcome.addBesides('pointChunk', this.#logEnd?.bytesSaved() ?? 0);
      if (this.#request.stopAfter === 'beginning') return 'stopped';
      this.#watchState(this.#chosen, states);
      if (!(await this.#runPhases(this.#chosen))) return 'stopped';
      if (this.#chosen.placement === 'detached') states.forgetDetached();
      return 'success';
    } catch (error) {
      if (this.#rescue && this.#chosen?.placement === 'detached' && isInTheWay(error))
        states.forgetDetached();
      throw error;
    } finally {
      states.close();
    }
  }

  /** Told before the log after the index tables is read, and the state examined, for a run that takes no other point. */
  async #isNothingNew(files: ScavengeFiles): Promise<boolean> {
    const { scavengePoint, syncOnly, startAfresh } = this.#request;
    const { hasher = hashStream, digests, isUnexamined, fileSystem } = this.#environment;
    if (!(syncOnly || scavengePoint === 'existing') || startAfresh || isUnexamined) return false;
    const statePath = statePathOf(fileSystem, stateDirectoryOf(fileSystem, files.database.indexDirectory));
    const breathe = () => this.#control.breathe();
    return isNewestPointReached({ ...files, hasher, statePath, digests, progress: this.#progress, breathe });
  }

  /** What the server does at its start with a directory that was not left in order. */
  #putInOrder({ database, index }: ScavengeSession): void {
    const { checkpoints, chunkSet, dataDirectory } = database;
    const { writer, chaser } = checkpoints;
    if (writer !== null && chaser !== null && chaser < writer) {
      this.#outcome.warnings.push({
        code: 'chaserBehindWriter',
        message: `The database was not stopped cleanly: chaser.chk is at ${chaser}, writer.chk at ${writer}.`,
        remedy:
          'Nothing to do: chaser.chk is set to the position of the writer first, as when the server starts.'
      });
      if (!this.#isPlan) {
        writeCheckpointFile(this.#fileSystem, this.#fileSystem.join(dataDirectory, 'chaser.chk'), writer);
      }
    }
    const { merge, scavengePoint, syncOnly } = this.#request;
    const writesPoint = !syncOnly && (scavengePoint === 'new' || scavengePoint === 'auto');
    const space = { database, index, merge, threads: this.#threads, writesPoint };
    this.#scratchBytes = scratchBytesOf(space);
    this.#rescue = budgetOf(this.#request.rescue, database, { isPlan: this.#isPlan });
    this.#outcome.addBesides('leftovers', leftoverBytes(this.#fileSystem, database, index));
    this.#logEnd = LogEndFiles.of(this.#fileSystem, database);
    if (this.#isPlan) return;
    if (writesPoint) requireStatePath(this.#fileSystem, database.indexDirectory);
    sweepLeftovers(this.#fileSystem, chunkSet);
    removeStrayFiles(this.#fileSystem, index.directory.directory, index.directory.map);
    requireOwnership({
      fileSystem: this.#fileSystem,
      dataDirectory,
      indexDirectory: database.indexDirectory,
      paths: [...chunkSet.chunks, ...index.tables].map(({ path }) => path),
      newGuid: this.#environment.newGuid
    });
    if (!this.#rescue) refuseTooLittleSpace(space);
  }

  /**
   * To the log, where that is this node's own affair, and otherwise to the keeper of the history. What is appended
   * comes after the scavenge point, and the session continues without it: to this run it does not exist.
   */
  async #tellOfStart({ start, placement, session }: Chosen): Promise<void> {
    const { singleNode, scavengeHistoryMaxAgeDays, dataDirectory } = this.#request;
    const { hostName, now, newGuid, onStart, onRow, onWork, continues } = this.#environment;
    const isInLog = continues ? continues.isInLog : placement === 'new' && singleNode === true;
    if (isInLog && hostName !== undefined) {
      const parts = {
        scavengeId: this.#scavengeId === '' ? newGuid() : this.#scavengeId,
        nodeEndpoint: winnowNodeOf(hostName),
        fileSystem: this.#fileSystem,
        dataDirectory,
        maxAgeDays: scavengeHistoryMaxAgeDays ?? DEFAULT_HISTORY_MAX_AGE_DAYS,
        now,
        newGuid,
        outcome: this.#outcome
      };
      this.#history = continues
        ? LogHistory.resume(parts, session, continues)
        : await LogHistory.start(parts, session, () => this.#control.breathe());
    }
    if (this.#isPlan) {
      // Written over files that keep nothing: only what it takes counts.
      this.#history?.pause();
      this.#history = undefined;
      return;
    }
    onStart?.({
      scavengeId: this.#scavengeId,
      point: pointOf(start),
      placement,
      resumed: start.kind === 'resume',
      isInLog: this.#history !== undefined
    });
    if (!this.#history) this.#outcome.onRow = onRow;
    this.#outcome.onWork = onWork;
  }

  /** A failure to report must not hide the error that ended the run. */
  #tellOfError({ message }: EngineError): void {
    try {
      this.#finishHistory({ result: 'Errored', message });
    } catch (error) {
      if (!isFailedFlush(error)) throw error;
    }
  }

  #finishHistory(end: Omit<RunResult, 'elapsedMs'>): void {
    const history = this.#history;
    this.#history = undefined;
    if (end.result === 'Stopped' && this.#environment.isPausing?.()) history?.pause();
    else history?.finish({ ...end, elapsedMs: this.#control.elapsedMs });
  }

  /** The stored threshold of an existing point holds. */
  #warnOfThreshold({ start, placement }: Chosen): void {
    const { threshold } = pointOf(start);
    if (placement === 'new' || threshold === this.#request.threshold) return;
    this.#outcome.warnings.push({
      code: 'thresholdOfPoint',
      message: `The scavenge point was written with threshold ${threshold}, which applies; ${this.#request.threshold} was requested.`,
      remedy: 'Finish this scavenge, then run one with a new scavenge point and the threshold you want.'
    });
  }

  /** What the state of a rescue takes from now on is taken from its room. */
  #watchState({ start, placement, state }: Chosen, states: RunState): void {
    if (!this.#rescue) return;
    const isDetached = placement === 'detached';
    const isNew = isDetached && start.kind === 'fresh';
    const { directory } = states.placeOf(isDetached);
    const { dataDirectory, indexDirectory } = this.#session!.database;
    if (!sharesVolume(this.#fileSystem, directory, [dataDirectory, indexDirectory])) return;
    const bytesBefore = isNew ? 0 : stateBytesAt(this.#fileSystem, state.path);
    this.#rescue.watch({ path: state.path, directory, bytesBefore });
  }

  async #runPhases(chosen: Chosen): Promise<boolean> {
    const { start, placement, state, session } = chosen;
    const { index, database } = session;
    const { newGuid, trace, calculationBatchSize, tally } = this.#environment;
    const { merge, unsafeIgnoreHardDeletes, alwaysKeepScavenged, stopAfter } = this.#request;
    const [fileSystem, threads] = [this.#fileSystem, this.#threads];
    const own = { request: this.#request, environment: this.#environment };
    const workers = this.#isPlan ? undefined : startWorkers(own, chosen, threads);
    const outputParts = {
      fileSystem,
      directory: database.dataDirectory,
      log: database.log,
      control: this.#control,
      newGuid,
      alwaysKeepScavenged,
      // A rescue leaves all the room there is to the chunks.
      digests: this.#rescue ? undefined : this.#environment.digests
    };
    if (this.#isPlan) this.#measuring = new MeasuringChunkOutput(outputParts);
    const chunkOutput = this.#measuring ?? new WritingChunkOutput(outputParts, { threads, workers });
    try {
      return await runScavenger(
        {
          fileSystem,
          directories: [database.dataDirectory, database.indexDirectory].filter((path) =>
            fileSystem.describe(path)
          ),
          log: database.log,
          index,
          state,
          chunkOutput,
          tableOutput: () => new IndexTableOutput({ fileSystem, index, newGuid, isDryRun: this.#isPlan }),
          control: this.#control,
          outcome: this.#outcome,
          options: {
            merge,
            ignoreHardDeletes: unsafeIgnoreHardDeletes,
            alwaysKeepScavenged,
            threads: workers ? threads : 1,
            stopAfter,
            calculationBatchSize
          },
          isPointInLog: placement !== 'detached',
          isSealed: chosen.isSealed,
          holdState: chosen.foundStatePath === undefined ? undefined : () => this.#holdState(chosen),
          rescue: this.#rescue,
          kept: session.kept,
          tally,
          trace
        },
        start
      );
    } finally {
      await chunkOutput.close();
    }
  }

  async #holdState({ start, state, foundStatePath: statePath, session }: Chosen): Promise<void> {
    if (statePath === undefined) return;
    await holdActingState({ state, statePath, session, point: pointOf(start), control: this.#control });
    this.#isStateTrue = true;
  }

  /** For the run that follows; the state is closed. What a state says is not known where nothing examines it. */
  #keepProgress(result: 'success' | 'stopped'): void {
    const chosen = this.#chosen;
    if (!this.#progress || !chosen || this.#environment.isUnexamined) return;
    const { log } = this.#session!.database;
    const { state, start } = chosen;
    const isSealed = result === 'stopped' && this.#isStateTrue;
    const isReached = result === 'success' && chosen.placement !== 'detached';
    const ignoreHardDeletes = this.#request.unsafeIgnoreHardDeletes;
    const sealed = { statePath: state.path, point: pointOf(start), ignoreHardDeletes, log };
    const reached = isReached ? pointOf(start) : undefined;
    this.#progress.ended(log, { reached, sealed: isSealed ? sealed : undefined });
  }

  /** `isHurried`: a stop was requested, so nothing more is read. */
  async #report(
    result: 'success' | 'stopped',
    { isHurried }: { isHurried: boolean } = { isHurried: false }
  ): Promise<ScavengeReportData> {
    const chosen = this.#chosen;
    const outcome = this.#outcome;
    const left = isHurried || !chosen ? NOTHING_LEFT : await this.#countLeft(chosen);
    const { spaceSaved } = outcome;
    const spaceSavedBytes = spaceSaved.total;
    if (this.#isPlan && result === 'success' && chosen && freesNothing(outcome, chosen.placement)) {
      outcome.warnings.push(nothingToFree(chosen.placement));
    }
    return {
      ...(this.#isPlan ? {} : { scavengeId: this.#scavengeId }),
      result,
      scavengePoint: chosen ? describePoint(chosen) : null,
      resumed: chosen?.start.kind === 'resume',
      recordsDiscarded: outcome.recordsDiscarded,
      indexEntriesDiscarded: outcome.indexEntriesDiscarded,
      bytesBefore: this.#bytesBefore,
      bytesAfter: this.#bytesBefore - spaceSavedBytes,
      spaceSavedBytes,
      spaceSaved,
      chunkCount: outcome.chunkCount,
      besides: outcome.besides,
      scratchBytes: this.#rescue?.peakBytes ?? this.#scratchBytes,
      // A plan that ends after a phase, as its run does, leaves none in it.
      ...(result === 'stopped' && (outcome.chunksLeft ?? 0) > 0 && { chunksLeft: outcome.chunksLeft! }),
      ...(this.#isPlan && chosen && keepsOfPlan(this.#request, outcome, this.#files?.database)),
      leftInActiveChunk: left,
      ...(outcome.hashUsersCache && { hashUsersCache: outcome.hashUsersCache }),
      warnings: outcome.warnings,
      threads: this.#threads,
      chunks: outcome.chunks,
      tables: outcome.tables,
      ...(await this.#thresholds(result)),
      phases: this.#isPlan ? outcome.phases.map(({ phase }) => ({ phase })) : outcome.phases
    };
  }

  /** Only a plan that judged every chunk with something to remove knows them, and only if it went to its end. */
  async #thresholds(result: 'success' | 'stopped'): Promise<Pick<ScavengeReportData, 'thresholds'>> {
    const chosen = this.#chosen;
    const output = this.#measuring;
    const { unsafeIgnoreHardDeletes, merge } = this.#request;
    if (!chosen || !output || result !== 'success' || this.#rescue || unsafeIgnoreHardDeletes) return {};
    const { threshold } = pointOf(chosen.start);
    if (threshold > 0) return {};
    const thresholds = await plannedThresholds({
      outcome: this.#outcome,
      log: chosen.session.database.log,
      output,
      threshold,
      merge
    });
    return { thresholds };
  }

  async #countLeft({ start, session }: Chosen): Promise<LeftInActiveChunk> {
    const { database, index } = session;
    return countLeftInActiveChunk({
      log: database.log,
      index,
      control: this.#control,
      now: pointOf(start).effectiveNow
    });
  }
}
