/**
 * How fast this disk reads, now and for a moment: some megabytes of chunk files with their hash, and some headers and
 * footers. What cannot be seen from here (how fast a server reads records into its index) stays assumed, as does
 * whatever was measured over too little. The operating system may have had some of it in memory, so a cold start is
 * slower rather than faster.
 */
import { createHash } from 'node:crypto';
import { CHUNK_FOOTER_LENGTH } from '../chunks/chunk-footer.ts';
import { CHUNK_HEADER_LENGTH } from '../chunks/chunk-header.ts';
import type { Database } from '../database/database.ts';
import type { OperationControl } from '../database/operation-control.ts';
import {
  ASSUMED_RATES,
  type RateUnit,
  type StartRate,
  type StartRates
} from '../insight/doctor/start-estimate.ts';

const MOST_BYTES = 64 * 1024 * 1024;
const MOST_READ_MS = 500;
const MOST_FILES = 64;
const MOST_OPEN_MS = 200;
const BLOCK_BYTES = 1024 * 1024;
/** Less tells nothing. */
const LEAST_BYTES = 4 * 1024 * 1024;
const LEAST_FILES = 8;
const LEAST_MS = 2;

/** Reads only. Takes less than a second, whatever the size of the database. */
export async function measureRates(database: Database, control: OperationControl): Promise<StartRates> {
  const files = openFiles(database, control);
  const bytes = await readBytes(database, control);
  return { ...ASSUMED_RATES, files: files ?? ASSUMED_RATES.files, bytes: bytes ?? ASSUMED_RATES.bytes };
}

/** Some chunks, spread over the log, oldest first: least likely to be in memory. */
function someChunks({ chunkSet: { chunks } }: Database): Database['chunkSet']['chunks'] {
  const step = Math.max(1, Math.ceil(chunks.length / MOST_FILES));
  return chunks.filter((_, i) => i % step === 0);
}

function openFiles(database: Database, control: OperationControl): StartRate | undefined {
  const { fileSystem, dataDirectory } = database;
  const start = control.elapsedMs;
  const part = new Uint8Array(CHUNK_HEADER_LENGTH);
  let count = 0;
  for (const { fileName, fileSize } of someChunks(database)) {
    const file = fileSystem.open(fileSystem.join(dataDirectory, fileName), 'read');
    try {
      file.read(part, 0, CHUNK_HEADER_LENGTH, 0);
      file.read(part, 0, CHUNK_FOOTER_LENGTH, Math.max(0, fileSize - CHUNK_FOOTER_LENGTH));
    } finally {
      file.close();
    }
    count++;
    if (control.elapsedMs - start > MOST_OPEN_MS) break;
  }
  return count < LEAST_FILES ? undefined : rateOf('files', count, control.elapsedMs - start);
}

async function readBytes(database: Database, control: OperationControl): Promise<StartRate | undefined> {
  const { fileSystem, dataDirectory } = database;
  const buffer = new Uint8Array(BLOCK_BYTES);
  const md5 = createHash('md5');
  let bytes = 0;
  let ms = 0;
  const isEnough = (): boolean => bytes >= MOST_BYTES || ms >= MOST_READ_MS;
  for (const { fileName } of someChunks(database)) {
    const file = fileSystem.open(fileSystem.join(dataDirectory, fileName), 'read');
    try {
      for (let at = 0; !isEnough();) {
        const start = control.elapsedMs;
        const count = file.read(buffer, 0, BLOCK_BYTES, at);
        if (count === 0) break;
        md5.update(buffer.subarray(0, count));
        // Only the work counts, not the turns of others in between.
        ms += control.elapsedMs - start;
        at += count;
        bytes += count;
        if (control.isDue) await control.breathe();
      }
    } finally {
      file.close();
    }
    if (isEnough()) break;
  }
  return bytes < LEAST_BYTES ? undefined : rateOf('bytes', bytes, ms);
}

function rateOf(of: RateUnit, count: number, ms: number): StartRate | undefined {
  return ms < LEAST_MS ? undefined : { perSecond: Math.round((count / ms) * 1000), of, basis: 'measured' };
}
