/**
 * Does a chunk out of a backup belong to this log? Its range and its own soundness are checked before; here it is
 * held against everything else that this database still knows: what reads in the damaged file, the index entries
 * that lead into its range, and the streams of its neighbours, whose numbers must go on.
 */
import type { Chunk } from '../chunks/chunk.ts';
import { ChunkReader } from '../chunks/chunk-reader.ts';
import type { Database } from '../database/database.ts';
import type { OperationControl } from '../database/operation-control.ts';
import { requireFault } from '../errors.ts';
import { IndexDirectory } from '../index/index-directory.ts';
import type { EntryBlock } from '../index/index-entry.ts';
import { hashStream } from '../index/stream-hash.ts';
import { TableScan } from '../index/table-scan.ts';
import type { LogRecord } from '../records/log-record.ts';
import { SalvageChunk } from './salvage-chunk.ts';

/** Enough to tell two histories apart; a whole table would cost a read of the log for each entry. */
const MOST_ENTRIES = 50_000;

/** Of what this database still knows so much may be otherwise, because it is damaged: of many a share, of few this number. */
const MOST_DIFFERENT_SHARE = 0.05;
const MOST_DIFFERENT = 2;
/** Of all tables, where some are known to be damaged: of another history nearly all would differ. */
const MOST_DIFFERENT_WITH_DAMAGED = 1;

export interface DonorFit {
  database: Database;
  /** The candidate, under its temporary name. */
  candidate: Chunk;
  /** The file that it would replace, as far as it can be read. */
  damaged: Chunk | undefined;
  /** The chunks to the left and right of it that the log has. */
  left: Chunk | undefined;
  right: Chunk | undefined;
  /** Files of the index of which it is known that they are damaged. */
  damagedTables?: ReadonlySet<string> | undefined;
  control: OperationControl;
}

/** undefined when it fits, else a sentence about what contradicts. */
export async function misfitOf(parts: DonorFit): Promise<string | undefined> {
  return (
    (await misfitWithDamaged(parts)) ?? (await misfitWithIndex(parts)) ?? (await misfitWithNeighbours(parts))
  );
}

/**
 * What reads in both files at one position must be the same event. A few may differ, because damage may hit a name or
 * an id and leave a record that reads; two histories differ in nearly all.
 */
async function misfitWithDamaged({ database, candidate, damaged, control }: DonorFit) {
  if (!damaged || damaged.isScavenged !== candidate.isScavenged) return undefined;
  const walk = new SalvageChunk({ fileSystem: database.fileSystem, chunk: damaged });
  const reader = new ChunkReader(database.fileSystem, candidate);
  const records = new Comparison(MOST_DIFFERENT_SHARE);
  try {
    for (let found = walk.next(); found !== 'end'; found = walk.next()) {
      if (found !== 'record') continue;
      const { position } = walk.record;
      const other = recordAt(reader, position);
      records.take(other !== undefined && identityOf(other) === identityOf(walk.record), position);
      if (control.isDue) await control.breathe();
    }
    if (!records.isOther) return undefined;
    const { different, count, firstDifferent } = records;
    return `${different} of ${count} readable records of the damaged file differ from it, the first at position ${firstDifferent}`;
  } finally {
    walk.close();
    reader.close();
  }
}

function identityOf(record: LogRecord): string {
  const { kind, eventNumber, transactionPosition } = record;
  if (kind !== 'prepare') return `${kind} ${eventNumber} ${transactionPosition}`;
  return `${kind} ${eventNumber} ${transactionPosition} ${record.eventId} ${record.stream}`;
}

/**
 * Where an entry of the index leads there must be a record of that stream; a scavenged chunk may lack it. A few entries
 * may differ: the table may be damaged as well.
 */
