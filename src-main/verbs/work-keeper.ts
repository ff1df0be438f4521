/**
 * Keeps the long operations that the window started: a snapshot of each, a way to stop it, and its result. The
 * window may be reloaded or closed meanwhile; it requests the snapshots once and follows.
 *
 * Invariants: a snapshot is complete in itself and is replaced, never changed in place; an operation ends exactly
 * once (done, stopped or failed); only ended work can be removed; only one operation that needs a node or its backups for
 * itself runs on it at a time.
 */
import { randomUUID } from 'node:crypto';
import { EngineError, OperationStopped } from '../../src-core/index.ts';
import type { CallOptions } from '../engine/engine-host.ts';
import type {
  Progress,
  StartedBy,
  WorkName,
  WorkPhase,
  WorkReply,
  WorkSnapshot,
  WorkState
} from '../contract/verbs/workbench-contract.ts';
import { errorReportOf } from '../contract/error-report.ts';
import { RateMeter } from './rate-meter.ts';

/** Number of lines of an operation's log that are kept. */
const LOG_LINES = 500;
/** Number of ended operations that are kept; older results are discarded. */
const ENDED_KEPT = 30;
/** Lines of the log are sent in batches: a database of many small chunks produces hundreds per second. */
const LOG_INTERVAL_MS = 100;

export interface WorkToStart {
  name: WorkName;
  nodeId: string | null;
  title: string;
  request: Record<string, unknown>;
  writerCheckpoint?: number | null;
  directory?: string | null;
  backupTarget?: string | null;
  startedBy?: StartedBy;
  run: (options: CallOptions) => Promise<WorkReply>;
  /** Called once it has succeeded, before the window is told. */
  onDone?: (reply: WorkReply) => void;
}

interface KeptWork {
  snapshot: WorkSnapshot;
  abort: AbortController;
  rate: RateMeter;
  /** Set while lines of the log wait to be sent. */
  logTimer: NodeJS.Timeout | undefined;
  result: WorkReply | null;
  hasEnded: Promise<void>;
}

export interface WorkKeeperParts {
  clock: () => number;
  onChange: (snapshot: WorkSnapshot) => void;
  onForget: (id: string) => void;
}

export class WorkKeeper {
  readonly #parts: WorkKeeperParts;
  readonly #kept = new Map<string, KeptWork>();

  constructor(parts: WorkKeeperParts) {
    this.#parts = parts;
  }

