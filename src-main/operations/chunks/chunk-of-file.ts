/** A chunk from a file that is not in use: an older version, a copy from a backup, a planned one. */
import {
  CHUNK_FOOTER_LENGTH,
  CHUNK_HEADER_LENGTH,
  Chunk,
  EngineError,
  decodeChunkFileName,
  decodeChunkFooter,
  decodeChunkHeader,
  type FileSystem
} from '../../../src-core/index.ts';

/** Throws LogCorrupt if it is not a completed chunk. */
export function chunkOfFile(fileSystem: FileSystem, directory: string, fileName: string): Chunk {
  const path = fileSystem.join(directory, fileName);
  const file = fileSystem.open(path, 'read');
  try {
    const fileSize = file.size();
    const head = Buffer.alloc(CHUNK_HEADER_LENGTH);
    const foot = Buffer.alloc(CHUNK_FOOTER_LENGTH);
    file.read(head, 0, head.length, 0);
    file.read(foot, 0, foot.length, Math.max(0, fileSize - foot.length));
    const header = decodeChunkHeader(head);
    if (typeof header === 'string') throw corrupt(fileName, 0, header);
    const footer = decodeChunkFooter(foot);
    if (typeof footer === 'string') throw corrupt(fileName, fileSize - foot.length, footer);
    return new Chunk({
      fileName,
      path,
      fileVersion: decodeChunkFileName(fileName)?.fileVersion ?? 0,
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

function corrupt(file: string, offset: number, problem: string): EngineError {
  return new EngineError({
    code: 'LogCorrupt',
    message: `${file} cannot be compared: ${problem}.`,
    remedy: 'Choose another version. The chunk in use is not affected.',
    details: { file, offset }
  });
}
