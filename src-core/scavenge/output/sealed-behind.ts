/**
 * Files that are sealed and put in place while the next ones are written. How many that may be depends on the room there is;
 * where there is none, each is awaited before the next one.
 */
import type { ChunkOutput } from './chunk-output.ts';

export class SealedBehind {
  readonly #output: Pick<ChunkOutput, 'mayWriteMore' | 'awaitSeals'>;
  readonly #running = new Set<Promise<void>>();
  #writersWaiting = 0;
  #failure: { reason: unknown } | undefined;

  private constructor(output: Pick<ChunkOutput, 'mayWriteMore' | 'awaitSeals'>) {
    this.#output = output;
  }

  /** Resolves once everything is written and in place; rejects with the first failure, when nothing is at work any more. */
  static async run(
    output: Pick<ChunkOutput, 'mayWriteMore' | 'awaitSeals'>,
    write: (behind: SealedBehind) => Promise<void>
  ): Promise<void> {
    const behind = new SealedBehind(output);
    output.awaitSeals(false);
    const [written] = await Promise.allSettled([write(behind)]);
    output.awaitSeals(true); // from here on nothing more comes
    while (behind.#running.size > 0) await Promise.all(behind.#running);
    if (written.status === 'rejected') throw written.reason;
    behind.#throwFailure();
  }

  /** One of them could not be put in place: the others are given up. */
  get hasFailed(): boolean {
    return this.#failure !== undefined;
  }

  /** Resolves once another file may be written; rejects once one of those that were added has failed. */
  async add(work: Promise<unknown>): Promise<void> {
    const settled = work.then(
      () => undefined,
      (reason: unknown) => void (this.#failure ??= { reason })
    );
    const running: Promise<void> = settled.finally(() => this.#running.delete(running));
    this.#running.add(running);
    while (this.#running.size > 0 && !this.hasFailed && !this.#output.mayWriteMore(this.#running.size)) {
      await this.#wait(Promise.race(this.#running));
    }
    this.#throwFailure();
  }

  async #wait(some: Promise<unknown>): Promise<void> {
    this.#writersWaiting++;
    this.#output.awaitSeals(true);
    try {
      await some;
    } finally {
      this.#output.awaitSeals(--this.#writersWaiting > 0);
    }
  }

  #throwFailure(): void {
    if (this.#failure) throw this.#failure.reason;
  }
}
