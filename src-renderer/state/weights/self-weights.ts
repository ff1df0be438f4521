/**
 * The weights of chunks, computed without a request: a plan of a scavenge of all chunks, made once for each state of a directory
 * at rest. Digests and judged chunks are kept (decision 42), so it is quick from the second time on.
 *
 * Nobody waits for it: it begins when nothing else runs on the node, the main process stops it as soon as somebody wants
 * an answer about the node (WorkKeeper.makeRoom), and it begins again later, after ever longer pauses. A person who
 * stops it does not see it again until the directory has changed.
 */
import type {
  InspectReport,
  NodeEntry,
  WorkSnapshot
} from '../../../src-main/contract/verbs/workbench-contract.ts';
import { isWeighing, type Operations } from '../operations.svelte.ts';
import { weightsPlan } from '../scavenge/plan.ts';
import { DEFAULT_FORM, requestOf } from '../scavenge/scavenge-options.ts';

/** After the last that was heard of the node: first come the questions of the view and the check of the directory. */
const REST_MS = 600;
const LONGEST_REST_MS = 60_000;

interface Shown {
  node: NodeEntry;
  inspection: InspectReport;
}

export class SelfWeights {
  readonly #operations: Operations;
  readonly #isWanted: () => boolean;
  /** By node the state weighed last, or given up. */
  readonly #weighed = new Map<string, string>();
  #shown: Shown | null = null;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #restMs = REST_MS;
  #hasEnded = false;

  /** `isWanted`: a service reads nothing for a page that did not ask. */
  constructor(operations: Operations, isWanted: () => boolean) {
    this.#operations = operations;
    this.#isWanted = isWanted;
  }

  /** Hears what an inspection of the shown node says. */
  hear(node: NodeEntry, inspection: InspectReport): void {
    const before = this.#shown?.node.id;
    if (before !== undefined && before !== node.id) this.#leave(before);
    this.#shown = { node, inspection };
    this.#later(REST_MS);
  }

  /** Hears of any work that has just ended. */
  hearEnd(work: WorkSnapshot): void {
    if (work.nodeId === null || work.nodeId !== this.#shown?.node.id) return;
    if (!isWeighing(work)) this.#later(REST_MS);
    else if (work.state === 'stopped' && !this.#operations.wasStoppedHere(work.id)) {
      this.#weighed.delete(work.nodeId);
      this.#restMs = Math.min(LONGEST_REST_MS, this.#restMs * 4);
      this.#later(this.#restMs);
    } else this.#restMs = REST_MS;
  }

  /** Begins nothing any more, whatever is heard: answers may still come. */
  end(): void {
    this.#hasEnded = true;
    clearTimeout(this.#timer);
  }

  #later(ms: number): void {
    clearTimeout(this.#timer);
    if (this.#hasEnded) return;
    this.#timer = setTimeout(() => void this.#begin(), ms);
  }

  async #begin(): Promise<void> {
    const shown = this.#shown;
    const operations = this.#operations;
    if (!shown || !this.#isWanted()) return;
    const { node, inspection } = shown;
    const state = `${inspection.health.directory} ${inspection.checkpoints.writer}`;
    // A server moves on while it is weighed. What runs says when it ends.
    if (inspection.inUse || this.#weighed.get(node.id) === state) return;
    if (operations.running.some(({ nodeId }) => nodeId === node.id)) return;
    this.#weighed.set(node.id, state);
    const known = weightsPlan(operations, node.id)?.work;
    if (
      known?.directory === inspection.health.directory &&
      known.writerCheckpoint === inspection.checkpoints.writer
    )
      return;
    try {
      const request = { ...requestOf(DEFAULT_FORM, node, inspection), unasked: true };
      const { id } = await operations.start(node.id, 'planScavenge', request);
      const old = operations.all.filter(
        (work) => work.nodeId === node.id && work.id !== id && isWeighing(work) && work.endedMs !== null
      );
      for (const work of old) await operations.forget(work.id);
    } catch {
      // Nobody asked: the view has a button.
    }
  }

  /** Another node is shown: what was read of this one is kept, the rest waits until somebody returns. */
  #leave(nodeId: string): void {
    const running = this.#operations.running.find((work) => work.nodeId === nodeId && isWeighing(work));
    if (!running) return;
    this.#weighed.delete(nodeId);
    void this.#operations.stop(running.id).catch(() => undefined);
  }
}
