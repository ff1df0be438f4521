/** What the log says about the deletion of the streams of one subject, told in the order of the log. Pure. */

/** For good (tombstone), softly (metadata), or neither. */
export type Deletion = 'hard' | 'soft' | 'none';

export class StreamDeletions {
  /** By name; `undefined`: it has events, and nothing was said. */
  readonly #said = new Map<string, Deletion | undefined>();

  /** A stream of the subject has an event. */
  noteEvent(stream: string): void {
    if (!this.#said.has(stream)) this.#said.set(stream, undefined);
  }

  /** The last word counts, and nothing comes after a tombstone. */
  note(stream: string, deletion: Deletion): void {
    if (this.#said.get(stream) !== 'hard') this.#said.set(stream, deletion);
  }

  /** What holds for all streams: the one that has been deleted least says what is still to be done. */
  get ofAll(): Deletion {
    const all = [...this.#said.values()];
    if (all.length === 0 || all.some((said) => said === undefined || said === 'none')) return 'none';
    return all.every((said) => said === 'hard') ? 'hard' : 'soft';
  }
}
