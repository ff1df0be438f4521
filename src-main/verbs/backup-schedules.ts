/**
 * Takes the backups of nodes by their schedules, in the window and in a service. Each run takes a backup, checks every byte
 * of it, and only then removes what the schedule does not keep.
 *
 * Invariants: one run of a node at a time (and the target's lock keeps out another process); a run that was missed, because
 * nothing of ours ran, is made up once, however many were missed; a time is taken before its run begins, so that a run that
 * fails is not begun again and again.
 */
import { OperationStopped } from '../../src-core/index.ts';
import { errorReportOf } from '../contract/error-report.ts';
import type { BackupSchedule, NodeEntry } from '../contract/verbs/node-entry.ts';
import type { BackupsReport } from '../contract/operations/backup-reports.ts';
import type { CallOptions, EngineHost } from '../engine/engine-host.ts';
import { isDue } from '../settings/backup-schedule.ts';
import type { NodeRegistry } from '../settings/node-registry.ts';
import { locationOf } from './node-work.ts';
import { targetOf } from './restore-work.ts';

const TICK_MS = 20_000;

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
  readonly #closing = new AbortController();
  #timer: NodeJS.Timeout | undefined;

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
      for (const node of this.#due(nowMs)) {
        const run = this.#run(node, nowMs)
          .catch(onFault)
          .finally(() => this.#running.delete(node.id));
        this.#running.set(node.id, run);
      }
    } catch (error) {
      onFault(error);
    }
    await Promise.all(this.#running.values());
  }

  #due(nowMs: number): NodeEntry[] {
    const { registry, isOccupied } = this.#parts;
    return registry.list().filter((node) => {
      const { id, backupTarget, backupSchedule } = node;
      if (!backupSchedule || backupTarget === undefined || this.#running.has(id)) return false;
      // By a clock that has been set back since: without this nothing would be due until it is there again.
      if (backupSchedule.handledMs > nowMs) this.#note(id, { handledMs: nowMs });
      try {
        return isDue(backupSchedule, nowMs) && !isOccupied(id);
      } catch (error) {
        // Somebody has written it by hand: the others have their time all the same.
        const { message } = errorReportOf(error);
        if (backupSchedule.last?.message !== message) this.#fail(id, message);
        return false;
      }
    });
  }

  /** Stops a run where it can be resumed. */
  async close(): Promise<void> {
    clearInterval(this.#timer);
    this.#closing.abort();
    await Promise.all(this.#running.values());
  }

  async #run(node: NodeEntry, nowMs: number): Promise<void> {
    const before = node.backupSchedule;
    if (!before) return;
    this.#note(node.id, { handledMs: nowMs });
    try {
      await this.#parts.follow(node, (options) => this.#backUp(node, before, options));
      this.#note(node.id, { last: { atMs: this.#parts.clock(), message: null } });
    } catch (error) {
      // What was stopped because the application ends is made up at its next start.
      if (this.#closing.signal.aborted) this.#note(node.id, { handledMs: before.handledMs });
      else if (error instanceof OperationStopped) this.#fail(node.id, 'It was stopped.');
      else this.#fail(node.id, errorReportOf(error).message);
    }
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
    const id = report.backups[0]?.id;
    const keyFile = backupKey?.kind === 'file' ? { keyFile: backupKey.file } : {};
    const proof = await engine.call(
      'verifyBackup',
      { ...target, ...keyFile, ...(id === undefined ? {} : { id }) },
      own
    );
    if (!proof.ok) throw new Error(`The new backup ${proof.backup} is damaged; nothing was removed.`);
    if (Object.values(retention).some((count) => count > 0)) {
      await engine.call('pruneBackups', { ...target, retention }, own);
    }
    return report;
  }

  #fail(nodeId: string, message: string): void {
    this.#note(nodeId, { last: { atMs: this.#parts.clock(), message } });
  }

  /** On top of what is kept now: it may have been changed while the run went on. */
  #note(nodeId: string, change: Partial<BackupSchedule>): void {
    const { registry, onChange } = this.#parts;
    const kept = registry.find(nodeId)?.backupSchedule;
    if (!kept) return;
    registry.edit(nodeId, { backupSchedule: { ...kept, ...change } });
    onChange();
  }
}
