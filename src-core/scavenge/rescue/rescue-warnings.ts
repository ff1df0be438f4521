/** What a rescue says of what it had to leave, and the error where it could do nothing. Words only. */
import { EngineError } from '../../errors.ts';
import type { ScavengeWarning } from '../scavenge-result.ts';
import { counted } from '../../units/counted.ts';

const MORE_ROOM =
  'Free space on this volume by other means, or allow more with "--scratch" and "--reserve"; ';

/** A file that waits for room. */
export interface WaitingFile {
  fileName: string;
  newFileSize: number;
}

/** Chunks are left, others were freed. */
export function waitingWarning(left: readonly WaitingFile[], roomBytes: number): ScavengeWarning {
  return {
    code: 'chunksLeft',
    message: `${described(left)} unchanged: the smallest new file needs ${least(left)} bytes, ${roomOf(roomBytes)}.`,
    remedy: `${MORE_ROOM}then run the rescue again: it resumes where it stopped.`
  };
}

/** Index tables are left. */
export function tablesLeftWarning(left: readonly WaitingFile[], roomBytes: number): ScavengeWarning {
  return {
    code: 'tablesLeft',
    message:
      `The chunks are done. Index tables are left as they are: ${names(left)}. The smallest new one needs ` +
      `${least(left)} bytes, ${roomOf(roomBytes)}.`,
    remedy: `${MORE_ROOM}then run the rescue again: it resumes where it stopped. Until then readers skip these entries.`
  };
}

/** Nothing was freed, and nothing can be. */
export function noChunkFits(left: readonly WaitingFile[], roomBytes: number): EngineError {
  return new EngineError({
    code: 'StorageFailed',
    message:
      `No chunk could be replaced: the smallest new file needs ${least(left)} bytes beside the old one, ` +
      `${roomOf(roomBytes)}. No chunk was changed.`,
    remedy: `${MORE_ROOM}then run the rescue again.`,
    details: {
      file: left[0]!.fileName,
      neededBytes: least(left),
      freeBytes: Math.max(0, roomBytes),
      osCode: 'ENOSPC'
    }
  });
}

function described(left: readonly WaitingFile[]): string {
  return `${counted(left.length, 'chunk is', 'chunks are')} (${names(left)})`;
}

const MOST_NAMES = 5;

function names(left: readonly WaitingFile[]): string {
  const some = left.slice(0, MOST_NAMES).map(({ fileName }) => fileName);
  return left.length > MOST_NAMES ? `${some.join(', ')}, …` : some.join(', ');
}

function least(left: readonly WaitingFile[]): number {
  return Math.min(...left.map(({ newFileSize }) => newFileSize));
}

function roomOf(roomBytes: number): string {
  return `${Math.max(0, roomBytes)} may be used`;
}
