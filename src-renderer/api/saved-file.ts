/**
 * A file that grows piece by piece where the user wants it: in the window a dialog of the main process asks for the place
 * and the main process writes; in a browser the pieces become a download at the end.
 */
import type { SavedForm } from '../../src-main/contract/verbs/workbench-contract.ts';
import { download } from './download.ts';
import { ask, servedWorkbench } from './engine-client.ts';

export interface SavedFile {
  write: (text: string) => Promise<void>;
  /** Complete: its name. Not complete: nothing stays of it. */
  end: (isComplete: boolean) => Promise<string>;
}

const TYPES: Record<SavedForm, string> = { csv: 'text/csv', json: 'application/json' };

/** null: nobody chose a place. `name` has no extension. */
export async function openSavedFile(name: string, form: SavedForm): Promise<SavedFile | null> {
  if (servedWorkbench()) return inBrowser(`${name}.${form}`, TYPES[form]);
  const opened = await ask('openSavedFile', { name, form });
  if (opened === null) return null;
  const { id } = opened;
  return {
    write: async (text) => void (await ask('writeSavedFile', { id, text })),
    end: async (isComplete) => (await ask('endSavedFile', { id, isComplete })).file
  };
}

function inBrowser(name: string, type: string): SavedFile {
  const pieces: string[] = [];
  return {
    write: (text) => {
      pieces.push(text);
      return Promise.resolve();
    },
    end: (isComplete) => {
      if (isComplete) download(name, pieces, type);
      return Promise.resolve(name);
    }
  };
}
