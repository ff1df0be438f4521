/**
 * Does an index belong to this log? One that was copied from another node, or taken at another moment, is sound by
 * itself, and no server looks: readers would miss events, or be told that a healthy chunk is damaged.
 *
 * Asked is where the log can tell: at the position up to which the map says that the index reaches, and at a few
 * entries of each table. If the log cannot be read, the log may be at fault, and nothing counts against the index:
 * only a position that lies inside an unbroken chain of records and begins none of them is wrong for certain. From
 * scavenged chunks a record may have gone while its entry stayed; where that seems to be so of all entries, records
 * are asked for theirs.
 */
import { requireFaultBut, requireFault } from '../errors.ts';
import { emptyEntry } from './index-entry.ts';
import { INDEX_MAP_NAME, type IndexMap } from './index-map.ts';
import type { IndexProblem } from './index-problem.ts';
import type { IndexTableReader } from './index-table-reader.ts';
import type { IndexedRecord, RecordLog } from './record-source.ts';
import { hashStream, hashStreamOf, type StreamHash, type StreamHasher } from './stream-hash.ts';

/** Entries looked up of each table: those of another node show at the first few. */
const SAMPLES = 32;
/** As many wrong entries may come of records that are damaged where no hash covers them yet. */
const MOST_DOUBTFUL_ENTRIES = 2;
/** Records that are asked for their entries behind one place. */
const RECORDS_BEHIND = 4;

export interface IndexFit {
  /** Entries that were looked up where the log can tell. */
  asked: number;
  /** Of these, those that lead to no record of their stream. */
  wrong: number;
  firstWrong: Pick<Sample, 'table' | 'position'> | undefined;
  /** The map's commit check point, where no record begins there; -1 otherwise. */
  checkpointInsideRecord: number;
  /** The index is not of this log. */
  isForeign: boolean;
}

export interface JudgeIndex {
  log: RecordLog;
  map: IndexMap | undefined;
  tables: readonly IndexTableReader[];
  hasher?: StreamHasher | undefined;
}

interface Sample {
  table: string;
  position: number;
  hashHigh: number;
  hashLow: number;
}

export function judgeIndex({ log, map, tables: all, hasher = hashStream }: JudgeIndex): IndexFit {
  const places = new Places(log, hasher);
  const reached = map?.commitCheckpoint ?? -1;
  const checkpointInsideRecord = reached >= 0 && places.isInsideRecord(reached) ? reached : -1;
  // Hashes of the first version are halves only.
  const tables = all.filter(({ version }) => version > 1);
  const samples = tables.flatMap(samplesOf);
  const wrong: Sample[] = [];
  let agreed = 0;
  for (const sample of samples) {
    if (log.chunkAt(sample.position)?.isScavenged) continue;
    const found = places.ask(sample);
    if (found === 'agrees') agreed++;
    else if (found === 'differs') wrong.push(sample);
  }
  // A scavenged chunk is asked only where the others say nothing: its position map has to be read for that.
  if (agreed === 0 && wrong.length <= MOST_DOUBTFUL_ENTRIES) {
    const asked = samples.filter(({ position }) => log.chunkAt(position)?.isScavenged).slice(0, SAMPLES);
    const agrees = asked.some((sample) => places.ask(sample) === 'agrees');
    if (agrees) agreed++;
    else if (asked.length > MOST_DOUBTFUL_ENTRIES && !hasEntries({ log, tables, hasher, reached }, asked))
      wrong.push(...asked);
  }
  return {
    asked: agreed + wrong.length,
    wrong: wrong.length,
    firstWrong: wrong[0],
    checkpointInsideRecord,
    isForeign: checkpointInsideRecord >= 0 || wrong.length > MOST_DOUBTFUL_ENTRIES
  };
}

/** Evenly from the whole table. */
function samplesOf(table: IndexTableReader): Sample[] {
  const count = Math.min(SAMPLES, table.count);
  const entry = emptyEntry();
  return Array.from({ length: count }, (_, k) => {
    const { hashHigh, hashLow, position } = table.readEntry(Math.floor((k * table.count) / count), entry);
    return { table: table.name, position, hashHigh, hashLow };
  });
}

