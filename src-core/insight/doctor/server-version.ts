/**
 * What servers of different versions do differently when they start. The version is the caller's; without one it is
 * taken from the format of the newest chunk, which says when the node last ran, not what will run next: therefore
 * it is named in the answer.
 */
import { invalidRequest } from '../../errors.ts';
import type { ChunkSet } from '../../log/chunk-set.ts';

export interface ServerVersion {
  /** As given, or what stands for it. */
  text: string;
  isInferred: boolean;
  /** The newest chunk format that it reads. */
  newestChunkVersion: number;
  oldestTableVersion: number;
  newestTableVersion: number;
  /** After a truncation the process ends with exit code 0 and must be started again. */
  endsAfterTruncation: boolean;
  /** Keeps a filter over all streams that ever existed. */
  hasExistenceFilter: boolean;
  /** Knows chunks that lie in an archive instead of the directory. */
  hasArchive: boolean;
}

/** A node that has written the fourth chunk format ran on one of these last, all others on something before. */
const FIRST_WITH_FOURTH_FORMAT = '24.6.0';
const LAST_WITH_THIRD_FORMAT = '24.2.0';
const FOURTH_FORMAT = 4;

/** `23.10`, `v24.10.1`, `25.1.0-rc.1`. */
export function parseServerVersion(text: string): ServerVersion {
  const match = /^v?(\d{1,4})\.(\d{1,4})(?:\.(\d{1,6}))?(?:[-+.].*)?$/.exec(text.trim());
  if (!match) {
    throw invalidRequest(
      `"${text}" is not a server version.`,
      '--server-version',
      'Write it as 23.10.6 or 24.10.'
    );
  }
  const [major = 0, minor = 0, patch = 0] = match.slice(1, 4).map((part) => Number(part ?? 0));
  const isFrom = (from: readonly [number, number, number]): boolean => {
    const given = [major, minor, patch];
    const differing = from.findIndex((part, i) => part !== given[i]);
    return differing < 0 || given[differing]! > from[differing]!;
  };
  return {
    text: text.trim().replace(/^v/, ''),
    isInferred: false,
    newestChunkVersion: isFrom([24, 6, 0]) ? FOURTH_FORMAT : isFrom([4, 0, 0]) ? 3 : 2,
    oldestTableVersion: isFrom([24, 10, 0]) ? 2 : 1,
    newestTableVersion: isFrom([4, 1, 0]) ? 4 : isFrom([3, 9, 4]) ? 3 : isFrom([3, 9, 0]) ? 2 : 1,
    endsAfterTruncation: isFrom([24, 6, 0]),
    hasExistenceFilter: isFrom([21, 10, 0]),
    hasArchive: isFrom([25, 0, 0])
  };
}

/** The version that wrote here last, as far as the newest chunk tells; a current one for an empty directory. */
export function inferServerVersion({ chunks }: ChunkSet): ServerVersion {
  // Such a chunk asks for a reader of the third format unless it is encrypted: a changed byte does not look like that.
  const isFourth = ({ header }: ChunkSet['chunks'][number]): boolean =>
    header.version >= FOURTH_FORMAT &&
    (header.minCompatibleVersion < FOURTH_FORMAT || header.transformType !== 0);
  const isOld = chunks.length > 0 && !chunks.some(isFourth);
  const version = parseServerVersion(isOld ? LAST_WITH_THIRD_FORMAT : FIRST_WITH_FOURTH_FORMAT);
  return {
    ...version,
    text: isOld ? `before ${FIRST_WITH_FOURTH_FORMAT}` : `${FIRST_WITH_FOURTH_FORMAT} or newer`,
    isInferred: true
  };
}
