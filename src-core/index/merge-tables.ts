/**
 * Merges tables into one: a k-way merge in table order that drops nothing, not even equal entries. The filter is
 * sized from the sum of the entries. The result has version 4, or the version of the inputs if all are older and
 * equal. Does not touch the index map.
 */
import { assert } from '../assert.ts';
import type { FileSystem } from '../storage/file-system.ts';
import type { EntryBlock } from './index-entry.ts';
import type { IndexTableReader } from './index-table-reader.ts';
import { IndexTableWriter, type WrittenTable } from './index-table-writer.ts';
import { NEWEST_TABLE_VERSION, type TableVersion } from './index-table.ts';
import { requireTableChecksum } from './table-checksum.ts';
import { SCAN_BLOCK_ENTRIES, TableScan } from './table-scan.ts';

export interface MergeTables {
  fileSystem: FileSystem;
  directory: string;
  tables: readonly IndexTableReader[];
  newName: string;
  version?: TableVersion;
  breathe?: () => Promise<void>;
}

/** One input: a scan and the place in its block. */
class MergeInput {
  readonly block: EntryBlock;
  at = 0;
  readonly #scan: TableScan;

  constructor(table: IndexTableReader) {
    this.#scan = new TableScan(table);
    this.block = this.#scan.block;
  }

  /** False at the end. */
  advance(): boolean {
    this.at++;
    return this.at < this.block.count || this.nextBlock();
  }

  nextBlock(): boolean {
    this.at = 0;
    return this.#scan.next();
  }

  /** True when this input's entry comes before `other`'s in a table. */
  isBefore(other: MergeInput): boolean {
    const { at, block } = other;
    const order = this.block.compareKey(this.at, block.hashHigh[at]!, block.hashLow[at]!, block.number[at]!);
    return order > 0 || (order === 0 && this.block.position[this.at]! > block.position[at]!);
  }
}

export async function mergeTables(options: MergeTables): Promise<WrittenTable> {
  const { fileSystem, directory, tables, newName } = options;
  assert(tables.length > 0, 'there is a table to merge');
  for (const table of tables) await requireTableChecksum(table, options.breathe);
  const writer = IndexTableWriter.create({
    fileSystem,
    directory,
    name: newName,
    expectedEntryCount: tables.reduce((sum, table) => sum + table.count, 0),
    version: options.version ?? commonVersion(tables),
    tableOwner: tables[0]!.facts
  });
  try {
    const inputs = tables.map((table) => new MergeInput(table)).filter((input) => input.nextBlock());
    while (inputs.length > 0) {
      let first = 0;
      for (let i = 1; i < inputs.length; i++) if (inputs[i]!.isBefore(inputs[first]!)) first = i;
      const { block, at } = inputs[first]!;
      writer.append(block.hashHigh[at]!, block.hashLow[at]!, block.number[at]!, block.position[at]!);
      if (!inputs[first]!.advance()) inputs.splice(first, 1);
      if (writer.entryCount % SCAN_BLOCK_ENTRIES === 0) await options.breathe?.();
    }
    return writer.complete();
  } catch (error) {
    writer.abort();
    throw error;
  }
}

/** Of several versions the newest: it can hold whatever the others do. */
function commonVersion(tables: readonly IndexTableReader[]): TableVersion {
  const versions = new Set(tables.map((table) => table.version));
  return versions.size === 1 ? tables[0]!.version : NEWEST_TABLE_VERSION;
}
