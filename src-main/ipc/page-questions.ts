/**
 * What each page has asked and not been answered yet. A question ends when its page stops it by the id that it gave it,
 * or when that page is no longer there: reloaded, closed, or crashed. Ids are the page's own: another page's are others.
 */

/** The part of Electron's WebContents that is used: it stays when its page is replaced. */
export interface Asker {
  on(event: 'did-navigate', listener: () => void): unknown;
  on(event: 'render-process-gone', listener: () => void): unknown;
  on(event: 'destroyed', listener: () => void): unknown;
}

interface Question {
  /** undefined: it ends with its page only. */
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

  /** Nothing happens when it has been answered already. */
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
    // Not when a navigation begins: one that is refused leaves the page as it is.
    asker.on('did-navigate', endAll);
    asker.on('render-process-gone', endAll);
    asker.on('destroyed', endAll);
    return asked;
  }
}
