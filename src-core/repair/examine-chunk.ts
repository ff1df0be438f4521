/**
 * Is a file a whole, sound, completed chunk? Header, footer, hash, every record, and the position map against them.
 * For files that are to serve as part of a log: copies out of a backup, healed copies, older versions.
 */
import { Chunk } from '../chunks/chunk.ts';
import { readChunkChecksum } from '../chunks/chunk-checksum.ts';
import { CHUNK_FOOTER_LENGTH, decodeChunkFooter } from '../chunks/chunk-footer.ts';
import { decodeChunkFileName } from '../chunks/chunk-file-name.ts';
import { CHUNK_HEADER_LENGTH, decodeChunkHeader, transformName } from '../chunks/chunk-header.ts';
import { ChunkReader } from '../chunks/chunk-reader.ts';
import type { OperationControl } from '../database/operation-control.ts';
import { EngineError } from '../errors.ts';
import type { FileSystem } from '../storage/file-system.ts';

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
  const chunk = openCompleted(options);
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
      return `the position map of ${fileName} has ${chunk.mapEntries} entries for ${count} records`;
    return chunk;
  } catch (error) {
    if (error instanceof EngineError && error.code === 'LogCorrupt') return error.message;
    throw error;
  } finally {
    reader.close();
  }
}

function openCompleted({ fileSystem, path, fileName }: ExamineChunk): Chunk | string {
  const name = decodeChunkFileName(fileName);
  if (!name) return `${fileName} is not the name of a chunk`;
  const file = fileSystem.open(path, 'read');
  try {
    const fileSize = file.size();
    if (fileSize < CHUNK_HEADER_LENGTH + CHUNK_FOOTER_LENGTH) return `${fileName} has only ${fileSize} bytes`;
    const bytes = new Uint8Array(CHUNK_HEADER_LENGTH);
    file.read(bytes, 0, CHUNK_HEADER_LENGTH, 0);
    const header = decodeChunkHeader(bytes);
    if (typeof header === 'string') return `the header of ${fileName} is invalid: ${header}`;
    if (header.startNumber !== name.chunkNumber)
      return `${fileName} is chunk ${header.startNumber} according to its header`;
    const transform = transformName(header);
    if (transform !== undefined) return `${fileName} is encrypted (transform ${transform})`;
    file.read(bytes, 0, CHUNK_FOOTER_LENGTH, fileSize - CHUNK_FOOTER_LENGTH);
    const footer = decodeChunkFooter(bytes);
    if (typeof footer === 'string') return `the footer of ${fileName} is invalid: ${footer}`;
    if (!footer.isCompleted) return `${fileName} is not completed`;
    const inFile = CHUNK_HEADER_LENGTH + footer.physicalDataSize + footer.mapSize + CHUNK_FOOTER_LENGTH;
    if (inFile > fileSize) return `the footer of ${fileName} claims ${inFile} bytes, it has ${fileSize}`;
    return new Chunk({
      fileName,
      path,
      fileVersion: name.fileVersion,
      fileSize,
      header,
      footer,
      isActive: false,
      dataSize: footer.physicalDataSize
    });
  } finally {
    file.close();
  }
}
