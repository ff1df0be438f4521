/**
 * Which files of a data directory are the log: the newest version of each chunk, what it supersedes, what lies
 * beside it. Reads headers and footers only. Never changes anything and never gives up at a fault: faults are
 * collected as problems.
 *
 * Rules, as the server applies them at its start: the highest version of a number wins; a merged chunk hides
 * every file whose number lies in its range; the chunk that holds the writer's position is being written, even
 * if it has a footer; one empty chunk behind it may exist. Format: docs/format/log.md, "Choosing files".
 */
import { EngineError } from '../errors.ts';
import { entriesIn } from '../storage/directory-entries.ts';
import { sizeOf } from '../storage/file-size.ts';
import type { FileSystem } from '../storage/file-system.ts';
import { readAgainWhenGone } from '../storage/read-again.ts';
import { Chunk } from '../chunks/chunk.ts';
import { CHUNK_FOOTER_LENGTH, type ChunkFooter } from '../chunks/chunk-footer.ts';
import { readHead, type NamedFile, type OpenedHead } from './chunk-head.ts';
import { databaseChunkSize } from './database-chunk-size.ts';
import { CHUNK_HEADER_LENGTH, transformName, type ChunkHeader } from '../chunks/chunk-header.ts';
import { decodeChunkFileName, encodeChunkFileName, isTemporaryFileName } from '../chunks/chunk-file-name.ts';
import { gapsOf, type LogGap, type UnreadableFile } from './log-gaps.ts';
import { lacksMap, mapMissing } from './missing-map.ts';
import { problemAt, type LogProblem } from './log-problem.ts';

export interface FileOnDisk {
  file: string;
  fileSize: number;
}

export interface ChunkSet {
  directory: string;
  /** 256 MiB if there is no chunk. */
  chunkSizeBytes: number;
  /** In the order of the log, without overlaps; numbers may be missing (see `gaps`). */
  chunks: Chunk[];
  /** What of the log no file here can serve, in its order; with `chunks` they cover it once and whole. */
  gaps: LogGap[];
  /** Older versions and files hidden by a merged chunk: the server deletes them at its start. */
  superseded: FileOnDisk[];
  /** Chunk files behind the writer's position: at most one empty one is normal after a kill. */
  surplus: FileOnDisk[];
  /** Temporary files of rewrites that were cut. */
  leftovers: FileOnDisk[];
  /** Position of the next record: the writer checkpoint, or what stands for it where the file is missing. */
  writerPosition: number;
  problems: LogProblem[];
}

export interface ReadChunkSet {
  fileSystem: FileSystem;
  directory: string;
  /** Value of writer.chk; null when the file is missing. */
  writer: number | null;
  /** Default: every head is read from its file. */
  heads?: HeadSource | undefined;
}

/** Knows heads of files that have been read before (kept-chunk-sets.ts). */
export interface HeadSource {
  /** Of the file at `path`; calls `read` unless it knows it. */
  headOf(fileSystem: FileSystem, path: string, read: () => OpenedHead | undefined): OpenedHead | undefined;
}

/** Where a file was replaced while it was opened, by a scavenge that runs, the list is read again. */
export function readChunkSet(reading: ReadChunkSet): ChunkSet {
  return readAgainWhenGone((gone) => {
    const set = readListedChunks(reading);
    requireReplaced(set, gone);
    return set;
  });
}

/** Throws `gone`, the error about a chunk file that is not there any more, unless another one has taken its place. */
export function requireReplaced({ chunks }: ChunkSet, gone: Error | undefined): void {
  if (gone === undefined) return;
  const path = gone instanceof EngineError ? (gone.details.file ?? '') : '';
  const name = decodeChunkFileName(path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1));
  const isReplaced =
    name &&
    chunks.some(
      ({ startNumber, endNumber }) => startNumber <= name.chunkNumber && name.chunkNumber <= endNumber
    );
  if (!isReplaced) throw gone;
}

