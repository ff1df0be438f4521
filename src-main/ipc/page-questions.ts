/**
 * The open questions of each page. A question ends when its page stops it by the id that it chose,
 * or when that page no longer exists: reloaded, closed, or crashed. Ids are separate for each page.
 */

/** The part of Electron's WebContents that is used: it survives when its page is replaced. */
export interface Asker {
  on(event: 'did-navigate', listener: () => void): unknown;
  on(event: 'render-process-gone', listener: () => void): unknown;
  on(event: 'destroyed', listener: () => void): unknown;
}

interface Question {
  /** undefined: it ends only with its page. */
  callId: string | undefined;
  abort: AbortController;
}

export class PageQuestions {
  readonly #asked = new WeakMap<Asker, Set<Question>>();

  /** Asks with a signal that fires when the answer is no longer wanted. */
  async run<T>(
    asker: Asker,
    callId: string | undefined,
    ask: (signal: AbortSignal) => Promise<T> | T
  ): Promise<T> {
    const asked = this.#askedBy(asker);
    const question = { callId, abort: new AbortController() };
    asked.add(question);
    try {
      return await ask(question.abort.signal);
    } finally {
      asked.delete(question);
    }
  }

  /** Does nothing if it has already been answered. */
  stop(asker: Asker, callId: string): void {
    for (const question of this.#asked.get(asker) ?? []) {
      if (question.callId === callId) question.abort.abort();
    }
  }

  #askedBy(asker: Asker): Set<Question> {
    const known = this.#asked.get(asker);
    if (known) return known;
    const asked = new Set<Question>();
    this.#asked.set(asker, asked);
    const endAll = (): void => {
      for (const { abort } of asked) abort.abort();
      asked.clear();
    };
    // Not when a navigation begins: a refused one leaves the page unchanged.
    asker.on('did-navigate', endAll);
    asker.on('render-process-gone', endAll);
    asker.on('destroyed', endAll);
    return asked;
  }
}
