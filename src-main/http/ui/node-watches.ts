/**
 * The directories that pages look at, watched while any page is there. Together for all pages, so bounded: the node that
 * was asked for longest ago is no longer watched, and its page still has the button that reads again.
 */
import path from 'node:path';
import type { ChangedPart, NodeEntry } from '../../contract/verbs/workbench-contract.ts';
import { watchDatabase } from '../../verbs/database-watcher.ts';

export const MOST_WATCHED = 8;

export class NodeWatches {
  readonly #onChange: (nodeId: string, parts: ChangedPart[]) => void;
  /** How to end each, oldest first. */
  readonly #closing = new Map<string, () => Promise<void>>();
  #isFollowed = false;

  constructor(onChange: (nodeId: string, parts: ChangedPart[]) => void) {
    this.#onChange = onChange;
  }

  /** Whether any page is there; without one nothing is watched. */
  setFollowed(isFollowed: boolean): void {
    this.#isFollowed = isFollowed;
    if (!isFollowed) for (const id of [...this.#closing.keys()]) this.#end(id);
  }

  /** Begins again if it is watched already: the directory may be another one of the same name. */
  watch({ id, dataDirectory, indexDirectory }: NodeEntry): void {
    if (!this.#isFollowed) return;
    this.#end(id);
    const [oldest] = this.#closing.keys();
    if (this.#closing.size >= MOST_WATCHED && oldest !== undefined) this.#end(oldest);
    const index = indexDirectory ?? path.join(dataDirectory, 'index');
    this.#closing.set(
      id,
      watchDatabase({ dataDirectory, indexDirectory: index }, (parts) => this.#onChange(id, parts))
    );
  }

  #end(id: string): void {
    void this.#closing.get(id)?.();
    this.#closing.delete(id);
  }
}
