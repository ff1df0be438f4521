/**
 * The streams of a log in the order of their names, kept beside its digests until the log changes: found by all that they were
 * made of.
 */
import {
  decodeColumns,
  derivedFileName,
  encodeColumns,
  KEPT_STREAMS,
  type ChunkDigests,
  type Database
} from '../../../src-core/index.ts';
import { StreamColumns, type StreamColumnsImage } from './stream-columns.ts';

/** Changes whenever what is kept, or how, changes. */
const FORM = 'WNWSTR01';
const MOST_KEPT = 1;

export class KeptStreams {
  readonly #digests: ChunkDigests;
  readonly #database: Database;
  readonly #identity: string;

  constructor(database: Database, digests: ChunkDigests) {
    this.#digests = digests;
    this.#database = database;
    this.#identity = this.#identityNow();
  }

  load(): StreamColumns | undefined {
    const identity = this.#identity;
    return this.#digests.files?.load(derivedFileName(identity, KEPT_STREAMS), (bytes) => {
      const decoded = decodeColumns<null>(bytes, { form: FORM, identity });
      if (!decoded) return undefined;
      const { next } = decoded;
      return StreamColumns.over({
        names: {
          ends: next(Uint32Array),
          bytes: next(Uint8Array),
          tags: next(Uint32Array),
          slots: next(Uint32Array)
        },
        values: [
          next(Float64Array),
          next(Float64Array),
          next(Float64Array),
          next(Float64Array),
          next(Float64Array)
        ],
        marks: next(Uint8Array)
      });
    });
  }

  /** Unless the log has changed since they were asked for. */
  save({ names, values, marks }: StreamColumnsImage): void {
    const { files } = this.#digests;
    const identity = this.#identity;
    if (!files || this.#identityNow() !== identity) return;
    const { ends, bytes, tags, slots } = names;
    files.save(derivedFileName(identity, KEPT_STREAMS), () =>
      encodeColumns({ form: FORM, identity, facts: null }, [ends, bytes, tags, slots, ...values, marks])
    );
    files.keepNewest(KEPT_STREAMS, MOST_KEPT);
  }

  #identityNow(): string {
    return this.#digests.identityOf(this.#database.log.chunks);
  }
}
