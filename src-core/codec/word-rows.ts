/**
 * Rows of 32-bit words in blocks: millions of rows grow without being copied, what is asked of a row together lies together, and
 * blocks that are of no more use are given back one by one. A block is so large that its memory goes back to the operating system.
 */
import { giveBack } from './give-back.ts';
import { lengthened } from './longer-column.ts';

/** What allocators ask the operating system for by itself, however often it was asked for: 32 MiB. */
const BLOCK_WORDS_BITS = 23;
/** The first block is made for a few, and grows. */
const FIRST_ROWS = 256;

export class WordRows {
  count = 0;
  readonly #rowWords: number;
  readonly #blockBits: number;
  readonly #inBlock: number;
  #blocks: Uint32Array<ArrayBuffer>[] = [];

  /** `rowWords`: of each row. `blockBits`: so many bits of a row's number say where it lies in its block. */
  constructor(rowWords: number, blockBits = BLOCK_WORDS_BITS - Math.floor(Math.log2(rowWords))) {
    this.#rowWords = rowWords;
    this.#blockBits = blockBits;
    this.#inBlock = 2 ** blockBits - 1;
  }

  /** The number of one more row, of zeros. */
  add(): number {
    const row = this.count++;
    const block = row >>> this.#blockBits;
    if (block === this.#blocks.length) {
      const rows = block === 0 ? FIRST_ROWS : this.#inBlock + 1;
      this.#blocks.push(new Uint32Array(rows * this.#rowWords));
    } else if (block === 0 && row * this.#rowWords === this.#blocks[0]!.length)
      this.#blocks[0] = lengthened(this.#blocks[0]!, row * this.#rowWords * 2);
    return row;
  }

  get(row: number, word: number): number {
    return this.#blocks[row >>> this.#blockBits]![(row & this.#inBlock) * this.#rowWords + word]!;
  }

  set(row: number, word: number, value: number): void {
    this.#blocks[row >>> this.#blockBits]![(row & this.#inBlock) * this.#rowWords + word] = value;
  }

  /**
   * The first words of the rows that are meant, as rows of so many. Nothing is left here, and no more memory is taken than these
   * need and a block.
   */
  takeFirst(rowWords: number, isMeant: (row: number) => boolean): WordRows {
    const taken = new WordRows(rowWords);
    for (let row = 0; row < this.count; row++) {
      if (isMeant(row)) {
        const into = taken.add();
        for (let word = 0; word < rowWords; word++) taken.set(into, word, this.get(row, word));
      }
      if ((row & this.#inBlock) === this.#inBlock) giveBack(this.#blocks[row >>> this.#blockBits]!);
    }
    this.clear();
    return taken;
  }

  /** Gives the memory back. */
  clear(): void {
    this.count = 0;
    for (const block of this.#blocks) if (block.length > 0) giveBack(block); // some may be given back already
    this.#blocks = [];
  }
}