function readListedChunks({ fileSystem, directory, writer, heads: known }: ReadChunkSet): ChunkSet {
  const entries = entriesIn(fileSystem, directory);
  const problems: LogProblem[] = [];
  const onDisk = (file: string): FileOnDisk => ({
    file,
    fileSize: sizeOf(fileSystem, fileSystem.join(directory, file))
  });

  const named: NamedFile[] = [];
  const leftovers: FileOnDisk[] = [];
  for (const entry of entries) {
    if (entry.isDirectory) continue;
    const name = decodeChunkFileName(entry.name);
    if (name) named.push({ ...name, file: entry.name });
    else if (isTemporaryFileName(entry.name)) leftovers.push(onDisk(entry.name));
  }
  leftovers.sort((a, b) => (a.file < b.file ? -1 : 1));
  const { heads, hidden, missing, expected, unreadable } = chooseHeads({
    fileSystem,
    directory,
    named,
    problems,
    known
  });
  const superseded = hidden.map(onDisk);

  if (writer !== null && (writer < 0 || writer > Number.MAX_SAFE_INTEGER)) {
    problems.push(
      problemAt('writerCheckpointBeyondEnd', 'damage', 'writer.chk', 0, null, {
        message: `writer.chk holds ${writer}, which is not a position in a log.`,
        remedy: 'Restore the checkpoints and the chunks from the same backup.'
      })
    );
  }
  const chunkSizeBytes = databaseChunkSize(heads.map(({ header }) => header));
  let writerPosition = writer ?? writerWithoutCheckpoint(heads, chunkSizeBytes);
  let lastNumber = Math.floor(writerPosition / chunkSizeBytes);
  const lastHead = heads.find(
    (head) => head.header.startNumber <= lastNumber && head.header.endNumber >= lastNumber
  );
  if (lastHead?.header.isScavenged) {
    // A replicated chunk was put in place but the writer had not moved on: it ends where the chunk ends.
    const start = lastHead.header.startNumber * chunkSizeBytes;
    if (writerPosition === start) {
      writerPosition = (lastHead.header.endNumber + 1) * chunkSizeBytes;
      lastNumber = lastHead.header.endNumber + 1;
    } else {
      problems.push(
        problemAt('writerCheckpointBeyondEnd', 'damage', 'writer.chk', null, writerPosition, {
          message: `The writer checkpoint ${writerPosition} is within the scavenged chunk ${lastHead.named.file}.`,
          remedy: 'Restore the checkpoints and the chunks from the same backup.'
        })
      );
    }
  }

  const chunks: Chunk[] = [];
  const surplus: FileOnDisk[] = [];
  for (const head of heads) {
    if (head.header.chunkSizeBytes !== chunkSizeBytes) {
      problems.push(
        problemAt('chunkHeaderInvalid', 'damage', head.named.file, 2, null, {
          message: `${head.named.file} has a chunk size of ${head.header.chunkSizeBytes}, the others ${chunkSizeBytes}.`,
          remedy: 'Files of two databases are mixed here. Restore the directory from one backup.'
        })
      );
      unreadable.push(asUnreadable(head));
      continue;
    }
    if (head.header.startNumber > lastNumber) {
      surplus.push({ file: head.named.file, fileSize: head.fileSize });
      problems.push(surplusProblem(head, lastNumber));
      continue;
    }
    const chunk = asChunk({
      fileSystem,
      directory,
      head,
      lastNumber,
      writerPosition,
      chunkSizeBytes,
      problems
    });
    if (chunk) chunks.push(chunk);
    else unreadable.push(asUnreadable(head));
  }
  const absent = addMissing({
    missing,
    expected,
    lastNumber,
    writerPosition,
    chunkSizeBytes,
    hasChunks: named.length > 0,
    problems
  });
  const gaps = gapsOf({ unreadable, absent, problems, lastNumber });
  return {
    directory,
    chunkSizeBytes,
    chunks,
    gaps,
    superseded,
    surplus,
    leftovers,
    writerPosition,
    problems
  };
}

function asUnreadable({ named, header }: OpenedHead): UnreadableFile {
  return { file: named.file, startNumber: named.chunkNumber, endNumber: header.endNumber };
}

interface ChosenHeads {
  heads: OpenedHead[];
  /** Names of older versions, and of files in the range of a merged chunk. */
  hidden: string[];
  /** First number that no file covers. */
  expected: number;
  missing: [number, number][];
  /** Files whose header tells nothing: only their names say where they belong. */
  unreadable: UnreadableFile[];
}

interface ChooseHeads {
  fileSystem: FileSystem;
  directory: string;
  named: NamedFile[];
  problems: LogProblem[];
  known?: HeadSource | undefined;
}

