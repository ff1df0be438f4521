/**
 * One chunk file, every byte, read once: the hash over all of it, and a walk over its records that also holds the
 * position map against them and gathers what the index must know of them. Never repairs.
 */
import { Chunk, type ChunkParts } from '../chunks/chunk.ts';
import { ChunkReader, type ChunkCursor } from '../chunks/chunk-reader.ts';
import { MD5_LENGTH } from '../chunks/chunk-footer.ts';
import { transformName } from '../chunks/chunk-header.ts';
import { LANES, LEAST_SIDE_BY_SIDE, Md5Lanes, md5Hasher, type Hasher } from '../codec/md5-lanes.ts';
import type { OperationControl } from '../database/operation-control.ts';
import { DigestBuilder } from '../digest/digest-builder.ts';
import type { DigestStore } from '../digest/digest-store.ts';
import { EngineError } from '../errors.ts';
import type { FileSystem } from '../storage/file-system.ts';
import { ChunkEntriesBuilder, type ChunkEntries } from './chunk-entries.ts';
import { damage, REPAIR_COMMAND, type Finding } from './finding.ts';
import { HashedFile } from '../chunks/hashed-file.ts';
import { counted } from '../units/counted.ts';

const RECORDS_BETWEEN_LOOKS = 1024;
/** Large records: a hasher that keeps step with others must not get too much between two looks. */
const BYTES_BETWEEN_LOOKS = 256 * 1024;
/** How many chunks are best verified at once in one thread. */
export const CHUNKS_TOGETHER = LANES;

/** Plain values: it crosses to a worker thread. */
export interface ChunkOrder {
  chunk: ChunkParts;
  /** Without the hash. */
  quick: boolean;
  /** Its digest is made on the way and kept under this identity, if the chunk is hashed and sound. */
  digestKeptAs?: string | undefined;
}

export interface VerifyChunks {
  fileSystem: FileSystem;
  control: OperationControl;
  /** Where digests are kept; undefined: nowhere, and none is made. */
  digests?: Pick<DigestStore, 'save'> | undefined;
  /** Bytes read and hashed, or, without a hash, bytes of records. */
  onBytes: (count: number) => void;
}

export interface VerifyChunk extends ChunkOrder, VerifyChunks {
  /** Of chunks that are verified together; the chunk's own otherwise. */
  hasher?: Hasher;
}

export interface ChunkVerified {
  findings: Finding[];
  /** Hashed. */
  bytes: number;
  records: number;
  entries: ChunkEntries;
}

/**
 * Up to CHUNKS_TOGETHER chunks, their hashes side by side, which is faster than one after the other. A chunk that fails
 * does not concern the others.
 */
export async function verifyChunks(
  orders: readonly ChunkOrder[],
  options: VerifyChunks
): Promise<PromiseSettledResult<ChunkVerified>[]> {
  const hashed = orders.filter(({ quick, chunk }) => !quick && chunk.footer !== null).length;
  const lanes = hashed >= LEAST_SIDE_BY_SIDE ? new Md5Lanes() : undefined;
  return Promise.allSettled(
    orders.map((order) => {
      const isHashed = !order.quick && order.chunk.footer !== null;
      return verifyChunk({ ...order, ...options, ...(lanes && isHashed && { hasher: lanes.open() }) });
    })
  );
}

/**
 * Hash and records of one chunk. Throws when the file cannot be read at all: also when it is gone, because a running
 * server has replaced it.
 */
export async function verifyChunk(options: VerifyChunk): Promise<ChunkVerified> {
  const hasher = options.hasher ?? md5Hasher();
  try {
    return await verifyWith(hasher, options);
  } finally {
    hasher.close();
  }
}

async function verifyWith(hasher: Hasher, options: VerifyChunk): Promise<ChunkVerified> {
  const { fileSystem, control, quick, onBytes } = options;
  const chunk = new Chunk(options.chunk);
  const breathe = async () => {
    if (control.isDue) await control.breathe();
    await hasher.turn();
  };
  const file = fileSystem.open(chunk.path, 'read');
  try {
    const isHashed = !quick && chunk.footer !== null;
    let bytes = 0;
    const hashed = new HashedFile(file, {
      end: isHashed ? file.size() - MD5_LENGTH : 0,
      hasher,
      onBytes: (count) => {
        bytes += count;
        onBytes(count);
      }
    });
    if (isHashed) await hashed.readUpTo(Math.min(chunk.dataStart, file.size() - MD5_LENGTH), breathe);
    const { digests, digestKeptAs } = options;
    const builder = isHashed && digests && digestKeptAs !== undefined ? new DigestBuilder(chunk) : undefined;
    const walk = new ChunkWalk(chunk, { open: () => hashed }, builder);
    const broken = await walk.run(breathe, isHashed ? () => undefined : onBytes);
    const findings: Finding[] = [];
    if (isHashed && chunk.footer) {
      const computed = await hashed.digest(breathe);
      const { md5 } = chunk.footer;
      if (computed !== md5)
        findings.push(hashMismatch(chunk, { computed, offset: file.size() - MD5_LENGTH }));
    }
    if (broken) findings.push(broken);
    if (builder && findings.length === 0)
      digests?.save(builder.build({ dataSize: chunk.dataSize, isHashed }), digestKeptAs!);
    return { findings, bytes, records: walk.records, entries: walk.entries.build() };
  } finally {
    file.close();
  }
}

