/**
 * A service learns by itself how fast the log of its node grows, so that the date of a full disk is there for a monitor that
 * asks nothing else: once the service has rested, the chunks that nobody has read yet are read, slowly, in the engine's own
 * thread. What was read is kept (decision 42), so a stop costs little and a later look reads what is new.
 *
 * It makes room at once for whatever somebody starts on the node, and begins again later. Not while a server uses the directory:
 * the disk is the server's then.
 */
import { OperationStopped } from '../../src-core/index.ts';
import type { Log } from '../contract/log-line.ts';
import type { GrowthReport } from '../contract/operations/usage-reports.ts';

export interface SelfGrowthParts {
  /** `known`: without reading; `read`: reads what is missing, at this rate at most. */
  growth: (asked: 'known' | 'read', signal: AbortSignal) => Promise<GrowthReport>;
  /** Something runs on the node, or a server has it. */
  isOccupied: () => Promise<boolean>;
  log: Log;
  /** Milliseconds after the start, and after it made room. */
  restMs?: number;
  /** Until it looks again whether new chunks are to be read. */
  againMs?: number;
}

/** Bytes per second: a disk of today does ten times as much. */
export const SELF_READING_RATE = 32 * 1024 * 1024;
const REST_MS = 5000;
const AGAIN_MS = 60 * 60_000;

export class SelfGrowth {
  readonly #parts: SelfGrowthParts;
  #timer: NodeJS.Timeout | undefined;
  #reading: AbortController | undefined;
  #ended: Promise<void> = Promise.resolve();
  #isClosed = false;

  constructor(parts: SelfGrowthParts) {
    this.#parts = parts;
  }

  start(): void {
    this.#later(this.#rest);
  }

  /** Ends a reading that goes on; it begins again later. */
  makeRoom(): void {
    this.#reading?.abort();
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    this.makeRoom();
    await this.#ended;
  }

  get #rest(): number {
    return this.#parts.restMs ?? REST_MS;
  }

  #later(ms: number): void {
    if (this.#isClosed) return;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      this.#ended = this.#look();
    }, ms);
    this.#timer.unref();
  }

  async #look(): Promise<void> {
    const { growth, isOccupied, log, againMs = AGAIN_MS } = this.#parts;
    const reading = new AbortController();
    this.#reading = reading;
    try {
      if (await isOccupied()) return this.#later(this.#rest);
      const known = await growth('known', reading.signal);
      if (known.unknown === 'notRead') await growth('read', reading.signal);
      this.#later(againMs);
    } catch (error) {
      if (error instanceof OperationStopped || reading.signal.aborted) return this.#later(this.#rest);
      const reason = error instanceof Error ? error.message : String(error);
      log('warning', `How fast the log grows could not be learnt: ${reason}`);
      this.#later(againMs);
    } finally {
      if (this.#reading === reading) this.#reading = undefined;
    }
  }
}
