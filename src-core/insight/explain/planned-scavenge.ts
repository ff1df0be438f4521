/**
 * The scavenge that an explanation speaks of, planned as far as its decisions: point chosen, log accumulated,
 * discard points and weights calculated, by the phases of a real one over files that cannot be written and a state
 * of its own. Rewrites nothing, not even on paper: a question about a chunk judges that one chunk only.
 */
import { PreparedHeads } from '../../digest/prepared-heads.ts';
import { isDecidingStage } from '../../units/scavenge-terms.ts';
import { assert } from '../../assert.ts';
import { hashStream } from '../../index/stream-hash.ts';
import { MeasuringChunkOutput } from '../../scavenge/output/measuring-chunk-output.ts';
import { choosePoint, pointOf, type Chosen } from '../../scavenge/points/choose-point.ts';
import {
  refuseKeptLeftovers,
  refuseOtherHardDeletes
} from '../../scavenge/decisions/hard-deleted-leftovers.ts';
import type { Judging } from '../../scavenge/decisions/judge-records.ts';
import type { KeptJudgements } from '../../scavenge/decisions/kept-judgements.ts';
import { OverlayFileSystem } from '../../scavenge/output/overlay-file-system.ts';
import { RunControl } from '../../scavenge/run-control.ts';
import type { ScavengeCheckpoint } from '../../scavenge/state/scavenge-checkpoint.ts';
import type { ScavengePoint } from '../../scavenge/points/scavenge-point.ts';
import {
  checkRequest,
  effectiveNowOf,
  type ScavengeEnvironment,
  type ScavengeRequest
} from '../../scavenge/scavenge-request.ts';
import { ScavengeOutcome } from '../../scavenge/scavenge-result.ts';
import { openSession, type ScavengeSession } from '../../scavenge/scavenge-session.ts';
import { scavengedChunkOf } from '../../scavenge/output/scavenged-chunk.ts';
import { runScavenger } from '../../scavenge/scavenger.ts';
import { RunState } from '../../scavenge/state/run-state.ts';
import type { ScavengeState } from '../../scavenge/state/scavenge-state.ts';
import { StreamEntries } from '../../scavenge/decisions/stream-entries.ts';
import { StreamVerdicts } from '../../scavenge/decisions/stream-verdicts.ts';
import { IndexTableOutput } from '../../scavenge/output/table-output.ts';
import type { FileSystem } from '../../storage/file-system.ts';
import type { ExplainedScavenge } from './explanation.ts';

/** What is known once the decisions of a scavenge are made. */
export interface Decisions {
  point: ScavengePoint;
  state: ScavengeState;
  verdicts: StreamVerdicts;
  entries: StreamEntries;
  judging: Judging;
  /** Of the files that it writes. */
  formatVersion: number;
  /** Chunks up to this one were visited before the scavenge was stopped; this one passes them. -1: none. */
  passedChunk: number;
}

export interface PlannedScavenge {
  request: ScavengeRequest;
  session: ScavengeSession;
  control: RunControl;
  /** Time at which ages are judged where no point decides. */
  now: bigint;
  /** null: there is no point to use. */
  decisions: Decisions | null;
  facts: ExplainedScavenge;
  close(): void;
}

/** Plans a scavenge up to its decisions. The caller closes it. */
export async function openPlannedScavenge(
  request: ScavengeRequest,
  environment: ScavengeEnvironment
): Promise<PlannedScavenge> {
  checkRequest(request);
  const planner = new Planner(request, environment);
  try {
    return await planner.plan();
  } catch (error) {
    planner.close();
    throw error;
  }
}

class Planner {
  readonly #request: ScavengeRequest;
  readonly #environment: ScavengeEnvironment;
  readonly #fileSystem: FileSystem;
  readonly #control: RunControl;
  readonly #open: () => Promise<ScavengeSession>;
  #session: ScavengeSession | undefined;
  #states: RunState | undefined;
  #judged: KeptJudgements | undefined;

  constructor(request: ScavengeRequest, environment: ScavengeEnvironment) {
    this.#request = request;
    this.#environment = environment;
    const { hasher, operation } = environment;
    const fileSystem = new OverlayFileSystem(environment.fileSystem);
    const control = new RunControl({ operation });
    this.#fileSystem = fileSystem;
    this.#control = control;
    const { digests } = environment;
    const heads = digests && new PreparedHeads({ digests, fileSystem, operation });
    this.#open = () => openSession({ fileSystem, location: request, hasher, control, heads });
  }

  close(): void {
    this.#judged?.save();
    this.#states?.close();
    this.#session?.close();
    this.#states = undefined;
    this.#session = undefined;
  }

