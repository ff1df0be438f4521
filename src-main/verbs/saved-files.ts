/**
 * Files that the page writes piece by piece, where a person chose: exports of tables. The page names only a proposal for
 * the dialog; a file that is not ended leaves nothing.
 */
import { basename } from 'node:path';
import { EngineError } from '../../src-core/index.ts';
import { openGrowingFile, type GrowingFile } from '../settings/saved-file.ts';
import type { SavedForm } from '../contract/verbs/workbench-contract.ts';
import type { ChooseSaveFile } from './save-text.ts';

/** At once: a page that opens more does not end them. */
const MOST_OPEN = 8;

export class SavedFiles {
  readonly #chooseFile: ChooseSaveFile;
  readonly #open = new Map<string, { file: string; growing: GrowingFile }>();
  #lastId = 0;

  /** Not given: a page in a browser keeps the pieces itself and opens none here. */
  constructor(chooseFile: ChooseSaveFile = () => Promise.resolve(undefined)) {
    this.#chooseFile = chooseFile;
  }

  /** null: nobody chose a place. */
  async open(name: string, form: SavedForm): Promise<{ id: string } | null> {
    if (this.#open.size >= MOST_OPEN) {
      throw new EngineError({
        code: 'InvalidRequest',
        message: `${MOST_OPEN} files are being written already.`,
        remedy: 'Wait until one is complete.'
      });
    }
    const file = await this.#chooseFile({ title: 'Export', name: `${name}.${form}`, extension: form });
    if (file === undefined) return null;
    const id = String(++this.#lastId);
    this.#open.set(id, { file, growing: openGrowingFile(file, id, 'Choose another location.') });
    return { id };
  }

  write(id: string, text: string): void {
    this.#find(id).growing.write(text);
  }

  end(id: string, isComplete: boolean): { file: string } {
    const { file, growing } = this.#find(id);
    this.#open.delete(id);
    try {
      if (isComplete) growing.finish();
      else growing.discard();
    } catch (error) {
      growing.discard();
      throw error;
    }
    return { file: basename(file) };
  }

  /** The page that wrote them has gone. */
  discardAll(): void {
    for (const { growing } of this.#open.values()) growing.discard();
    this.#open.clear();
  }

  #find(id: string): { file: string; growing: GrowingFile } {
    const found = this.#open.get(id);
    if (found) return found;
    throw new EngineError({
      code: 'InvalidRequest',
      message: 'This file is no longer being written.',
      remedy: 'Export again.'
    });
  }
}
