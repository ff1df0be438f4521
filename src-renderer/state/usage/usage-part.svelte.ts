/**
 * What is inside the category or stream where a person stands, as the engine answers. What was there before stays until the
 * answer comes; a place that was asked for before is shown at once.
 */
import type {
  ErrorReport,
  UsagePartReport,
  WindowRequestOf
} from '../../../src-main/contract/verbs/workbench-contract.ts';
import { askUntilStopped } from '../../api/ask-until-stopped.ts';
import { callNode } from '../../api/engine-client.ts';

const MOST_KEPT = 40;

export class UsageParts {
  #part = $state.raw<UsagePartReport | null>(null);
  #error = $state.raw<ErrorReport | null>(null);
  #isAsking = $state(false);
  /** Nothing shows it: it is asked only. */
  // eslint-disable-next-line svelte/prefer-svelte-reactivity
  readonly #known = new Map<string, UsagePartReport>();

  get part(): UsagePartReport | null {
    return this.#part;
  }
  get error(): ErrorReport | null {
    return this.#error;
  }
  get isAsking(): boolean {
    return this.#isAsking;
  }

  /** Asks, or gives what is known. What comes back ends the question. */
  ask(nodeId: string, request: WindowRequestOf<'usageWithin'>): (() => void) | undefined {
    const key = JSON.stringify([nodeId, request]);
    const known = this.#known.get(key);
    this.#error = null;
    if (known) {
      this.#part = known;
      this.#isAsking = false;
      return undefined;
    }
    this.#isAsking = true;
    this.#part = null;
    return askUntilStopped({
      ask: (signal) => callNode(nodeId, 'usageWithin', request, signal),
      answered: (part) => {
        this.#keep(key, part);
        this.#part = part;
        this.#isAsking = false;
      },
      failed: (failure) => {
        this.#error = failure;
        this.#isAsking = false;
      }
    });
  }

  #keep(key: string, part: UsagePartReport): void {
    this.#known.set(key, part);
    for (const oldest of this.#known.keys()) {
      if (this.#known.size <= MOST_KEPT) break;
      this.#known.delete(oldest);
    }
  }
}
