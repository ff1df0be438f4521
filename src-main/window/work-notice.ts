/**
 * A notice of the system when long work has ended and nobody was looking. Says what ended and how; a click brings the
 * window to the front. Never what is in the database: notices stand on locked screens.
 */
import type { WorkSnapshot } from '../ipc/contract.ts';

/** Shorter work is watched by whoever started it. */
export const LONG_WORK_MS = 30_000;

export interface Notice {
  title: string;
  body: string;
}

export interface WorkNoticeParts {
  isWanted: () => boolean;
  /** The window is in front: what ended is to be seen there. */
  isWatched: () => boolean;
  show: (notice: Notice, nodeId: string | null) => void;
}

export class WorkNotice {
  readonly #parts: WorkNoticeParts;
  /** Work told as running: a snapshot that is told twice at its end gives one notice. */
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
    const isUnasked = snapshot.request['unasked'] === true;
    if (!wasRunning || !isLong || isUnasked || this.#parts.isWatched() || !this.#parts.isWanted()) return;
    this.#parts.show({ title: snapshot.title, body: outcomeWords(snapshot) }, snapshot.nodeId);
  }
}

/** Of a failure its family only: a message may name files and streams. */
function outcomeWords({ state, error }: WorkSnapshot): string {
  switch (state) {
    case 'failed':
      return `Failed: ${error?.code ?? 'unknown'}. The window says what to do next.`;
    case 'stopped':
      return 'Stopped. What is done is kept.';
    default:
      return 'Done.';
  }
}
