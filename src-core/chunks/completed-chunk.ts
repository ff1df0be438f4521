/** The description of a completed chunk, from the header and the footer of its file. */
import type { FileSystem } from '../storage/file-system.ts';
import { CHUNK_FOOTER_LENGTH, decodeChunkFooter } from './chunk-footer.ts';
import { decodeChunkFileName } from './chunk-file-name.ts';
import { CHUNK_HEADER_LENGTH, decodeChunkHeader, transformName } from './chunk-header.ts';
import { Chunk } from './chunk.ts';

export interface DescribeCompleted {
  fileSystem: FileSystem;
  path: string;
  /** The name it has or is to get: its numbers must be those of the header. */
  fileName: string;
  /** Where it is going to be; the same path if not given. */
  finalPath?: string;
}

/** The chunk, or a sentence about why the file is no completed chunk of that name. Reads no records. */
export function describeCompletedChunk(options: DescribeCompleted): Chunk | string {
  const { fileSystem, path, fileName, finalPath = path } = options;
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
      path: finalPath,
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