  async plan(): Promise<PlannedScavenge> {
    this.#control.enter('beginning', 'chunks');
    this.#session = await this.#open();
    const { chosen, placement } = await this.#choose();
    const decisions = chosen ? await this.#decide(chosen) : null;
    const session = this.#session;
    const { now } = this.#environment;
    return {
      request: this.#request,
      session,
      control: this.#control,
      now: decisions?.point.effectiveNow ?? effectiveNowOf(this.#request) ?? now(),
      decisions,
      facts: {
        point: decisions ? factsOf(decisions.point) : null,
        placement,
        isResumed: chosen?.start.kind === 'resume'
      },
      close: () => this.close()
    };
  }

  /**
   * As asked. Where `auto` would need a new point and nothing says that one may be written, the answer is about a
   * detached scavenge, which is possible on every node: a question must not be refused for what a run may not do.
   */
  async #choose(): Promise<{ chosen: Chosen | undefined; placement: ExplainedScavenge['placement'] }> {
    const { scavengePoint, syncOnly, singleNode } = this.#request;
    const mayWritePoint = singleNode === true;
    if (syncOnly || scavengePoint !== 'auto' || mayWritePoint) {
      const chosen = await this.#chooseAs(this.#request);
      const asked = syncOnly || scavengePoint === 'auto' ? 'existing' : scavengePoint;
      return { chosen, placement: chosen?.placement ?? asked };
    }
    const existing = await this.#chooseAs({ ...this.#request, scavengePoint: 'existing' });
    if (existing) return { chosen: existing, placement: 'existing' };
    const detached = await this.#chooseAs({ ...this.#request, scavengePoint: 'detached' });
    return { chosen: detached, placement: 'detached' };
  }

  #chooseAs(request: ScavengeRequest): Promise<Chosen | undefined> {
    const session = this.#session;
    assert(session !== undefined, 'the database is open');
    this.#states?.close();
    const { fileSystem, hasher, newGuid } = this.#environment;
    this.#states = new RunState({
      fileSystem,
      indexDirectory: session.database.indexDirectory,
      request,
      isPlan: true,
      hasher: hasher ?? hashStream,
      newGuid
    });
    return choosePoint({
      request,
      environment: this.#environment,
      fileSystem: this.#fileSystem,
      session,
      reopen: async () => (this.#session = await this.#open()),
      states: this.#states,
      control: this.#control,
      isPlan: true,
      beforeWriting: () => Promise.resolve()
    });
  }

  async #decide(chosen: Chosen): Promise<Decisions> {
    const { start, state, session } = chosen;
    const { log } = session.database;
    const { index } = session;
    const control = this.#control;
    const { unsafeIgnoreHardDeletes, alwaysKeepScavenged } = this.#request;
    const point = pointOf(start);
    const output = new MeasuringChunkOutput({
      fileSystem: this.#fileSystem,
      directory: session.database.dataDirectory,
      log,
      control,
      newGuid: this.#environment.newGuid,
      alwaysKeepScavenged
    });
    const { formatVersion } = output;
    const checkpoint = start.kind === 'resume' ? start.checkpoint : undefined;
    const isCalculated = checkpoint !== undefined && !isDecidingStage(checkpoint.stage);
    if (!isCalculated) await this.#calculate(chosen, output);
    const verdicts = new StreamVerdicts({ state, hasher: index.hasher, effectiveNow: point.effectiveNow });
    this.#judged = unsafeIgnoreHardDeletes ? undefined : session.kept?.judgements(point.effectiveNow);
    const judging: Judging = {
      judged: this.#judged,
      fileSystem: this.#fileSystem,
      verdicts,
      control,
      pointPosition: point.position,
      ignoreHardDeletes: unsafeIgnoreHardDeletes,
      heads: log.knownHeads
    };
    // What the run refuses, because deleted streams would come back, is refused here with the same words.
    if (checkpoint) await refuseOtherHardDeletes({ judging, checkpoint, log, index, state });
    const passedChunk = checkpoint ? passedChunkOf(checkpoint) : -1;
    if (unsafeIgnoreHardDeletes && !alwaysKeepScavenged) {
      const visited = log.chunks.filter(
        (chunk) => chunk.endNumber > passedChunk && chunk.startPosition < point.position
      );
      await refuseKeptLeftovers(judging, visited.map(scavengedChunkOf), formatVersion);
    }
    const entries = new StreamEntries({
      lookup: index.entries,
      state,
      readAt: (position) => log.readAt(position),
      beforePosition: point.position
    });
    return { point, state, verdicts, entries, judging, formatVersion, passedChunk };
  }

  /** The first two phases of the run itself. */
  async #calculate(
    { start, state, session, placement }: Chosen,
    chunkOutput: MeasuringChunkOutput
  ): Promise<void> {
    const { database, index } = session;
    const { newGuid, calculationBatchSize } = this.#environment;
    const { merge, unsafeIgnoreHardDeletes, alwaysKeepScavenged } = this.#request;
    const fileSystem = this.#fileSystem;
    await runScavenger(
      {
        fileSystem,
        directories: [],
        log: database.log,
        index,
        state,
        chunkOutput,
        tableOutput: () => new IndexTableOutput({ fileSystem, index, newGuid, isDryRun: true }),
        control: this.#control,
        outcome: new ScavengeOutcome(),
        options: {
          merge,
          ignoreHardDeletes: unsafeIgnoreHardDeletes,
          alwaysKeepScavenged,
          threads: 1,
          stopAfter: 'calculation',
          calculationBatchSize
        },
        isPointInLog: placement !== 'detached',
        kept: session.kept
      },
      start
    );
  }
}

function passedChunkOf(checkpoint: ScavengeCheckpoint): number {
  switch (checkpoint.stage) {
    case 'accumulating':
    case 'calculating':
      return -1;
    case 'executingChunks':
      return checkpoint.doneChunk ?? -1;
    default:
      return Infinity;
  }
}

function factsOf({ number, position, effectiveNow, threshold }: ScavengePoint) {
  return { number, position, effectiveNow, threshold };
}
