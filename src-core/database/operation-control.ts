/**
 * How a long operation stays polite: it works in short slices, and between them lets messages in, notices a
 * request to stop, and tells how far it is.
 */
import { OperationStopped } from '../errors.ts';
import type { ByteRate } from '../storage/byte-rate.ts';

export interface ProgressSnapshot {
  phase: string;
  done: number;
  /** null while unknown. */
  total: number | null;
  unit: 'bytes' | 'records' | 'chunks' | 'streams' | 'entries' | 'tables' | 'files';
  /** File bytes that are freed for good so far. */
  savedBytes?: number;
  message?: string;
}

export interface OperationControlParts {
  signal?: AbortSignal | undefined;
  /** Milliseconds that only rise; for slices and rates, never for data. */
  elapsedMs: () => number;
  /** Lets other work of this thread run; a turn of the event loop. */
  yieldTurn: () => Promise<void>;
  onProgress?: ((snapshot: ProgressSnapshot) => void) | undefined;
  /** Slices end early, and rest, as long as the operation owes time for bytes. */
  rate?: Pick<ByteRate, 'owes' | 'takeRest'> | undefined;
  /** Called whenever it looks whether it is to stop. */
  onTurn?: (() => void) | undefined;
  /** For tests; real time otherwise. */
  sleep?: (ms: number) => Promise<void>;
}

const SLICE_MS = 15;
const PROGRESS_MS = 100;
/** A rest is slept in pieces, so that a request to stop is noticed. */
const REST_PIECE_MS = 100;

export class OperationControl {
  readonly #parts: OperationControlParts;
  #sliceStart: number;
  #reported = -Infinity;

  constructor(parts: OperationControlParts) {
    this.#parts = parts;
    this.#sliceStart = parts.elapsedMs();
  }

  /** The same operation as a part of it sees it that stops at this signal as well. */
  stoppedAlsoBy(signal: AbortSignal): OperationControl {
    const own = this.#parts.signal;
    return new OperationControl({
      ...this.#parts,
      signal: own ? AbortSignal.any([own, signal]) : signal
    });
  }

  /** The same operation, which is also stopped once this is so: asked at each turn, for a time that comes. */
  stoppedOnce(isOver: () => boolean): OperationControl {
    const over = new AbortController();
    const inner = this.#parts.onTurn;
    const onTurn = (): void => {
      inner?.();
      if (isOver()) over.abort();
    };
    return new OperationControl({ ...this.#parts, onTurn }).stoppedAlsoBy(over.signal);
  }

  /** The same operation, resting as the bytes that it moves demand. */
  restingFor(rate: Pick<ByteRate, 'owes' | 'takeRest'>): OperationControl {
    return new OperationControl({ ...this.#parts, rate });
  }

  get elapsedMs(): number {
    return this.#parts.elapsedMs();
  }

  get signal(): AbortSignal | undefined {
    return this.#parts.signal;
  }

  /** True when a slice is used up: cheap enough to ask every thousand records. */
  get isDue(): boolean {
    return this.owesRest || this.#parts.elapsedMs() - this.#sliceStart >= SLICE_MS;
  }

  /** True when more bytes were moved than time has passed for: cheap enough to ask for each record. */
  get owesRest(): boolean {
    return this.#parts.rate?.owes === true;
  }

  /** Ends the slice: lets messages in, rests if it owes that, throws OperationStopped when asked to stop. */
  async breathe(): Promise<void> {
    this.throwIfStopped();
    await this.#parts.yieldTurn();
    if (this.owesRest) await this.#rest(this.#parts.rate!);
    this.#sliceStart = this.#parts.elapsedMs();
    this.throwIfStopped();
  }

  async #rest(rate: Pick<ByteRate, 'takeRest'>): Promise<void> {
    const sleep = this.#parts.sleep ?? ((ms) => new Promise<void>((resolve) => setTimeout(resolve, ms)));
    const endMs = this.#parts.elapsedMs() + rate.takeRest();
    for (let leftMs = endMs - this.#parts.elapsedMs(); leftMs > 0; leftMs = endMs - this.#parts.elapsedMs()) {
      await sleep(Math.min(leftMs, REST_PIECE_MS));
      this.throwIfStopped();
    }
  }

  throwIfStopped(): void {
    this.#parts.onTurn?.();
    if (this.#parts.signal?.aborted) throw new OperationStopped();
  }

  /** Reports at most ten times a second; `force` for the ends of phases. */
  report(snapshot: ProgressSnapshot, force = false): void {
    const now = this.#parts.elapsedMs();
    if (!force && now - this.#reported < PROGRESS_MS) return;
    this.#reported = now;
    this.#parts.onProgress?.(snapshot);
  }
}

/** For short work and tests: never stops, never yields, reports nothing. */
export function uncontrolled(): OperationControl {
  return new OperationControl({ elapsedMs: () => 0, yieldTurn: () => Promise.resolve() });
}
