/** The bytes of a file that is kept in memory. What was never written reads as zeros. */
export class GrowableBytes {
  #bytes = new Uint8Array(0);
  #size = 0;

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
    if (end > this.#bytes.length) {
      const grown = new Uint8Array(Math.max(end, this.#bytes.length * 2, 256));
      grown.set(this.#bytes.subarray(0, this.#size));
      this.#bytes = grown;
    }
    this.#bytes.set(source, position);
    this.#size = Math.max(this.#size, end);
  }

  truncate(size: number): void {
    // What lay behind the new end must not come back when the file grows again.
    if (size < this.#size) this.#bytes.fill(0, size, this.#size);
    else if (size > this.#size) this.write(new Uint8Array(0), size);
    this.#size = size;
  }

  clone(): GrowableBytes {
    const copy = new GrowableBytes();
    copy.#bytes = this.#bytes.slice(0, this.#size);
    copy.#size = this.#size;
    return copy;
  }
}
