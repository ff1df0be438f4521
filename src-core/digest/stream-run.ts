/** The streams of a chunk by the rising order of their hashes, one after the other. */
import type { ChunkDigest } from './chunk-digest.ts';

/** Streams that follow each other in a digest, and their names one behind the other. */
export interface StreamPiece {
  hashHigh: Uint32Array;
  hashLow: Uint32Array;
  /** Where each name ends, counted from the first name of the digest. */
  nameEnds: Uint32Array;
  names: Uint8Array;
  /** Where `names` begins, counted in the same way. */
  namesFrom: number;
  /** Gives the memory back; a piece that others know has none. */
  release?: () => void;
}

/** Where the next name lies, and what it hashes to; means something after `next` was true. */
export interface NamedHash {
  readonly high: number;
  readonly low: number;
  readonly names: Uint8Array;
  readonly nameStart: number;
  readonly nameEnd: number;
  next(): boolean;
  /** Of names that were passed, none is needed any more but the one where it stands. */
  releasePassed?(): void;
}

/** Streams that may turn out not to be what was stored. */
export interface CheckedStreams {
  run: StreamRun;
  /** Asked after the last stream; false: some of them were not as they were stored. */
  isSound: () => boolean;
}

export class StreamRun implements NamedHash {
  high = 0;
  low = 0;
  names: Uint8Array = new Uint8Array(0);
  nameStart = 0;
  nameEnd = 0;
  readonly #nextPiece: () => StreamPiece | undefined;
  #piece: StreamPiece | undefined;
  #passed: StreamPiece[] = [];
  #at = 0;
  #end = 0;

  /** `nextPiece`: none of them empty; undefined after the last one. */
  constructor(nextPiece: () => StreamPiece | undefined) {
    this.#nextPiece = nextPiece;
  }

  static ofDigest({ columns }: ChunkDigest): StreamRun {
    const { hashHigh, hashLow, nameEnds, names } = columns;
    let isTaken = hashHigh.length === 0;
    return new StreamRun(() => {
      if (isTaken) return undefined;
      isTaken = true;
      return { hashHigh, hashLow, nameEnds, names, namesFrom: 0 };
    });
  }

  next(): boolean {
    if (this.#at === this.#end && !this.#takePiece()) return false;
    const { hashHigh, hashLow, nameEnds, namesFrom } = this.#piece!;
    const at = this.#at++;
    this.high = hashHigh[at]!;
    this.low = hashLow[at]!;
    this.nameStart = this.nameEnd;
    this.nameEnd = nameEnds[at]! - namesFrom;
    return true;
  }

  releasePassed(): void {
    for (const piece of this.#passed) piece.release?.();
    this.#passed = [];
  }

  #takePiece(): boolean {
    if (this.#piece) this.#passed.push(this.#piece);
    this.#piece = undefined;
    const piece = this.#nextPiece();
    if (piece === undefined) return false;
    this.#piece = piece;
    this.names = piece.names;
    this.nameEnd = 0;
    this.#at = 0;
    this.#end = piece.hashHigh.length;
    return true;
  }
}
