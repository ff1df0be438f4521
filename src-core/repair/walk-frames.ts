/**
 * Walks the records of a completed chunk and puts a length right that contradicts the other one of the same record.
 * Gives the end of the data and the position map that follow from the records alone.
 */
import type { Chunk } from '../chunks/chunk.ts';
import { ChunkReader } from '../chunks/chunk-reader.ts';
import { writeInt64 } from '../codec/int64.ts';
import type { OperationControl } from '../database/operation-control.ts';
import { requireFault } from '../errors.ts';
import { FRAME_LENGTH, LogRecord, MAX_RECORD_LENGTH } from '../records/log-record.ts';
import type { FileSystem } from '../storage/file-system.ts';
import type { Patch } from './patched-file.ts';
import { SalvageChunk } from './salvage-chunk.ts';

const MAP_ENTRY_LENGTH = 12;

export interface Correction {
  patch: Patch;
  words: string;
}

export interface FrameWalk {
  /** Physical offset behind the last record. */
  dataSize: number;
  /** Logical offset behind the last record. */
  logicalDataSize: number;
  /** As the file must hold it; empty unless the chunk is scavenged. */
  map: Buffer;
  corrections: Correction[];
}

/** undefined when a record is damaged in more than its lengths. */
export async function walkFrames(
  fileSystem: FileSystem,
  chunk: Chunk,
  control: OperationControl
): Promise<FrameWalk | undefined> {
  const walk = new SalvageChunk({ fileSystem, chunk });
  const places: { physical: number; logical: number }[] = [];
  const corrections: Correction[] = [];
  let dataSize = 0;
  let logicalDataSize = 0;
  try {
    for (let found = walk.next(); found !== 'end'; found = walk.next()) {
      if (found === 'record') {
        const { position, length } = walk.record;
        const logical = position - chunk.startPosition;
        if (chunk.isScavenged) places.push({ physical: dataSize, logical });
        dataSize = walk.physicalOffset;
        logicalDataSize = logical + length + FRAME_LENGTH;
        if (control.isDue) await control.breathe();
        continue;
      }
      const next = walk.physicalOffset;
      if (next <= dataSize) break; // nothing behind reads as a record: here the data ends
      const mended = mendFrame(fileSystem, chunk, dataSize, next);
      if (!mended) return undefined;
      corrections.push(mended.correction);
      if (chunk.isScavenged) places.push({ physical: dataSize, logical: mended.logical });
      dataSize = next;
    }
  } finally {
    walk.close();
  }
  const map = Buffer.alloc(places.length * MAP_ENTRY_LENGTH);
  const view = new DataView(map.buffer, map.byteOffset, map.length);
  places.forEach(({ physical, logical }, i) => {
    view.setInt32(i * MAP_ENTRY_LENGTH, physical, true);
    writeInt64(view, i * MAP_ENTRY_LENGTH + 4, logical);
  });
  return { dataSize, logicalDataSize, map, corrections };
}

/** One record fills the space between `start` and `end`, and one of its two lengths says so. */
function mendFrame(
  fileSystem: FileSystem,
  chunk: Chunk,
  start: number,
  end: number
): { correction: Correction; logical: number } | undefined {
  const length = end - start - FRAME_LENGTH;
  if (length <= 0 || length > MAX_RECORD_LENGTH) return undefined;
  const reader = new ChunkReader(fileSystem, chunk);
  try {
    const bytes = Buffer.alloc(length + FRAME_LENGTH);
    reader.file.read(bytes, 0, bytes.length, chunk.dataStart + start);
    const prefix = bytes.readInt32LE(0);
    const suffix = bytes.readInt32LE(length + 4);
    if ((prefix === length) === (suffix === length)) return undefined;
    const record = new LogRecord();
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
    if (record.parse(bytes, view, 4, length) !== undefined) return undefined;
    const logical = record.position - chunk.startPosition;
    if (chunk.isScavenged ? logical < start : logical !== start) return undefined;
    const right = Buffer.alloc(4);
    right.writeInt32LE(length);
    const offset = chunk.dataStart + (prefix === length ? end - 4 : start);
    const which = prefix === length ? 'behind' : 'before';
    const words = `bytes ${offset} to ${offset + 3} (the length ${which} the record at ${record.position})`;
    return { correction: { patch: { offset, bytes: right }, words }, logical };
  } catch (error) {
    requireFault(error, 'LogCorrupt');
    return undefined;
  } finally {
    reader.close();
  }
}
