/**
 * Writes the log of a scenario as real files: chunks of 1 MiB with the records at the positions that follow, the
 * checkpoints, and an index of the whole log on disk. Afterwards knows the position of each record of the case.
 */
import { randomUUID } from 'node:crypto';
import {
  ChunkWriter,
  DELETED_STREAM_EVENT_NUMBER,
  emptyIndexMap,
  encodeChunkFileName,
  encodeCommit,
  encodePrepare,
  FRAME_LENGTH,
  IndexTableWriter,
  LogWriter,
  openDatabase,
  PrepareFlag,
  ticksFromIso,
  writeCheckpointFile,
  writeIndexMap,
  type FileSystem,
  type StreamHasher
} from '../../src-core/index.ts';
import {
  numberOf,
  type CaseLimits,
  type CaseNumber,
  type CaseRecord,
  type ScenarioCase
} from './case-format.ts';

export const CASE_CHUNK_BYTES = 1024 * 1024;
const DEFAULT_TIME = '2024-01-01T00:00:00Z';
const SELF_COMMITTED = PrepareFlag.transactionBegin | PrepareFlag.transactionEnd | PrepareFlag.isCommitted;
const FLAGS: Record<string, number> = {
  data: PrepareFlag.data,
  transactionBegin: PrepareFlag.transactionBegin,
  transactionEnd: PrepareFlag.transactionEnd,
  streamDelete: PrepareFlag.streamDelete,
  committed: PrepareFlag.isCommitted,
  json: PrepareFlag.isJson
};

/** One record of the case as written. */
export interface WrittenRecord {
  position: number;
  payload: Buffer;
  stream: string;
  /** Its number in the index; null if it is not there. */
  indexNumber: number | null;
}

export interface CaseDatabase {
  dataDirectory: string;
  /** By chunk, then by record. */
  records: WrittenRecord[][];
  /** Is the chunk a completed file? The last one may be open. */
  isCompleted: boolean[];
  /** Positions of what runs have written since: not part of the case. */
  added: Set<number>;
}

export interface CasePlace {
  fileSystem: FileSystem;
  dataDirectory: string;
  hasher: StreamHasher;
}

/** Records of a chunk, with those that stand for several expanded. */
export function expandRecords(records: CaseRecord[]): CaseRecord[] {
  return records.flatMap((record) => {
    const first = record.eventNumber === undefined ? 0 : numberOf(record.eventNumber);
    return Array.from({ length: record.repeat ?? 1 }, (_, i) =>
      i === 0 ? record : { ...record, eventNumber: first + i }
    );
  });
}

export function writeCaseDatabase(place: CasePlace, scenario: ScenarioCase): CaseDatabase {
  const { fileSystem, dataDirectory } = place;
  fileSystem.makeDirectory(dataDirectory);
  const chunks = scenario.chunks.map(expandRecords);
  const records = new CaseEncoder(chunks).encodeAll(chunks);
  const isCompleted = chunks.map(
    (chunk, i) =>
      i < chunks.length - 1 || scenario.completeLastChunk === true || chunk.at(-1)?.kind === 'scavengePoint'
  );
  const completedCount = isCompleted.filter(Boolean).length;
  for (let i = 0; i < completedCount; i++) writeChunk(place, i, records[i]!);
  for (const name of ['writer', 'chaser']) {
    const path = fileSystem.join(dataDirectory, `${name}.chk`);
    writeCheckpointFile(fileSystem, path, completedCount * CASE_CHUNK_BYTES);
  }
  if (completedCount < chunks.length) appendOpenChunk(place, records[completedCount]!);
  writeIndex(place, records.flat());
  for (const chunkNumber of scenario.emptiedChunks ?? []) emptyChunk(place, chunkNumber);
  return { dataDirectory, records, isCompleted, added: new Set() };
}

/** Turns the records of a case into payloads at their positions. */
class CaseEncoder {
  /** Position of the first record, by transaction. */
  readonly #starts = new Map<number, number>();
  readonly #correlationId = randomUUID();
  /** Transactions with a commit; members of others are in no index. */
  readonly #committed: Set<number | undefined>;