function hashMismatch(chunk: Chunk, { computed, offset }: { computed: string; offset: number }): Finding {
  const { fileName, footer } = chunk;
  return damage('chunkHashMismatch', {
    file: fileName,
    offset,
    position: chunk.startPosition,
    message: `The hash of ${fileName} is ${computed}, its footer says ${footer?.md5}: a byte of the file has changed.`,
    remedy: `Restore ${fileName} from a backup of this node. The server ends itself when it finds this.`,
    command: REPAIR_COMMAND
  });
}

class ChunkWalk {
  readonly entries = new ChunkEntriesBuilder();
  records = 0;
  readonly #chunk: Chunk;
  readonly #opener: Pick<FileSystem, 'open'>;
  readonly #digest: DigestBuilder | undefined;

  /** `digest`: is shown each record. */
  constructor(chunk: Chunk, opener: Pick<FileSystem, 'open'>, digest?: DigestBuilder) {
    this.#chunk = chunk;
    this.#opener = opener;
    this.#digest = digest;
  }

  /** Walks the records; the finding says where the walk had to stop. The file stays open. */
  async run(breathe: () => Promise<void>, onBytes: (count: number) => void): Promise<Finding | undefined> {
    const chunk = this.#chunk;
    if (transformName(chunk.header) !== undefined) return undefined;
    const reader = new ChunkReader(this.#opener, chunk);
    try {
      const cursor = reader.cursor();
      let told = 0;
      while (cursor.next()) {
        const mismatch = chunk.isScavenged ? mapMismatch(reader, cursor, this.records) : undefined;
        if (mismatch) return mismatch;
        this.entries.see(cursor.record);
        this.#digest?.add(cursor.record, cursor.physicalOffset);
        this.records++;
        const bytes = cursor.physicalOffset - told;
        if (this.records % RECORDS_BETWEEN_LOOKS !== 0 && bytes < BYTES_BETWEEN_LOOKS) continue;
        onBytes(bytes);
        told = cursor.physicalOffset;
        await breathe();
      }
      onBytes(chunk.dataSize - told);
      return surplusMapEntries(reader, this.records);
    } catch (error) {
      return asFinding(error, chunk);
    }
  }
}

function mapMismatch(reader: ChunkReader, cursor: ChunkCursor, index: number): Finding | undefined {
  const { chunk } = reader;
  const { map } = reader;
  const logical = cursor.record.position - chunk.startPosition;
  const isThere = index < map.length && map.logicalAt(index) === logical;
  if (isThere && map.physicalAt(index) === cursor.physicalOffset) return undefined;
  return damage('chunkFooterInvalid', {
    file: chunk.fileName,
    offset: chunk.dataStart + chunk.dataSize + index * (chunk.footer?.isMap12Bytes === false ? 8 : 12),
    position: cursor.record.position,
    message: `Entry ${index} of the position map of ${chunk.fileName} does not lead to the record at that place.`,
    remedy: `Restore ${chunk.fileName} from a backup of this node.`,
    command: REPAIR_COMMAND
  });
}

function surplusMapEntries(reader: ChunkReader, recordCount: number): Finding | undefined {
  const { chunk } = reader;
  if (!chunk.isScavenged || chunk.mapEntries === recordCount) return undefined;
  return damage('chunkFooterInvalid', {
    file: chunk.fileName,
    offset: chunk.dataStart + chunk.dataSize,
    position: chunk.startPosition,
    message: `The position map of ${chunk.fileName} has ${counted(chunk.mapEntries, 'entry', 'entries')} for ${counted(recordCount, 'record')}.`,
    remedy: `Restore ${chunk.fileName} from a backup of this node.`,
    command: REPAIR_COMMAND
  });
}

/** Damage that a reader met, as a finding; in the active chunk it may be the checkpoint that is wrong. */
function asFinding(error: unknown, chunk: Chunk): Finding {
  // One record of a type that nobody knows says nothing of the other chunks.
  const isOfRecord = (found: EngineError): boolean =>
    found.code === 'LogCorrupt' || (found.code === 'UnsupportedFormat' && found.details.offset !== undefined);
  if (!(error instanceof EngineError) || !isOfRecord(error)) throw error;
  const offset = typeof error.details.offset === 'number' ? error.details.offset : null;
  const position =
    offset === null || chunk.isScavenged ? null : chunk.startPosition + offset - chunk.dataStart;
  if (chunk.isActive && error.details['reason'] === 'noRecord') {
    return damage('writerCheckpointBeyondEnd', {
      file: 'writer.chk',
      offset: 0,
      position,
      message: `The writer checkpoint ${chunk.startPosition + chunk.dataSize} is after the last record, which ends at ${position}.`,
      remedy:
        'Restore the checkpoints and the last chunk from the same backup, or set them to the end of the last record.',
      command: REPAIR_COMMAND
    });
  }
  if (chunk.isActive && error.details['reason'] === 'beyondData') {
    return damage('writerCheckpointInsideRecord', {
      file: 'writer.chk',
      offset: 0,
      position,
      message: `The writer checkpoint ${chunk.startPosition + chunk.dataSize} is within the record at ${position}.`,
      remedy:
        'Restore the checkpoints and the last chunk from the same backup, or set them to the end of the last record.',
      command: REPAIR_COMMAND
    });
  }
  return damage('recordInvalid', {
    file: chunk.fileName,
    offset,
    position,
    message: error.message,
    remedy: `Restore ${chunk.fileName} from a backup of this node. "winnow records --salvage" shows what is still readable.`,
    command: REPAIR_COMMAND
  });
}
