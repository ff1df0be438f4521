/** The question at closing time, when work still runs. In words, with the safe answer first. */
import type { MessageBoxOptions } from 'electron';
import type { WorkSnapshot } from '../ipc/contract.ts';

export interface CloseQuestion {
  box: MessageBoxOptions;
  /** Index of the button that means "close". */
  closeButton: number;
}

export function closeQuestion(running: WorkSnapshot[]): CloseQuestion {
  const titles = running.map((work) => work.title).join(', ');
  const isScavenging = running.some((work) => work.name === 'runScavenge');
  return {
    box: {
      type: 'question',
      message: `${titles} ${running.length === 1 ? 'is' : 'are'} still running`,
      detail: isScavenging
        ? 'Closing stops it in an orderly way. What is done is kept, and the next scavenge goes on from there.'
        : 'Closing stops it. Nothing in the database has been changed by it.',
      buttons: ['Keep running', 'Stop and close'],
      defaultId: 0,
      cancelId: 0,
      noLink: true
    },
    closeButton: 1
  };
}
