/**
 * Compares the names in a stored scavenge state with the hashes beside them. Every stream is known by its hash, and nothing but
 * the first user of a hash tells when a second stream shares it: with a wrong name there, events of one stream would be
 * judged by the metadata of another. So each name must have the hash that it is stored under, each hash of which
 * something is stored a name of the right kind, and each name without a hash of its own must be among those that collide.
 */
import { hashText, type StreamHash, type StreamHasher } from '../../index/stream-hash.ts';
import { isMetastreamName, signedHash } from '../decisions/stream-handle.ts';
import type { ColumnValue, StateConnection } from './state-connection.ts';
import { stateUntrue } from './state-error.ts';
import { METASTREAM_TABLES, ORIGINAL_TABLES } from './stream-tables.ts';

export interface HoldNames {
  store: StateConnection;
  hasher: StreamHasher;
  /** For messages. */
  statePath: string;
  breathe?: (() => Promise<void>) | undefined;
  /** Rows between two turns. */
  pageRows?: number;
}

const PAGE_ROWS = 8192;
/** Below every signed hash. */
const BEFORE_ALL_HASHES = -(2 ** 64);
const HALVES = ['(d.key >> 32)', '(d.key & 4294967295)'];

/** Throws what does not fit together. */
export async function holdNames(options: HoldNames): Promise<void> {
  await holdUsers(options);
  await holdHashes(options, ORIGINAL_TABLES[0], false);
  await holdHashes(options, METASTREAM_TABLES[0], true);
  holdCollisions(options);
}

async function holdUsers(options: HoldNames): Promise<void> {
  const { hasher } = options;
  const own: StreamHash = { high: 0, low: 0 };
  await forEachRow(options, 'heldUsers', 'd.value', 'HashUsers AS d', (high, low, value) => {
    const name = value as string; // all of them are text: examine-state.ts
    hasher(name, own);
    if (own.high === high && own.low === low) return undefined;
    return `the stream ${name} stands under the hash ${hashText(high, low)}, which is not its own`;
  });
}

async function holdHashes(options: HoldNames, table: string, isMetastream: boolean): Promise<void> {
  const from = `${table} AS d LEFT JOIN HashUsers AS u ON u.key = d.key`;
  await forEachRow(options, `held${table}`, 'u.value', from, (high, low, value) =>
    typeof value === 'string' && isMetastreamName(value) === isMetastream
      ? undefined
      : `it does not know the name of the stream ${hashText(high, low)}`
  );
}

/** `problemOf`: what is wrong with a row, as the end of a sentence. */
async function forEachRow(
  { store, statePath, breathe, pageRows = PAGE_ROWS }: HoldNames,
  name: string,
  column: string,
  from: string,
  problemOf: (high: number, low: number, value: ColumnValue) => string | undefined
): Promise<void> {
  const rest = `FROM ${from} WHERE d.key > ? ORDER BY d.key LIMIT ${pageRows}`;
  const visitPage = store.newRowVisitor(name, { columns: [...HALVES, column], rest });
  const last: StreamHash = { high: 0, low: 0 };
  let after: bigint | number = BEFORE_ALL_HASHES;
  for (let rows = pageRows; rows === pageRows; await breathe?.()) {
    rows = 0;
    let problem: string | undefined;
    visitPage((signedHigh, low, value) => {
      rows++;
      last.high = Number(signedHigh) >>> 0;
      last.low = Number(low);
      problem ??= problemOf(last.high, last.low, value);
    }, after);
    if (problem !== undefined) throw stateUntrue(statePath, problem);
    after = signedHash(last.high, last.low);
  }
}

/** Few: found once in many billions of names. */
function holdCollisions({ store, hasher, statePath }: HoldNames): void {
  const namesIn = (table: string): string[] => {
    const rows = store.prepare(`SELECT key FROM ${table}`);
    return store.guarded(() => rows.all()).map((row) => String(row['key']));
  };
  const colliding = new Set(namesIn('HashCollisions'));
  const userOf = store.prepare('SELECT 1 FROM HashUsers WHERE key = ?');
  for (const name of colliding) {
    const { high, low } = hasher(name);
    const user = store.guarded(() => userOf.get(signedHash(high, low)));
    if (user === undefined)
      throw stateUntrue(statePath, `the stream ${name} collides with none that it knows`);
  }
  for (const [[, table], isMetastream] of [
    [ORIGINAL_TABLES, false],
    [METASTREAM_TABLES, true]
  ] as const) {
    for (const name of namesIn(table)) {
      if (colliding.has(name) && isMetastreamName(name) === isMetastream) continue;
      throw stateUntrue(statePath, `the stream ${name} stands among those that collide, and does not`);
    }
  }
}
