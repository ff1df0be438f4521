/**
 * Goes over the prepares of a digest stream by stream, in the rising order of hashes: what holds for a stream is found out once,
 * and who looks it up by hash goes forward too.
 */
import type { StreamsCursor } from '../records/record-head.ts';
import type { ChunkDigest } from './chunk-digest.ts';
import { DigestRecord } from './digest-cursor.ts';

export class DigestStreamsCursor implements StreamsCursor {
  readonly record: DigestRecord;
  readonly #digest: ChunkDigest;
  #stream = -1;
  #next = 0;
  #end = 0;

  constructor(digest: ChunkDigest) {
    this.#digest = digest;
    this.record = new DigestRecord(digest);
  }

  nextStream(): boolean {
    const { columns, streamCount } = this.#digest;
    const stream = this.#stream + 1;
    if (stream >= streamCount) return false;
    this.#stream = stream;
    this.#next = columns.streamStarts[stream]!;
    this.#end = columns.streamStarts[stream + 1]!;
    this.record.moveToStream(stream);
    return true;
  }

  next(): boolean {
    if (this.#next >= this.#end) return false;
    const digest = this.#digest;
    const place = digest.columns.byStream[this.#next++]!;
    this.record.moveTo(place, digest.positionOf(place), digest.lengthOf(place));
    return true;
  }
}
