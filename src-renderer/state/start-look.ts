/** The look at a node's next start: begun from the view, the palette, or where a database cannot be opened. */
import type { InspectReport, NodeEntry, WorkSnapshot } from '../../src-main/ipc/contract.ts';
import { isUnasked, type Operations } from './operations.svelte.ts';
import type { Workbench } from './workbench.svelte.ts';

export interface StartLook {
  /** Empty: as the chunks tell. */
  serverVersion: string;
  thorough: boolean;
}

/** Versions between which starts differ, newest first. */
export const SERVER_VERSIONS = [
  '25.1',
  '25.0',
  '24.10',
  '24.6',
  '24.2',
  '23.10',
  '22.10',
  '21.10',
  '5.0'
] as const;

export async function lookAtStart(
  { operations }: Workbench,
  { id }: NodeEntry,
  { serverVersion, thorough }: StartLook = { serverVersion: '', thorough: false }
): Promise<void> {
  await operations.start(id, 'examineStart', {
    thorough,
    ...(serverVersion === '' ? {} : { serverVersion })
  });
}

/**
 * Looks by itself at a directory that nobody has looked at as it is now: after it was opened, and whenever it has
 * changed and is at rest. One look for each state of it.
 */
export class SelfLook {
  readonly #operations: Operations;
  /** By node, the identity of the files that were looked at last. */
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
      (work) => work.nodeId === nodeId && work.id !== id && isUnasked(work) && work.endedMs !== null
    );
    for (const work of old) await this.#operations.forget(work.id);
  }
}

/** About this node's own server, not another one. */
function isUsual(work: WorkSnapshot | undefined): boolean {
  return work?.request['serverVersion'] === undefined;
}

/** Looks, and goes to the view, which finds the look begun. */
export async function showStart(workbench: Workbench, node: NodeEntry): Promise<void> {
  await lookAtStart(workbench, node);
  workbench.places.go({ nodeId: node.id, view: 'verify' });
}
