/** Memory that is used again and again for things of which each is needed only until the next one. */
export class ByteRoom {
  #buffer = new ArrayBuffer(0);

  /** As many bytes, whatever they hold; those that were taken before are the same ones. */
  take(size: number): Uint8Array<ArrayBuffer> {
    if (this.#buffer.byteLength < size) this.#buffer = new ArrayBuffer(Math.ceil(size * 1.1));
    return new Uint8Array(this.#buffer, 0, size);
  }

  /** Gives the memory back: nothing that was taken is of use any more. */
  release(): void {
    this.#buffer.transfer(0);
    this.#buffer = new ArrayBuffer(0);
  }

  takeNumbers(count: number): Float64Array<ArrayBuffer> {
    return new Float64Array(this.take(count * Float64Array.BYTES_PER_ELEMENT).buffer, 0, count);
  }
}
