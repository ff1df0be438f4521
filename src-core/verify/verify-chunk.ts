/**
 * One chunk file, every byte: the hash over all of it, and a walk over its records that also holds the position
 * map against them. Reads the file once for each. Never repairs.
 */
import type { Chunk } from '../chunks/chunk.ts';
import { readChunkChecksum } from '../chunks/chunk-checksum.ts';
import { ChunkReader, type ChunkCursor } from '../chunks/chunk-reader.ts';
import { transformName } from '../chunks/chunk-header.ts';
import type { OperationControl } from '../database/operation-control.ts';
import { EngineError } from '../errors.ts';
import type { LogRecord } from '../records/log-record.ts';
import type { FileSystem } from '../storage/file-system.ts';
import { damage, type Finding } from './finding.ts';

const RECORDS_BETWEEN_LOOKS = 1024;

export interface VerifyChunk {
  fileSystem: FileSystem;
  chunk: Chunk;
  control: OperationControl;
}

/** Compares the footer's MD5 with that of the file; undefined when they agree. */
export async function verifyChunkHash(
  { fileSystem, chunk, control }: VerifyChunk,
  onBytes: (count: number) => void
): Promise<Finding | undefined> {
  const checksum = await readChunkChecksum(fileSystem, chunk, async (count) => {
    onBytes(count);
    if (control.isDue) await control.breathe();
  });
  if (!checksum || checksum.computed === checksum.stored) return undefined;
  return damage('chunkHashMismatch', {
    file: chunk.fileName,
    offset: checksum.offset,
    position: chunk.startPosition,
    message: `The hash of ${chunk.fileName} is ${checksum.computed}, its footer says ${checksum.stored}: a byte of the file has changed.`,
    remedy: `Restore ${chunk.fileName} from a backup of this node. The server ends itself when it finds this.`
  });
}

/** Walks the records; the finding says where the walk had to stop. `onRecord` may keep nothing of the view. */
export async function verifyChunkRecords(
  { fileSystem, chunk, control }: VerifyChunk,
  onRecord: (record: LogRecord) => void
): Promise<Finding | undefined> {
  const transform = transformName(chunk.header);
  if (transform !== undefined) return undefined;
  const reader = new ChunkReader(fileSystem, chunk);
  try {
    const cursor = reader.cursor();
    let count = 0;
    while (cursor.next()) {
      const mismatch = chunk.isScavenged ? mapMismatch(reader, cursor, count) : undefined;
      if (mismatch) return mismatch;
      onRecord(cursor.record);
      count++;
      if (count % RECORDS_BETWEEN_LOOKS === 0 && control.isDue) await control.breathe();
    }
    return surplusMapEntries(reader, count);
  } catch (error) {
    return asFinding(error, chunk);
  } finally {
    reader.close();
  }
}

function mapMismatch(reader: ChunkReader, cursor: ChunkCursor, index: number): Finding | undefined {
  const { chunk } = reader;
  const { map } = reader;
  const logical = cursor.record.position - chunk.startPosition;
  if (map.logical[index] === logical && map.physical[index] === cursor.physicalOffset) return undefined;
  return damage('chunkFooterInvalid', {
    file: chunk.fileName,
    offset: chunk.dataStart + chunk.dataSize + index * (chunk.footer?.isMap12Bytes === false ? 8 : 12),
    position: cursor.record.position,
    message: `Entry ${index} of the position map of ${chunk.fileName} does not lead to the record that lies there.`,
    remedy: `Restore ${chunk.fileName} from a backup of this node.`
  });
}

function surplusMapEntries(reader: ChunkReader, recordCount: number): Finding | undefined {
  const { chunk } = reader;
  if (!chunk.isScavenged || chunk.mapEntries === recordCount) return undefined;
  return damage('chunkFooterInvalid', {
    file: chunk.fileName,
    offset: chunk.dataStart + chunk.dataSize,
    position: chunk.startPosition,
    message: `The position map of ${chunk.fileName} has ${chunk.mapEntries} entries for ${recordCount} records.`,
    remedy: `Restore ${chunk.fileName} from a backup of this node.`
  });
}

/** Damage that a reader met, as a finding; in the active chunk it may be the checkpoint that is wrong. */
function asFinding(error: unknown, chunk: Chunk): Finding {
  if (!(error instanceof EngineError) || error.code !== 'LogCorrupt') throw error;
  const offset = typeof error.details.offset === 'number' ? error.details.offset : null;
  const position =
    offset === null || chunk.isScavenged ? null : chunk.startPosition + offset - chunk.dataStart;
  if (chunk.isActive && error.details['reason'] === 'noRecord') {
    return damage('writerCheckpointBeyondEnd', {
      file: 'writer.chk',
      offset: 0,
      position,
      message: `The writer checkpoint ${chunk.startPosition + chunk.dataSize} lies behind the last record, which ends at ${position}.`,
      remedy:
        'Restore the checkpoints and the last chunk from the same backup, or set them to the end of the last record.'
    });
  }
  if (chunk.isActive && error.details['reason'] === 'beyondData') {
    return damage('writerCheckpointInsideRecord', {
      file: 'writer.chk',
      offset: 0,
      position,
      message: `The writer checkpoint ${chunk.startPosition + chunk.dataSize} lies within the record at ${position}.`,
      remedy:
        'Restore the checkpoints and the last chunk from the same backup, or set them to the end of the last record.'
    });
  }
  return damage('recordInvalid', {
    file: chunk.fileName,
    offset,
    position,
    message: error.message,
    remedy: `Restore ${chunk.fileName} from a backup of this node. "winnow records --salvage" shows what is still readable.`
  });
}