  constructor(chunks: CaseRecord[][]) {
    this.#committed = new Set(
      chunks.flat().flatMap(({ kind, tx }) => (kind === 'commit' && tx !== undefined ? [tx] : []))
    );
  }

  encodeAll(chunks: CaseRecord[][]): WrittenRecord[][] {
    return chunks.map((chunk, number) => {
      let position = number * CASE_CHUNK_BYTES;
      return chunk.map((record) => {
        const written = this.#encode(record, position);
        position += written.payload.length + FRAME_LENGTH;
        return written;
      });
    });
  }

  #encode(record: CaseRecord, position: number): WrittenRecord {
    const stream = record.kind === 'scavengePoint' ? '$scavengePoints' : (record.stream ?? '');
    const ticks = ticksFromIso(record.time ?? DEFAULT_TIME)!;
    const isTransactional = record.tx !== undefined && record.kind !== 'commit';
    if (record.tx !== undefined && !this.#starts.has(record.tx)) this.#starts.set(record.tx, position);
    const transactionPosition = record.tx === undefined ? position : this.#starts.get(record.tx)!;
    if (record.kind === 'commit') {
      const payload = encodeCommit({
        version: record.recordVersion ?? 1,
        position,
        transactionPosition,
        firstEventNumber: numberOf(record.firstEventNumber ?? 0),
        correlationId: this.#correlationId,
        ticks
      });
      return { position, payload: Buffer.from(payload), stream, indexNumber: null };
    }
    const eventNumber = numberOf(record.eventNumber ?? 0);
    const payload = encodePrepare({
      version: record.recordVersion ?? 1,
      position,
      flags: flagsOf(record),
      transactionPosition,
      transactionOffset: isTransactional ? (record.txOffset ?? -1) : 0,
      expectedVersion:
        eventNumber === DELETED_STREAM_EVENT_NUMBER ? DELETED_STREAM_EVENT_NUMBER : eventNumber - 1,
      stream,
      eventId: randomUUID(),
      correlationId: this.#correlationId,
      ticks,
      eventType: typeOf(record),
      data: dataOf(record),
      metadata: new Uint8Array(0)
    });
    const indexed = isTransactional ? this.#indexNumberOf(record) : eventNumber;
    return {
      position,
      payload: Buffer.from(payload),
      stream,
      indexNumber: indexed === null ? null : numberOf(indexed)
    };
  }

  #indexNumberOf({ tx, indexEventNumber }: CaseRecord): CaseNumber | null {
    return this.#committed.has(tx) ? (indexEventNumber ?? null) : null;
  }
}

function flagsOf({ kind, flags, metadata }: CaseRecord): number {
  switch (kind) {
    case 'event':
    case 'metadata':
    case 'scavengePoint':
      return PrepareFlag.data | SELF_COMMITTED | (metadata ? PrepareFlag.isJson : 0);
    case 'tombstone':
      return PrepareFlag.streamDelete | SELF_COMMITTED;
    default:
      return (flags ?? []).reduce((bits, name) => bits | FLAGS[name]!, 0);
  }
}

function typeOf({ kind, type }: CaseRecord): string {
  if (type !== undefined) return type;
  if (kind === 'scavengePoint') return '$scavengePoint';
  return kind === 'tombstone' || kind === 'txTombstone' ? '$streamDeleted' : '';
}

function dataOf(record: CaseRecord): Uint8Array {
  if (record.dataHex !== undefined) return Buffer.from(record.dataHex, 'hex');
  if (record.metadata) return Buffer.from(metadataJson(record.metadata));
  switch (record.kind) {
    case 'scavengePoint':
      return Buffer.from(record.threshold ? `{\n  "threshold": ${record.threshold}\n}` : '{}');
    case 'event':
    case 'metadata':
    case 'txData':
      return Buffer.alloc(16, 0xa5);
    default:
      return new Uint8Array(0);
  }
}