async function misfitWithIndex({ database, candidate, damagedTables, control }: DonorFit) {
  const { fileSystem, indexDirectory, log } = database;
  const index = IndexDirectory.open({ fileSystem, directory: indexDirectory, logEnd: Infinity, log });
  const reader = new ChunkReader(fileSystem, candidate);
  const end = Math.min(candidate.endPosition, log.end);
  const sound = new Comparison(MOST_DIFFERENT_SHARE);
  const all = new Comparison(MOST_DIFFERENT_WITH_DAMAGED);
  try {
    if (!index.isUsable) return undefined;
    for (const table of index.tables) {
      const scan = new TableScan(table);
      const isSound = damagedTables?.has(table.name) !== true;
      while (all.count < MOST_ENTRIES && scan.next()) {
        const { block } = scan;
        for (let i = 0; i < block.count; i++) {
          const position = block.position[i]!;
          if (position < candidate.startPosition || position >= end) continue;
          const record = recordAt(reader, position);
          if (!record && candidate.isScavenged) continue;
          const isEqual = record?.kind === 'prepare' && isOfStream(record, table.version, block, i);
          all.take(isEqual, position);
          if (isSound) sound.take(isEqual, position);
        }
        if (control.isDue) await control.breathe();
      }
    }
  } catch (error) {
    // A damaged table proves nothing beyond the place of its damage.
    requireFault(error, 'IndexCorrupt');
  } finally {
    reader.close();
    index.close();
  }
  const other = [sound, all].find(({ isOther }) => isOther);
  if (other === undefined) return undefined;
  const { different, count, firstDifferent } = other;
  return `${different} of ${count} entries of the index lead to other events in it, the first at position ${firstDifferent}`;
}

/** How much of what is held against the candidate is the same. */
class Comparison {
  equal = 0;
  different = 0;
  firstDifferent = -1;
  readonly #mostDifferentShare: number;

  constructor(mostDifferentShare: number) {
    this.#mostDifferentShare = mostDifferentShare;
  }

  take(isEqual: boolean, position: number): void {
    if (isEqual) {
      this.equal++;
      return;
    }
    if (this.different === 0) this.firstDifferent = position;
    this.different++;
  }

  get count(): number {
    return this.equal + this.different;
  }

  /** Of another history. */
  get isOther(): boolean {
    return this.different > this.equal * this.#mostDifferentShare && this.different > MOST_DIFFERENT;
  }
}

function isOfStream(record: LogRecord, version: number, block: EntryBlock, i: number): boolean {
  const { high, low } = hashStream(record.stream);
  // Old tables hold half of the hash in the upper word.
  return high === block.hashHigh[i] && (version === 1 || low === block.hashLow[i]);
}

/** Numbers of a stream only rise: from the left neighbour into the candidate, from it into the right one. */
async function misfitWithNeighbours({ database, candidate, left, right, control }: DonorFit) {
  const inLeft = left ? await numbersOf(database, left, control) : undefined;
  const own = await numbersOf(database, candidate, control);
  const inRight = right ? await numbersOf(database, right, control) : undefined;
  for (const [stream, { first, last }] of own) {
    const before = inLeft?.get(stream);
    if (before && first <= before.last)
      return `it has event ${first} of a stream whose event ${before.last} is in ${left!.fileName} before it`;
    const after = inRight?.get(stream);
    if (after && after.first <= last)
      return `it has event ${last} of a stream whose event ${after.first} is in ${right!.fileName} after it`;
  }
  return undefined;
}

/** First and last number of each stream's self-committed events; others get theirs elsewhere. */
async function numbersOf({ fileSystem }: Database, chunk: Chunk, control: OperationControl) {
  const numbers = new Map<string, { first: number; last: number }>();
  const walk = new SalvageChunk({ fileSystem, chunk });
  try {
    for (let found = walk.next(); found !== 'end'; found = walk.next()) {
      if (found !== 'record' || !walk.record.isSelfCommitted || !walk.record.hasData) continue;
      const { stream, eventNumber } = walk.record;
      const known = numbers.get(stream);
      if (known) known.last = Math.max(known.last, eventNumber);
      else numbers.set(stream, { first: eventNumber, last: eventNumber });
      if (control.isDue) await control.breathe();
    }
    return numbers;
  } finally {
    walk.close();
  }
}

function recordAt(reader: ChunkReader, position: number): LogRecord | undefined {
  try {
    return reader.readAt(position);
  } catch (error) {
    requireFault(error, 'LogCorrupt');
    return undefined;
  }
}
