/** A volume of a few MiB in memory, for disks that run full under a real process. Linux, and root only. */
import { spawnSync } from 'node:child_process';
import { closeSync, existsSync, mkdirSync, openSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';

const SIZE = '24m';
const BLOCK = Buffer.alloc(16 * 1024, 1);

export class SmallDisk {
  readonly #directory: string;

  private constructor(directory: string) {
    this.#directory = directory;
  }

  /** undefined where mounting is not allowed. The directory is made. */
  static mount(directory: string): SmallDisk | undefined {
    mkdirSync(directory);
    const { status } = spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${SIZE}`, 'tmpfs', directory], {
      stdio: 'ignore'
    });
    return status === 0 ? new SmallDisk(directory) : undefined;
  }

  /** Takes all the space that is left. */
  fill(): void {
    const ballast = openSync(this.#ballast, 'a');
    try {
      for (;;) writeSync(ballast, BLOCK);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
    } finally {
      closeSync(ballast);
    }
  }

  /** Gives it back. */
  empty(): void {
    if (existsSync(this.#ballast)) rmSync(this.#ballast);
  }

  unmount(): void {
    // A process that was killed a moment ago may still be on its way out; the volume then goes with it.
    const { status } = spawnSync('umount', [this.#directory], { stdio: 'ignore' });
    if (status !== 0) spawnSync('umount', ['--lazy', this.#directory]);
  }

  get #ballast(): string {
    return join(this.#directory, 'ballast');
  }
}
