/**
 * What is known of the rows on screen, asked of the engine together, after the rows are shown: it never delays a row. Only what
 * is known is asked for, so no chunk is read; what is not known stays so until the weights have been computed or the log
 * has changed.
 */

/** null: nothing is known. */
export type AskTogether<Key, Value> = (
  keys: Key[],
  signal: AbortSignal
) => Promise<ReadonlyMap<Key, Value> | null>;

/** Longer than a fast scroll takes from one screen to the next. */
const REST_MS = 120;
/** Two screens of rows. */
const MOST_TOGETHER = 200;
const MOST_KEPT = 20_000;

export class AskedTogether<Key, Value> {
  // eslint-disable-next-line svelte/prefer-svelte-reactivity -- what arrives is told once for a page of them
  readonly #values = new Map<Key, Value | 'unknown'>();
  /** What rows on screen ask for, the newest last. */
  // eslint-disable-next-line svelte/prefer-svelte-reactivity -- nothing is drawn from it
  readonly #wanted = new Set<Key>();
  #ask: AskTogether<Key, Value> | undefined;
  #isKnown = true;
  /** Read by `of`, so that a row hears when its value arrives. */
  #arrivals = $state(0);
  #question = new AbortController();
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** Another log, or another state of it; what was known is dropped. */
  restart(ask: AskTogether<Key, Value>): void {
    this.stop();
    this.#ask = ask;
    this.#values.clear();
    this.#question = new AbortController();
    this.#isKnown = true;
    this.#arrivals++;
  }

  stop(): void {
    this.#question.abort();
    this.#ask = undefined;
    this.#wanted.clear();
    clearTimeout(this.#timer);
  }

  /** Of a row on screen; asked for, if it is not there. */
  of(key: Key): Value | 'unknown' | 'asked' {
    void this.#arrivals;
    const known = this.#values.get(key);
    if (known !== undefined) return known;
    if (!this.#isKnown) return 'unknown';
    this.#wanted.delete(key);
    this.#wanted.add(key);
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#askWanted(), REST_MS);
    return 'asked';
  }

  /** What is known already; nothing is asked for. */
  known(key: Key): Value | undefined {
    const value = this.#values.get(key);
    return value === 'unknown' ? undefined : value;
  }

  /** Asks what is not known of rows that are copied or exported, so that `known` has it; what stays unknown stays so. */
  async gather(keys: readonly Key[], signal: AbortSignal): Promise<void> {
    const ask = this.#ask;
    if (!ask) return;
    if (this.#values.size > MOST_KEPT) this.#values.clear();
    const missing = keys.filter((key) => !this.#values.has(key));
    for (let at = 0; at < missing.length; at += MOST_TOGETHER) {
      const together = missing.slice(at, at + MOST_TOGETHER);
      const answer = await ask(together, signal);
      if (answer === null) return;
      for (const key of together) this.#values.set(key, answer.get(key) ?? 'unknown');
    }
  }

  async #askWanted(): Promise<void> {
    const ask = this.#ask;
    const keys = [...this.#wanted].slice(-MOST_TOGETHER);
    this.#wanted.clear();
    if (!ask || keys.length === 0) return;
    const { signal } = this.#question;
    try {
      const answer = await ask(keys, signal);
      if (signal.aborted) return;
      if (this.#values.size > MOST_KEPT) this.#values.clear();
      this.#isKnown = answer !== null;
      for (const key of keys) this.#values.set(key, answer?.get(key) ?? 'unknown');
    } catch {
      if (signal.aborted) return;
      // Damage, an unfinished restore: the views of those say so. Of a row only this can be said.
      this.#isKnown = false;
    }
    if (!this.#isKnown) this.#values.clear();
    this.#arrivals++;
  }
}
