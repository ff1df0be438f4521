/** One table of the index: its sizes, how full its filter is, a page of its entries in table order. */
import {
  EntryBlock,
  invalidRequest,
  type BloomFilter,
  type IndexTableReader
} from '../../../src-core/index.ts';
import { lookIntoDatabase } from '../database/database-access.ts';
import { requireUsable } from './inspect-index.ts';
import { rowsOf } from './list-index-entries.ts';
import type { OperationContext } from '../operation.ts';
import type { CheckedRequestOf } from '../../contract/operations/operation-contract.ts';
import type {
  FilterFacts,
  IndexMapText,
  IndexTableDescription
} from '../../contract/operations/reading-reports.ts';
import { openIndexDirectory } from '../streams/stream-index-access.ts';

/** Bits are counted only in filters up to this size; the largest have four gigabytes. */
const MOST_COUNTED_BYTES = 256 * 1024 * 1024;
/** A filter's file is lines of 60 bytes of bits and 4 of checksum; the first line is its header. */
const LINE_BYTES = 64;
const LINE_DATA_BYTES = 60;
const PROBES = 6;
const MAP_FILE = 'indexmap';
const MOST_MAP_BYTES = 1024 * 1024;

const BITS_SET = Uint8Array.from({ length: 256 }, (_, byte) => byte.toString(2).replaceAll('0', '').length);

export async function describeIndexTable(
  request: CheckedRequestOf<'describeIndexTable'>,
  context: OperationContext
): Promise<IndexTableDescription> {
  return lookIntoDatabase(request, context, (database) => {
    const directory = openIndexDirectory(database, context);
    try {
      requireUsable(directory, database);
      const table = directory.tables.find(({ name }) => name === request.table);
      if (!table) throw invalidRequest(`The index has no table "${request.table}".`, 'table');
      const { filter, filterProblem } = filterOf(table);
      const block = new EntryBlock(request.limit);
      table.readEntries(Math.min(request.offset, table.count), block);
      return {
        table: table.name,
        fileSize: table.sizeBytes,
        version: table.version,
        entries: table.count,
        midpoints: table.midpointCount,
        filter,
        filterProblem,
        rows: rowsOf(block, table.name),
        offset: request.offset,
        total: table.count
      };
    } finally {
      directory.close();
    }
  });
}

/** The index map as it is on disk, readable or not. */
export async function readIndexMap(
  request: CheckedRequestOf<'readIndexMap'>,
  context: OperationContext
): Promise<IndexMapText> {
  return lookIntoDatabase(request, context, ({ fileSystem, indexDirectory }) => {
    const path = fileSystem.join(indexDirectory, MAP_FILE);
    const size = fileSystem.describe(path)?.size;
    if (size === undefined) return { text: null };
    const bytes = Buffer.alloc(Math.min(size, MOST_MAP_BYTES));
    const file = fileSystem.open(path, 'read');
    try {
      const count = file.read(bytes, 0, bytes.length, 0);
      return { text: bytes.toString('utf8', 0, count) };
    } finally {
      file.close();
    }
  });
}

function filterOf(table: IndexTableReader): { filter: FilterFacts | null; filterProblem: string | null } {
  const { filter, damagedLineCount, problem } = table.filter;
  if (!filter) return { filter: null, filterProblem: problem ?? null };
  const fill = filter.logicalSizeBytes > MOST_COUNTED_BYTES ? null : fillOf(filter);
  return {
    filter: {
      fileSize: filter.encode().length,
      bits: filter.logicalSizeBytes * 8,
      fill,
      falsePositives: fill === null ? null : fill ** PROBES,
      damagedLines: damagedLineCount
    },
    filterProblem: problem ?? null
  };
}

/** Share of set bits. */
function fillOf(filter: BloomFilter): number {
  const bytes = filter.encode();
  let set = 0;
  for (let line = LINE_BYTES; line < bytes.length; line += LINE_BYTES) {
    for (let at = line; at < line + LINE_DATA_BYTES; at++) set += BITS_SET[bytes[at] ?? 0] ?? 0;
  }
  return set / (filter.logicalSizeBytes * 8);
}
