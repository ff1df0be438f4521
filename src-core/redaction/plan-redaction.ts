/**
 * What a redaction would do: every record of the events that are meant, in all chunks that serve, whether it can be
 * redacted, and the files that would be made again. Reads the whole log; changes nothing.
 *
 * A record is redacted when its flag says so and all of its data are 0xFF: a record of which only one is true is taken
 * as one that still has to be done, so that a cut run is finished by the next.
 */
import type { Chunk } from '../chunks/chunk.ts';
import { decodeChunkFileName } from '../chunks/chunk-file-name.ts';
import { refuseTransformed } from '../chunks/chunk-reader.ts';
import type { Database } from '../database/database.ts';
import type { OperationControl } from '../database/operation-control.ts';
import { PrepareFlag, type LogRecord } from '../records/log-record.ts';
import type { Ticks } from '../units/ticks.ts';
import { WantedEvents, type AskedEvent, type RedactionQuestion } from './redaction-question.ts';

/** The byte that takes the place of each byte of the data, as the server's documentation has it. */
export const REDACTED_BYTE = 0xff;

/** `empty`: it has no data that could be overwritten. */
export type RecordState = 'toRedact' | 'redacted' | 'empty' | 'refused';
export type RefusalReason = 'activeChunk' | 'systemStream' | 'link' | 'noEvent';

export interface FoundRecord {
  chunk: Chunk;
  position: number;
  /** Of the first length field, in the file. */
  fileOffset: number;
  stream: string;
  /** As the record has it; -1 for members of explicit transactions after the first. */
  eventNumber: number;
  eventId: string;
  eventType: string;
  ticks: Ticks;
  /** Bytes. */
  dataLength: number;
  metadataLength: number;
  flags: number;
  /** Offsets in the file: of the two bytes of the flags, and of the first byte of the data. */
  flagsAt: number;
  dataAt: number;
  state: RecordState;
  refusal: RefusalReason | null;
}

export interface PlannedChunk {
  chunk: Chunk;
  /** To be overwritten, in the order of the file. None: only older versions of this chunk are to go. */
  records: FoundRecord[];
}

export interface RedactionPlan {
  asked: AskedEvent[];
  /** In the order of the log. */
  records: FoundRecord[];
  /** Of what was asked for: no record serves. */
  notFound: AskedEvent[];
  /** Those with records that are redacted or are to be. */
  chunks: PlannedChunk[];
  /**
   * Files beside the log that may hold the data still, and that a server deletes at its start: older versions of these
   * chunks, and what interrupted work left.
   */
  sweeps: string[];
  /** The largest file that is made again: it lies beside the old one for a while. */
  scratchBytes: number;
}

export interface PlanRedaction {
  database: Database;
  question: RedactionQuestion;
  control: OperationControl;
}

const RECORDS_BETWEEN_LOOKS = 1024;
/** Behind the length: type, version, position. */
const FLAGS_IN_FRAME = 14;
const LINK_TYPE = '$>';

export async function planRedaction({ database, question, control }: PlanRedaction): Promise<RedactionPlan> {
  database.requireWhole();
  const wanted = new WantedEvents(question);
  const { chunks, writerPosition } = database.chunkSet;
  for (const chunk of chunks) refuseTransformed(chunk);
  const records: FoundRecord[] = [];
  const met = new Set<number>();
  const total = chunks.reduce((sum, { dataSize }) => sum + dataSize, 0);
  let done = 0;
  for (const chunk of chunks) {
    const reader = database.log.newReader(chunk);
    try {
      const cursor = reader.cursor();
      for (let count = 1; cursor.next(); count++) {
        if (cursor.record.position >= writerPosition) break;
        const matches = wanted.matching(cursor.record);
        if (matches.length > 0) {
          for (const match of matches) met.add(match);
          records.push(foundRecord(chunk, cursor.record, cursor.fileOffset));
        }
        if (count % RECORDS_BETWEEN_LOOKS !== 0 || !control.isDue) continue;
        const here = done + cursor.physicalOffset;
        control.report({
          phase: 'finding events',
          done: here,
          total,
          unit: 'bytes',
          message: chunk.fileName
        });
        await control.breathe();
      }
    } finally {
      reader.close();
    }
    done += chunk.dataSize;
  }
  const planned = chunksOf(records);
  return {
    asked: wanted.asked,
    records,
    notFound: wanted.asked.filter((_, index) => !met.has(index)),
    chunks: planned,
    sweeps: sweepsOf(database, planned),
    scratchBytes: planned.reduce(
      (most, { chunk, records: { length } }) => (length > 0 ? Math.max(most, chunk.fileSize) : most),
      0
    )
  };
}

function foundRecord(chunk: Chunk, record: LogRecord, fileOffset: number): FoundRecord {
  const refusal = refusalOf(chunk, record);
  return {
    chunk,
    position: record.position,
    fileOffset,
    stream: record.stream,
    eventNumber: record.eventNumber,
    eventId: record.eventId,
    eventType: record.eventType,
    ticks: record.ticks,
    dataLength: record.dataLength,
    metadataLength: record.metadataLength,
    flags: record.flags,
    flagsAt: fileOffset + FLAGS_IN_FRAME,
    dataAt: fileOffset + 4 + record.places.data - record.start,
    state: stateOf(record, refusal),
    refusal: record.dataLength === 0 || isRedacted(record) ? null : refusal
  };
}

function stateOf(record: LogRecord, refusal: RefusalReason | null): RecordState {
  if (record.dataLength === 0) return 'empty';
  if (isRedacted(record)) return 'redacted';
  return refusal === null ? 'toRedact' : 'refused';
}

/** The flag says so, and no byte of the data is left. */
export function isRedacted(record: LogRecord): boolean {
  if ((record.flags & PrepareFlag.isRedacted) === 0) return false;
  return record.data.every((byte) => byte === REDACTED_BYTE);
}

function refusalOf(chunk: Chunk, record: LogRecord): RefusalReason | null {
  if (!record.hasData) return 'noEvent';
  // The server reads the data of its own streams: rules of streams, users, checkpoints, points of scavenges.
  if (record.stream.startsWith('$')) return 'systemStream';
  if (record.eventType === LINK_TYPE) return 'link';
  return chunk.isLasting ? null : 'activeChunk';
}

function chunksOf(records: readonly FoundRecord[]): PlannedChunk[] {
  const planned = new Map<Chunk, FoundRecord[]>();
  for (const record of records) {
    if (record.state !== 'toRedact' && record.state !== 'redacted') continue;
    const chosen = planned.get(record.chunk) ?? [];
    if (record.state === 'toRedact') chosen.push(record);
    planned.set(record.chunk, chosen);
  }
  return [...planned].map(([chunk, chosen]) => ({ chunk, records: chosen }));
}

function sweepsOf({ chunkSet }: Database, planned: readonly PlannedChunk[]): string[] {
  if (planned.length === 0) return [];
  const isCovered = (file: string): boolean => {
    const number = decodeChunkFileName(file)?.chunkNumber ?? -1;
    return planned.some(({ chunk }) => chunk.startNumber <= number && number <= chunk.endNumber);
  };
  const older = chunkSet.superseded.map(({ file }) => file).filter(isCovered);
  return [...older, ...chunkSet.leftovers.map(({ file }) => file)].sort();
}
