/**
 * The counted chunks on disk: an SQLite file with a row for each pair of stream and event type of each chunk. Sums
 * over all chunks are made by SQLite, which sorts outside of memory, so ten million streams need no more of it than
 * ten. Ours alone: of another version, or damaged, it is removed and everything is counted again.
 */
import { DatabaseSync, type SQLInputValue, type SQLOutputValue, type StatementSync } from 'node:sqlite';
import { EngineError } from '../../errors.ts';
import type { FileSystem } from '../../storage/file-system.ts';
import { requireRegularDatabase } from '../../storage/node-regular-file.ts';
import type { ChunkCount, RecordSum } from './count-chunk.ts';
import { ExpiryDays } from './expiry-days.ts';
import type { TargetRow } from './link-targets.ts';
import { Column, COLUMN_COUNT } from './pair-columns.ts';

const VERSION = 2;
const CACHE_KIB = 65536;
const COLUMN_NAMES = Object.keys(Column);
const PAIR_COLUMNS = COLUMN_NAMES.map((name) => `${name} REAL NOT NULL`).join(', ');
const SCHEMA = `
CREATE TABLE Facts (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE Chunks (
  startNumber INTEGER PRIMARY KEY, endNumber INTEGER NOT NULL, identity TEXT NOT NULL, isBehindPoint INTEGER NOT NULL,
  firstPair INTEGER NOT NULL, pairEnd INTEGER NOT NULL,
  records REAL NOT NULL, bytes REAL NOT NULL, commitRecords REAL NOT NULL, commitBytes REAL NOT NULL,
  systemRecords REAL NOT NULL, systemBytes REAL NOT NULL,
  discardableRecords REAL NOT NULL, discardableBytes REAL NOT NULL,
  targets TEXT NOT NULL, firstDay INTEGER NOT NULL, expiry BLOB NOT NULL);
CREATE TABLE Types (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);
CREATE TABLE Pairs (
  id INTEGER PRIMARY KEY, startNumber INTEGER NOT NULL, endNumber INTEGER NOT NULL, stream TEXT NOT NULL,
  type INTEGER NOT NULL, hashHigh INTEGER NOT NULL, hashLow INTEGER NOT NULL, ${PAIR_COLUMNS});
PRAGMA user_version = ${VERSION};
`;

/** What is kept of a chunk besides its pairs. */
export interface StoredChunk {
  startNumber: number;
  endNumber: number;
  identity: string;
  isBehindPoint: boolean;
  total: RecordSum;
  commits: RecordSum;
  system: RecordSum;
  discardable: RecordSum;
  targets: TargetRow[];
  expiry: ExpiryDays;
}

/** One pair, in the order in which the index sorts its streams. */
export interface StoredPair {
  id: number;
  stream: string;
  hashHigh: number;
  hashLow: number;
  values: Float64Array;
}

/** What has changed of a chunk without its having been read. */
export interface SettledChunk {
  goneIds: readonly number[];
  targets: readonly TargetRow[];
}

export interface PutChunk {
  startNumber: number;
  endNumber: number;
  identity: string;
  isBehindPoint: boolean;
  count: ChunkCount;
}

type Row = Record<string, SQLOutputValue>;

export class UsageStore {
  readonly #database: DatabaseSync;
  readonly #insertPair: StatementSync;
  readonly #types = new Map<string, number>();