  /** Oldest first. */
  list(): WorkSnapshot[] {
    return [...this.#kept.values()].map((work) => work.snapshot);
  }

  find(id: string): WorkSnapshot | undefined {
    return this.#kept.get(id)?.snapshot;
  }

  running(): WorkSnapshot[] {
    return this.list().filter((snapshot) => snapshot.endedMs === null);
  }

  /** Without checks that a window makes by itself: no user waits for them, and they write nothing. */
  runningAsked(): WorkSnapshot[] {
    return this.running().filter(({ request }) => request['unasked'] !== true);
  }

  /** Notes who started it. Returns its snapshot. */
  attribute(snapshot: WorkSnapshot, startedBy: StartedBy): WorkSnapshot {
    const work = this.#kept.get(snapshot.id);
    if (!work) return snapshot;
    this.#change(work, { startedBy });
    return work.snapshot;
  }

  /** null: unknown, not ended, or ended without a result. */
  result(id: string): WorkReply | null {
    return this.#kept.get(id)?.result ?? null;
  }

  start(toStart: WorkToStart): WorkSnapshot {
    this.#refuseSecond(toStart);
    if (toStart.nodeId !== null && toStart.request['unasked'] !== true) this.makeRoom(toStart.nodeId);
    const nowMs = this.#parts.clock();
    const work: KeptWork = {
      snapshot: {
        id: randomUUID(),
        name: toStart.name,
        nodeId: toStart.nodeId,
        title: toStart.title,
        state: 'running',
        startedMs: nowMs,
        endedMs: null,
        progress: null,
        ratePerSecond: null,
        remainingMs: null,
        phases: [],
        log: [],
        error: null,
        request: toStart.request,
        writerCheckpoint: toStart.writerCheckpoint ?? null,
        directory: toStart.directory ?? null,
        backupTarget: toStart.backupTarget ?? null,
        ...(toStart.startedBy && { startedBy: toStart.startedBy })
      },
      abort: new AbortController(),
      rate: new RateMeter(),
      logTimer: undefined,
      result: null,
      hasEnded: Promise.resolve()
    };
    this.#kept.set(work.snapshot.id, work);
    this.#parts.onChange(work.snapshot);
    work.hasEnded = this.#follow(work, toStart);
    return work.snapshot;
  }

  /** Asks it to stop in an orderly way; does nothing to ended work. */
  stop(id: string): void {
    const work = this.#kept.get(id);
    if (!work || work.snapshot.state !== 'running') return;
    this.#change(work, { state: 'stopping' });
    work.abort.abort();
  }

  /** Somebody wants an answer about a node: a plan that nobody asked for stops, and the window begins it again later. */
  makeRoom(nodeId: string): void {
    for (const { id, name, nodeId: ofNode, request } of this.running()) {
      if (name === 'planScavenge' && ofNode === nodeId && request['unasked'] === true) this.stop(id);
    }
  }

  /** Stops everything and waits until it has ended. */
  async stopAll(): Promise<void> {
    for (const snapshot of this.running()) this.stop(snapshot.id);
    await Promise.all([...this.#kept.values()].map((work) => work.hasEnded));
  }

  /** Removes ended work from the list. */
  forget(id: string): void {
    if (this.#kept.get(id)?.snapshot.endedMs === null) return;
    if (this.#kept.delete(id)) this.#parts.onForget(id);
  }

  async #follow(work: KeptWork, toStart: WorkToStart): Promise<void> {
    try {
      const reply = await toStart.run({
        workId: work.snapshot.id,
        signal: work.abort.signal,
        onProgress: (progress) => this.#onProgress(work, progress),
        onLog: (line) => this.#addToLog(work, line.message)
      });
      work.result = reply;
      toStart.onDone?.(reply);
      this.#end(work, 'result' in reply && reply.result === 'stopped' ? 'stopped' : 'done', null);
    } catch (error) {
      if (error instanceof OperationStopped) this.#end(work, 'stopped', null);
      else this.#end(work, 'failed', error);
    }
  }

  #onProgress(work: KeptWork, progress: Progress): void {
    if (work.snapshot.endedMs !== null) return;
    const nowMs = this.#parts.clock();
    const isNewPhase = work.snapshot.progress?.phase !== progress.phase;
    if (isNewPhase) work.rate.restart();
    work.rate.take(nowMs, progress.done);
    const ratePerSecond = work.rate.perSecond;
    const left = progress.total === null ? null : Math.max(0, progress.total - progress.done);
    this.#change(work, {
      progress,
      ratePerSecond,
      remainingMs: left === null || !ratePerSecond ? null : (left / ratePerSecond) * 1000,
      phases: isNewPhase ? enterPhase(work.snapshot.phases, progress.phase, nowMs) : work.snapshot.phases
    });
  }

  #end(work: KeptWork, state: WorkState, error: unknown): void {
    const endedMs = this.#parts.clock();
    this.#change(work, {
      state,
      endedMs,
      ratePerSecond: null,
      remainingMs: null,
      phases: closePhases(work.snapshot.phases, endedMs),
      error: error === null ? null : errorReportOf(error)
    });
    const ended = [...this.#kept.values()].filter((other) => other.snapshot.endedMs !== null);
    for (const old of ended.slice(0, Math.max(0, ended.length - ENDED_KEPT))) this.forget(old.snapshot.id);
  }

  #addToLog(work: KeptWork, line: string): void {
    if (work.snapshot.endedMs !== null) return;
    work.snapshot = { ...work.snapshot, log: [...work.snapshot.log, line].slice(-LOG_LINES) };
    work.logTimer ??= setTimeout(() => this.#change(work, {}), LOG_INTERVAL_MS);
  }

  /** Sends everything, including waiting lines of the log. */
  #change(work: KeptWork, changes: Partial<WorkSnapshot>): void {
    clearTimeout(work.logTimer);
    work.logTimer = undefined;
    work.snapshot = { ...work.snapshot, ...changes };
    this.#parts.onChange(work.snapshot);
  }

  #refuseSecond(toStart: WorkToStart): void {
    const other = this.running().find(
      (snapshot) =>
        snapshot.nodeId === toStart.nodeId &&
        needsOf(snapshot).some((need) => needsOf(toStart).includes(need))
    );
    if (!other) return;
    throw new EngineError({
      code: 'DatabaseInUse',
      message: `${other.title} is still running.`,
      remedy: 'Wait until it ends, or stop it.',
      details: { workId: other.id }
    });
  }
}

type Need = 'node' | 'backups';

/** What only one operation at a time can have. The lock of a target keeps out other processes too, but says less of them. */
export function needsOf(work: Pick<WorkSnapshot, 'name' | 'request'>): Need[] {
  const writesBackups =
    work.name === 'createBackup' ||
    work.name === 'eraseInBackup' ||
    (work.name === 'rekeyBackups' && work.request['dryRun'] !== true);
  return [
    ...(needsNodeForItself(work) ? ['node' as const] : []),
    ...(writesBackups ? ['backups' as const] : [])
  ];
}

/** Work that writes to a node, and a backup, which would contain half of what another operation writes. */
function needsNodeForItself({ name, request }: Pick<WorkSnapshot, 'name' | 'request'>): boolean {
  switch (name) {
    case 'runScavenge':
    case 'runRescue':
    case 'createBackup':
    case 'runRestore':
    case 'continueRestore':
    case 'undoRestore':
    case 'rebuildIndex':
    case 'prepareStartup':
    case 'undoScavenge':
    case 'redactEvents':
    case 'forgetReplaced':
      return true;
    case 'repairDatabase':
    case 'cutLog':
      return request['dryRun'] !== true;
    default:
      return false;
  }
}

function enterPhase(phases: WorkPhase[], phase: string, nowMs: number): WorkPhase[] {
  return [...closePhases(phases, nowMs), { phase, startedMs: nowMs, endedMs: null }];
}

function closePhases(phases: WorkPhase[], nowMs: number): WorkPhase[] {
  return phases.map((phase) => (phase.endedMs === null ? { ...phase, endedMs: nowMs } : phase));
}
