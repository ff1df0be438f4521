/** Entries of the index, table by table, newest first, in the order of each table. */
import {
  EntryBlock,
  TableScan,
  eventNumberToJson,
  hashFromText,
  hashStream,
  hashText,
  invalidRequest,
  type IndexDirectory,
  type IndexTableReader
} from '../../../src-core/index.ts';
import { openRequested } from '../database/database-access.ts';
import { requireUsable } from './inspect-index.ts';
import type { OperationContext } from '../operation.ts';
import type { CheckedRequestOf } from '../../contract/operations/operation-contract.ts';
import type { IndexEntryRow } from '../../contract/operations/reports.ts';
import { openIndexDirectory } from '../streams/stream-index-access.ts';

type Hash = ReturnType<typeof hashFromText>;

const BATCH_ENTRIES = 512;

export async function* listIndexEntries(
  request: CheckedRequestOf<'listIndexEntries'>,
  context: OperationContext
): AsyncGenerator<IndexEntryRow[]> {
  const wanted = wantedHash(request);
  const database = openRequested(request, context);
  try {
    const directory = openIndexDirectory(database, context);
    try {
      requireUsable(directory, database);
      yield* entriesOf(directory, wanted, context);
    } finally {
      directory.close();
    }
  } finally {
    database.close();
  }
}

async function* entriesOf(
  directory: IndexDirectory,
  wanted: Hash | undefined,
  { control }: OperationContext
): AsyncGenerator<IndexEntryRow[]> {
  const total = directory.entryCount;
  let done = 0;
  for (const table of directory.tables) {
    if (wanted) {
      yield* entriesOfHash(table, wanted);
      done += table.count;
      continue;
    }
    const scan = new TableScan(table);
    while (scan.next()) {
      yield rowsOf(scan.block, table.name);
      done += scan.block.count;
      if (!control.isDue) continue;
      control.report({ phase: 'index', done, total, unit: 'entries' });
      await control.breathe();
    }
  }
}

function wantedHash({
  hash,
  stream
}: {
  hash?: string | undefined;
  stream?: string | undefined;
}): Hash | undefined {
  if (hash !== undefined && stream !== undefined) {
    throw invalidRequest('Both a hash and a stream are given.', 'hash', 'Give only one of them.');
  }
  if (stream !== undefined) return hashStream(stream);
  if (hash === undefined) return undefined;
  const digits = hash.toLowerCase();
  if (!/^[0-9a-f]{16}$/.test(digits)) {
    throw invalidRequest(`"${hash}" is not a stream hash.`, 'hash', 'Give 16 hex digits.');
  }
  return hashFromText(digits);
}

function* entriesOfHash(table: IndexTableReader, { high, low }: Hash): Generator<IndexEntryRow[]> {
  const block = new EntryBlock(BATCH_ENTRIES);
  const end = table.firstBelow(high, low, 0);
  for (let at = table.firstAtOrBelow(high, low, Infinity); at < end; at += block.count) {
    const count = Math.min(table.readEntries(at, block), end - at);
    if (count === 0) return;
    yield rowsOf(block, table.name).slice(0, count);
  }
}

/** The entries of a block as rows. */
export function rowsOf(block: EntryBlock, table: string): IndexEntryRow[] {
  const rows: IndexEntryRow[] = [];
  const { hashHigh, hashLow, number, position } = block;
  for (let i = 0; i < block.count; i++) {
    rows.push({
      hash: hashText(hashHigh[i] ?? 0, hashLow[i] ?? 0),
      eventNumber: eventNumberToJson(number[i] ?? 0),
      position: position[i] ?? 0,
      table
    });
  }
  return rows;
}
