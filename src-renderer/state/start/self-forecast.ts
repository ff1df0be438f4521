/** The forecast of the next start that runs without a request, where it is looked at. */
import type { InspectReport, NodeEntry } from '../../../src-main/contract/verbs/workbench-contract.ts';
import { isAutomatic, type Operations } from '../operations.svelte.ts';

/**
 * Forecasts a directory in its current state by itself: once for each state, so that a forecast that somebody stopped stays
 * stopped. The doctor's check, which is shorter, comes first.
 */
export class SelfForecast {
  readonly #operations: Operations;
  /** By node, the identity of the files forecast last. */
  readonly #forecast = new Map<string, string>();

  constructor(operations: Operations) {
    this.#operations = operations;
  }

  async look({ id }: Pick<NodeEntry, 'id'>, { health, inUse }: InspectReport): Promise<void> {
    const operations = this.#operations;
    if (inUse || operations.isWriting(id) || this.#forecast.get(id) === health.directory) return;
    const check = operations.latest(id, 'examineStart');
    if (!check || check.endedMs === null) return;
    const latest = operations.latestOf(id, ['forecastStartup', 'prepareStartup']);
    if (latest?.endedMs === null || latest?.directory === health.directory) return;
    this.#forecast.set(id, health.directory);
    try {
      const request = { applyTruncation: false, mergeTables: false, unasked: true };
      const begun = await operations.start(id, 'forecastStartup', request);
      await this.#forgetOthers(id, begun.id);
    } catch {
      // Nobody asked: the view has a button.
    }
  }

  async #forgetOthers(nodeId: string, id: string): Promise<void> {
    const old = this.#operations.all.filter(
      (work) =>
        work.name === 'forecastStartup' &&
        work.nodeId === nodeId &&
        work.id !== id &&
        isAutomatic(work) &&
        work.endedMs !== null
    );
    for (const work of old) await this.#operations.forget(work.id);
  }
}
