/** What answers a verb, whichever door it came through: the window's gate, the served page, a test. */
import type { CheckedVerb } from './validate.ts';
import type { VerbName, Verbs } from './workbench-contract.ts';

export interface AskOptions {
  /** Fires when the page that asked has gone: work that only answers its question ends. */
  signal?: AbortSignal;
  /** Chosen in the folder chooser of a page, and checked: for the verbs that ask where. */
  chosenPath?: string;
}

export type VerbHandlers = {
  [V in VerbName]: (
    request: CheckedVerb<V>,
    options?: AskOptions
  ) => Promise<Verbs[V]['reply']> | Verbs[V]['reply'];
};
