/** A text that the page wants as a file: where a dialog says, or handed to a page in a browser, which makes a download of it. */
import { saveFile } from '../settings/saved-file.ts';
import type { SavedText } from '../contract/verbs/workbench-contract.ts';

export interface SaveProposal {
  title: string;
  /** Without a directory. */
  name: string;
  extension: string;
}

/** Asks with a dialog; undefined: nothing chosen. */
export type ChooseSaveFile = (proposal: SaveProposal) => Promise<string | undefined>;

/** `chooseFile` not given: there is no dialog here. */
export async function saveText(
  proposal: SaveProposal,
  text: string,
  chooseFile: ChooseSaveFile | undefined
): Promise<SavedText | null> {
  if (!chooseFile) return { file: proposal.name, text };
  const file = await chooseFile(proposal);
  if (file === undefined) return null;
  saveFile(file, text, 'Choose another location.');
  return { file };
}
