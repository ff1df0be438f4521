/**
 * The merged entries of chunks that no longer change, as a file: what no index table holds is merged once, not for every
 * question. It is found by all that it was made of, and a changed one is not used.
 */
import type { Chunk } from '../chunks/chunk.ts';
import { columnPieces, decodeColumns } from '../codec/column-file.ts';
import { EntryBlock } from '../index/index-entry.ts';
import type { RecentRange } from '../index/read-recent-entries.ts';
import type { DerivedFiles } from '../storage/derived-files.ts';
import { KEPT_RECENT } from './chunk-digests.ts';
import { derivedFileName } from './digest-identity.ts';
import type { KeptRecent } from './recent-from-digests.ts';

/** Changes whenever what is kept, or how, changes. */
const FORM = 'WNWREC01';
/** Of one database: before and after a check point of the index. */
const MOST_KEPT = 2;
/** A hundred megabytes. A server writes a table of every million. */
const MOST_ENTRIES = 4_000_000;

export function keptRecentIn(
  files: DerivedFiles,
  identityOf: (chunks: readonly Chunk[]) => string
): KeptRecent {
  const nameOf = (chunks: readonly Chunk[], { commitCheckpoint, prepareCheckpoint }: RecentRange) => {
    const identity = JSON.stringify([commitCheckpoint, prepareCheckpoint, identityOf(chunks)]);
    return { identity, name: derivedFileName(identity, KEPT_RECENT) };
  };
  return {
    load(chunks, range) {
      const { identity, name } = nameOf(chunks, range);
      return files.load(name, (bytes) => {
        const decoded = decodeColumns<null>(bytes, { form: FORM, identity });
        if (!decoded) return undefined;
        const { next } = decoded;
        return EntryBlock.over({
          number: next(Float64Array),
          position: next(Float64Array),
          hashHigh: next(Uint32Array),
          hashLow: next(Uint32Array)
        });
      });
    },
    save(chunks, range, { number, position, hashHigh, hashLow, count }) {
      if (count > MOST_ENTRIES) return;
      const { identity, name } = nameOf(chunks, range);
      const columns = [number, position, hashHigh, hashLow].map((column) => column.subarray(0, count));
      files.save(name, () => columnPieces({ form: FORM, identity, facts: null }, columns));
      files.keepNewest(KEPT_RECENT, MOST_KEPT);
    }
  };
}
