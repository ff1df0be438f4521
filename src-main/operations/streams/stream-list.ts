/** All streams of a log in the order of their names, in parts: a stream is known by its place in the whole. */
import { compareNames } from './name-order.ts';
import type { StreamRows } from './stream-rows.ts';

interface Part {
  rows: StreamRows;
  /** Place of its first stream. */
  start: number;
  end: number;
  firstName: Buffer;
}

export class StreamList {
  readonly count: number;
  readonly #parts: readonly Part[];
  /** That was asked last. */
  #part: Part;

  /** In the order of names, which no two have in common. */
  constructor(parts: readonly StreamRows[]) {
    let start = 0;
    this.#parts = parts
      .filter(({ count }) => count > 0)
      .map((rows) => {
        const firstName = Buffer.from(rows.names.bytesOf(0));
        const part = { rows, start, end: start + rows.count, firstName };
        start = part.end;
        return part;
      });
    this.count = start;
    this.#part = this.#parts[0]!;
  }

  name(at: number): string {
    const { rows, start } = this.#of(at);
    return rows.names.name(at - start);
  }

  /** The UTF-8 of its name, valid until another name is asked for. */
  nameBytes(at: number): Buffer {
    const { rows, start } = this.#of(at);
    return rows.names.bytesOf(at - start);
  }

  find(stream: string): number | undefined {
    return this.findBytes(Buffer.from(stream, 'utf8'));
  }

  /** By the UTF-8 of its name. */
  findBytes(name: Buffer): number | undefined {
    const at = this.#firstFrom(name);
    return at < this.count && this.nameBytes(at).equals(name) ? at : undefined;
  }

  /** The places of all streams whose names start with this; the second is not one of them. */
  startingWith(prefix: string): [from: number, to: number] {
    const from = this.#firstFrom(Buffer.from(prefix, 'utf8'));
    let [low, high] = [from, this.count];
    while (low < high) {
      const middle = Math.floor((low + high) / 2);
      if (this.name(middle).startsWith(prefix)) low = middle + 1;
      else high = middle;
    }
    return [from, low];
  }

  eventCount(at: number): number {
    const { rows, start } = this.#of(at);
    return rows.eventCount(at - start);
  }

  bytes(at: number): number {
    const { rows, start } = this.#of(at);
    return rows.bytes(at - start);
  }

  /** Lowest number seen, Infinity without one. */
  first(at: number): number {
    const { rows, start } = this.#of(at);
    return rows.first(at - start);
  }

  /** Highest number seen, -1 without one. */
  last(at: number): number {
    const { rows, start } = this.#of(at);
    return rows.last(at - start);
  }

  /** Of a metastream: position of the event that holds the metadata. */
  metadata(at: number): number | undefined {
    const { rows, start } = this.#of(at);
    return rows.metadata(at - start);
  }

  hasExplicitTransaction(at: number): boolean {
    const { rows, start } = this.#of(at);
    return rows.hasExplicitTransaction(at - start);
  }

  /** The first stream whose name is not below this one; `count` where all are. */
  #firstFrom(name: Buffer): number {
    let [low, high] = [0, this.#parts.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (compareNames(this.#parts[middle]!.firstName, name) <= 0) low = middle + 1;
      else high = middle;
    }
    const part = this.#parts[low - 1];
    return part ? part.start + part.rows.names.firstFrom(name) : 0;
  }

  #of(at: number): Part {
    if (at >= this.#part.start && at < this.#part.end) return this.#part;
    let [low, high] = [0, this.#parts.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#parts[middle]!.end <= at) low = middle + 1;
      else high = middle;
    }
    return (this.#part = this.#parts[low]!);
  }
}
