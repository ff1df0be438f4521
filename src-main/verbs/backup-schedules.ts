/**
 * Takes the backups of nodes by their schedules, in the window and in a service. Each run takes a backup, checks every byte
 * of it, and only then removes what the schedule does not keep.
 *
 * Invariants: one run of a node at a time (and the target's lock keeps out another process); a run that was missed, because
 * nothing of ours ran, is made up once, however many were missed; a time is taken before its run begins, so that a run that
 * fails is not begun again and again; one that a killed process began is resumed at the next start; one that finds the
 * database or the target in use tries again, less and less often, since that passes.
 */
import { EngineError, OperationStopped, ticksFromMs, ticksToIso } from '../../src-core/index.ts';
import { errorLineOf, errorReportOf } from '../contract/error-report.ts';
import type { BackupSchedule, NodeEntry } from '../contract/verbs/node-entry.ts';
import type { BackupsReport } from '../contract/operations/backup-reports.ts';
import type { CallOptions, EngineHost } from '../engine/engine-host.ts';
import { dueBackup, type DueBackup } from '../settings/backup-schedule.ts';
import type { NodeRegistry } from '../settings/node-registry.ts';
import { locationOf } from './node-work.ts';
import { targetOf } from './restore-work.ts';

const TICK_MS = 20_000;
/** Until the next attempt of a run that found something in use: from five minutes to an hour. */
const FIRST_WAIT_MS = 5 * 60_000;
const LONGEST_WAIT_MS = 60 * 60_000;

export interface BackupSchedulesParts {
  home: string;
  clock: () => number;
  engine: Pick<EngineHost, 'call'>;
  registry: Pick<NodeRegistry, 'list' | 'find' | 'edit'>;
  /** Whether something of ours has the node for itself: the run waits. */
  isOccupied: (nodeId: string) => boolean;
  /** Shows the run as work that can be followed and stopped. */
  follow: (node: NodeEntry, run: (options: CallOptions) => Promise<BackupsReport>) => Promise<unknown>;
  /** After what is kept of a node has changed. */
  onChange: () => void;
  /** What kept a look or a run from being noted: nothing runs then. */
  onFault: (error: unknown) => void;
}

export class BackupSchedules {
  readonly #parts: BackupSchedulesParts;
  readonly #running = new Map<string, Promise<void>>();
  /** By node: when a run that was refused tries again. A clock that was set back does not hold it up for long. */
  readonly #waiting = new Map<string, { sinceMs: number; waitMs: number }>();
  readonly #closing = new AbortController();
  #timer: NodeJS.Timeout | undefined;
  #hasLooked = false;

  constructor(parts: BackupSchedulesParts) {
    this.#parts = parts;
  }

  start(): void {
    this.#timer = setInterval(() => void this.look(), TICK_MS);
    this.#timer.unref();
    void this.look();
  }

