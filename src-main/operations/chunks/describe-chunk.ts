/** Header, footer and position map of one chunk file, field by field with their places in the file. */
import {
  CHUNK_FOOTER_LENGTH,
  ChunkReader,
  invalidRequest,
  transformName,
  type Chunk,
  type ChunkFooter,
  type Database
} from '../../../src-core/index.ts';
import { lookIntoDatabase } from '../database/database-access.ts';
import { FieldList } from '../records/described-field.ts';
import type { OperationContext } from '../operation.ts';
import type {
  CheckedRequestOf,
  ChunkDescription,
  DescribedField
} from '../../contract/operations/operation-contract.ts';

const MAP_EXCERPT = 5;
const CHUNK_FILE_TYPE = 2;

export async function describeChunk(
  request: CheckedRequestOf<'describeChunk'>,
  context: OperationContext
): Promise<ChunkDescription> {
  return lookIntoDatabase(request, context, (database) => {
    const chunk = requestedChunk(database, request.chunk);
    const facts = context.fileSystem.describe(chunk.path);
    const isPlain = transformName(chunk.header) === undefined;
    return {
      file: chunk.fileName,
      fileSize: chunk.fileSize,
      modifiedMs: facts?.modifiedMs ?? 0,
      mode: facts?.mode ?? 0,
      header: headerFields(chunk),
      footer: chunk.footer ? footerFields(chunk.footer, chunk.fileSize - CHUNK_FOOTER_LENGTH) : null,
      recordCount: chunk.isScavenged ? chunk.mapEntries : null,
      positionMap: chunk.mapEntries > 0 && isPlain ? mapExcerpt(database, chunk) : null
    };
  });
}

/** The chunk file that contains a logical chunk; InvalidRequest if there is none. */
export function requestedChunk(database: Database, number: number): Chunk {
  const chunk = database.log.chunkAt(number * database.log.chunkSizeBytes);
  if (chunk) return chunk;
  const last = database.log.chunks.at(-1)?.endNumber;
  throw invalidRequest(
    last === undefined
      ? 'There are no chunks here.'
      : `There is no chunk ${number}; the last one is ${last}.`,
    'chunk'
  );
}

function headerFields(chunk: Chunk): DescribedField[] {
  const { header } = chunk;
  const list = new FieldList()
    .add('File type', CHUNK_FILE_TYPE, 1)
    .add('Lowest version a reader must know', header.minCompatibleVersion, 1)
    .add('Chunk size', `${header.chunkSizeBytes} bytes`, 4)
    .add('First chunk', header.startNumber, 4)
    .add('Last chunk', header.endNumber, 4)
    .add('Scavenged', header.isScavenged ? 'yes' : 'no', 4)
    .add('Chunk id', header.chunkId, 16);
  if (header.version > header.minCompatibleVersion || header.version >= 4) {
    list.add('Version', header.version, 1).add('Transform', transformName(header) ?? 'none', 1);
  }
  return list.fields;
}

function footerFields(footer: ChunkFooter, start: number): DescribedField[] {
  const list = new FieldList(start)
    .add('Flags', footer.isMap12Bytes ? 'completed, map entries of 12 bytes' : 'completed', 1)
    .add('Physical data size', `${footer.physicalDataSize} bytes`, 4)
    .add('Logical data size', `${footer.logicalDataSize} bytes`, footer.isMap12Bytes ? 8 : 4)
    .add('Map size', `${footer.mapSize} bytes`, 4);
  return list.at(start + CHUNK_FOOTER_LENGTH - 16).add('MD5', footer.md5, 16).fields;
}

function mapExcerpt(database: Database, chunk: Chunk): ChunkDescription['positionMap'] {
  const reader = new ChunkReader(database.fileSystem, chunk);
  try {
    const { map } = reader;
    const pair = (index: number): [number, number] => [map.logicalAt(index), map.physicalAt(index)];
    const indexes = Array.from({ length: map.length }, (_, i) => i);
    return {
      entries: map.length,
      first: indexes.slice(0, MAP_EXCERPT).map(pair),
      last: indexes.slice(Math.max(MAP_EXCERPT, map.length - MAP_EXCERPT)).map(pair)
    };
  } finally {
    reader.close();
  }
}