function metadataJson({ maxCount, maxAgeSeconds, truncateBefore }: CaseLimits): string {
  const member = (name: string, value: number | 'max' | null | undefined) =>
    value === undefined || value === null
      ? []
      : [`"${name}":${value === 'max' ? '9223372036854775807' : value}`];
  return `{${[...member('$maxCount', maxCount), ...member('$maxAge', maxAgeSeconds), ...member('$tb', truncateBefore)].join(',')}}`;
}

function writeChunk(
  { fileSystem, dataDirectory }: CasePlace,
  chunkNumber: number,
  records: WrittenRecord[]
): void {
  const name = encodeChunkFileName({ chunkNumber, fileVersion: 0 });
  const writer = ChunkWriter.create({
    fileSystem,
    path: fileSystem.join(dataDirectory, name),
    withMap: false,
    header: headerOf(chunkNumber, false)
  });
  for (const { position, payload } of records) {
    const framed = frame(payload);
    writer.append(framed, 0, framed.length, position - chunkNumber * CASE_CHUNK_BYTES);
  }
  writer.complete();
}

/** Replaces a chunk with a scavenged one without any record; the index still points into it. */
function emptyChunk({ fileSystem, dataDirectory }: CasePlace, chunkNumber: number): void {
  const path = (fileVersion: number) =>
    fileSystem.join(dataDirectory, encodeChunkFileName({ chunkNumber, fileVersion }));
  ChunkWriter.create({
    fileSystem,
    path: path(1),
    withMap: true,
    header: headerOf(chunkNumber, true)
  }).complete();
  fileSystem.remove(path(0));
}

function headerOf(chunkNumber: number, isScavenged: boolean) {
  return {
    version: 4,
    minCompatibleVersion: 3,
    chunkSizeBytes: CASE_CHUNK_BYTES,
    startNumber: chunkNumber,
    endNumber: chunkNumber,
    isScavenged,
    chunkId: randomUUID(),
    transformType: 0
  };
}

function frame(payload: Buffer): Buffer {
  const framed = Buffer.alloc(payload.length + FRAME_LENGTH);
  framed.writeInt32LE(payload.length, 0);
  payload.copy(framed, 4);
  framed.writeInt32LE(payload.length, 4 + payload.length);
  return framed;
}

/** The last chunk stays open. Without records there is no file, as after a restart of the server. */
function appendOpenChunk({ fileSystem, dataDirectory }: CasePlace, records: WrittenRecord[]): void {
  if (records.length === 0) return;
  const { chunkSet } = openCaseDirectory(fileSystem, dataDirectory);
  const writer = LogWriter.open({ fileSystem, directory: dataDirectory, newGuid: randomUUID }, chunkSet);
  for (const { payload } of records) writer.append(() => payload);
  writer.close();
}

function openCaseDirectory(fileSystem: FileSystem, dataDirectory: string) {
  const database = openDatabase({ fileSystem, dataDirectory });
  database.close();
  const { chunkSet } = database;
  return { chunkSet: { ...chunkSet, chunkSizeBytes: CASE_CHUNK_BYTES } };
}

function writeIndex({ fileSystem, dataDirectory, hasher }: CasePlace, records: WrittenRecord[]): void {
  const entries = records
    .filter(({ indexNumber }) => indexNumber !== null)
    .map(({ stream, indexNumber, position }) => ({
      ...hasher(stream, { high: 0, low: 0 }),
      number: indexNumber!,
      position
    }))
    .sort((a, b) => b.high - a.high || b.low - a.low || b.number - a.number || b.position - a.position);
  const directory = fileSystem.join(dataDirectory, 'index');
  fileSystem.makeDirectory(directory);
  const last = records.at(-1);
  if (entries.length === 0 || !last) return;
  const name = randomUUID();
  const writer = IndexTableWriter.create({ fileSystem, directory, name, expectedEntryCount: entries.length });
  for (const { high, low, number, position } of entries) writer.append(high, low, number, position);
  writer.complete();
  const map = {
    ...emptyIndexMap(),
    prepareCheckpoint: last.position,
    commitCheckpoint: last.position,
    tables: [{ level: 0, position: 0, file: name }]
  };
  writeIndexMap(fileSystem, directory, map, randomUUID());
}
