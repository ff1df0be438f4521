/**
 * Blocks of several parts in one file for the work of a moment: written as they come, read part by part. Once a block could not
 * be written, on a full volume for instance, none is, and the file is of no use.
 */
import { EngineError, requireFault } from '../errors.ts';
import { ByteRoom } from './byte-room.ts';
import type { OpenFile } from './file-system.ts';

interface Block {
  position: number;
  length: number;
}

export class ScratchBlocks {
  readonly #file: OpenFile;
  /** Of each part. */
  readonly #blocks: Block[][];
  #end = 0;
  #isLost = false;

  /** `file` is closed with the blocks. */
  constructor(file: OpenFile, partCount: number) {
    this.#file = file;
    this.#blocks = Array.from({ length: partCount }, () => []);
  }

  /** False: a block could not be written. */
  get isWhole(): boolean {
    return !this.#isLost;
  }

  /** `encode` is told what the bytes must say of themselves, for `decode` to know them by. */
  write(part: number, encode: (identity: string) => Uint8Array): void {
    if (this.#isLost) return;
    const position = this.#end;
    const bytes = encode(String(position));
    try {
      this.#file.write(bytes, 0, bytes.length, position);
    } catch (error) {
      requireFault(error);
      this.#isLost = true;
      return;
    }
    this.#blocks[part]!.push({ position, length: bytes.length });
    this.#end += bytes.length;
  }

  /**
   * The blocks of a part as they were written, each valid until the next one. Throws the error of a file that cannot be read,
   * or of which `decode` makes nothing.
   */
  *of<T>(
    part: number,
    decode: (bytes: Uint8Array<ArrayBuffer>, identity: string) => T | undefined
  ): Generator<T> {
    const room = new ByteRoom();
    for (const { position, length } of this.#blocks[part]!) {
      const bytes = room.take(length);
      const isRead = this.#file.read(bytes, 0, length, position) === length;
      const block = isRead ? decode(bytes, String(position)) : undefined;
      if (block === undefined) throw brokenScratch(this.#file.path, position);
      yield block;
    }
  }

  close(): void {
    this.#file.close();
  }
}

function brokenScratch(file: string, position: number): EngineError {
  return new EngineError({
    code: 'StorageFailed',
    message: `${file} does not hold at ${position} what was written there a moment ago.`,
    remedy: 'Check the volume of WINNOW_HOME, or use another one.',
    details: { file, position }
  });
}
