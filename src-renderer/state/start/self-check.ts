/** The doctor's check that runs without a request. */
import type { InspectReport, WorkSnapshot } from '../../../src-main/contract/verbs/workbench-contract.ts';
import { isAutomatic, type Operations } from '../operations.svelte.ts';

/**
 * Checks a directory in its current state by itself: after it was opened, and whenever it has changed and is at rest.
 * One check for each state.
 */
export class SelfCheck {
  readonly #operations: Operations;
  /** By node, the identity of the files checked last. */
  readonly #looked = new Map<string, string>();

  constructor(operations: Operations) {
    this.#operations = operations;
  }

  /** Hears what an inspection of the shown node says. */
  async hear(nodeId: string, { health, inUse }: InspectReport): Promise<void> {
    const operations = this.#operations;
    // A server moves on while it is looked at; what we write says when it is done.
    if (inUse || operations.isWriting(nodeId) || this.#looked.get(nodeId) === health.directory) return;
    const latest = operations.latest(nodeId, 'examineStart');
    // Its end brings another inspection.
    if (latest?.endedMs === null) return;
    this.#looked.set(nodeId, health.directory);
    if (operations.resultOf(latest, 'examineStart')?.directory === health.directory && isUsual(latest))
      return;
    try {
      const begun = await operations.start(nodeId, 'examineStart', { thorough: false, unasked: true });
      await this.#forgetOthers(nodeId, begun.id);
    } catch {
      // Nobody asked: the health stays as it is known, and the view has a button.
    }
  }

  async #forgetOthers(nodeId: string, id: string): Promise<void> {
    const old = this.#operations.all.filter(
      (work) =>
        work.name === 'examineStart' &&
        work.nodeId === nodeId &&
        work.id !== id &&
        isAutomatic(work) &&
        work.endedMs !== null
    );
    for (const work of old) await this.#operations.forget(work.id);
  }
}

/** About this node's own server, not another one. */
function isUsual(work: WorkSnapshot | undefined): boolean {
  return work?.request['serverVersion'] === undefined;
}
