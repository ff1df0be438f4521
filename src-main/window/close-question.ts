/** The question on closing while work still runs, with the safe answer first. */
import type { MessageBoxOptions } from 'electron';
import type { WorkName, WorkSnapshot } from '../contract/verbs/workbench-contract.ts';

export interface CloseQuestion {
  box: MessageBoxOptions;
  /** Index of the button that means "close". */
  closeButton: number;
}

/** What the question needs to know about running work, however it was started. */
export type RunningWork = Pick<WorkSnapshot, 'name' | 'title'>;

export function closeQuestion(running: readonly RunningWork[]): CloseQuestion {
  const titles = running.map((work) => work.title).join(', ');
  return {
    box: {
      type: 'question',
      message: `${titles} ${running.length === 1 ? 'is' : 'are'} still running`,
      detail: whatClosingDoes(running.map(({ name }) => name)),
      buttons: ['Keep running', 'Stop and close'],
      defaultId: 0,
      cancelId: 0,
      noLink: true
    },
    closeButton: 1
  };
}

/** Of several operations, the one that leaves the most unfinished decides the text. */
function whatClosingDoes(names: WorkName[]): string {
  const has = (...some: WorkName[]): boolean => names.some((name) => some.includes(name));
  if (has('runRestore', 'continueRestore', 'undoRestore')) {
    return 'Closing stops it. An unfinished restore is then finished or undone from the overview of the node.';
  }
  if (has('runScavenge', 'runRescue')) {
    return 'Closing stops it in an orderly way. What is done is kept, and the next scavenge resumes there.';
  }
  if (has('undoScavenge')) {
    return 'Closing stops it. An unfinished undo is then finished from the scavenge view of the node; until then no server starts there.';
  }
  if (has('repairDatabase', 'rebuildIndex', 'prepareStartup', 'redactEvents')) {
    return 'Closing stops it. Each file is left in its old or its new form; start it again to finish it.';
  }
  if (has('extractEvents', 'exportDatabase', 'runBundle')) {
    return 'Closing stops it. Nothing is left under the final name; the same request continues with what is there.';
  }
  if (has('createBackup')) {
    return 'Closing stops it. The next backup resumes with what was copied.';
  }
  if (has('eraseInBackup')) {
    return 'Closing stops it. The old generation of the backup is whole; erase in it again to make the new one.';
  }
  if (has('pruneBackups')) return 'Closing stops it. Backups that are still listed are whole.';
  return 'Closing stops it. It has not changed anything in the database.';
}

/** After work was ended in the middle: what is left, and how to resume. */
export function whatIsLeft(names: readonly WorkName[]): string {
  const has = (...some: WorkName[]): boolean => names.some((name) => some.includes(name));
  if (has('runRestore', 'continueRestore', 'undoRestore')) {
    return 'The restore is unfinished: finish or undo it from the overview of the node. Until then no server starts there.';
  }
  if (has('runScavenge', 'runRescue')) {
    return 'What is done is kept, and nothing half-written is in use. The next scavenge resumes there.';
  }
  if (has('undoScavenge')) {
    return 'The undo may be unfinished: finish it from the scavenge view of the node. Until then no server starts there.';
  }
  if (has('repairDatabase', 'rebuildIndex', 'prepareStartup', 'redactEvents')) {
    return 'Each file has its old or its new form. Start it again to finish it.';
  }
  if (has('extractEvents', 'exportDatabase', 'runBundle')) {
    return 'Nothing is left under the final name. The same request continues with what is there.';
  }
  if (has('createBackup')) return 'The next backup resumes with what was copied.';
  if (has('eraseInBackup')) {
    return 'The old generation of the backup is whole. Erase in it again to make the new one.';
  }
  if (has('pruneBackups')) return 'Backups that are still listed are whole.';
  return 'It has not changed anything in the database.';
}
