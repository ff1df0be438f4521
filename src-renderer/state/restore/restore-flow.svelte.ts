/**
 * The restore that is being put together: which backup, where to, and the work that came of it. One at a time, as it is one
 * sheet; it stays while a person looks elsewhere.
 */
import type {
  ChosenPath,
  NodeEntry,
  WindowRequestOf,
  WorkName,
  WorkSnapshot
} from '../../../src-main/contract/verbs/workbench-contract.ts';
import type { Operations } from '../operations.svelte.ts';
import type { RestoreStep } from './restore-step.ts';

/** A node's target, or a place that was chosen: a target, one backup's folder, a copy made by hand. */
export type RestoreSource = { kind: 'node'; nodeId: string } | { kind: 'place'; place: ChosenPath };
export type RestoreDestination = RestoreSource;

export const RESTORE_WORK = [
  'planRestore',
  'runRestore',
  'continueRestore',
  'undoRestore',
  'cutLog'
] as const satisfies readonly WorkName[];

export interface RestoreOptions {
  applyTruncation: boolean;
  assumeStopped: boolean;
  /** Instead of `index` in the data directory; of a chosen directory only. */
  index: ChosenPath | null;
  /** The most that a truncation may cut off; null: as much as the server would, -1: any amount. */
  maxTruncationBytes: number | null;
}

const PLAIN: RestoreOptions = {
  applyTruncation: false,
  assumeStopped: false,
  index: null,
  maxTruncationBytes: null
};

interface Beginning {
  source?: RestoreSource;
  backupId?: string;
  destination?: RestoreDestination;
}

export class RestoreFlow {
  /** The node of whose view it is; null: none, as on the first screen. */
  #nodeId = $state<string | null>(null);
  #step = $state<RestoreStep>('backup');
  #workId = $state<string | null>(null);
  source = $state.raw<RestoreSource | null>(null);
  /** null: the newest, or the only one that is there. */
  backupId = $state<string | null>(null);
  destination = $state.raw<RestoreDestination | null>(null);
  /** Places chosen so far, to choose again. */
  places = $state.raw<ChosenPath[]>([]);
  key = $state.raw<ChosenPath | null>(null);
  passwordId = $state<string | null>(null);
  options = $state<RestoreOptions>({ ...PLAIN });

  get step(): RestoreStep {
    return this.#step;
  }
  set step(step: RestoreStep) {
    this.#step = step;
  }

  /** The view is shown for a node, or for none: what was put together for another is put away. */
  enter(node: NodeEntry | undefined): void {
    const nodeId = node?.id ?? null;
    if (nodeId === this.#nodeId && (this.source !== null || this.destination !== null)) return;
    const source =
      node?.backupTarget === undefined ? {} : { source: { kind: 'node', nodeId: node.id } as const };
    this.begin(nodeId, source);
  }

  /** From one of its entrances, with what is known there. */
  begin(nodeId: string | null, { source, backupId, destination }: Beginning): void {
    this.#nodeId = nodeId;
    this.#workId = null;
    this.source = source ?? null;
    this.backupId = backupId ?? null;
    this.destination = destination ?? null;
    this.key = null;
    this.passwordId = null;
    this.options = { ...PLAIN };
    this.#step = backupId === undefined ? 'backup' : 'place';
  }

  chooseSource(source: RestoreSource): void {
    this.source = source;
    this.backupId = null;
    this.#workId = null;
    if (source.kind === 'place') this.places = [...this.places, source.place];
  }

  /** Nothing was begun here: after a reload, or when another page began it. */
  get isUntouched(): boolean {
    return this.#workId === null;
  }

  /** What was begun last; after a reload, what runs for the node or ended last. */
  work(operations: Operations): WorkSnapshot | undefined {
    const own = this.#workId === null ? undefined : operations.get(this.#workId);
    if (own) return own;
    const latest = operations.latestOf(this.#nodeId, RESTORE_WORK);
    return latest?.endedMs === null ? latest : undefined;
  }

  async plan(operations: Operations): Promise<void> {
    await this.#start(operations, 'planRestore', this.#request);
  }

  async run(operations: Operations, plan: WorkSnapshot, planId: string): Promise<void> {
    const work = await operations.start(plan.nodeId, 'runRestore', plan.request, planId);
    this.#follow(work);
  }

  /** An unfinished one goes on, or back. */
  async resume(operations: Operations, way: 'continueRestore' | 'undoRestore'): Promise<void> {
    await this.#start(operations, way, { ...this.#destinationMembers, ...this.keyMembers });
  }

  /** Tells what a truncation of the log, as the next start would make it, removes. */
  async planCut(operations: Operations, of?: string): Promise<void> {
    if (of !== undefined) this.destination = { kind: 'node', nodeId: of };
    const { maxTruncationBytes } = this.options;
    await this.#start(operations, 'cutLog', {
      ...this.#destinationMembers,
      dryRun: true,
      ...(maxTruncationBytes === null ? {} : { maxTruncationBytes })
    });
  }

  /** Truncates the log as planned, with the limit of the plan. */
  async cut(operations: Operations, plan: WorkSnapshot): Promise<void> {
    this.#follow(await operations.start(plan.nodeId, 'cutLog', { ...plan.request, dryRun: false }));
  }

  /** The same again, with a key that was given since. */
  async again(operations: Operations, work: WorkSnapshot): Promise<void> {
    if (work.name === 'planRestore' || work.name === 'runRestore') await this.plan(operations);
    else if (work.name === 'continueRestore' || work.name === 'undoRestore')
      await this.resume(operations, work.name);
    else await this.planCut(operations);
  }

  get #nodeOfWork(): string | null {
    return this.destination?.kind === 'node' ? this.destination.nodeId : null;
  }

  /** What opens an encrypted backup, as requests name it. */
  get keyMembers(): { keyPlace?: string; passwordId?: string } {
    if (this.passwordId !== null) return { passwordId: this.passwordId };
    return this.key === null ? {} : { keyPlace: this.key.id };
  }

  get #destinationMembers(): { toPlace?: string; indexPlace?: string; assumeStopped: boolean } {
    const { assumeStopped, index } = this.options;
    return {
      assumeStopped,
      ...(this.destination?.kind === 'place' ? { toPlace: this.destination.place.id } : {}),
      ...(index === null ? {} : { indexPlace: index.id })
    };
  }

  get #request(): WindowRequestOf<'planRestore'> {
    const { source } = this;
    return {
      applyTruncation: this.options.applyTruncation,
      ...(this.backupId === null ? {} : { id: this.backupId }),
      ...(source?.kind === 'place' ? { fromPlace: source.place.id } : {}),
      ...(source?.kind === 'node' && source.nodeId !== this.#nodeOfWork ? { fromNode: source.nodeId } : {}),
      ...this.#destinationMembers,
      ...this.keyMembers
    };
  }

  async #start<N extends (typeof RESTORE_WORK)[number]>(
    operations: Operations,
    name: N,
    request: WindowRequestOf<N>
  ): Promise<void> {
    this.#follow(await operations.start(this.#nodeOfWork, name, request));
  }

  #follow(work: WorkSnapshot): void {
    this.#workId = work.id;
    // Plan, progress and result all show there.
    this.#step = 'plan';
  }
}
