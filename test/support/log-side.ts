/**
 * One node's files for a log that a test has in its hands: records by position, in chunk files of any layout.
 * For comparisons, where the same log lies differently on each node.
 */
import { ChunkWriter } from '../../src-core/chunks/chunk-writer.ts';
import {
  CHUNK_HEADER_LENGTH,
  encodeChunkHeader,
  type ChunkHeader
} from '../../src-core/chunks/chunk-header.ts';
import { encodeChunkFileName } from '../../src-core/chunks/chunk-file-name.ts';
import { openDatabase, type Database } from '../../src-core/database/database.ts';
import { writeCheckpointFile } from '../../src-core/log/checkpoint-file.ts';
import { encodePrepare } from '../../src-core/records/encode-record.ts';
import { FRAME_LENGTH } from '../../src-core/records/log-record.ts';
import { MemoryFileSystem } from './memory-file-system.ts';
import type { Prng } from './prng.ts';

/** A framed record, both lengths included, by its position. */
export type Records = Map<number, Buffer>;

/** Files of a side: chunk numbers, both inclusive. */
export interface SideFile {
  startNumber: number;
  endNumber: number;
  isScavenged: boolean;
}

export interface LogParts {
  chunkSizeBytes: number;
  records: Records;
  /** Position of the next record. */
  end: number;
}

const DIRECTORY = '/db';

/** Fills chunk after chunk with random events; the last one is being written. */
export function randomLog(
  random: Prng,
  { chunks, chunkSizeBytes, mostData }: { chunks: number; chunkSizeBytes: number; mostData?: number }
): LogParts {
  const records: Records = new Map();
  let end = 0;
  const last = (chunks - 1) * chunkSizeBytes + random.below(chunkSizeBytes);
  for (let number = 0; end < last; number++) {
    const frame = framed(encodeEvent(random, end, number, mostData));
    const left = chunkSizeBytes - (end % chunkSizeBytes);
    if (frame.length > left) {
      end += left; // the server completes a chunk that has no room
      continue;
    }
    records.set(end, frame);
    end += frame.length;
  }
  return { chunkSizeBytes, records, end };
}

/** An event; the position is part of it. */
export function encodeEvent(random: Prng, position: number, number: number, mostData = 60): Buffer {
  return encodePrepare({
    position,
    flags: 0x127,
    transactionPosition: position,
    transactionOffset: 0,
    expectedVersion: number - 1,
    stream: `stream-${random.below(5)}`,
    eventId: guid(random),
    correlationId: guid(random),
    ticks: 639_000_000_000_000_000n + BigInt(number),
    eventType: 'happened',
    data: random.bytes(random.below(mostData)),
    metadata: random.bytes(random.below(10))
  });
}

export function framed(payload: Uint8Array): Buffer {
  const frame = Buffer.alloc(payload.length + FRAME_LENGTH);
  frame.writeInt32LE(payload.length, 0);
  frame.set(payload, 4);
  frame.writeInt32LE(payload.length, payload.length + 4);
  return frame;
}

function guid(random: Prng): string {
  const hex = Buffer.from(random.bytes(16)).toString('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}

/** One side's files on a disk of its own. Records that no file may hold have to be left out beforehand. */
export class LogSide {
  readonly fileSystem = new MemoryFileSystem();
  readonly parts: LogParts;
  readonly files: readonly SideFile[];

  /** Every chunk before the one being written is in just one file; an absent one is missing. */
  constructor(parts: LogParts, files: readonly SideFile[], random: Prng) {
    this.parts = parts;
    this.files = files;
    this.fileSystem.makeDirectory(DIRECTORY);
    for (const file of files) this.#write(file, random);
    writeCheckpointFile(this.fileSystem, `${DIRECTORY}/writer.chk`, parts.end);
    writeCheckpointFile(this.fileSystem, `${DIRECTORY}/chaser.chk`, parts.end);
  }

  open(): Database {
    return openDatabase({ fileSystem: this.fileSystem, dataDirectory: DIRECTORY });
  }

  pathOf({ startNumber, isScavenged }: SideFile): string {
    const name = encodeChunkFileName({ chunkNumber: startNumber, fileVersion: isScavenged ? 1 : 0 });
    return `${DIRECTORY}/${name}`;
  }

  /** Changes bytes of a file. */
  patch(file: SideFile, offset: number, bytes: Uint8Array): void {
    const path = this.pathOf(file);
    this.fileSystem.changeMode(path, 0o644);
    const opened = this.fileSystem.open(path, 'readWrite');
    opened.write(bytes, 0, bytes.length, offset);
    opened.close();
  }

  /** Positions of a file's records in their order, and where their frames begin in the file. */
  placesOf(file: SideFile): { position: number; offset: number }[] {
    let offset = CHUNK_HEADER_LENGTH;
    return this.#recordsOf(file).map(([position, frame]) => {
      const place = { position, offset };
      offset += frame.length;
      return place;
    });
  }

  #recordsOf({ startNumber, endNumber }: SideFile): [number, Buffer][] {
    const { chunkSizeBytes, records } = this.parts;
    const from = startNumber * chunkSizeBytes;
    const to = (endNumber + 1) * chunkSizeBytes;
    return [...records].filter(([position]) => position >= from && position < to).sort(([a], [b]) => a - b);
  }

  #write(file: SideFile, random: Prng): void {
    const { chunkSizeBytes, end } = this.parts;
    const header: ChunkHeader = {
      version: 3,
      minCompatibleVersion: 3,
      chunkSizeBytes,
      startNumber: file.startNumber,
      endNumber: file.endNumber,
      isScavenged: file.isScavenged,
      chunkId: guid(random),
      transformType: 0
    };
    const start = file.startNumber * chunkSizeBytes;
    const isActive = end < start + chunkSizeBytes;
    const path = this.pathOf(file);
    if (isActive) {
      const bytes = Buffer.alloc(CHUNK_HEADER_LENGTH + chunkSizeBytes + 128);
      bytes.set(encodeChunkHeader(header), 0);
      for (const [position, frame] of this.#recordsOf(file)) {
        bytes.set(frame, CHUNK_HEADER_LENGTH + position - start);
      }
      const opened = this.fileSystem.open(path, 'createNew');
      opened.write(bytes, 0, bytes.length, 0);
      opened.close();
      return;
    }
    const writer = ChunkWriter.create({
      fileSystem: this.fileSystem,
      path,
      header,
      withMap: file.isScavenged
    });
    for (const [position, frame] of this.#recordsOf(file))
      writer.append(frame, 0, frame.length, position - start);
    writer.complete();
  }
}
