/**
 * What is known about the node that is shown: its inspection and its chunks. Read again when the directories
 * change; until the new answer is there the old one stays, marked stale.
 *
 * An inspection reads the end of the log, which may be much: changes that come while one is on its way wait for it
 * together, and while a scavenge of our own changes everything all the time, only the chunks are followed, at a
 * pace of ours. Its end brings a reading of everything.
 *
 * Invariant: answers of a node that is not shown any more are dropped.
 */
import type {
  ChangedPart,
  ChunksReport,
  ErrorReport,
  InspectReport
} from '../../src-main/contract/verbs/workbench-contract.ts';
import { ask, callNode, errorReportOf } from '../api/engine-client.ts';

/** A busy server moves its checkpoints all the time; the list of chunks is not read more often than this. */
const CHUNKS_INTERVAL_MS = 2000;
/** Longer than the watcher takes to see a lock: from then on it reports each change of it. */
const LOCK_CONFIRM_MS = 1500;

export class Database {
  #nodeId = $state<string | null>(null);
  #inspection = $state.raw<InspectReport | null>(null);
  #chunks = $state.raw<ChunksReport | null>(null);
  #error = $state.raw<ErrorReport | null>(null);
  #failedMs = $state<number | null>(null);
  #isLoading = $state(false);
  #loadedMs = $state(0);
  /** When the inspection that is shown was asked for. */
  #inspectedMs = $state(0);
  /** Grows when the index or the log changed: pages of rows are then read again. */
  #version = $state(0);
  #round = 0;
  /** Of the reading whose inspection is shown. */
  #inspectedRound = 0;
  /** Ends what is asked of the shown node. */
  #questions = new AbortController();
  #chunksReadMs = 0;
  #chunksTimer: ReturnType<typeof setTimeout> | undefined;
  #lockTimer: ReturnType<typeof setTimeout> | undefined;
  /** Changes of the shown node that wait for the reading on its way; replaced when another node is shown. */
  #heard: { isReading: boolean; parts: ChangedPart[] } = { isReading: false, parts: [] };
  readonly #onInspection: (nodeId: string, result: InspectReport | ErrorReport) => void;

  constructor(onInspection: (nodeId: string, result: InspectReport | ErrorReport) => void = () => undefined) {
    this.#onInspection = onInspection;
  }

  get nodeId(): string | null {
    return this.#nodeId;
  }
  get inspection(): InspectReport | null {
    return this.#inspection;
  }
  get chunks(): ChunksReport | null {
    return this.#chunks;
  }
  get error(): ErrorReport | null {
    return this.#error;
  }
  /** Since when it cannot be read; null: it can. */
  get failedMs(): number | null {
    return this.#failedMs;
  }
  /** Whether this is said already, above every view. */
  says(error: ErrorReport | null | undefined): boolean {
    return error != null && error.code === this.#error?.code && error.message === this.#error.message;
  }
  get isLoading(): boolean {
    return this.#isLoading;
  }
  /** Old data is still shown while new data is read, or after a failure to read it. */
  get isStale(): boolean {
    return this.#inspection !== null && (this.#isLoading || this.#error !== null);
  }
  get loadedMs(): number {
    return this.#loadedMs;
  }
  /** What the inspection says of the directory was true at this time or later. */
  get inspectedMs(): number {
    return this.#inspectedMs;
  }
  get version(): number {
    return this.#version;
  }