/** The newest file of each chunk number, its head read. */
function chooseHeads({ fileSystem, directory, named, problems, known }: ChooseHeads): ChosenHeads {
  const chosen: ChosenHeads = { heads: [], hidden: [], expected: 0, missing: [], unreadable: [] };
  named.sort((a, b) => (a.file < b.file ? -1 : 1));
  for (const [i, file] of named.entries()) {
    if (file.chunkNumber < chosen.expected || named[i + 1]?.chunkNumber === file.chunkNumber) {
      chosen.hidden.push(file.file);
      continue;
    }
    if (file.chunkNumber > chosen.expected) chosen.missing.push([chosen.expected, file.chunkNumber]);
    const read = () => readHead(fileSystem, directory, file, problems);
    const head = known ? known.headOf(fileSystem, fileSystem.join(directory, file.file), read) : read();
    if (head) chosen.heads.push(head);
    else {
      const { chunkNumber } = file;
      chosen.unreadable.push({ file: file.file, startNumber: chunkNumber, endNumber: chunkNumber });
    }
    chosen.expected = (head ? head.header.endNumber : file.chunkNumber) + 1;
  }
  return chosen;
}

export interface NewestHeads {
  /** As in a set. */
  chunkSizeBytes: number;
  heads: { file: string; header: ChunkHeader }[];
  problems: LogProblem[];
}

/** The newest file of each chunk number whatever the checkpoints say, as a truncation goes through them. */
export function readNewestHeads(fileSystem: FileSystem, directory: string): NewestHeads {
  const named: NamedFile[] = [];
  for (const { name, isDirectory } of entriesIn(fileSystem, directory)) {
    const decoded = isDirectory ? undefined : decodeChunkFileName(name);
    if (decoded) named.push({ ...decoded, file: name });
  }
  const problems: LogProblem[] = [];
  const { heads } = chooseHeads({ fileSystem, directory, named, problems });
  return {
    chunkSizeBytes: databaseChunkSize(heads.map(({ header }) => header)),
    heads: heads.map(({ named: { file }, header }) => ({ file, header })),
    problems
  };
}

interface AsChunk {
  fileSystem: FileSystem;
  directory: string;
  head: OpenedHead;
  lastNumber: number;
  writerPosition: number;
  chunkSizeBytes: number;
  problems: LogProblem[];
}

function asChunk(parts: AsChunk): Chunk | undefined {
  const { fileSystem, directory, head, lastNumber, writerPosition, chunkSizeBytes, problems } = parts;
  const { named, header, fileSize } = head;
  const make = (footer: ChunkFooter | null, isActive: boolean, dataSize: number) =>
    new Chunk({
      fileName: named.file,
      path: fileSystem.join(directory, named.file),
      fileVersion: named.fileVersion,
      fileSize,
      header,
      footer,
      isActive,
      dataSize
    });

  if (header.startNumber === lastNumber && !header.isScavenged) {
    const dataSize = writerPosition - lastNumber * chunkSizeBytes;
    if (fileSize < CHUNK_HEADER_LENGTH + dataSize) {
      problems.push(
        problemAt('chunkTruncated', 'damage', named.file, fileSize, writerPosition, {
          message: `${named.file} ends at byte ${fileSize}, but the writer checkpoint says its data reaches byte ${CHUNK_HEADER_LENGTH + dataSize}.`,
          remedy: `Restore ${named.file} from a backup, or set the checkpoints back to the end of the last whole record.`
        })
      );
    }
    return make(null, true, dataSize);
  }
  if (typeof head.footer === 'string') {
    problems.push(
      problemAt('chunkFooterInvalid', 'damage', named.file, fileSize - CHUNK_FOOTER_LENGTH, null, {
        message: `The footer of ${named.file} is invalid: ${head.footer}.`,
        remedy: `Restore ${named.file} from a backup.`
      })
    );
    return undefined;
  }
  if (!head.footer.isCompleted) {
    // Filled to the brim: the server writes the footer at its next start. A scavenged chunk got one before its name.
    const isFull = !header.isScavenged && (header.startNumber + 1) * chunkSizeBytes === writerPosition;
    if (isFull && fileSize >= CHUNK_HEADER_LENGTH + chunkSizeBytes) {
      problems.push(
        problemAt('chunkNotCompleted', 'hint', named.file, null, null, {
          message: `${named.file} is full but has no footer yet; the server writes it at its next start.`,
          remedy: 'Nothing to do.'
        })
      );
      return make(null, false, chunkSizeBytes);
    }
    problems.push(
      problemAt('chunkNotCompleted', 'damage', named.file, fileSize - CHUNK_FOOTER_LENGTH, null, {
        message: `${named.file} is ${header.isScavenged ? 'a scavenged chunk' : 'before the end of the log'} but not marked as completed.`,
        remedy: `Restore ${named.file} from a backup.`
      })
    );
    return undefined;
  }
  const inFile =
    CHUNK_HEADER_LENGTH + head.footer.physicalDataSize + head.footer.mapSize + CHUNK_FOOTER_LENGTH;
  if (transformName(header) === undefined && inFile > fileSize) {
    problems.push(
      problemAt('chunkFooterInvalid', 'damage', named.file, fileSize - CHUNK_FOOTER_LENGTH + 1, null, {
        message: `The footer of ${named.file} claims ${inFile} bytes, the file has ${fileSize}.`,
        remedy: `Restore ${named.file} from a backup.`
      })
    );
    return undefined;
  }
  if (header.isScavenged && transformName(header) === undefined && lacksMap(head.footer))
    problems.push(mapMissing({ file: named.file, fileSize }));
  return make(head.footer, false, head.footer.physicalDataSize);
}

