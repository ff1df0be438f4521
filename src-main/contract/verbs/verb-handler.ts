/** What answers a verb, whichever door it came through: the window's gate, the served page, a test. */
import type { CheckedVerb } from './validate.ts';
import type { VerbName, Verbs } from './workbench-contract.ts';

export interface AskOptions {
  /** Fires when the page that asked has gone: work that only answers its question ends. */
  signal?: AbortSignal;
}

export type VerbHandlers = {
  [V in VerbName]: (
    request: CheckedVerb<V>,
    options?: AskOptions
  ) => Promise<Verbs[V]['reply']> | Verbs[V]['reply'];
};
