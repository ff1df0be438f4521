/** The files of a packed bundle one after the other, as the bytes of the archive come; nothing is kept of them. */
import { EngineError } from '../../errors.ts';
import { ARCHIVE_BLOCK, decodeArchiveHead, type ArchiveHead, type NoHead } from './archive-head.ts';

/** Zeros behind the end: tools fill up to a whole record, which is 10 KiB and can be made larger. */
const MOST_FILLING = 1024 * 1024;

const FAULTS: Record<Exclude<NoHead, 'end'>, string> = {
  checksum: 'there is no head of a file, or it is damaged',
  kind: 'it is no plain file but a link, a directory, a device or the like, which a bundle has none of',
  name: 'its name is none that a bundle has',
  size: 'its size is no number'
};

export class ArchiveReader {
  /** For messages. */
  readonly file: string;
  readonly #blocks: AsyncIterator<Uint8Array>;
  #block: Buffer = Buffer.alloc(0);
  /** Of what is left of the block. */
  #start = 0;
  #offset = 0;
  #left = 0;
  #padding = 0;

  /** `blocks`: of the archive, decompressed. */
  constructor(file: string, blocks: AsyncIterable<Uint8Array>) {
    this.file = file;
    this.#blocks = blocks[Symbol.asyncIterator]();
  }

  /** Bytes of the archive so far. */
  get offset(): number {
    return this.#offset;
  }

  /** The next file, whose content must have been read; undefined at the end. */
  async next(): Promise<ArchiveHead | undefined> {
    await this.#skipZeros(this.#padding, 'the content of a file is not filled up with zeros');
    this.#padding = 0;
    const at = this.#offset;
    const head = decodeArchiveHead(await this.#exactly(ARCHIVE_BLOCK));
    if (head === 'end') {
      await this.#end();
      return undefined;
    }
    if (typeof head === 'string') {
      if (at === 0) throw this.notABundle();
      throw this.fault(at, FAULTS[head]);
    }
    this.#left = head.size;
    this.#padding = (ARCHIVE_BLOCK - (head.size % ARCHIVE_BLOCK)) % ARCHIVE_BLOCK;
    return head;
  }

  /** More of the content of the file, undefined at its end. Valid until the next call. */
  async read(): Promise<Buffer | undefined> {
    if (this.#left === 0) return undefined;
    if (this.#start === this.#block.length && !(await this.#fill())) throw this.#cutShort();
    const part = this.#take(Math.min(this.#left, this.#block.length - this.#start));
    this.#left -= part.length;
    return part;
  }

  /** Ends the reading before the end. */
  async close(): Promise<void> {
    await this.#blocks.return?.();
  }

  /** `what`: the end of a sentence. */
  fault(offset: number, what: string): EngineError {
    return new EngineError({
      code: 'LogCorrupt',
      message: `The packed bundle ${this.file} is not as Winnow makes it: at offset ${offset} of the archive ${what}.`,
      remedy:
        'Ask for the file once more; nothing was unpacked. One that comes again like this was not made by Winnow.',
      details: { file: this.file, offset }
    });
  }

  notABundle(): EngineError {
    return new EngineError({
      code: 'InvalidRequest',
      message: `${this.file} is no packed bundle: it does not begin with the description of one.`,
      remedy: 'Name a bundle that was packed into one file.',
      details: { file: this.file, field: 'unpack', offset: 0 }
    });
  }

  /** To the end of the file, so that its checksum is looked at. */
  async #end(): Promise<void> {
    await this.#skipZeros(ARCHIVE_BLOCK, 'a block of zeros is followed by something else');
    const end = this.#offset;
    while (this.#start < this.#block.length || (await this.#fill())) {
      const at = this.#offset;
      const rest = this.#take(this.#block.length - this.#start);
      if (rest.some((byte) => byte !== 0) || this.#offset - end > MOST_FILLING) {
        throw this.fault(at, 'something follows the end');
      }
    }
  }

  async #skipZeros(count: number, fault: string): Promise<void> {
    const at = this.#offset;
    const zeros = await this.#exactly(count);
    if (zeros.some((byte) => byte !== 0)) throw this.fault(at, fault);
  }

  async #exactly(count: number): Promise<Buffer> {
    const parts: Buffer[] = [];
    for (let missing = count; missing > 0;) {
      if (this.#start === this.#block.length && !(await this.#fill())) throw this.#cutShort();
      const part = this.#take(Math.min(missing, this.#block.length - this.#start));
      // A copy where more follows: the next block may take the place of this one.
      parts.push(part.length === count ? part : Buffer.from(part));
      missing -= part.length;
    }
    return parts.length === 1 ? parts[0]! : Buffer.concat(parts);
  }

  #take(count: number): Buffer {
    const part = this.#block.subarray(this.#start, this.#start + count);
    this.#start += count;
    this.#offset += count;
    return part;
  }

  async #fill(): Promise<boolean> {
    for (;;) {
      const step = await this.#blocks.next();
      if (step.done === true) return false;
      if (step.value.length === 0) continue;
      const { buffer, byteOffset, length } = step.value;
      this.#block = Buffer.from(buffer, byteOffset, length);
      this.#start = 0;
      return true;
    }
  }

  #cutShort(): EngineError {
    return this.#offset < ARCHIVE_BLOCK ? this.notABundle() : this.fault(this.#offset, 'it ends too early');
  }
}
