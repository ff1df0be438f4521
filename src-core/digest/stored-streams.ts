/** The streams of a stored digest in pieces: a log may have more of them than memory should hold. */
import { giveBack } from '../codec/give-back.ts';
import { ColumnPieces, type ColumnPlace, type ReadPart } from '../codec/column-file.ts';
import type { StreamPiece } from './stream-run.ts';

export type StreamPlaces = Record<'hashHigh' | 'hashLow' | 'nameEnds' | 'names', ColumnPlace>;

/** Hands over what reads from the file of the digest; undefined where that fails. */
export type WithFile = <T>(find: (read: ReadPart) => T | undefined) => T | undefined;

const WORD = Uint32Array.BYTES_PER_ELEMENT;

export class StoredStreams {
  readonly #withFile: WithFile;
  readonly #most: number;
  readonly #hashHigh: ColumnPieces;
  readonly #hashLow: ColumnPieces;
  readonly #nameEnds: ColumnPieces;
  readonly #names: ColumnPieces;
  #left: number;
  #namesFrom = 0;
  #isFailed = false;

  /** `most`: streams of a piece. */
  constructor(places: StreamPlaces, most: number, withFile: WithFile) {
    this.#withFile = withFile;
    this.#most = most;
    this.#hashHigh = new ColumnPieces(places.hashHigh);
    this.#hashLow = new ColumnPieces(places.hashLow);
    this.#nameEnds = new ColumnPieces(places.nameEnds);
    this.#names = new ColumnPieces(places.names);
    this.#left = Math.floor(this.#hashHigh.length / WORD);
  }

  /** undefined after the last one, or when it cannot be read. */
  next(): StreamPiece | undefined {
    if (this.#left === 0 || this.#isFailed) return undefined;
    const count = Math.min(this.#left, this.#most);
    const piece = this.#withFile((read) => this.#read(read, count));
    if (piece === undefined) this.#isFailed = true;
    this.#left -= count;
    return piece;
  }

  /** All pieces were read, and each was as it was written. Until then none is to be believed. */
  get isSound(): boolean {
    const columns = [this.#hashHigh, this.#hashLow, this.#nameEnds, this.#names];
    return !this.#isFailed && columns.every(({ isSound }) => isSound);
  }

  #read(read: ReadPart, count: number): StreamPiece | undefined {
    const hashHigh = this.#hashHigh.next(read, count * WORD);
    const hashLow = this.#hashLow.next(read, count * WORD);
    const ends = this.#nameEnds.next(read, count * WORD);
    if (!hashHigh || !hashLow || !ends) return undefined;
    const nameEnds = wordsOf(ends);
    const namesFrom = this.#namesFrom;
    if (!isRising(nameEnds, namesFrom)) return undefined;
    const namesEnd = nameEnds[count - 1]!;
    const names = this.#names.next(read, namesEnd - namesFrom);
    if (!names) return undefined;
    this.#namesFrom = namesEnd;
    const release = () => {
      for (const column of [hashHigh, hashLow, ends, names]) giveBack(column);
    };
    return { hashHigh: wordsOf(hashHigh), hashLow: wordsOf(hashLow), nameEnds, names, namesFrom, release };
  }
}

function wordsOf({ buffer, byteOffset, length }: Uint8Array<ArrayBuffer>): Uint32Array {
  return new Uint32Array(buffer, byteOffset, Math.floor(length / WORD));
}

function isRising(ends: Uint32Array, from: number): boolean {
  let last = from;
  for (const end of ends) {
    if (end < last) return false;
    last = end;
  }
  return true;
}
