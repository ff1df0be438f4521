/**
 * A system notification when long work has ended while the window was not in front. Says what ended and how; a click brings the
 * window to the front. Never contains data: notifications appear on locked screens.
 */
import type { WorkSnapshot } from '../contract/verbs/workbench-contract.ts';
import { windowTexts } from './texts/window-texts.ts';

/** The user watches shorter work anyway. */
export const LONG_WORK_MS = 30_000;

export interface Notice {
  title: string;
  body: string;
}

export interface WorkNoticeParts {
  isWanted: () => boolean;
  /** The window is in front: the result is visible there. */
  isWatched: () => boolean;
  show: (notice: Notice, nodeId: string | null) => void;
}

export class WorkNotice {
  readonly #parts: WorkNoticeParts;
  /** Work reported as running: two final snapshots of one operation give one notification. */
  readonly #running = new Set<string>();

  constructor(parts: WorkNoticeParts) {
    this.#parts = parts;
  }

  hear(snapshot: WorkSnapshot): void {
    if (snapshot.endedMs === null) {
      this.#running.add(snapshot.id);
      return;
    }
    const wasRunning = this.#running.delete(snapshot.id);
    const isLong = snapshot.endedMs - snapshot.startedMs >= LONG_WORK_MS;
    const isAutomatic = snapshot.request['unasked'] === true;
    if (!wasRunning || !isLong || isAutomatic || this.#parts.isWatched() || !this.#parts.isWanted()) return;
    this.#parts.show(
      { title: windowTexts().title(snapshot.title), body: outcomeWords(snapshot) },
      snapshot.nodeId
    );
  }
}

/** For a failure only its code: a message may name files and streams. */
function outcomeWords({ state, error }: WorkSnapshot): string {
  const { notices } = windowTexts();
  switch (state) {
    case 'failed':
      return notices.failed(error?.code ?? 'unknown');
    case 'stopped':
      return notices.stopped;
    default:
      return notices.done;
  }
}
