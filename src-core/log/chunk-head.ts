/**
 * Header and footer of a chunk file. What is wrong with them is collected as problems; a file whose header cannot be used has no
 * head. Format: docs/format/log.md.
 */
import { CHUNK_FOOTER_LENGTH, decodeChunkFooter, type ChunkFooter } from '../chunks/chunk-footer.ts';
import type { ChunkFileName } from '../chunks/chunk-file-name.ts';
import {
  CHUNK_HEADER_LENGTH,
  NEWEST_CHUNK_VERSION,
  READER_VERSION_OFFSET,
  decodeChunkHeader,
  transformName,
  type ChunkHeader
} from '../chunks/chunk-header.ts';
import type { FileSystem, OpenFile } from '../storage/file-system.ts';
import { problemAt, type LogProblem } from './log-problem.ts';

export interface NamedFile extends ChunkFileName {
  file: string;
}

/** Header and footer of a file, as read from it. */
export interface OpenedHead {
  named: NamedFile;
  fileSize: number;
  header: ChunkHeader;
  /** Footer, or the sentence about why it cannot be decoded. */
  footer: ChunkFooter | string;
}

export function readHead(
  fileSystem: FileSystem,
  directory: string,
  named: NamedFile,
  problems: LogProblem[]
): OpenedHead | undefined {
  const path = fileSystem.join(directory, named.file);
  const file = fileSystem.open(path, 'read');
  try {
    const fileSize = file.openedSize ?? file.size();
    const header = decodeChunkHeader(readAt(file, CHUNK_HEADER_LENGTH, 0));
    const wrong = (offset: number, what: string, remedy?: string) => {
      problems.push(
        problemAt('chunkHeaderInvalid', 'damage', named.file, offset, null, {
          message: `The header of ${named.file} is invalid: ${what}.`,
          remedy: remedy ?? `Restore ${named.file} from a backup.`
        })
      );
      return undefined;
    };
    if (typeof header === 'string') return wrong(0, header);
    if (header.minCompatibleVersion > NEWEST_CHUNK_VERSION) {
      return wrong(
        READER_VERSION_OFFSET,
        `it needs a reader of format version ${header.minCompatibleVersion}, this one knows ${NEWEST_CHUNK_VERSION}`,
        'If a newer server wrote it, use a newer workbench; otherwise restore the file from a backup.'
      );
    }
    if (header.startNumber !== named.chunkNumber) {
      return wrong(
        6,
        `it says chunk ${header.startNumber}, the name says ${named.chunkNumber}`,
        'This file belongs to another chunk. Move it out of the directory or restore the right one.'
      );
    }
    if (header.endNumber > header.startNumber && !header.isScavenged) {
      return wrong(
        10,
        `it says chunks ${header.startNumber} to ${header.endNumber}, but only a scavenge merges`
      );
    }
    if (header.endNumber > header.startNumber && named.fileVersion === 0) {
      // The server treats a file of version 0 as one chunk without reading its header, and misses the others.
      return wrong(
        10,
        `it says chunks ${header.startNumber} to ${header.endNumber}, but a file of version 0 holds one chunk`
      );
    }
    const transform = transformName(header);
    if (transform !== undefined) {
      problems.push(
        problemAt('encrypted', 'hint', named.file, 35, null, {
          message: `${named.file} is encrypted (transform ${transform}); encrypted chunks are not supported.`,
          remedy: 'Scavenge and read this database with the server and its encryption plug-in.'
        })
      );
    }
    const footer =
      fileSize >= CHUNK_HEADER_LENGTH + CHUNK_FOOTER_LENGTH
        ? decodeChunkFooter(readAt(file, CHUNK_FOOTER_LENGTH, fileSize - CHUNK_FOOTER_LENGTH))
        : `the file has only ${fileSize} bytes`;
    return { named, fileSize, header, footer };
  } finally {
    file.close();
  }
}

/** For a header, then for a footer, of one file after the other. */
const headBytes = Buffer.alloc(Math.max(CHUNK_HEADER_LENGTH, CHUNK_FOOTER_LENGTH));

/** Valid until the next call. */
function readAt(file: OpenFile, length: number, position: number): Uint8Array {
  return headBytes.subarray(0, file.read(headBytes, 0, length, position));
}
