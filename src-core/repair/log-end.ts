/**
 * Where the records of a log end, by the files alone: the end of the last unbroken chain of records in the last file
 * that holds any. A write of several events that was cut in its middle does not count, as long as no checkpoint says
 * that it does. For checkpoints that are missing or contradict the log.
 */
import { Chunk } from '../chunks/chunk.ts';
import { decodeChunkFileName } from '../chunks/chunk-file-name.ts';
import type { Database } from '../database/database.ts';
import type { OperationControl } from '../database/operation-control.ts';
import { PrepareFlag } from '../records/log-record.ts';
import { assumeChunk, type AssumedChunk } from './assumed-chunk.ts';
import { SalvageChunk } from './salvage-chunk.ts';
import { entriesIn } from '../storage/directory-entries.ts';

export interface LogEnd {
  position: number;
  /** The file being written, where the end lies in one. */
  active: { chunk: Chunk; dataSize: number } | undefined;
}

export interface FindLogEnd {
  database: Database;
  /** What checkpoints that can be trusted prove: never cut an unfinished write below it. */
  proven: number;
  /** Position of a record that reads but cannot be right: the chain ends there at the latest. */
  wrongAt?: number | undefined;
  control: OperationControl;
}

export async function findLogEnd(options: FindLogEnd): Promise<LogEnd> {
  const { chunkSet, fileSystem } = options.database;
  const { directory, chunkSizeBytes } = chunkSet;
  for (const fileName of newestVersions(options.database)) {
    const assumed = assumeChunk({ fileSystem, directory, fileName, chunkSizeBytes });
    if (!assumed) continue;
    const chunk = withoutScavengedFlag(assumed);
    if (chunk.isScavenged || isFootered(options.database, fileName, assumed.dataEnd)) {
      return { position: chunk.endPosition, active: undefined };
    }
    const chain = await walkChain({ ...options, chunk });
    // A file without a record is one that was made for the next write, or none of this log.
    if (chain > 0) {
      return { position: chunk.startPosition + chain, active: { chunk, dataSize: chain } };
    }
  }
  return { position: 0, active: undefined };
}

/**
 * A scavenged chunk has a footer. A first version of a file that has none is one that is written to, and its header is what is
 * damaged: if it was scavenged after all, the chain ends where the first record is missing, with readable ones behind it.
 */
function withoutScavengedFlag({ chunk, dataEnd }: AssumedChunk): Chunk {
  if (!chunk.isScavenged || chunk.fileVersion > 0 || dataEnd !== undefined) return chunk;
  const { fileName, path, fileVersion, fileSize, footer, isActive, dataSize } = chunk;
  const header = { ...chunk.header, isScavenged: false };
  return new Chunk({ fileName, path, fileVersion, fileSize, header, footer, isActive, dataSize });
}

/** Highest number first. */
function newestVersions({ fileSystem, chunkSet }: Database): string[] {
  const newest = new Map<number, string>();
  for (const { name, isDirectory } of entriesIn(fileSystem, chunkSet.directory)) {
    const decoded = isDirectory ? undefined : decodeChunkFileName(name);
    if (decoded && (newest.get(decoded.chunkNumber) ?? '') < name) newest.set(decoded.chunkNumber, name);
  }
  return [...newest].sort(([a], [b]) => b - a).map(([, name]) => name);
}

/** Completed, by a footer that fits the file; but of the chunk that the checkpoint lies in a footer means nothing. */
function isFootered({ chunkSet }: Database, fileName: string, dataEnd: number | undefined): boolean {
  if (dataEnd === undefined) return false;
  return !chunkSet.chunks.some(
    (chunk) => chunk.isActive && chunk.dataSize > 0 && chunk.fileName === fileName
  );
}

/** Physical offset behind the last record of the chain that begins with the first. */
async function walkChain({
  database,
  chunk,
  proven,
  wrongAt = Infinity,
  control
}: FindLogEnd & { chunk: Chunk }): Promise<number> {
  const walk = new SalvageChunk({ fileSystem: database.fileSystem, chunk, searchEnd: 0 });
  let unfinished = -1;
  let end = 0;
  try {
    while (walk.next() === 'record') {
      const { record } = walk;
      if (record.position >= wrongAt) break;
      end = walk.physicalOffset;
      if (record.isSelfCommitted) {
        if ((record.flags & PrepareFlag.transactionBegin) !== 0)
          unfinished = record.position - chunk.startPosition;
        if ((record.flags & PrepareFlag.transactionEnd) !== 0) unfinished = -1;
      }
      if (control.isDue) await control.breathe();
    }
    return unfinished >= 0 && chunk.startPosition + unfinished >= proven ? unfinished : end;
  } finally {
    walk.close();
  }
}
