/**
 * Whose entry of the index this is. An entry holds a hash and a position, no name; the record at the position says
 * whose it is as long as it is there. Without the record an entry counts for every stream with that hash: two streams
 * may share one, and a report must not call erased what may still be there.
 */
import { hashStream, type StreamHasher } from '../../index/stream-hash.ts';
import type { EntryOwners } from './examine-file.ts';

export interface NamedSubject {
  subject: number;
  stream: string;
}

/** `nameAt` gives the stream of the record at a position, undefined where there is none to be read. */
export function entryOwners(
  streams: readonly NamedSubject[],
  nameAt: (position: number) => string | undefined,
  hasher: StreamHasher = hashStream
): EntryOwners {
  const byHash = new Map<string, { subject: number; name: string }[]>();
  const highs = new Set<number>();
  for (const { subject, stream } of streams) {
    for (const name of [stream, `$$${stream}`]) {
      const { high, low } = hasher(name);
      highs.add(high);
      const key = `${high}/${low}`;
      const all = byHash.get(key);
      if (all) all.push({ subject, name });
      else byHash.set(key, [{ subject, name }]);
    }
  }
  return {
    highs,
    ownersOf({ hashHigh, hashLow, position }) {
      const named = byHash.get(`${hashHigh}/${hashLow}`);
      if (!named) return [];
      const stream = nameAt(position);
      return named
        .filter(({ name }) => stream === undefined || stream === name)
        .map(({ subject }) => subject);
    }
  };
}
