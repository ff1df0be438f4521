/**
 * The log as it was kept, opened beside the log as it is: which files are whole, where the two agree, and what was appended
 * since. Reads heads and ends of files, the first and last record of replaced chunks, and the log behind the kept one.
 */
import { Chunk } from '../chunks/chunk.ts';
import { describeCompletedChunk } from '../chunks/completed-chunk.ts';
import { CHUNK_HEADER_LENGTH, decodeChunkHeader } from '../chunks/chunk-header.ts';
import { decodeChunkFileName } from '../chunks/chunk-file-name.ts';
import type { Database } from '../database/database.ts';
import type { OperationControl } from '../database/operation-control.ts';
import { EngineError, logCorrupt } from '../errors.ts';
import { LogReader } from '../log/log-reader.ts';
import type { LogRecord } from '../records/log-record.ts';
import { keptPath, type KeptPlace } from './kept-folders.ts';
import type { KeptFile, KeptManifest } from './kept-manifest.ts';

/** Streams in which a scavenge writes of itself, and their metadata. */
const OWN_STREAM = /^(\$\$)?(\$scavengePoints|\$scavenges(-.*)?)$/s;

/** What the log holds behind the end that it had when files were kept. */
export interface Later {
  /** Records that are not a scavenge's own. */
  records: number;
  bytes: number;
  /** Position of the first of them; null without. */
  from: number | null;
  /** Records in which scavenges tell of themselves. */
  ownRecords: number;
}

export async function readLater(
  database: Database,
  manifest: KeptManifest,
  control: OperationControl
): Promise<Later> {
  const later: Later = { records: 0, bytes: 0, from: null, ownRecords: 0 };
  const cursor = database.log.cursor(manifest.writer);
  try {
    while (cursor.next()) {
      const { record } = cursor;
      if (control.isDue) await control.breathe();
      if (manifest.mayAppend && isOwn(record)) {
        later.ownRecords++;
        continue;
      }
      later.records++;
      later.bytes += record.length;
      later.from ??= record.position;
    }
    return later;
  } finally {
    cursor.close();
  }
}

function isOwn(record: LogRecord): boolean {
  return record.kind === 'prepare' && OWN_STREAM.test(record.stream);
}

/** A kept chunk file with the chunk that it is. */
export interface KeptChunk {
  file: KeptFile;
  chunk: Chunk;
  isCompleted: boolean;
}

/** Opens the kept chunk files and checks that each is the one that was kept: header, footer, length. */
export function openKeptChunks(
  place: KeptPlace,
  manifest: KeptManifest
): { chunks: KeptChunk[]; completed: KeptChunk[] } {
  const open = (file: KeptFile, isCompleted: boolean): KeptChunk => ({
    file,
    chunk: openKept(place, manifest, { file, isCompleted }),
    isCompleted
  });
  return {
    chunks: manifest.files
      .filter(({ kind }) => kind === 'chunk' || kind === 'open')
      .map((file) => open(file, false))
      .sort((a, b) => a.chunk.startNumber - b.chunk.startNumber),
    completed: manifest.completed.map((file) => open(file, true))
  };
}

function openKept(
  place: KeptPlace,
  manifest: KeptManifest,
  { file, isCompleted }: { file: KeptFile; isCompleted: boolean }
): Chunk {
  const path = keptPath(place, manifest, file, isCompleted);
  const { fileSystem } = place;
  const size = fileSystem.describe(path)?.size;
  if (size !== file.bytes)
    throw changed(
      path,
      size === undefined ? 'it is missing' : `it has ${size} bytes instead of ${file.bytes}`
    );
  if (file.kind === 'open') return openOne(place, manifest, { file, path });
  const chunk = describeCompletedChunk({ fileSystem, path, fileName: file.name });
  if (typeof chunk === 'string') throw changed(path, chunk);
  const isSame =
    chunk.footer?.md5 === file.hash && chunk.startNumber === file.start && chunk.endNumber === file.end;
  if (!isSame) throw changed(path, 'its header or footer is not the one it had');
  return chunk;
}

