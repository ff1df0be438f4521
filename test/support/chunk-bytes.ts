/** The bytes of a chunk file with the records that a test names, for code that is fed bytes and opens no file. */
import { CHUNK_FOOTER_LENGTH, encodeChunkFooterHead } from '../../src-core/chunks/chunk-footer.ts';
import { CHUNK_HEADER_LENGTH, encodeChunkHeader } from '../../src-core/chunks/chunk-header.ts';
import { encodePrepare, frameRecord } from '../../src-core/records/encode-record.ts';
import { PrepareFlag } from '../../src-core/records/log-record.ts';

export const RECORD_ID = '11111111-2222-4333-8444-555555555555';

export interface NewRecord {
  stream: string;
  data?: string | Uint8Array;
  metadata?: string;
  flags?: number;
  eventId?: string;
}

/** The payload of another kind of record. */
export type PayloadAt = (position: number) => Buffer;

/** A chunk that is being written: its header, and records one after the other. */
export function chunkBytes(records: readonly (NewRecord | PayloadAt)[], transformType = 0): Buffer {
  const header = encodeChunkHeader({
    version: 4,
    minCompatibleVersion: transformType === 0 ? 3 : 4,
    chunkSizeBytes: 1024 * 1024,
    startNumber: 0,
    endNumber: 0,
    isScavenged: false,
    chunkId: RECORD_ID,
    transformType
  });
  const parts: Uint8Array[] = [header];
  let position = 0;
  for (const record of records) {
    const frame = frameRecord(typeof record === 'function' ? record(position) : prepareAt(position, record));
    parts.push(frame);
    position += frame.length;
  }
  return Buffer.concat(parts);
}

function prepareAt(position: number, record: NewRecord): Buffer {
  const { stream, data = '{}', metadata = '', flags, eventId = RECORD_ID } = record;
  return encodePrepare({
    position,
    flags: flags ?? PrepareFlag.data | PrepareFlag.isCommitted,
    transactionPosition: position,
    transactionOffset: 0,
    expectedVersion: 0,
    stream,
    eventId,
    correlationId: RECORD_ID,
    ticks: 638_000_000_000_000_000n,
    eventType: 'made',
    data: Buffer.from(data),
    metadata: Buffer.from(metadata)
  });
}

/** The same completed: a position map of the bytes given, the padding, the footer with a hash of the bytes given. */
export function completed(
  chunk: Buffer,
  { map = Buffer.alloc(0), padding = Buffer.alloc(0), md5 = Buffer.alloc(16) }: Partial<ChunkTail> = {}
): Buffer {
  const physicalDataSize = chunk.length - CHUNK_HEADER_LENGTH;
  const footer = encodeChunkFooterHead({
    physicalDataSize,
    logicalDataSize: physicalDataSize,
    mapSize: map.length
  });
  const bytes = Buffer.concat([chunk, map, padding, footer, md5]);
  if (bytes.length !== chunk.length + map.length + padding.length + CHUNK_FOOTER_LENGTH) {
    throw new Error('The hash of a chunk has 16 bytes.');
  }
  return bytes;
}

interface ChunkTail {
  map: Buffer;
  padding: Buffer;
  md5: Buffer;
}
