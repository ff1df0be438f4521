/**
 * What an undo would leave: a log without a gap, with the checkpoints of before. Its journal and the list of what was kept are
 * files like any other; followed to its end, one that has lost a name would leave a log without a chunk, and what is kept
 * would go.
 */
import { decodeChunkFileName } from '../chunks/chunk-file-name.ts';
import { CHUNK_HEADER_LENGTH, decodeChunkHeader } from '../chunks/chunk-header.ts';
import { CHECKPOINT_NAMES } from '../log/checkpoint-file.ts';
import { checkpointBytes } from './kept-facts.ts';
import type { KeptPlace } from './kept-folders.ts';
import { changed } from './kept-log.ts';
import type { KeptManifest } from './kept-manifest.ts';
import type { UndoJournal } from './undo-journal.ts';
import { namesIn } from '../storage/directory-entries.ts';

/**
 * Throws, before anything is changed, where following the journal to its end would lose something. `saidBy`: the file of the
 * data directory that is to blame then.
 */
export function requireUndoneLog(
  place: KeptPlace,
  manifest: KeptManifest,
  { journal, saidBy }: { journal: UndoJournal; saidBy: string }
): void {
  const { fileSystem, dataDirectory } = place;
  const path = fileSystem.join(dataDirectory, saidBy);
  const isExact = journal.kind === 'exact';
  const expected = isExact ? manifest.checkpoints : checkpointBytes(fileSystem, dataDirectory);
  // chaser.chk is the one that keeps a server away meanwhile.
  const other = CHECKPOINT_NAMES.find(
    (name) => (isExact || name !== 'chaser') && journal.checkpoints[name] !== expected[name]
  );
  if (other !== undefined) throw changed(path, `it has other bytes for ${other}.chk than there were`);
  if (isExact && journal.end !== manifest.writer) throw changed(path, `it ends the log at ${journal.end}`);
  const gap = firstGap(rangesAfterwards(place, manifest, journal), journal.end / manifest.chunkSizeBytes);
  if (gap !== undefined) throw changed(path, `it would leave the log without chunk ${gap}`);
}

interface ChunkRange {
  start: number;
  /** Inclusive, as in headers. */
  end: number;
}

/** Of the chunk files that are in the directory when all is put and removed. */
function rangesAfterwards(
  { fileSystem, dataDirectory }: KeptPlace,
  manifest: KeptManifest,
  { puts, removes }: UndoJournal
): ChunkRange[] {
  const ranges = new Map<string, ChunkRange>();
  for (const name of namesIn(fileSystem, dataDirectory)) {
    const start = decodeChunkFileName(name)?.chunkNumber;
    if (start !== undefined) ranges.set(name, { start, end: -1 });
  }
  for (const { area, name, isCompleted } of puts) {
    const among = isCompleted ? manifest.completed : manifest.files;
    const file = among.find((one) => one.area === area && one.name === name);
    if (area === 'data' && file?.start != null)
      ranges.set(name, { start: file.start, end: file.end ?? file.start });
  }
  for (const { area, name } of removes) if (area === 'data') ranges.delete(name);
  return [...ranges].map(([name, range]) =>
    range.end >= 0
      ? range
      : { ...range, end: lastNumberOf(fileSystem.join(dataDirectory, name), range, fileSystem) }
  );
}

function lastNumberOf(path: string, { start }: ChunkRange, fileSystem: KeptPlace['fileSystem']): number {
  const bytes = new Uint8Array(CHUNK_HEADER_LENGTH);
  const file = fileSystem.open(path, 'read');
  try {
    file.read(bytes, 0, bytes.length, 0);
  } finally {
    file.close();
  }
  const header = decodeChunkHeader(bytes);
  return typeof header !== 'string' && header.startNumber === start ? header.endNumber : start;
}

/** The first number below `end` that no file covers. */
function firstGap(ranges: readonly ChunkRange[], end: number): number | undefined {
  let next = 0;
  for (const range of [...ranges].sort((a, b) => a.start - b.start)) {
    if (range.start > next) break;
    next = Math.max(next, range.end + 1);
  }
  return next < end ? next : undefined;
}
