/** The progress of running work in the taskbar or dock, if the desktop shows one. Decides nothing else. */
import type { WorkSnapshot } from '../contract/verbs/workbench-contract.ts';

/** The part of Electron's BrowserWindow that is used. */
export interface ProgressBar {
  setProgressBar(share: number, options?: { mode: 'normal' | 'indeterminate' | 'paused' }): void;
  isDestroyed(): boolean;
}

type Running = Pick<WorkSnapshot, 'progress' | 'state'>;

/** The value of the bar: -1 removes it, 2 means running with unknown progress. */
export function progressShareOf(running: readonly Running[]): number {
  if (running.length === 0) return -1;
  const shares = running.map(({ progress }) =>
    progress === null || progress.total === null || progress.total <= 0
      ? undefined
      : Math.min(1, progress.done / progress.total)
  );
  // Of several, the one with the most left to do: the bar is full when all are done.
  return shares.includes(undefined) ? 2 : Math.min(...shares.map((share) => share ?? 0));
}

/** Updates the bar, only on changes: snapshots come ten times a second. */
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
