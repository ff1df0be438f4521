/** The nodes a person has opened, and what was last seen of each. How a node is, all views read here. */
import { SvelteMap } from 'svelte/reactivity';
import type {
  ErrorReport,
  InspectReport,
  NodeEntry
} from '../../src-main/contract/verbs/workbench-contract.ts';
import { ask, callNode, errorReportOf } from '../api/engine-client.ts';
import { sightOf, type NodeFacts, type NodeSight } from '../format/node-health.ts';
import { clock } from './clock.svelte.ts';

/** Nodes of a long list that are looked at unasked. */
const LOOKED_AT = 12;

export class Nodes {
  #list = $state.raw<NodeEntry[]>([]);
  readonly #names = $derived(this.#list.map(({ name }) => name));
  /** The last look at each. */
  readonly #seen = new SvelteMap<string, InspectReport | ErrorReport>();
  /** The last one that told something, for what is shown of a directory that cannot be read now. */
  readonly #inspected = new SvelteMap<string, InspectReport>();
  readonly #lastBackup = new SvelteMap<string, string>();

  get list(): NodeEntry[] {
    return this.#list;
  }

  get names(): readonly string[] {
    return this.#names;
  }

  take(nodes: NodeEntry[]): void {
    this.#list = nodes;
  }

  find(id: string | null): NodeEntry | undefined {
    return this.#list.find((node) => node.id === id);
  }

  /** How it is, in a shape and a word. */
  sight(id: string): NodeSight {
    return sightOf(this.#seen.get(id), clock.nowMs);
  }

  /** What an inspection of the node said. */
  learn(id: string, result: InspectReport | ErrorReport): void {
    this.#seen.set(id, result);
    if (!('code' in result)) this.#inspected.set(id, result);
  }

  /** The last look that told something. */
  inspected(id: string): InspectReport | undefined {
    return this.#inspected.get(id);
  }

  /** The first look at a node; where there was one, none. */
  async lookAtOnce(id: string): Promise<void> {
    if (!this.#seen.has(id)) await this.lookAt(id);
  }

  facts(id: string): NodeFacts {
    const seen = this.#inspected.get(id);
    return {
      lastScavenged: seen?.lastScavenged ?? null,
      lastScavengedFrom: seen?.lastScavengedFrom ?? null,
      lastBackup: this.#lastBackup.get(id) ?? null,
      freeBytes: seen?.freeBytes ?? null
    };
  }

  /** Asks the target of the node's backups for the newest one. */
  async lookAtBackups(node: NodeEntry): Promise<void> {
    if (node.backupTarget === undefined) return;
    try {
      const { backups } = await callNode(node.id, 'listBackups', {});
      const newest = backups.at(-1)?.startedAt;
      if (newest !== undefined) this.#lastBackup.set(node.id, newest);
    } catch {
      // The view of the backups says why its target cannot be read; here the time stays unknown.
    }
  }

  /** Looks at the nodes nothing is known about, one after the other, so that the shown one comes first. */
  async lookAtOthers(): Promise<void> {
    for (const node of this.#list.slice(0, LOOKED_AT)) {
      if (!this.#lastBackup.has(node.id)) await this.lookAtBackups(node);
      await this.lookAtOnce(node.id);
    }
  }

  async lookAt(id: string): Promise<void> {
    try {
      this.learn(id, await callNode(id, 'inspectDatabase', {}));
    } catch (error) {
      this.learn(id, errorReportOf(error));
    }
  }

  /** null: the person chose nothing. */
  async openDirectory(): Promise<NodeEntry | null> {
    return ask('openDirectory', {});
  }

  async openConfiguration(): Promise<NodeEntry | null> {
    return ask('openConfiguration', {});
  }

  /** Something dropped on the window: a data directory, a file in one, or a server configuration. */
  async openDropped(file: File): Promise<NodeEntry> {
    return ask('openDropped', { file });
  }

  /** Asks for the directory of the node's backups; null: the person chose nothing. */
  async nameBackupStore(id: string, location: string, endpoint: string): Promise<NodeEntry> {
    return ask('nameBackupStore', { nodeId: id, location, ...(endpoint === '' ? {} : { endpoint }) });
  }

  async chooseBackupTarget(id: string): Promise<NodeEntry | null> {
    return ask('chooseBackupTarget', { nodeId: id });
  }

  async rename(id: string, name: string): Promise<void> {
    await ask('changeNode', { id, name });
  }

  /** The answer to "single node or member of a cluster?", asked once and remembered. */
  async decide(id: string, isSingleNode: boolean): Promise<void> {
    await ask('changeNode', { id, isSingleNode });
  }

  async forget(id: string): Promise<void> {
    await ask('forgetNode', { id });
    this.#seen.delete(id);
    this.#inspected.delete(id);
    this.#lastBackup.delete(id);
  }

  /** Puts a forgotten node back. */
  async recall(id: string): Promise<void> {
    await ask('recallNode', { id });
    await this.lookAt(id);
  }

  async forgetBackupTarget(id: string): Promise<void> {
    await ask('forgetBackupTarget', { nodeId: id });
    this.#lastBackup.delete(id);
  }

  async recallBackupTarget(id: string): Promise<void> {
    await this.lookAtBackups(await ask('recallBackupTarget', { nodeId: id }));
  }

  /** Opens its data directory in the file manager. */
  async showInFolder(id: string): Promise<void> {
    await ask('showInFolder', { nodeId: id });
  }
}
