/** First users of hashes in memory: the bytes of their names one behind the other. */
import { HashRows } from './hash-rows.ts';
import type { NameBytes } from '../known-names.ts';
import type { HashUserTable } from '../state-tables.ts';

const FIRST_NAME_BYTES = 16_384;

export class MemoryHashUsers implements HashUserTable {
  #rows = new HashRows();
  /** Beginning of each name, and the end of the last. */
  #start = new Float64Array(this.#rows.capacity + 1);
  #names = Buffer.allocUnsafe(FIRST_NAME_BYTES);

  get count(): number {
    return this.#rows.count;
  }

  get isEmpty(): boolean {
    return this.count === 0;
  }

  isNew(high: number, low: number): boolean {
    return this.#rows.find(high, low) < 0;
  }

  get(high: number, low: number): string | undefined {
    const row = this.#rows.find(high, low);
    return row < 0 ? undefined : this.#names.toString('utf8', this.#start[row], this.#start[row + 1]);
  }

  put(high: number, low: number, stream: string): void {
    const bytes = Buffer.from(stream, 'utf8');
    this.putBytes(high, low, { bytes, streamStart: 0, streamEnd: bytes.length });
  }

  putBytes(high: number, low: number, { bytes, streamStart, streamEnd }: Omit<NameBytes, 'view'>): void {
    const row = this.#rows.add(high, low);
    if (this.#start.length <= this.#rows.capacity) this.#growStarts();
    const start = this.#start[row]!;
    const end = start + streamEnd - streamStart;
    if (end > this.#names.length) this.#growNames(start, end);
    bytes.copy(this.#names, start, streamStart, streamEnd);
    this.#start[row + 1] = end;
  }

  /** Gives the memory back; nobody asks any more. */
  giveUp(): void {
    this.#rows = new HashRows();
    this.#start = new Float64Array(this.#rows.capacity + 1);
    this.#names = Buffer.allocUnsafe(FIRST_NAME_BYTES);
  }

  flush(): void {
    // Nothing waits.
  }

  forget(): void {
    // The state in memory is not used any more once it was undone.
  }

  forEach(visit: (high: number, low: number, name: string) => void): void {
    const { high, low, count } = this.#rows;
    for (let row = 0; row < count; row++) visit(high[row]!, low[row]!, this.get(high[row]!, low[row]!)!);
  }

  get bytes(): number {
    const { bytes, count } = this.#rows;
    return bytes + count * Float64Array.BYTES_PER_ELEMENT + this.#start[count]!;
  }

  #growStarts(): void {
    const larger = new Float64Array(this.#rows.capacity + 1);
    larger.set(this.#start);
    this.#start = larger;
  }

  #growNames(used: number, needed: number): void {
    const larger = Buffer.allocUnsafe(Math.max(this.#names.length * 2, needed));
    this.#names.copy(larger, 0, 0, used);
    this.#names = larger;
  }
}