  /** Shows another node (or none) and follows its directories. */
  async show(nodeId: string | null): Promise<void> {
    if (nodeId === this.#nodeId) return;
    this.#questions.abort();
    this.#questions = new AbortController();
    this.#nodeId = nodeId;
    this.#inspection = null;
    this.#chunks = null;
    [this.#error, this.#failedMs] = [null, null];
    this.#round++;
    this.#heard = { isReading: false, parts: [] };
    clearTimeout(this.#chunksTimer);
    clearTimeout(this.#lockTimer);
    await Promise.all([this.#watch(nodeId), nodeId === null ? undefined : this.refresh()]);
  }

  /** Reads everything again. */
  async refresh(): Promise<void> {
    await this.#read(['inspection', 'chunks']);
    this.#version++;
  }

  /** What is said of the directory, not what lies in it: a check of it has ended. */
  async inspectAgain(): Promise<void> {
    await this.#read(['inspection']);
  }

  /** Follows the directories afresh and reads everything again. */
  async watchAgain(): Promise<void> {
    await Promise.all([this.#watch(this.#nodeId), this.refresh()]);
  }

  /** The directories changed; by work of our own that will say when it ends, or by somebody else. */
  async onFilesChanged(nodeId: string, parts: ChangedPart[], isOwnWork = false): Promise<void> {
    if (nodeId !== this.#nodeId) return;
    if (isOwnWork) {
      if (parts.includes('chunks')) this.#readChunksLater();
      return;
    }
    const heard = this.#heard;
    heard.parts.push(...parts);
    if (heard.isReading) return;
    heard.isReading = true;
    while (heard.parts.length > 0 && heard === this.#heard) {
      await this.#readChanged(heard.parts.splice(0));
    }
    heard.isReading = false;
  }

  async #readChanged(parts: ChangedPart[]): Promise<void> {
    const hasNewChunks = parts.includes('chunks');
    await this.#read(hasNewChunks ? ['inspection', 'chunks'] : ['inspection']);
    if (hasNewChunks || parts.includes('index')) this.#version++;
    if (!hasNewChunks && parts.includes('checkpoints')) this.#readChunksLater();
  }

  #readChunksLater(): void {
    clearTimeout(this.#chunksTimer);
    const waitMs = Math.max(0, this.#chunksReadMs + CHUNKS_INTERVAL_MS - performance.now());
    this.#chunksTimer = setTimeout(() => {
      const names = namesOf(this.#chunks);
      void this.#read(['chunks']).then(() => {
        if (namesOf(this.#chunks) !== names) this.#version++;
      });
    }, waitMs);
  }

  async #read(what: ('inspection' | 'chunks')[]): Promise<void> {
    const nodeId = this.#nodeId;
    if (nodeId === null) return;
    const round = ++this.#round;
    const { signal } = this.#questions;
    const askedMs = Date.now();
    // What is followed at our own pace is not announced each time.
    this.#isLoading = what.includes('inspection');
    try {
      const [inspection, chunks] = await Promise.all([
        what.includes('inspection') ? callNode(nodeId, 'inspectDatabase', {}, signal) : null,
        what.includes('chunks') ? callNode(nodeId, 'listChunks', {}, signal) : null
      ]);
      if (signal.aborted) return;
      // Readings overtake each other: what was asked for before the one that is shown is older than it.
      const isNewest = inspection !== null && round > this.#inspectedRound;
      if (isNewest) {
        this.#confirmLock(inspection);
        [this.#inspection, this.#inspectedMs, this.#inspectedRound] = [inspection, askedMs, round];
      }
      if (chunks) [this.#chunks, this.#chunksReadMs] = [chunks, performance.now()];
      [this.#error, this.#failedMs] = [null, null];
      this.#loadedMs = Date.now();
      if (isNewest) this.#onInspection(nodeId, inspection);
    } catch (error) {
      if (signal.aborted) return;
      this.#failedMs ??= askedMs;
      this.#error = errorReportOf(error);
      this.#onInspection(nodeId, this.#error);
    } finally {
      if (round === this.#round) this.#isLoading = false;
    }
  }

  /**
   * A lock that an inspection saw before the watcher did may be gone again before the watcher looks, which then has
   * nothing to report: the inspection is made once more.
   */
  #confirmLock({ inUse }: InspectReport): void {
    if (inUse?.pid === this.#inspection?.inUse?.pid && !inUse === !this.#inspection?.inUse) return;
    clearTimeout(this.#lockTimer);
    this.#lockTimer = setTimeout(() => void this.#read(['inspection']), LOCK_CONFIRM_MS);
  }

  async #watch(nodeId: string | null): Promise<void> {
    try {
      await ask('watchNode', { id: nodeId });
    } catch {
      // Without a watch the data is as of the last reading; the refresh button still works.
    }
  }
}

function namesOf(report: ChunksReport | null): string {
  return report?.chunks.map(({ file }) => file).join() ?? '';
}
