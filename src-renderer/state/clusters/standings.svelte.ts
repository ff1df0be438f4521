/** How each node of the list stands: asked one after the other, shown as the answers come. */
import { SvelteMap } from 'svelte/reactivity';
import type { ErrorReport, FleetNode } from '../../../src-main/contract/verbs/workbench-contract.ts';
import { ask, errorReportOf } from '../../api/engine-client.ts';

export type Standing = { node: FleetNode; error: null } | { node: null; error: ErrorReport };

/** Two at once: each answer is a few files, and the engine has other questions. */
const AT_ONCE = 2;

export class Standings {
  readonly #answers = new SvelteMap<string, Standing>();
  #waiting = $state.raw<readonly string[]>([]);
  #round = 0;

  of(nodeId: string): Standing | undefined {
    return this.#answers.get(nodeId);
  }

  /** So many nodes were asked for and have not answered yet. */
  get waiting(): number {
    return this.#waiting.length;
  }

  /** Asks of all of these; what was answered before stays until the new answer is there. */
  async ask(nodeIds: readonly string[]): Promise<void> {
    const round = ++this.#round;
    for (const id of this.#answers.keys()) if (!nodeIds.includes(id)) this.#answers.delete(id);
    this.#waiting = nodeIds;
    const left = [...nodeIds];
    const askNext = async (): Promise<void> => {
      for (let id = left.shift(); id !== undefined && round === this.#round; id = left.shift()) {
        const answer = await standingOf(id);
        if (round !== this.#round) return;
        this.#answers.set(id, answer);
        this.#waiting = this.#waiting.filter((waiting) => waiting !== id);
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, askNext));
  }

  /** No answer is waited for any longer. */
  leave(): void {
    this.#round++;
  }
}

async function standingOf(nodeId: string): Promise<Standing> {
  try {
    return { node: await ask('nodeStanding', { nodeId }), error: null };
  } catch (error) {
    return { node: null, error: errorReportOf(error) };
  }
}
