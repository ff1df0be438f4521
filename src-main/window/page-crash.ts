/**
 * Brings the page back when its process dies. Work goes on meanwhile: it belongs to the main process and the engine, and
 * the new page asks for it. A page that dies again and again is left alone, so that nothing spins.
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
  /** Runs something once the event is over: a reload inside it ends the whole application. */
  later: (action: () => void) => void;
  /** The page died too often; asked once until a person has it reloaded. */
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
    log(`The page ended (${reason}).`);
    later(() => {
      if (contents.isDestroyed()) return;
      if (crashes.length <= MOST_RELOADS) contents.reload();
      else giveUp(reason);
    });
  });
}