/** Whether any of the records behind the given places has an entry. Without records to ask it may. */
function hasEntries(
  parts: Required<Pick<JudgeIndex, 'log' | 'tables'>> & { hasher: StreamHasher; reached: number },
  behind: readonly Pick<Sample, 'position'>[]
): boolean {
  const { log, tables, hasher, reached } = parts;
  const entry = emptyEntry();
  const hash = { high: 0, low: 0 };
  let asked = 0;
  for (const { position } of behind.slice(0, SAMPLES)) {
    const records = log.cursor(position, Math.min(reached + 1, log.end));
    try {
      for (let i = 0; i < RECORDS_BEHIND && records.next(); i++) {
        const { record } = records;
        if (record.kind !== 'prepare' || !record.isSelfCommitted || !record.hasData) continue;
        const { high, low } = hashStreamOf(record, hasher, hash);
        asked++;
        for (const table of tables) {
          const at = table.firstAtOrBelow(high, low, record.eventNumber);
          if (at >= table.count) continue;
          table.readEntry(at, entry);
          if (entry.hashHigh === high && entry.hashLow === low && entry.position === record.position)
            return true;
        }
      }
    } catch (error) {
      // A chunk that cannot be read says nothing.
      requireFault(error);
    } finally {
      records.close();
    }
  }
  return asked <= MOST_DOUBTFUL_ENTRIES;
}

/** The judgement as a problem of the index as a whole; nothing where it may belong to the log. */
export function fitProblem(fit: IndexFit): IndexProblem[] {
  if (!fit.isForeign) return [];
  const { asked, wrong, firstWrong, checkpointInsideRecord } = fit;
  const reasons = [
    firstWrong === undefined
      ? ''
      : `${wrong} of ${asked} checked index entries lead to no record of their stream, the first one to position ${firstWrong.position}`,
    checkpointInsideRecord < 0
      ? ''
      : `according to the index map the index reaches position ${checkpointInsideRecord}, where no record begins`
  ].filter((reason) => reason !== '');
  const words = `${reasons.join('; ')}: the index is from another node or another moment.`;
  return [
    {
      severity: 'damage',
      code: 'indexEntryWithoutRecord',
      file: INDEX_MAP_NAME,
      offset: null,
      message: words.charAt(0).toUpperCase() + words.slice(1)
    }
  ];
}

/** What lies at positions of a log that may itself be damaged. */
class Places {
  readonly #log: RecordLog;
  readonly #hasher: StreamHasher;
  readonly #hash: StreamHash = { high: 0, low: 0 };
  /** Starts of chunks whose chain of records breaks before a position that was asked for. */
  readonly #broken = new Set<number>();
  /** A position inside a record was proven; others are then believed without a walk through their chunk. */
  #isProven = false;

  constructor(log: RecordLog, hasher: StreamHasher) {
    this.#log = log;
    this.#hasher = hasher;
  }

  /** Whether the record of an entry's stream begins at its place; `unknown` where the log cannot tell. */
  ask({ position, hashHigh, hashLow }: Sample): 'agrees' | 'differs' | 'unknown' {
    const found = this.#at(position);
    if (found === 'unknown' || found === 'scavenged') return 'unknown';
    if (found === 'nothing' || found.kind !== 'prepare') return 'differs';
    const { high, low } = hashStreamOf(found, this.#hasher, this.#hash);
    return high === hashHigh && low === hashLow ? 'agrees' : 'differs';
  }

  isInsideRecord(position: number): boolean {
    return this.#at(position) === 'nothing';
  }

  #at(position: number): IndexedRecord | 'nothing' | 'scavenged' | 'unknown' {
    const chunk = this.#log.chunkAt(position);
    // Behind the end there may be what a running server has written since.
    if (!chunk || position >= this.#log.end || chunk.header.transformType !== 0) return 'unknown';
    if (this.#broken.has(chunk.startPosition)) return 'unknown';
    try {
      return this.#log.readAt(position) ?? (chunk.isScavenged ? 'scavenged' : 'nothing');
    } catch (error) {
      // A file that cannot be read, or is gone because it was replaced meanwhile, says nothing of the index.
      requireFaultBut(error, 'StorageFailed');
      if (error.code !== 'LogCorrupt' || chunk.isScavenged) return 'unknown';
    }
    if (this.#isProven || this.#isChainUnbroken(chunk.startPosition, position)) {
      this.#isProven = true;
      return 'nothing';
    }
    this.#broken.add(chunk.startPosition);
    return 'unknown';
  }

  /** Records follow one another from the beginning of the chunk past the position. */
  #isChainUnbroken(from: number, position: number): boolean {
    const records = this.#log.cursor(from, position + 1);
    try {
      while (records.next()) if (records.record.position === position) return false;
      return true;
    } catch (error) {
      requireFault(error);
      return false;
    } finally {
      records.close();
    }
  }
}
