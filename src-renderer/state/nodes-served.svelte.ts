/** The admin API of nodes, hosted by the window: its state per node as it was told last. */
import { SvelteMap } from 'svelte/reactivity';
import type { NodeServiceState } from '../../src-main/contract/verbs/workbench-contract.ts';
import { ask } from '../api/engine-client.ts';

export class ServedNodes {
  readonly #states = new SvelteMap<string, NodeServiceState>();

  /** undefined: not asked yet. */
  of(nodeId: string): NodeServiceState | undefined {
    return this.#states.get(nodeId);
  }

  hear(service: NodeServiceState): void {
    this.#states.set(service.nodeId, service);
  }

  async load(nodeId: string): Promise<void> {
    this.hear(await ask('nodeServiceState', { nodeId }));
  }

  async start(nodeId: string, host: string, port: number): Promise<void> {
    this.hear(await ask('startNodeService', { nodeId, host, port }));
  }

  async stop(nodeId: string): Promise<void> {
    this.hear(await ask('stopNodeService', { nodeId }));
  }
}
