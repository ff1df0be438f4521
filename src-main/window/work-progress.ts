/** The progress of running work in the taskbar or dock, where the desktop shows one. Decides nothing else. */
import type { WorkSnapshot } from '../ipc/contract.ts';

/** The part of Electron's BrowserWindow that is used. */
export interface ProgressBar {
  setProgressBar(share: number, options?: { mode: 'normal' | 'indeterminate' | 'paused' }): void;
  isDestroyed(): boolean;
}

type Running = Pick<WorkSnapshot, 'progress' | 'state'>;

/** What the bar shows: -1 takes it away, 2 says that something runs and nobody knows how far. */
export function progressShareOf(running: readonly Running[]): number {
  if (running.length === 0) return -1;
  const shares = running.map(({ progress }) =>
    progress === null || progress.total === null || progress.total <= 0
      ? undefined
      : Math.min(1, progress.done / progress.total)
  );
  // Of several, the one that has furthest to go: the bar is full when all are done.
  return shares.includes(undefined) ? 2 : Math.min(...shares.map((share) => share ?? 0));
}

/** Tells the bar, and only what is new to it: snapshots come ten times a second. */
export class WorkProgress {
  readonly #bar: () => ProgressBar | undefined;
  #shown = -1;

  constructor(bar: () => ProgressBar | undefined) {
    this.#bar = bar;
  }

  show(running: readonly Running[]): void {
    const share = Math.round(progressShareOf(running) * 100) / 100;
    const bar = this.#bar();
    if (share === this.#shown || bar === undefined || bar.isDestroyed()) return;
    this.#shown = share;
    bar.setProgressBar(share, { mode: share > 1 ? 'indeterminate' : 'normal' });
  }
}
