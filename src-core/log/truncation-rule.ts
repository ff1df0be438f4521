/**
 * The rule by which the server cuts a log at truncate.chk, and the only place that knows it: pure, over what names
 * and headers say, so that it can be asked of a directory, of a backup's manifest, of a copy made by hand.
 *
 * Every position other than -1 takes effect. There is no case "at or after the end, so nothing to cut": a scavenged
 * chunk that holds the position goes as a whole, with all behind it, and so does the chunk that begins at it, even
 * where the writer has come no further. Description: docs/operations/restore.md, "What truncation does".
 */
import { chunkNumberOf, chunkStartPosition } from '../units/log-position.ts';
import { counted } from '../units/counted.ts';

export interface NewestFile {
  file: string;
  startNumber: number;
  /** Inclusive. */
  endNumber: number;
  isScavenged: boolean;
}

export interface LogFile {
  file: string;
  /** Size of the file. */
  bytes: number;
  startNumber: number;
  /** False for a chunk that was only made ready for its first record. */
  holdsRecords: boolean;
}

export interface RuleQuestion {
  chunkSizeBytes: number;
  /** What writer.chk says. */
  writer: number;
  /** What truncate.chk says; not -1. */
  requested: number;
  /** The newest file of each chunk number, in their order. */
  newest: readonly NewestFile[];
  /** All chunk files, superseded ones too. */
  files: readonly LogFile[];
}

export interface TruncationDecision {
  /** What truncate.chk says. */
  requested: number;
  /** Where the cut falls: before `requested` when that lies in a scavenged chunk. May be behind the writer. */
  cutAt: number;
  /** Where the log ends afterwards. */
  end: number;
  /** Bytes of the log, up to the writer, that go. */
  cutBytes: number;
  /** Chunk files that are deleted, in the order in which they go: the highest first. */
  removed: LogFile[];
  /** The scavenged chunk that goes as a whole because the position lies in it; null otherwise. */
  scavengedChunk: string | null;
}

/** `missing`: a chunk number that the server misses, at which it refuses. */
export type Ruling = (TruncationDecision & { reopened: string | null }) | { missing: number };

export function decideTruncation({ chunkSizeBytes, writer, requested, newest, files }: RuleQuestion): Ruling {
  const number = chunkNumberOf(requested, chunkSizeBytes);
  const isOnBoundary = requested === chunkStartPosition(number, chunkSizeBytes);
  let expected = 0;
  let found: NewestFile | undefined;
  for (const file of newest) {
    if (file.startNumber > expected && expected < number) return { missing: expected };
    expected = file.endNumber + 1;
    if (file.endNumber < number) continue;
    found = file;
    break;
  }
  if (!found && expected < number && expected <= chunkNumberOf(writer, chunkSizeBytes))
    return { missing: expected };
  // On a boundary a missing chunk is what a cut between two chunks leaves that was ended half-way.
  const holdsPosition = found !== undefined && found.startNumber <= number;
  if (!holdsPosition && found && !isOnBoundary) return { missing: number };

  const removedFrom = (): number => {
    if (found?.isScavenged && holdsPosition) return found.startNumber;
    return isOnBoundary ? number : number + 1;
  };
  const from = found ? removedFrom() : Infinity;
  const keepsFound = holdsPosition && !found!.isScavenged && !isOnBoundary;
  const isInScavenged =
    holdsPosition && found!.isScavenged && requested > chunkStartPosition(found!.startNumber, chunkSizeBytes);
  const cutAt = isInScavenged ? chunkStartPosition(found!.startNumber, chunkSizeBytes) : requested;
  return {
    requested,
    cutAt,
    end: Math.min(writer, cutAt),
    cutBytes: Math.max(0, writer - cutAt),
    removed: files
      .filter(({ startNumber }) => startNumber >= from)
      .sort((a, b) => (a.file < b.file ? 1 : -1)),
    scavengedChunk: isInScavenged ? found!.file : null,
    reopened: keepsFound ? found!.file : null
  };
}

/**
 * The effect. `nothing`: at most an empty chunk file is recreated. `deletesBehindEnd`: nothing before the
 * writer goes, yet files that hold records do, which is never intended. `deletesLog`: nothing is left.
 */
export type TruncationEffect = 'nothing' | 'cuts' | 'deletesBehindEnd' | 'deletesLog';

export function effectOf({
  cutBytes,
  cutAt,
  removed
}: Pick<TruncationDecision, 'cutBytes' | 'cutAt' | 'removed'>): TruncationEffect {
  const losesRecords = removed.some(({ holdsRecords }) => holdsRecords);
  if (cutAt === 0 && (cutBytes > 0 || losesRecords)) return 'deletesLog';
  if (cutBytes > 0) return 'cuts';
  return losesRecords ? 'deletesBehindEnd' : 'nothing';
}

const NAMED_FILES = 3;

/** A clause for "The server …" or "The next start …". */
export function describeTruncation(decision: TruncationDecision): string {
  const { cutBytes, end, removed } = decision;
  switch (effectOf(decision)) {
    case 'deletesLog':
      return `deletes the whole log: ${describeRemoved(removed)}; nothing is left of it`;
    case 'deletesBehindEnd':
      return `deletes ${describeRemoved(removed)}, at and after the end of the log`;
    case 'cuts': {
      const files = removed.length === 0 ? '' : `, and deletes ${describeRemoved(removed)}`;
      return `cuts the last ${cutBytes} bytes off the log, back to position ${end}${files}`;
    }
    default:
      return removed.length === 0
        ? 'cuts nothing'
        : `cuts nothing and removes ${describeRemoved(removed)}, which ${removed.length === 1 ? 'has' : 'have'} no records`;
  }
}

/** `3 chunk files, 1234 bytes (chunk-…, chunk-…, chunk-…)`. */
function describeRemoved(removed: readonly LogFile[]): string {
  const bytes = removed.reduce((sum, file) => sum + file.bytes, 0);
  const named = removed.slice(0, NAMED_FILES).map(({ file }) => file);
  const more = removed.length - named.length;
  const names = more > 0 ? `${named.join(', ')} and ${more} more` : named.join(', ');
  return `${counted(removed.length, 'chunk file')}, ${bytes} bytes (${names})`;
}