/** Without writer.chk: everything completed counts, of the chunk behind it nothing is known. */
function writerWithoutCheckpoint(heads: OpenedHead[], chunkSizeBytes: number): number {
  let end = 0;
  for (const head of heads) {
    const isCompleted = typeof head.footer !== 'string' && head.footer.isCompleted;
    if (!isCompleted) break;
    end = (head.header.endNumber + 1) * chunkSizeBytes;
  }
  return end;
}

function surplusProblem(head: OpenedHead, lastNumber: number): LogProblem {
  const { header, named } = head;
  const isHarmless =
    header.startNumber === lastNumber + 1 &&
    header.endNumber === header.startNumber &&
    named.fileVersion === 0;
  return problemAt('surplusChunk', isHarmless ? 'hint' : 'damage', named.file, null, null, {
    message: isHarmless
      ? `${named.file} was created before the writer reached it; the server removes it when it starts.`
      : `${named.file} is after the end of the log (last chunk ${lastNumber}).`,
    remedy: isHarmless
      ? 'Nothing to do.'
      : 'Restore checkpoints and chunks from the same backup, or move the file away.'
  });
}

interface Missing {
  missing: [number, number][];
  expected: number;
  lastNumber: number;
  writerPosition: number;
  chunkSizeBytes: number;
  hasChunks: boolean;
  problems: LogProblem[];
}

/** The ranges that are reported missing; the end of the log bounds them. */
function addMissing(parts: Missing): LogGap[] {
  const { missing, expected, lastNumber, writerPosition, chunkSizeBytes, hasChunks, problems } = parts;
  const isOnBoundary = writerPosition === lastNumber * chunkSizeBytes;
  const end = isOnBoundary ? lastNumber : lastNumber + 1;
  const ranges = expected < end ? [...missing, [expected, end] as [number, number]] : missing;
  const absent: LogGap[] = [];
  for (const [from, to] of ranges) {
    if (from >= end) continue;
    const last = Math.min(to, end) - 1;
    const names = from === last ? `Chunk ${from} is` : `Chunks ${from} to ${last} are`;
    const mayBeArchived = from === 0 && hasChunks && to < end;
    const found = mayBeArchived
      ? problemAt('archiveGap', 'damage', null, null, 0, {
          message: `${names} not in this directory; they may be archived.`,
          remedy: 'Read and scavenge this node with the server, or restore the chunks if there is no archive.'
        })
      : problemAt(
          'chunkMissing',
          'damage',
          encodeChunkFileName({ chunkNumber: from, fileVersion: 0 }),
          null,
          from * chunkSizeBytes,
          {
            message: `${names} missing, but the log continues to position ${writerPosition}.`,
            remedy: 'Restore the missing chunk files from a backup of this node.'
          }
        );
    problems.push(found);
    absent.push({ startNumber: from, endNumber: last, state: 'missing', problem: found });
  }
  return absent;
}
