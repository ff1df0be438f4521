/**
 * Questions to file systems that may not answer: a share of a machine that is gone keeps its caller waiting in the kernel, and
 * nothing ends that. Each such wait holds one of the few threads that this process has for files, so at most MOST_AT_ONCE
 * questions are under way, those that were given up included; the rest of the service keeps its threads.
 */
import { EngineError } from '../../../src-core/index.ts';

/** Of the four threads that Node has for files. */
export const MOST_AT_ONCE = 2;
const PATIENCE_MS = 5000;

export class FileTurns {
  readonly #patienceMs: number;
  #underWay = 0;
  #waiting: (() => void)[] = [];

  constructor(patienceMs = PATIENCE_MS) {
    this.#patienceMs = patienceMs;
  }

  /** `look` ends soon after `signal` fires, or whenever the file system answers. Throws StorageFailed if it takes too long. */
  async run<T>(look: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const given = new AbortController();
    const tooLong = Promise.withResolvers<never>();
    const patience = setTimeout(() => {
      given.abort();
      tooLong.reject(noAnswer(this.#patienceMs));
    }, this.#patienceMs);
    try {
      return await Promise.race([this.#whenFree(look, given.signal), tooLong.promise]);
    } finally {
      clearTimeout(patience);
    }
  }

  async #whenFree<T>(look: (signal: AbortSignal) => Promise<T>, signal: AbortSignal): Promise<T> {
    if (this.#underWay >= MOST_AT_ONCE) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    else this.#underWay++;
    try {
      if (signal.aborted) throw noAnswer(this.#patienceMs);
      return await look(signal);
    } finally {
      const next = this.#waiting.shift();
      if (next) next();
      else this.#underWay--;
    }
  }
}

function noAnswer(patienceMs: number): EngineError {
  return new EngineError({
    code: 'StorageFailed',
    message: `The file system has not answered for ${patienceMs / 1000} seconds.`,
    remedy: 'Check whether a network share is gone, and try again.',
    details: {}
  });
}
