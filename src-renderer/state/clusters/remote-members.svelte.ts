/** What the running members of a cluster say of their scavenges: asked again and again, as long as somebody looks. */
import { SvelteMap } from 'svelte/reactivity';
import type { ErrorReport, RemoteMemberState } from '../../../src-main/contract/verbs/workbench-contract.ts';
import { errorReportOf } from '../../api/engine-client.ts';
import type { Clusters } from './clusters.svelte.ts';

/** As often as somebody looks at it. */
const LOOK_MS = 4000;

type Calls = Pick<Clusters, 'remoteMember' | 'startScavenge' | 'stopScavenge'>;

export class RemoteMembers {
  readonly #calls: Calls;
  readonly #said = new SvelteMap<string, RemoteMemberState>();
  /** Why the last start or stop was refused, and of whom. */
  refusal = $state.raw<{ id: string; error: ErrorReport } | null>(null);
  /** Ids of members that are asked to start or stop. */
  #busy = $state.raw<readonly string[]>([]);

  constructor(calls: Calls) {
    this.#calls = calls;
  }

  /** undefined: not asked yet. */
  saidBy(id: string): RemoteMemberState | undefined {
    return this.#said.get(id);
  }

  isBusy(id: string): boolean {
    return this.#busy.includes(id);
  }

  /** Looks at these members now and again; returns how to end it. */
  keepLooking(cluster: string, ids: readonly string[]): () => void {
    const timers: Record<string, ReturnType<typeof setTimeout>> = {};
    let isOver = false;
    const look = async (id: string): Promise<void> => {
      // One that cannot be asked says so in its answer; what fails here is the asking, and the next may succeed.
      const found = await this.#calls.remoteMember(cluster, id).catch((): undefined => undefined);
      if (isOver) return;
      if (found) this.#said.set(id, found);
      timers[id] = setTimeout(() => void look(id), LOOK_MS);
    };
    for (const id of ids) void look(id);
    return () => {
      isOver = true;
      for (const timer of Object.values(timers)) clearTimeout(timer);
    };
  }

  start(cluster: string, id: string): Promise<void> {
    return this.#ask(id, () => this.#calls.startScavenge(cluster, id));
  }

  stop(cluster: string, id: string): Promise<void> {
    return this.#ask(id, () => this.#calls.stopScavenge(cluster, id));
  }

  async #ask(id: string, action: () => Promise<RemoteMemberState>): Promise<void> {
    this.#busy = [...this.#busy, id];
    this.refusal = null;
    try {
      this.#said.set(id, await action());
    } catch (failure) {
      this.refusal = { id, error: errorReportOf(failure) };
    } finally {
      this.#busy = this.#busy.filter((other) => other !== id);
    }
  }
}
