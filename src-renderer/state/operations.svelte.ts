/**
 * The long work the main process keeps: snapshots as they arrive, results fetched once when they are wanted.
 * Nothing here is lost by a reload; the first list comes with the start state.
 */
import { SvelteMap } from 'svelte/reactivity';
import type {
  ErrorReport,
  Replies,
  ScavengeReport,
  VerifyReport,
  WindowRequestOf,
  WorkName,
  WorkReply,
  WorkSnapshot
} from '../../src-main/contract/verbs/workbench-contract.ts';
import { ask, errorReportOf, startWork } from '../api/engine-client.ts';
import { texts } from '../texts.ts';

export class Operations {
  readonly #snapshots = new SvelteMap<string, WorkSnapshot>();
  readonly #results = new SvelteMap<string, WorkReply>();
  /** Why a result that is there has not arrived, by the ids of work. */
  readonly #unfetched = new SvelteMap<string, ErrorReport>();
  /** Ids of work that this page stopped. Nothing shows them. */
  #stopped: readonly string[] = [];

  take(snapshots: WorkSnapshot[]): void {
    for (const snapshot of snapshots) this.hear(snapshot);
  }

  hear(snapshot: WorkSnapshot): void {
    this.#snapshots.set(snapshot.id, { ...snapshot, title: texts.activity.titled(snapshot.title) });
    const hasResult = snapshot.state === 'done' || snapshot.state === 'stopped';
    if (hasResult && !this.#results.has(snapshot.id)) void this.#fetchResult(snapshot.id);
  }

  forgotten(id: string): void {
    this.#snapshots.delete(id);
    this.#results.delete(id);
    this.#unfetched.delete(id);
  }

  /** Of the newest work that a person asked for and whose result did not arrive; null where there is none. */
  get unfetched(): ErrorReport | null {
    const work = this.all.find((snapshot) => this.#unfetched.has(snapshot.id) && !isAutomatic(snapshot));
    if (!work) return null;
    const error = this.#unfetched.get(work.id)!;
    return { ...error, message: texts.work.unfetched(work.title, error.message) };
  }

  /** All results that did not arrive. */
  fetchAgain(): void {
    for (const id of [...this.#unfetched.keys()]) void this.#fetchResult(id);
  }

  dismissUnfetched(): void {
    this.#unfetched.clear();
  }

  /** Newest first. */
  get all(): WorkSnapshot[] {
    return [...this.#snapshots.values()].sort((a, b) => b.startedMs - a.startedMs);
  }

  get running(): WorkSnapshot[] {
    return this.all.filter((snapshot) => snapshot.endedMs === null);
  }

  get(id: string): WorkSnapshot | undefined {
    return this.#snapshots.get(id);
  }

  /** The newest work of that kind on a node; plans for weights alone are none that somebody asked for. */
  latest(nodeId: string | null, name: WorkName): WorkSnapshot | undefined {
    return this.latestOf(nodeId, [name]);
  }

  /** The newest work of any of these kinds on a node. */
  latestOf(nodeId: string | null, names: readonly WorkName[]): WorkSnapshot | undefined {
    return this.all.find(
      (snapshot) => snapshot.nodeId === nodeId && names.includes(snapshot.name) && !isWeighing(snapshot)
    );
  }

  /** Whether somebody waits for work on the node: a look that the window takes by itself is none. */
  isAtWork(nodeId: string): boolean {
    return this.running.some((snapshot) => snapshot.nodeId === nodeId && !isAutomatic(snapshot));
  }

  /** Whether something of ours is writing to the node right now. */
  isWriting(nodeId: string | null): boolean {
    return this.running.some((snapshot) => snapshot.nodeId === nodeId && writesToNode(snapshot));
  }

  /** Whether the files of the node are being replaced, so that a look at them would only see half of each. */
  isReplacing(nodeId: string | null): boolean {
    return this.running.some(
      (snapshot) => snapshot.nodeId === nodeId && writesToNode(snapshot) && !isScavenging(snapshot)
    );
  }

  /** Whether other work that needs the node for itself has to wait. */
  isOccupied(nodeId: string | null): boolean {
    return (
      this.isWriting(nodeId) ||
      this.running.some((snapshot) => snapshot.nodeId === nodeId && snapshot.name === 'createBackup')
    );
  }

  /** Whether a backup of the node, or work that writes backups again, has its backups for itself. */
  isWritingBackups(nodeId: string | null): boolean {
    return this.running.some(
      ({ nodeId: ofNode, name, request }) =>
        ofNode === nodeId &&
        (name === 'createBackup' ||
          name === 'eraseInBackup' ||
          (name === 'rekeyBackups' && request['dryRun'] !== true))
    );
  }

  /** When the last work of ours that wrote to the node ended; null: none did. */
  writingEndedMs(nodeId: string | null): number | null {
    const ended = this.all
      .filter((snapshot) => snapshot.nodeId === nodeId && writesToNode(snapshot))
      .map(({ endedMs }) => endedMs ?? 0);
    return ended.length === 0 ? null : Math.max(...ended);
  }

  /** undefined until it ended and its result arrived. */
  scavengeReport(id: string | undefined): ScavengeReport | undefined {
    return this.#resultOf(id) as ScavengeReport | undefined;
  }

  verifyReport(id: string | undefined): VerifyReport | undefined {
    return this.#resultOf(id) as VerifyReport | undefined;
  }

  /** undefined until it ended and its result arrived, or when it is work of another kind. */
  resultOf<N extends WorkName>(work: WorkSnapshot | undefined, name: N): Replies[N] | undefined {
    return work?.name === name ? (this.#resultOf(work.id) as Replies[N] | undefined) : undefined;
  }

  async start<N extends Exclude<WorkName, 'writeSample'>>(
    nodeId: string | null,
    name: N,
    request: WindowRequestOf<N>,
    planId?: string
  ): Promise<WorkSnapshot> {
    const snapshot = await startWork(nodeId, name, request, planId);
    if (!this.#snapshots.has(snapshot.id)) this.hear(snapshot);
    return snapshot;
  }

  async createSample(): Promise<void> {
    const snapshot = await ask('createSample', {});
    if (!this.#snapshots.has(snapshot.id)) this.hear(snapshot);
  }

  /** Whether this page stopped it, and not something that needed the room. */
  wasStoppedHere(id: string): boolean {
    return this.#stopped.includes(id);
  }

  async stop(id: string): Promise<void> {
    this.#stopped = [...this.#stopped, id];
    await ask('stopWork', { id });
  }

  async forget(id: string): Promise<void> {
    await ask('forgetWork', { id });
  }

  #resultOf(id: string | undefined): WorkReply | undefined {
    return id === undefined ? undefined : this.#results.get(id);
  }

  async #fetchResult(id: string): Promise<void> {
    try {
      const result = await ask('workResult', { id });
      this.#unfetched.delete(id);
      if (result !== null && this.#snapshots.has(id)) this.#results.set(id, result);
    } catch (error) {
      if (this.#snapshots.has(id)) this.#unfetched.set(id, errorReportOf(error));
    }
  }
}

/** No person asked for it. */
export function isAutomatic({ request }: Pick<WorkSnapshot, 'request'>): boolean {
  return request['unasked'] === true;
}

const SCAVENGING: readonly WorkName[] = ['runScavenge', 'runRescue'];

/** It replaces files one by one, each by a whole one: a look at them is always good. */
function isScavenging({ name }: WorkSnapshot): boolean {
  return SCAVENGING.includes(name);
}

/** A plan that the window makes by itself, for the weights of chunks. */
export function isWeighing(work: Pick<WorkSnapshot, 'name' | 'request'>): boolean {
  return work.name === 'planScavenge' && isAutomatic(work);
}

const WRITING: readonly WorkName[] = [
  ...SCAVENGING,
  'runRestore',
  'continueRestore',
  'undoRestore',
  'undoScavenge',
  'redactEvents',
  'forgetReplaced',
  'cutLog',
  'rebuildIndex',
  'prepareStartup',
  'repairDatabase'
];

/** Plans only read, also those that are the same work told to change nothing. */
export function writesToNode({ name, request }: WorkSnapshot): boolean {
  return WRITING.includes(name) && request['dryRun'] !== true;
}
