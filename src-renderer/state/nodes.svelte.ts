/** The nodes a person has opened, and what was last seen of each: stopped, in use, unreadable. */
import { SvelteMap } from 'svelte/reactivity';
import type { ErrorReport, InspectReport, NodeEntry } from '../../src-main/ipc/contract.ts';
import { ask, callNode, errorReportOf } from '../api/engine-client.ts';

export type NodeStatus =
  | { kind: 'unknown' }
  | { kind: 'stopped' }
  | { kind: 'inUse'; by: string; pid: number | null }
  | { kind: 'warned'; count: number }
  | { kind: 'failed'; error: ErrorReport };

/** What is known of a node beside its state; null: not known, or never. */
export interface NodeHealth {
  lastScavenged: string | null;
  /** What tells of it; null: the node was not looked at. */
  lastScavengedFrom: InspectReport['lastScavengedFrom'] | null;
  lastBackup: string | null;
  freeBytes: number | null;
  findings: number | null;
}

/** Nodes of a long list that are looked at unasked. */
const LOOKED_AT = 12;

export class Nodes {
  #list = $state.raw<NodeEntry[]>([]);
  readonly #status = new SvelteMap<string, NodeStatus>();
  readonly #inspected = new SvelteMap<string, InspectReport>();
  readonly #lastBackup = new SvelteMap<string, string>();

  get list(): NodeEntry[] {
    return this.#list;
  }

  take(nodes: NodeEntry[]): void {
    this.#list = nodes;
  }

  find(id: string | null): NodeEntry | undefined {
    return this.#list.find((node) => node.id === id);
  }

  status(id: string): NodeStatus {
    return this.#status.get(id) ?? { kind: 'unknown' };
  }

  /** What an inspection of the node said. */
  learn(id: string, result: InspectReport | ErrorReport): void {
    this.#status.set(id, statusOf(result));
    if (!('code' in result)) this.#inspected.set(id, result);
  }

  health(id: string): NodeHealth {
    const seen = this.#inspected.get(id);
    return {
      lastScavenged: seen?.lastScavenged ?? null,
      lastScavengedFrom: seen?.lastScavengedFrom ?? null,
      lastBackup: this.#lastBackup.get(id) ?? null,
      freeBytes: seen?.freeBytes ?? null,
      findings: seen?.warnings.length ?? null
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
      if (this.#status.has(node.id)) continue;
      try {
        this.learn(node.id, await callNode(node.id, 'inspectDatabase', {}));
      } catch (error) {
        this.learn(node.id, errorReportOf(error));
      }
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
    this.#status.delete(id);
    this.#inspected.delete(id);
    this.#lastBackup.delete(id);
  }
}

function statusOf(result: InspectReport | ErrorReport): NodeStatus {
  if ('code' in result) return { kind: 'failed', error: result };
  if (result.inUse) return { kind: 'inUse', by: result.inUse.by, pid: result.inUse.pid };
  if (result.warnings.length > 0) return { kind: 'warned', count: result.warnings.length };
  return { kind: 'stopped' };
}
