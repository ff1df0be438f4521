/** The question on closing while work still runs, with the safe answer first. */
import type { MessageBoxOptions } from 'electron';
import type { WorkName, WorkSnapshot } from '../contract/verbs/workbench-contract.ts';
import type { WindowTexts } from './texts/english.ts';
import { windowTexts } from './texts/window-texts.ts';

export interface CloseQuestion {
  box: MessageBoxOptions;
  /** Index of the button that means "close". */
  closeButton: number;
}

/** What the question needs to know about running work, however it was started. */
export type RunningWork = Pick<WorkSnapshot, 'name' | 'title'>;

export function closeQuestion(running: readonly RunningWork[]): CloseQuestion {
  const texts = windowTexts();
  const titles = running.map((work) => texts.title(work.title)).join(', ');
  return {
    box: {
      type: 'question',
      message: texts.closing.running(titles, running.length),
      detail: texts.closing.does[mostUnfinished(running.map(({ name }) => name))],
      buttons: [texts.closing.keep, texts.closing.stop],
      defaultId: 0,
      cancelId: 0,
      noLink: true
    },
    closeButton: 1
  };
}

/** After work was ended in the middle: what is left, and how to resume. */
export function whatIsLeft(names: readonly WorkName[]): string {
  return windowTexts().closing.left[mostUnfinished(names)];
}

type Kind = keyof WindowTexts['closing']['does'];

/** The one that leaves the most unfinished first: of several operations it decides the text. */
const KINDS: readonly (readonly [Kind, readonly WorkName[]])[] = [
  ['restore', ['runRestore', 'continueRestore', 'undoRestore']],
  ['scavenge', ['runScavenge', 'runRescue']],
  ['undo', ['undoScavenge']],
  ['repair', ['repairDatabase', 'rebuildIndex', 'prepareStartup', 'redactEvents']],
  ['extract', ['extractEvents', 'exportDatabase', 'runBundle']],
  ['backup', ['createBackup']],
  ['eraseInBackup', ['eraseInBackup']],
  ['rekey', ['rekeyBackups']],
  ['prune', ['pruneBackups']]
];

function mostUnfinished(names: readonly WorkName[]): Kind {
  return KINDS.find(([, some]) => names.some((name) => some.includes(name)))?.[0] ?? 'other';
}
