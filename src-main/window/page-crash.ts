/**
 * Reloads the page when its process dies. Work continues meanwhile: it belongs to the main process and the engine, and
 * the new page requests its state. A page that keeps crashing is left alone, to avoid a loop.
 */

/** The part of Electron's WebContents that is used. */
export interface CrashingContents {
  on(event: 'render-process-gone', listener: (event: unknown, details: { reason: string }) => void): unknown;
  reload(): void;
  isDestroyed(): boolean;
}

/** Crashes within this time count together. */
const WITHIN_MS = 60_000;
const MOST_RELOADS = 3;

export interface PageCrashParts {
  clock: () => number;
  log: (message: string) => void;
  /** Runs something after the event: a reload inside it ends the whole application. */
  later: (action: () => void) => void;
  /** The page crashed too often; called once until a person reloads it. */
  giveUp: (reason: string) => void;
}

export function reloadAfterCrash(
  contents: CrashingContents,
  { clock, log, later, giveUp }: PageCrashParts
): void {
  let crashes: number[] = [];
  contents.on('render-process-gone', (_event, { reason }) => {
    if (reason === 'clean-exit' || contents.isDestroyed()) return;
    const nowMs = clock();
    crashes = [...crashes.filter((atMs) => nowMs - atMs < WITHIN_MS), nowMs];
    log(`The page crashed (${reason}).`);
    later(() => {
      if (contents.isDestroyed()) return;
      if (crashes.length <= MOST_RELOADS) contents.reload();
      else giveUp(reason);
    });
  });
}
