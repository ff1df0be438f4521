/** The bytes of a file that is kept in memory. What was never written reads as zeros. A clone shares them until one of both is changed. */
export class GrowableBytes {
  #bytes = new Uint8Array(0);
  #size = 0;
  #isShared = false;

  get size(): number {
    return this.#size;
  }

  read(target: Uint8Array, targetOffset: number, length: number, position: number): number {
    const count = Math.max(0, Math.min(length, this.#size - position));
    target.set(this.#bytes.subarray(position, position + count), targetOffset);
    return count;
  }

  write(source: Uint8Array, position: number): void {
    const end = position + source.length;
    if (end > this.#bytes.length) this.#copyTo(Math.max(end, this.#bytes.length * 2, 256));
    else this.#own();
    this.#bytes.set(source, position);
    this.#size = Math.max(this.#size, end);
  }

  truncate(size: number): void {
    // What lay behind the new end must not come back when the file grows again.
    if (size < this.#size) {
      this.#own();
      this.#bytes.fill(0, size, this.#size);
    } else if (size > this.#size) this.write(new Uint8Array(0), size);
    this.#size = size;
  }

  clone(): GrowableBytes {
    const copy = new GrowableBytes();
    copy.#bytes = this.#bytes;
    copy.#size = this.#size;
    copy.#isShared = this.#isShared = true;
    return copy;
  }

  #own(): void {
    if (this.#isShared) this.#copyTo(this.#bytes.length);
  }

  #copyTo(length: number): void {
    const copy = new Uint8Array(length);
    copy.set(this.#bytes.subarray(0, this.#size));
    this.#bytes = copy;
    this.#isShared = false;
  }
}