  private constructor(database: DatabaseSync) {
    this.#database = database;
    const places = Array.from({ length: COLUMN_COUNT }, () => '?').join(', ');
    this.#insertPair = database.prepare(
      `INSERT INTO Pairs (startNumber, endNumber, stream, type, hashHigh, hashLow, ${COLUMN_NAMES.join(', ')}) ` +
        `VALUES (?, ?, ?, ?, ?, ?, ${places})`
    );
    for (const { id, name } of database.prepare('SELECT id, name FROM Types').all()) {
      this.#types.set(String(name), Number(id));
    }
  }

  /** Opens the file, or begins a new one in place of one that cannot be used. */
  static open(fileSystem: FileSystem, path: string): UsageStore {
    return tryOpen(path) ?? openAfresh(fileSystem, path);
  }

  close(): void {
    if (this.#database.isOpen) this.#database.close();
  }

  fact(name: string): string | undefined {
    const row = this.#database.prepare('SELECT value FROM Facts WHERE name = ?').get(name);
    return row === undefined ? undefined : String(row['value']);
  }

  setFact(name: string, value: string): void {
    this.#database.prepare('INSERT OR REPLACE INTO Facts (name, value) VALUES (?, ?)').run(name, value);
  }

  /** Chunks in order. */
  *chunks(): Generator<StoredChunk> {
    for (const row of this.#database.prepare('SELECT * FROM Chunks ORDER BY startNumber').iterate()) {
      yield chunkOf(row);
    }
  }

  chunk(startNumber: number): StoredChunk | undefined {
    const row = this.#database.prepare('SELECT * FROM Chunks WHERE startNumber = ?').get(startNumber);
    return row && chunkOf(row);
  }

  /** The pairs of a chunk; the answer is used again for the next one. */
  *pairsOf(startNumber: number): Generator<StoredPair> {
    const chunk = this.#database
      .prepare('SELECT firstPair, pairEnd FROM Chunks WHERE startNumber = ?')
      .get(startNumber);
    if (!chunk) return;
    const values = new Float64Array(COLUMN_COUNT);
    const pair: StoredPair = { id: 0, stream: '', hashHigh: 0, hashLow: 0, values };
    const statement = this.#database.prepare(
      `SELECT stream, hashHigh, hashLow, ${COLUMN_NAMES.join(', ')}, id FROM Pairs WHERE id >= ? AND id < ? ORDER BY id`
    );
    statement.setReturnArrays(true);
    // An array for each row instead of an object: a third of the time, and there are millions.
    const rows = statement.iterate(chunk['firstPair']!, chunk['pairEnd']!) as Iterable<unknown>;
    for (const row of rows as Iterable<SQLOutputValue[]>) {
      pair.stream = String(row[0]);
      pair.hashHigh = Number(row[1]);
      pair.hashLow = Number(row[2]);
      for (let i = 0; i < COLUMN_COUNT; i++) values[i] = Number(row[i + 3]);
      pair.id = Number(row[COLUMN_COUNT + 3]);
      yield pair;
    }
  }

  /** Keeps a counted chunk, in place of what was known of it. */
  put({ startNumber, endNumber, identity, isBehindPoint, count }: PutChunk): void {
    this.#inTransaction(() => {
      this.#forget(startNumber);
      const types = count.types.map((name) => this.#typeId(name));
      const firstPair = Number(
        this.#database.prepare('SELECT COALESCE(MAX(id), 0) + 1 AS id FROM Pairs').get()!['id']
      );
      for (const pair of downwardByHash(count)) {
        const stream = count.pairStreams[pair]!;
        const at = pair * COLUMN_COUNT;
        this.#insertPair.run(
          startNumber,
          endNumber,
          count.streams[stream]!,
          types[count.pairTypes[pair]!]!,
          count.hashHigh[stream]!,
          count.hashLow[stream]!,
          ...count.pairValues.subarray(at, at + COLUMN_COUNT)
        );
      }
      const { total, commits, system, discardable, expiry } = count;
      const { values } = expiry;
      const row: SQLInputValue[] = [startNumber, endNumber, identity, isBehindPoint ? 1 : 0];
      row.push(firstPair, firstPair + count.pairCount, total.records, total.bytes);
      row.push(commits.records, commits.bytes, system.records, system.bytes);
      row.push(discardable.records, discardable.bytes, JSON.stringify(count.targets), expiry.firstDay);
      row.push(new Uint8Array(values.buffer, values.byteOffset, values.byteLength));
      const places = row.map(() => '?').join(', ');
      this.#database.prepare(`INSERT INTO Chunks VALUES (${places})`).run(...row);
    });
  }

  /** Brings a chunk up to date that needs no reading: pairs of which everything goes now, and what links point to. */
  settle(startNumber: number, { goneIds, targets }: SettledChunk): void {
    this.#inTransaction(() => {
      const all = this.#database.prepare(
        'UPDATE Pairs SET discardableRecords = records, discardableBytes = bytes WHERE id = ?'
      );
      const before = this.#database.prepare(
        'SELECT records - discardableRecords AS records, bytes - discardableBytes AS bytes FROM Pairs WHERE id = ?'
      );
      let records = 0;
      let bytes = 0;
      for (const id of goneIds) {
        const left = before.get(id)!;
        records += Number(left['records']);
        bytes += Number(left['bytes']);
        all.run(id);
      }
      this.#database
        .prepare(
          'UPDATE Chunks SET discardableRecords = discardableRecords + ?, discardableBytes = discardableBytes + ?, ' +
            'targets = ? WHERE startNumber = ?'
        )
        .run(records, bytes, JSON.stringify(targets), startNumber);
    });
  }

  /** Keeps only chunks that begin with these numbers. */
  keepOnly(startNumbers: ReadonlySet<number>): void {
    this.#inTransaction(() => {
      for (const row of this.#database.prepare('SELECT startNumber FROM Chunks').all()) {
        const startNumber = Number(row['startNumber']);
        if (!startNumbers.has(startNumber)) this.#forget(startNumber);
      }
    });
  }

  /** The rows of a question in SQL, one after the other. */
  query(sql: string, ...values: SQLInputValue[]): IterableIterator<Row> {
    return this.#database.prepare(sql).iterate(...values);
  }

  #forget(startNumber: number): void {
    const known = this.#database
      .prepare('SELECT firstPair, pairEnd FROM Chunks WHERE startNumber = ?')
      .get(startNumber);
    if (!known) return;
    this.#database
      .prepare('DELETE FROM Pairs WHERE id >= ? AND id < ?')
      .run(known['firstPair']!, known['pairEnd']!);
    this.#database.prepare('DELETE FROM Chunks WHERE startNumber = ?').run(startNumber);
  }

  #typeId(name: string): number {
    const known = this.#types.get(name);
    if (known !== undefined) return known;
    // Two names in broken UTF-8 may read the same.
    this.#database.prepare('INSERT OR IGNORE INTO Types (name) VALUES (?)').run(name);
    const id = Number(this.#database.prepare('SELECT id FROM Types WHERE name = ?').get(name)!['id']);
    this.#types.set(name, id);
    return id;
  }

  #inTransaction(work: () => void): void {
    this.#database.exec('BEGIN IMMEDIATE');
    try {
      work();
      this.#database.exec('COMMIT');
    } catch (error) {
      if (this.#database.isTransaction) this.#database.exec('ROLLBACK');
      this.#types.clear();
      throw storeFailed(error);
    }
  }

  static fromFile(database: DatabaseSync): UsageStore {
    return new UsageStore(database);
  }
}

