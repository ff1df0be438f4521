/**
 * "Stop and close": running work is stopped in an orderly way, but with a deadline. What has not stopped by
 * then is ended with the engine, which is safe at any moment (the next run finds either the old files or the new
 * ones), and the user is told before the window closes.
 */
import type { MessageBoxOptions } from 'electron';
import { whatIsLeft, type RunningWork } from './close-question.ts';
import { windowTexts } from './texts/window-texts.ts';

/** A scavenge stops between two records; a step that takes longer depends on the disk. */
export const STOP_DEADLINE_MS = 20_000;

export interface StopAndCloseParts {
  running: () => readonly RunningWork[];
  /** Asks running work to stop; resolves when it has. */
  stopAll: () => Promise<void>;
  /** Ends the engine at once. */
  endEngine: () => void;
  /** Shows the message and resolves when it was dismissed. */
  tell: (box: MessageBoxOptions) => Promise<unknown>;
  /** Calls back after so many ms, until the returned function is called. */
  later: (action: () => void, ms: number) => () => void;
}

/** Resolves when the window may close. */
export async function stopBeforeClosing(parts: StopAndCloseParts): Promise<void> {
  const asked = parts.running();
  let cancel = (): void => undefined;
  const isLate = new Promise<boolean>((resolve) => {
    cancel = parts.later(() => resolve(true), STOP_DEADLINE_MS);
  });
  const hasStopped = parts.stopAll().then(
    () => false,
    () => false
  );
  const wasLate = await Promise.race([hasStopped, isLate]);
  cancel();
  if (!wasLate) return;
  const left = parts.running();
  parts.endEngine();
  await parts.tell(endedBox(left.length > 0 ? left : asked));
}

function endedBox(ended: readonly RunningWork[]): MessageBoxOptions {
  const texts = windowTexts();
  const titles = ended.map(({ title }) => texts.title(title)).join(', ');
  return {
    type: 'warning',
    message: texts.closing.late(titles, ended.length, STOP_DEADLINE_MS / 1000),
    detail: whatIsLeft(ended.map(({ name }) => name)),
    buttons: [texts.closing.close],
    noLink: true
  };
}
