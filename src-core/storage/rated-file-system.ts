/** Any file system, with the bytes of its files counted against a rate. It delays nothing itself. */
import type { ByteRate } from './byte-rate.ts';
import type { FileSystem, OpenFile, OpenMode } from './file-system.ts';
import { PassThroughFile, PassThroughFileSystem } from './pass-through.ts';

export class RatedFileSystem extends PassThroughFileSystem {
  readonly #rate: ByteRate;

  constructor(inner: FileSystem, rate: ByteRate) {
    super(inner);
    this.#rate = rate;
  }

  override open(path: string, mode: OpenMode): OpenFile {
    return new RatedFile(super.open(path, mode), this.#rate);
  }
}

class RatedFile extends PassThroughFile {
  readonly #rate: ByteRate;

  constructor(inner: OpenFile, rate: ByteRate) {
    super(inner);
    this.#rate = rate;
  }

  override read(target: Uint8Array, targetOffset: number, length: number, position: number): number {
    const count = super.read(target, targetOffset, length, position);
    this.#rate.count(count);
    return count;
  }
  override write(source: Uint8Array, sourceOffset: number, length: number, position: number): void {
    super.write(source, sourceOffset, length, position);
    this.#rate.count(length);
  }
}
