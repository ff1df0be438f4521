/** The bytes from a place in a chunk's data on, for look-ups whose places rise: one read serves neighbours. */
import type { OpenFile } from '../storage/file-system.ts';
import type { AtPhysical } from '../units/of-unit.ts';

export class RisingWindow {
  buffer: Buffer = Buffer.alloc(0);
  view: DataView = new DataView(this.buffer.buffer, this.buffer.byteOffset, 0);
  /** Physical offset of the first byte in the buffer. */
  start: AtPhysical = 0;
  #file: OpenFile | undefined;
  #length = 0;

  /** Bytes that are there from a place on; 0 where it lies outside. */
  availableFrom(file: OpenFile, physical: AtPhysical): number {
    if (file !== this.#file || physical < this.start) return 0;
    return Math.max(0, this.start + this.#length - physical);
  }

  /** Loads what the file has of a range. `dataStart`: where the data begins in the file. */
  load(file: OpenFile, dataStart: number, physical: AtPhysical, length: number): void {
    if (this.buffer.length < length) {
      this.buffer = Buffer.allocUnsafe(length);
      this.view = new DataView(this.buffer.buffer, this.buffer.byteOffset, length);
    }
    this.#file = undefined; // nothing is there if the read fails
    this.#length = file.read(this.buffer, 0, length, dataStart + physical);
    this.start = physical;
    this.#file = file;
  }
}
