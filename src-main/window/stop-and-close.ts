/**
 * "Stop and close": what runs is stopped in an orderly way, but not waited for without end. What has not stopped by
 * then is ended with the engine, which is safe at any moment (the next run finds either the old files or the new
 * ones), and the person is told before the window goes.
 */
import type { MessageBoxOptions } from 'electron';
import { whatIsLeft, type RunningWork } from './close-question.ts';

/** A scavenge stops between two records; a step that takes longer is in the hands of the disk. */
export const STOP_DEADLINE_MS = 20_000;

export interface StopAndCloseParts {
  running: () => readonly RunningWork[];
  /** Asks what runs to stop; resolves when it has. */
  stopAll: () => Promise<void>;
  /** Ends the engine at once. */
  endEngine: () => void;
  /** Shows it and resolves when it was read. */
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
  const titles = ended.map(({ title }) => title).join(', ');
  return {
    type: 'warning',
    message: `${titles} did not stop within ${STOP_DEADLINE_MS / 1000} seconds and ${ended.length === 1 ? 'was' : 'were'} ended`,
    detail: whatIsLeft(ended.map(({ name }) => name)),
    buttons: ['Close'],
    noLink: true
  };
}
