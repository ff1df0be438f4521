/**
 * Seals new files. They are hashed side by side, which takes less than half of the time: they wait for each other until there
 * are enough of them, or somebody waits for them.
 */
import type { UnsealedChunk } from '../../chunks/unsealed-chunk.ts';
import { LANES, LANES_OF_VECTOR } from '../../codec/md5-lanes.ts';
import type { SealingWorkers } from './rewrite-workers.ts';

interface Waiting {
  file: UnsealedChunk;
  resolve: (sealed: Promise<void>) => void;
}

export class Sealing {
  readonly #workers: SealingWorkers;
  readonly #waiting: Waiting[] = [];
  #groups = 0;
  #isAwaited = true;

  constructor(workers: SealingWorkers) {
    this.#workers = workers;
  }

  /** Resolves once the file has its hash and is flushed; rejects when it cannot be read or written. */
  seal(file: UnsealedChunk): Promise<void> {
    return new Promise((resolve) => {
      this.#waiting.push({ file, resolve });
      this.#hashNext();
    });
  }

  /** No more come before some are sealed. False: others will come, or somebody will wait. */
  set isAwaited(isAwaited: boolean) {
    this.#isAwaited = isAwaited;
    this.#hashNext();
  }

  #hashNext(): void {
    const isEnough = this.#waiting.length >= (this.#isAwaited ? 1 : LANES_OF_VECTOR);
    if (!isEnough || this.#groups === this.#workers.count) return;
    this.#groups++;
    void this.#sealTogether(this.#waiting.splice(0, LANES)).finally(() => {
      this.#groups--;
      this.#hashNext();
    });
  }

  async #sealTogether(group: readonly Waiting[]): Promise<void> {
    const together = this.#workers.hashes(group.map(({ file }) => file));
    const sealed = group.map(async ({ file }, i) => {
      // One that cannot be read fails alone.
      const md5 = await together.then(
        (hashes) => hashes[i]!,
        async () => (await this.#workers.hashes([file]))[0]!
      );
      await this.#workers.seal(file, md5);
    });
    for (const [i, { resolve }] of group.entries()) resolve(sealed[i]!);
    await Promise.allSettled(sealed);
  }
}