function openOne(
  { fileSystem }: KeptPlace,
  manifest: KeptManifest,
  { file, path }: { file: KeptFile; path: string }
): Chunk {
  const bytes = new Uint8Array(CHUNK_HEADER_LENGTH);
  const open = fileSystem.open(path, 'read');
  try {
    open.read(bytes, 0, bytes.length, 0);
  } finally {
    open.close();
  }
  const header = decodeChunkHeader(bytes);
  if (typeof header === 'string') throw changed(path, header);
  const dataSize = Math.min(
    manifest.writer - header.startNumber * header.chunkSizeBytes,
    header.chunkSizeBytes
  );
  if (header.startNumber !== file.start || dataSize < 0)
    throw changed(path, 'its header is not the one it had');
  const { fileVersion } = decodeChunkFileName(file.name)!;
  return new Chunk({
    fileName: file.name,
    path,
    fileVersion,
    fileSize: file.bytes,
    header,
    footer: null,
    isActive: true,
    dataSize
  });
}

export function changed(path: string, what: string): EngineError {
  return logCorrupt(
    `What the scavenge replaced cannot be put back: ${path}: ${what}.`,
    { file: path, reason: 'keptChanged' },
    'Nothing was changed. Restore a backup if the removed events are needed.'
  );
}

/**
 * Throws unless the log is the one whose files were kept, scavenged or not: each of its chunks up to where the kept one ended
 * is a kept one, or its first and last record are in the kept one too, byte for byte.
 */
export async function requireSameLog(
  database: Database,
  {
    manifest,
    chunks,
    control
  }: { manifest: KeptManifest; chunks: readonly KeptChunk[]; control: OperationControl }
): Promise<void> {
  const { fileSystem, log } = database;
  const { chunkSizeBytes, writer } = manifest;
  if (log.chunkSizeBytes !== chunkSizeBytes || log.end < writer) {
    throw otherLog(
      database,
      log.end < writer
        ? `it ends at ${log.end}, and reached ${writer} when they were kept: it was truncated or restored since`
        : 'its chunks have another size'
    );
  }
  const kept = new LogReader({
    fileSystem,
    chunks: chunks.map(({ chunk }) => chunk),
    chunkSizeBytes,
    end: writer
  });
  try {
    for (const chunk of log.chunks) {
      if (chunk.startPosition >= writer) break;
      if (control.isDue) await control.breathe();
      const same = chunks.find(({ file }) => file.name === chunk.fileName);
      if (same && chunk.footer !== null && same.chunk.footer?.md5 === chunk.footer.md5) continue;
      if (!chunk.isScavenged && same?.file.kind !== 'open' && !isCopyOf(chunks, chunk))
        throw otherLog(database, `${chunk.fileName} was not made from them by a scavenge`);
      requireEnds(database, { chunk, kept, writer });
    }
  } finally {
    kept.close();
  }
}

function isCopyOf(chunks: readonly KeptChunk[], { header, footer }: Chunk): boolean {
  return chunks.some(
    ({ chunk }) => chunk.header.chunkId === header.chunkId && chunk.footer?.md5 === footer?.md5
  );
}

/** The first record of a chunk, and the last one before the end that was kept. */
function requireEnds(
  database: Database,
  { chunk, kept, writer }: { chunk: Chunk; kept: LogReader; writer: number }
): void {
  const { log } = database;
  const to = Math.min(chunk.endPosition, writer);
  const compare = (record: LogRecord): void => {
    const { position, length } = record;
    const bytes = payloadOf(record);
    const other = kept.readAt(position);
    if (other && other.length === length && bytes.equals(payloadOf(other))) return;
    throw otherLog(database, `the record at position ${position} is not in them`);
  };
  const first = log.cursor(chunk.startPosition, to);
  if (!first.next()) return;
  try {
    compare(first.record);
  } finally {
    first.close();
  }
  const last = log.findBackward(to, () => true, chunk.startPosition);
  if (last) compare(last);
}

function payloadOf({ bytes, start, length }: LogRecord): Buffer {
  return bytes.subarray(start, start + length);
}

function otherLog(database: Database, why: string): EngineError {
  return logCorrupt(
    `The log in ${database.dataDirectory} is no longer that of the files which were set aside: ${why}.`,
    { file: database.dataDirectory, reason: 'otherLog' },
    'Nothing was changed. "winnow scavenge --undo --forget" removes what is kept.'
  );
}
