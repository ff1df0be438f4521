/**
 * Compares a chunk file with another version of it: an older file that is still in the directory, the one in a backup, or
 * what a scavenge would leave. Both are walked once, side by side, in log order: what only the fuller one
 * contains is what was, or would be, removed.
 *
 * Writes only to its own temporary directory.
 */
import { rm } from 'node:fs/promises';
import path from 'node:path';
import {
  ChunkReader,
  FRAME_LENGTH,
  invalidRequest,
  type Chunk,
  type ChunkCursor,
  type Database
} from '../../../src-core/index.ts';
import { chunkOfFile } from './chunk-of-file.ts';
import { committedNumbers, PAGE_SEARCH_BYTES, withCommittedNumber } from '../streams/committed-number.ts';
import { withDatabase } from '../database/database-access.ts';
import { requestedChunk } from './describe-chunk.ts';
import type { OperationContext } from '../operation.ts';
import type { CheckedRequestOf } from '../../contract/operations/operation-contract.ts';
import { plannedChunk } from '../scavenge/planned-chunk.ts';
import type {
  ChunkComparison,
  ComparedFile,
  ComparedStream
} from '../../contract/operations/reading-reports.ts';
import { recordRow } from '../records/record-row.ts';
import { withDonor } from '../repair/repair-donor.ts';
import { makeScratchDirectory } from '../scratch-directory.ts';

const MOST_ROWS = 1000;
const MOST_STREAMS = 200;
const RECORDS_BETWEEN_LOOKS = 1024;

type Request = CheckedRequestOf<'compareChunk'>;

interface Version {
  chunk: Chunk;
  /** As in ComparedFile. */
  from: string;
  file: string | null;
}

