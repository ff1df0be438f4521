/**
 * What the long loops of a scavenge share beside giving way and noticing a stop (database/operation-control.ts):
 * the rests of a throttled run, and how far the phase has come. Loops ask `isDue()` per record, which costs a
 * counter, and `await breathe()` when it says so.
 */
import type { OperationControl, ProgressSnapshot } from '../database/operation-control.ts';
import type { ScavengePhase } from '../units/scavenge-terms.ts';
import { Throttle } from './throttle.ts';

/** Records between two readings of the clock. */
const LOOK_EVERY = 256;
/** A rest is slept in pieces, so that the progress of a resting run still shows. */
const REST_PIECE_MS = 500;

export interface RunControlOptions {
  operation: OperationControl;
  /** 1..100, 100 never rests. */
  throttlePercent?: number;
  /** One line of the run's log. */
  onLog?: ((line: string) => void) | undefined;
  /** Nothing that is counted has been freed. */
  isPlan?: boolean;
  /** For tests; real time otherwise. Must end early when the operation is asked to stop. */
  sleep?: (ms: number) => Promise<void>;
}

export class RunControl {
  readonly #operation: OperationControl;
  readonly #throttle: Throttle;
  readonly #onLog: ((line: string) => void) | undefined;
  readonly #isPlan: boolean;
  readonly #sleep: (ms: number) => Promise<void>;
  #sinceLook = 0;
  /** Whole units of the phase that are done, and how far the one in work has come, from 0 to 1. */
  #done = 0;
  #part = 0;
  #note: (() => string | undefined) | undefined;
  #snapshot: ProgressSnapshot & { savedBytes: number } = {
    phase: 'beginning',
    done: 0,
    total: null,
    unit: 'chunks',
    savedBytes: 0
  };

  constructor({ operation, throttlePercent, onLog, isPlan = false, sleep }: RunControlOptions) {
    this.#operation = operation;
    this.#onLog = onLog;
    this.#isPlan = isPlan;
    this.#throttle = new Throttle({ percent: throttlePercent ?? 100, clockMs: () => operation.elapsedMs });
    this.#sleep = sleep ?? ((ms) => this.#sleepInPieces(ms));
  }

  get elapsedMs(): number {
    return this.#operation.elapsedMs;
  }

  /** True when the loop should `await breathe()`. */
  isDue(): boolean {
    if (++this.#sinceLook < LOOK_EVERY && !this.#operation.owesRest) return false;
    this.#sinceLook = 0;
    return this.#operation.isDue;
  }

  /** Lets others run, and leaves the loop with OperationStopped when the run was asked to stop. */
  async breathe(): Promise<void> {
    const message = this.#note?.();
    if (message !== undefined) this.#snapshot.message = message;
    this.#snapshot.done = this.#done + this.#part;
    this.#operation.report(this.#snapshot);
    await this.#operation.breathe();
  }

  /**
   * The same as soon as the slice is used up, and until then only the leaving: a turn of the event loop for each of
   * many small chunks takes longer than the work on them.
   */
  async breatheWhenDue(): Promise<void> {
    if (this.#operation.isDue) await this.breathe();
    else this.#operation.throwIfStopped();
  }

  /** The rest of a throttled run. */
  async rest(): Promise<void> {
    await this.breatheWhenDue();
    const restMs = this.#throttle.takeRest();
    if (restMs <= 0) return;
    await this.#sleep(restMs);
    await this.#operation.breathe();
  }

  throwIfStopped(): void {
    this.#operation.throwIfStopped();
  }

  /** A phase begins. */
  enter(phase: ScavengePhase, unit: ProgressSnapshot['unit'], total: number | null = null): void {
    this.#note = undefined;
    this.#done = 0;
    this.#part = 0;
    this.#snapshot = { phase, done: 0, total, unit, savedBytes: this.#snapshot.savedBytes };
    this.#operation.report(this.#snapshot, true);
  }

  /** What else the phase wants to say; asked with each report, until the next phase begins. */
  say(note: () => string | undefined): void {
    this.#note = note;
  }

  advance(count: number): void {
    this.#done += count;
    this.#part = 0;
  }

  /** How far the unit in work has come, from 0 to 1: a chunk of 256 MiB takes its time, and a bar should move. */
  within(part: number): void {
    this.#part = part;
  }

  /** File bytes freed for good; below 0 when a file grew. */
  saved(bytes: number): void {
    if (!this.#isPlan) this.#snapshot.savedBytes += bytes;
  }

  log(line: string): void {
    this.#onLog?.(line);
  }

  async #sleepInPieces(ms: number): Promise<void> {
    const endMs = this.elapsedMs + ms;
    for (let leftMs = ms; leftMs > 0; leftMs = endMs - this.elapsedMs) {
      await new Promise((resolve) => setTimeout(resolve, Math.min(leftMs, REST_PIECE_MS)));
      await this.breathe();
    }
  }
}
