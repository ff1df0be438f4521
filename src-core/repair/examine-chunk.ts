/**
 * Is a file a whole, sound, completed chunk? Header, footer, hash, every record, and the position map against them.
 * For files that are to serve as part of a log: copies out of a backup, healed copies, older versions.
 */
import type { Chunk } from '../chunks/chunk.ts';
import { readChunkChecksum } from '../chunks/chunk-checksum.ts';
import { ChunkReader } from '../chunks/chunk-reader.ts';
import { describeCompletedChunk } from '../chunks/completed-chunk.ts';
import type { OperationControl } from '../database/operation-control.ts';
import { requireFault } from '../errors.ts';
import type { FileSystem } from '../storage/file-system.ts';
import { counted } from '../units/counted.ts';

export interface ExamineChunk {
  fileSystem: FileSystem;
  path: string;
  /** The name it has or is to get: its numbers must be those of the header. */
  fileName: string;
  control: OperationControl;
}

const RECORDS_BETWEEN_LOOKS = 1024;

/** The chunk, or a sentence about what is wrong with it. */
export async function examineChunk(options: ExamineChunk): Promise<Chunk | string> {
  const { fileSystem, fileName, control } = options;
  const chunk = describeCompletedChunk(options);
  if (typeof chunk === 'string') return chunk;
  const checksum = await readChunkChecksum(fileSystem, chunk, async () => {
    if (control.isDue) await control.breathe();
  });
  if (!checksum || checksum.computed !== checksum.stored)
    return `the hash of ${fileName} does not match its bytes`;
  const reader = new ChunkReader(fileSystem, chunk);
  try {
    const cursor = reader.cursor();
    let count = 0;
    while (cursor.next()) {
      const logical = cursor.record.position - chunk.startPosition;
      if (chunk.isScavenged && reader.map.exact(logical) !== cursor.physicalOffset)
        return `the position map of ${fileName} does not match its records`;
      count++;
      if (count % RECORDS_BETWEEN_LOOKS === 0 && control.isDue) await control.breathe();
    }
    if (chunk.isScavenged && count !== chunk.mapEntries)
      return `the position map of ${fileName} has ${counted(chunk.mapEntries, 'entry', 'entries')} for ${counted(count, 'record')}`;
    return chunk;
  } catch (error) {
    requireFault(error, 'LogCorrupt');
    return error.message;
  } finally {
    reader.close();
  }
}