export async function compareChunk(request: Request, context: OperationContext): Promise<ChunkComparison> {
  const scratch = makeScratchDirectory(undefined, 'compare');
  try {
    return await withDatabase(request, context, async (database) => {
      const chunk = requestedChunk(database, request.chunk);
      if (chunk.isActive) {
        throw invalidRequest(
          `Chunk ${request.chunk} is being written: it has no other version.`,
          'chunk',
          'Choose a completed chunk.'
        );
      }
      const current = { chunk, from: database.dataDirectory, file: chunk.fileName };
      const other = await otherVersion(request, { database, chunk, scratch, context });
      // A scavenge only removes: its result is the later version, an older file or a backup's the earlier one.
      const [before, after] = request.with === 'plan' ? [current, other] : [other, current];
      return await compare(database, before, after, context);
    });
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

interface Surroundings {
  database: Database;
  chunk: Chunk;
  scratch: string;
  context: OperationContext;
}

async function otherVersion(request: Request, around: Surroundings): Promise<Version> {
  const { database, chunk, scratch, context } = around;
  switch (request.with) {
    case 'file': {
      const { file } = request;
      const isThere = database.chunkSet.superseded.some((superseded) => superseded.file === file);
      if (file === undefined || !isThere) {
        throw invalidRequest(`There is no older file "${file ?? ''}" of this chunk.`, 'file');
      }
      const older = chunkOfFile(context.fileSystem, database.dataDirectory, file);
      requireOverlap(chunk, older);
      return { chunk: older, from: database.dataDirectory, file };
    }
    case 'backup':
      return withDonor(request.fromBackup, context, async (open) => {
        if (!open) throw invalidRequest('No backup is named.', 'fromBackup');
        const { donor } = open;
        const found = donor.chunks.find(
          ({ startNumber, endNumber }) => startNumber <= chunk.endNumber && endNumber >= chunk.startNumber
        );
        if (!found) {
          throw invalidRequest(
            `${donor.description} does not contain chunk ${chunk.startNumber}.`,
            'fromBackup'
          );
        }
        const target = context.fileSystem.open(path.join(scratch, found.fileName), 'createNew');
        try {
          let offset = 0;
          for await (const block of donor.read(found)) {
            target.write(block, 0, block.length, offset);
            offset += block.length;
            context.control.throwIfStopped();
          }
        } finally {
          target.close();
        }
        const copy = chunkOfFile(context.fileSystem, scratch, found.fileName);
        return { chunk: copy, from: donor.description, file: found.fileName };
      });
    case 'plan': {
      const planned = await plannedChunk(request, chunk, scratch, context);
      return { chunk: planned, from: '', file: null };
    }
  }
}

function requireOverlap(chunk: Chunk, other: Chunk): void {
  if (other.startNumber <= chunk.endNumber && other.endNumber >= chunk.startNumber) return;
  throw invalidRequest(`${other.fileName} is not a version of chunk ${chunk.startNumber}.`, 'file');
}

async function compare(
  database: Database,
  before: Version,
  after: Version,
  context: OperationContext
): Promise<ChunkComparison> {
  const from = Math.max(before.chunk.startPosition, after.chunk.startPosition);
  const to = Math.min(before.chunk.endPosition, after.chunk.endPosition);
  const old = new Side(before, context, from, to);
  const now = new Side(after, context, from, to);
  const removed = { records: 0, bytes: 0 };
  const added = { records: 0, bytes: 0 };
  const streams = new Map<string, ComparedStream>();
  const rows: ChunkComparison['rows'] = [];
  const numbers = committedNumbers(database, context, PAGE_SEARCH_BYTES);
  try {
    old.next();
    now.next();
    for (let seen = 0; !old.isAtEnd || !now.isAtEnd; seen++) {
      const order = old.position - now.position;
      if (order < 0) {
        const { record } = old;
        const bytes = record.length + FRAME_LENGTH;
        count(removed, bytes);
        const stream = record.kind === 'prepare' ? record.stream : '';
        const entry = streams.get(stream) ?? { stream, records: 0, bytes: 0 };
        count(entry, bytes);
        streams.set(stream, entry);
        if (rows.length < MOST_ROWS) {
          const place = {
            chunk: Math.floor(record.position / database.log.chunkSizeBytes),
            fileOffset: old.fileOffset
          };
          rows.push(await withCommittedNumber(recordRow(record, place, 'none'), record, numbers));
        }
      } else if (order > 0) count(added, now.record.length + FRAME_LENGTH);
      if (order <= 0) old.next();
      if (order >= 0) now.next();
      if (seen % RECORDS_BETWEEN_LOOKS === 0 && context.control.isDue) {
        const done = Math.max(0, Math.min(old.position, now.position, to) - from);
        context.control.report({ phase: 'comparing', done, total: to - from, unit: 'bytes' });
        await context.control.breathe();
      }
    }
  } finally {
    old.close();
    now.close();
  }
  return {
    chunkStart: Math.max(before.chunk.startNumber, after.chunk.startNumber),
    chunkEnd: Math.min(before.chunk.endNumber, after.chunk.endNumber),
    before: old.facts(),
    after: now.facts(),
    removed,
    added,
    streams: [...streams.values()].sort((a, b) => b.bytes - a.bytes).slice(0, MOST_STREAMS),
    streamCount: streams.size,
    rows
  };
}

function count(total: { records: number; bytes: number }, bytes: number): void {
  total.records += 1;
  total.bytes += bytes;
}

/** One of the two files during the walk, within the range that both cover. */
class Side {
  readonly #version: Version;
  readonly #reader: ChunkReader;
  readonly #cursor: ChunkCursor;
  readonly #to: number;
  #records = 0;
  #bytes = 0;
  /** Position of the current record; past everything at the end. */
  position = -1;

  constructor(version: Version, { fileSystem }: OperationContext, from: number, to: number) {
    this.#version = version;
    this.#to = to;
    this.#reader = new ChunkReader(fileSystem, version.chunk);
    this.#cursor = this.#reader.cursor(from - version.chunk.startPosition);
  }

  get record() {
    return this.#cursor.record;
  }

  get fileOffset(): number {
    return this.#cursor.fileOffset;
  }

  get isAtEnd(): boolean {
    return this.position === Infinity;
  }

  next(): void {
    const isThere = this.#cursor.next() && this.record.position < this.#to;
    this.position = isThere ? this.record.position : Infinity;
    if (!isThere) return;
    this.#records += 1;
    this.#bytes += this.record.length + FRAME_LENGTH;
  }

  facts(): ComparedFile {
    const { chunk, file, from } = this.#version;
    return { file, from, fileSize: chunk.fileSize, records: this.#records, bytes: this.#bytes };
  }

  close(): void {
    this.#reader.close();
  }
}
