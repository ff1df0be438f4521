/**
 * Takes a chunk out of a backup into the log: written beside its place, examined byte by byte, held against all that
 * this database still knows, and only then switched in. A chunk that is still being written may be taken as well, if
 * its records reach the writer's position exactly.
 */
import { Chunk } from '../chunks/chunk.ts';
import { CHUNK_HEADER_LENGTH, decodeChunkHeader, type ChunkHeader } from '../chunks/chunk-header.ts';
import { openDatabase, type Database } from '../database/database.ts';
import type { FileSystem } from '../storage/file-system.ts';
import { assumeChunk } from './assumed-chunk.ts';
import type { ChunkDonor, DonorChunk } from './chunk-donor.ts';
import { misfitOf } from './donor-fit.ts';
import { installChunk } from './install-chunk.ts';
import type { RepairWork } from './repair-plan.ts';
import { SalvageChunk } from './salvage-chunk.ts';

export interface InstallFromDonor {
  donor: ChunkDonor;
  given: DonorChunk;
  range: { startNumber: number; endNumber: number };
  /** The file that it is to replace, as far as it reads. */
  damaged: Chunk | undefined;
  chunkSizeBytes: number;
  /** Where the log ends: the chunk that holds this place is being written, and its records must reach it exactly. */
  logEnd: number;
  /** Where given, they may end elsewhere if they go further than this: it is what would be left without them. */
  beyond?: number | undefined;
  /** Files of the index that are damaged. */
  damagedTables?: ReadonlySet<string> | undefined;
}

/** The name under which it serves now, or a sentence about why it cannot. */
export async function installFromDonor(
  { place, newGuid, control }: RepairWork,
  { donor, given, range, damaged, chunkSizeBytes, logEnd, beyond, damagedTables }: InstallFromDonor
): Promise<{ fileName: string } | string> {
  const { fileSystem, dataDirectory } = place;
  if (donor.chunkSizeBytes !== chunkSizeBytes) return `its chunk size is ${donor.chunkSizeBytes}`;
  const database = openDatabase(place);
  try {
    const isActive = logEnd < (range.endNumber + 1) * chunkSizeBytes;
    const { chunks } = database.chunkSet;
    return await installChunk({
      fileSystem,
      directory: dataDirectory,
      fileName: given.fileName,
      fileSize: given.fileSize,
      sha256: given.sha256,
      content: donor.read(given),
      likePath: damaged?.path ?? fileSystem.join(dataDirectory, 'writer.chk'),
      newGuid,
      control,
      ...(isActive
        ? {
            examine: (path: string) =>
              examineActive(database, { path, fileName: given.fileName, logEnd, beyond })
          }
        : {}),
      refuse: async (candidate) => {
        if (candidate.startNumber !== range.startNumber || candidate.endNumber !== range.endNumber)
          return `it covers the chunks ${candidate.startNumber} to ${candidate.endNumber}`;
        if (candidate.header.chunkSizeBytes !== chunkSizeBytes) return 'its header names another chunk size';
        return misfitOf({
          database,
          candidate,
          damaged,
          left: chunks.findLast((chunk) => chunk.endNumber < range.startNumber),
          right: chunks.find((chunk) => chunk.startNumber > range.endNumber),
          damagedTables,
          control
        });
      }
    });
  } finally {
    database.close();
  }
}

/**
 * A chunk that is being written: its chain of records must have a boundary exactly at `logEnd`, or reach beyond `beyond`; then it
 * ends at the first boundary behind `logEnd`, or where the chain does.
 */
function examineActive(
  database: Database,
  {
    path,
    fileName,
    logEnd,
    beyond = Infinity
  }: { path: string; fileName: string; logEnd: number; beyond?: number | undefined }
): Promise<Chunk | string> {
  const { fileSystem, chunkSet } = database;
  const temporaryName = path.slice(fileSystem.join(chunkSet.directory, '.').length).replace(/^[/\\]/, '');
  const assumed = assumeChunk({
    fileSystem,
    directory: chunkSet.directory,
    fileName,
    onDisk: temporaryName,
    chunkSizeBytes: chunkSet.chunkSizeBytes
  });
  if (!assumed) return Promise.resolve(`${fileName} holds no records`);
  const { chunk } = assumed;
  const header = headerOf(fileSystem, path);
  if (typeof header === 'string') return Promise.resolve(`its header is invalid: ${header}`);
  if (header.startNumber !== chunk.startNumber)
    return Promise.resolve(`it holds chunk ${header.startNumber}`);
  const wanted = logEnd - chunk.startPosition;
  const walk = new SalvageChunk({ fileSystem, chunk, searchEnd: 0 });
  let dataSize: number;
  try {
    while (walk.physicalOffset < wanted && walk.next() === 'record');
    dataSize = walk.physicalOffset;
    if (dataSize !== wanted && chunk.startPosition + dataSize <= beyond) {
      const words = `its records end at position ${chunk.startPosition + dataSize}, the log at ${logEnd}`;
      return Promise.resolve(words);
    }
  } finally {
    walk.close();
  }
  const { fileSize, fileVersion } = chunk;
  const facts = { fileName, path, fileVersion, fileSize, header, footer: null, isActive: true };
  return Promise.resolve(new Chunk({ ...facts, dataSize }));
}

function headerOf(fileSystem: FileSystem, path: string): ChunkHeader | string {
  const file = fileSystem.open(path, 'read');
  try {
    const bytes = new Uint8Array(CHUNK_HEADER_LENGTH);
    return decodeChunkHeader(bytes.subarray(0, file.read(bytes, 0, bytes.length, 0)));
  } finally {
    file.close();
  }
}