function tryOpen(path: string): UsageStore | undefined {
  let database: DatabaseSync | undefined;
  try {
    requireRegularDatabase(path);
    database = new DatabaseSync(path);
    // What a power failure loses is counted again.
    database.exec(
      `PRAGMA journal_mode = WAL; PRAGMA synchronous = OFF; PRAGMA temp_store = FILE; PRAGMA cache_size = -${CACHE_KIB};`
    );
    const version = Number(database.prepare('PRAGMA user_version').get()?.['user_version']);
    if (version === 0) database.exec(SCHEMA);
    else if (version !== VERSION) throw new Error(`version ${version}`);
    return UsageStore.fromFile(database);
  } catch {
    database?.close(); // of no use: a new one takes its place, and if that cannot be made either it is said
    return undefined;
  }
}

function openAfresh(fileSystem: FileSystem, path: string): UsageStore {
  for (const suffix of ['', '-wal', '-shm']) fileSystem.remove(`${path}${suffix}`);
  const store = tryOpen(path);
  if (store) return store;
  throw storeFailed(new Error(`${path} could not be opened`));
}

function storeFailed(cause: unknown): unknown {
  if (cause instanceof EngineError) return cause;
  return new EngineError({
    code: 'StorageFailed',
    message: `The counts could not be stored: ${cause instanceof Error ? cause.message : String(cause)}.`,
    remedy: 'Free space in the directory for temporary files and in WINNOW_HOME, then try again.',
    cause
  });
}

/** Pairs in the order of an index table: verdicts are looked up fastest that way. */
function downwardByHash({ pairCount, pairStreams, hashHigh, hashLow }: ChunkCount): Uint32Array {
  const order = Uint32Array.from({ length: pairCount }, (_, pair) => pair);
  return order.sort((a, b) => {
    const one = pairStreams[a]!;
    const other = pairStreams[b]!;
    return hashHigh[other]! - hashHigh[one]! || hashLow[other]! - hashLow[one]!;
  });
}

function chunkOf(row: Row): StoredChunk {
  const number = (name: string): number => Number(row[name]);
  const bytes = row['expiry'] as Uint8Array;
  return {
    startNumber: number('startNumber'),
    endNumber: number('endNumber'),
    identity: String(row['identity']),
    isBehindPoint: number('isBehindPoint') === 1,
    total: { records: number('records'), bytes: number('bytes') },
    commits: { records: number('commitRecords'), bytes: number('commitBytes') },
    system: { records: number('systemRecords'), bytes: number('systemBytes') },
    discardable: { records: number('discardableRecords'), bytes: number('discardableBytes') },
    targets: JSON.parse(String(row['targets'])) as TargetRow[],
    expiry: new ExpiryDays(number('firstDay'), new Float64Array(bytes.slice().buffer))
  };
}