  /** Begins what is due, and waits for it. */
  async look(): Promise<void> {
    const { clock, onFault } = this.#parts;
    const nowMs = clock();
    try {
      for (const { node, ...due } of this.#due(nowMs)) {
        const run = this.#run(node, due)
          .catch(onFault)
          .finally(() => this.#running.delete(node.id));
        this.#running.set(node.id, run);
      }
    } catch (error) {
      onFault(error);
    }
    await Promise.all(this.#running.values());
  }

  #due(nowMs: number): ({ node: NodeEntry } & DueRun)[] {
    const { registry, isOccupied } = this.#parts;
    const isFirst = !this.#hasLooked;
    this.#hasLooked = true;
    return registry.list().flatMap((node) => {
      const { id, backupTarget, backupSchedule } = node;
      if (!backupSchedule || backupTarget === undefined || this.#running.has(id)) return [];
      // By a clock that has been set back since: without this nothing would be due until it is there again.
      if (backupSchedule.handledMs > nowMs) this.#note(id, { handledMs: nowMs });
      try {
        const own = dueBackup(backupSchedule, nowMs);
        // Begun by a process that was killed: what it copied is resumed.
        const left = isFirst ? backupSchedule.running : undefined;
        const due = own ?? (left && { ...left, sinceMs: left.dueMs });
        return due && !isOccupied(id) && !this.#waits(id, nowMs)
          ? [{ node, due, isLeft: own === undefined }]
          : [];
      } catch (error) {
        // Somebody has written it by hand: the others have their time all the same.
        const { message } = errorReportOf(error);
        if (backupSchedule.last?.message !== message) {
          this.#note(id, { last: { atMs: nowMs, message } });
        }
        return [];
      }
    });
  }

  #waits(nodeId: string, nowMs: number): boolean {
    const waiting = this.#waiting.get(nodeId);
    return waiting !== undefined && nowMs >= waiting.sinceMs && nowMs < waiting.sinceMs + waiting.waitMs;
  }

  /** Stops a run where it can be resumed. */
  async close(): Promise<void> {
    clearInterval(this.#timer);
    this.#closing.abort();
    await Promise.all(this.#running.values());
  }

  async #run(node: NodeEntry, { due: { dueMs, missed }, isLeft }: DueRun): Promise<void> {
    const before = node.backupSchedule;
    if (!before) return;
    const { clock } = this.#parts;
    const running = { startedMs: clock(), dueMs, missed };
    const ended = (message: string | null): void =>
      this.#note(node.id, { last: { atMs: clock(), message, ...running } });
    this.#note(node.id, { handledMs: running.startedMs, running });
    try {
      await this.#parts.follow(node, (options) => this.#backUp(node, before, options));
      this.#waiting.delete(node.id);
      ended(null);
    } catch (error) {
      // Because we end: it is due again at the next start.
      if (this.#closing.signal.aborted) this.#note(node.id, { handledMs: before.handledMs });
      else if (error instanceof OperationStopped) ended('It was stopped.');
      // What seemed to be left by a killed process is the run of a living one, which notes its end itself.
      else if (!isLeft || errorReportOf(error).code !== 'DatabaseInUse') {
        ended(errorLineOf(error) ?? errorReportOf(error).message);
        if (errorReportOf(error).code === 'DatabaseInUse') this.#waitFor(node.id, before, running.startedMs);
      }
    }
  }

  /** Its time counts as not taken again, so it stays due; unless somebody has set another schedule meanwhile. */
  #waitFor(nodeId: string, { handledMs }: BackupSchedule, startedMs: number): void {
    const earlierMs = this.#waiting.get(nodeId)?.waitMs;
    const waitMs = earlierMs === undefined ? FIRST_WAIT_MS : Math.min(earlierMs * 2, LONGEST_WAIT_MS);
    this.#waiting.set(nodeId, { sinceMs: this.#parts.clock(), waitMs });
    if (this.#parts.registry.find(nodeId)?.backupSchedule?.handledMs === startedMs)
      this.#note(nodeId, { handledMs });
  }

  async #backUp(node: NodeEntry, schedule: BackupSchedule, options: CallOptions): Promise<BackupsReport> {
    const { engine, home } = this.#parts;
    const signals = [this.#closing.signal, ...(options.signal ? [options.signal] : [])];
    const own = { ...options, signal: AbortSignal.any(signals) };
    const target = targetOf(node);
    const { backupKey } = node;
    const { compress, retention } = schedule;
    const report = await engine.call(
      'createBackup',
      {
        ...locationOf(node),
        ...target,
        winnowHome: home,
        compress,
        ...(backupKey ? { keyFile: backupKey.file } : {})
      },
      own
    );
    const [backup] = report.backups;
    const id = backup?.id;
    const keyFile = backupKey?.kind === 'file' ? { keyFile: backupKey.file } : {};
    const proof = await engine.call(
      'verifyBackup',
      { ...target, ...keyFile, ...(id === undefined ? {} : { id }) },
      own
    );
    if (!proof.ok) throw damaged(proof.backup);
    if (Object.values(retention).some((count) => count > 0)) {
      await engine.call('pruneBackups', { ...target, retention }, own);
    }
    if (backup) backup.verified = { at: ticksToIso(ticksFromMs(this.#parts.clock())), ok: true, damage: 0 };
    return report;
  }

  /** On top of what is kept now: it may have been changed while the run went on. What is not said to run has ended. */
  #note(nodeId: string, change: Partial<BackupSchedule>): void {
    const { registry, onChange } = this.#parts;
    const kept = registry.find(nodeId)?.backupSchedule;
    if (!kept) return;
    const { running: _ended, ...rest } = kept;
    registry.edit(nodeId, { backupSchedule: { ...rest, ...change } });
    onChange();
  }
}

/** A backup to be taken now. */
interface DueRun {
  due: DueBackup;
  /** Not by the schedule, but because a process began it and noted no end. */
  isLeft: boolean;
}

function damaged(backup: string): EngineError {
  return new EngineError({
    code: 'StorageFailed',
    message: `The new backup ${backup} is damaged; nothing was removed.`,
    remedy: 'Check the disk of the target, then take a full backup.'
  });
}
