/** The bytes before a place in a chunk's data, for walking backward: one read serves many records. */
import type { OpenFile } from '../storage/file-system.ts';
import type { AtPhysical } from '../units/of-unit.ts';

/** Some hundred usual records. */
const WALK_BYTES = 64 * 1024;

export class BackwardWindow {
  readonly buffer: Buffer;
  readonly view: DataView;
  /** Physical offset of the first byte in the buffer. */
  start: AtPhysical = 0;
  #file: OpenFile | undefined;
  #end: AtPhysical = 0;

  /** `bytes`: less for who wants the last record only. */
  constructor(bytes = WALK_BYTES) {
    this.buffer = Buffer.alloc(bytes);
    this.view = new DataView(this.buffer.buffer, this.buffer.byteOffset, bytes);
  }

  /**
   * Loads the bytes that end at `end` unless those from `from` are there; false: that is more than the window takes.
   * `dataStart`: where the data begins in the file. What the file does not have is zero.
   */
  cover(file: OpenFile, dataStart: number, from: AtPhysical, end: AtPhysical): boolean {
    if (end - from > this.buffer.length) return false;
    if (file === this.#file && from >= this.start && end <= this.#end) return true;
    this.#file = file;
    this.#end = end;
    this.start = Math.max(0, end - this.buffer.length);
    const count = file.read(this.buffer, 0, end - this.start, dataStart + this.start);
    this.buffer.fill(0, count);
    return true;
  }
}
