/**
 * Copies a table without the entries that a predicate refuses: how a scavenge removes entries. Order stays, the
 * name is new, the filter is sized from the OLD entry count (as the server does), the version stays what it was
 * unless another is asked for. If nothing was dropped and the version is the same, the copy is deleted and the
 * old table goes on. A table that loses all entries stays, with 272 bytes. A damaged table is not copied: its
 * checksum is verified first.
 *
 * It does not touch the index map: the old table is in use until IndexDirectory switches the new one in.
 */
import type { AtNumber, AtPosition } from '../units/of-unit.ts';
import { indexCorrupt } from '../errors.ts';
import { filterNameOf, type IndexTableReader } from './index-table-reader.ts';
import { IndexTableWriter, type WrittenTable } from './index-table-writer.ts';
import { requiredMidpointCount, tableSizeBytes, type TableVersion } from './index-table.ts';
import { requireTableChecksum } from './table-checksum.ts';
import { TableScan } from './table-scan.ts';
import type { FileSystem } from '../storage/file-system.ts';

/** True keeps the entry. Hash as two uint32 halves. */
export type EntryPredicate = (
  hashHigh: number,
  hashLow: number,
  number: AtNumber,
  position: AtPosition
) => boolean;

export interface FilterTable {
  fileSystem: FileSystem;
  directory: string;
  table: IndexTableReader;
  keep: EntryPredicate;
  /** A new GUID in lower case, the name of the copy. */
  newName: string;
  /** Version of the copy; that of the table when absent. */
  version?: TableVersion;
  midpointDepth?: number;
  /** Count only: write nothing, and say what a copy would be. */
  isDryRun?: boolean;
  /** Called a few thousand entries apart; may pause, and ends the copy by throwing. */
  breathe?: () => Promise<void>;
}

export interface FilteredTable {
  kept: number;
  dropped: number;
  /** Sizes of the table files, without filters. Equal when the old table stays. */
  bytesBefore: number;
  bytesAfter: number;
  /** The copy; undefined when the old table stays, and in a dry run. */
  written: WrittenTable | undefined;
}

export async function filterTable(options: FilterTable): Promise<FilteredTable> {
  const { table } = options;
  const version = options.version ?? table.version;
  await requireTableChecksum(table, options.breathe);
  const writer = options.isDryRun ? undefined : createCopy(options, version);
  let kept = 0;
  try {
    const scan = new TableScan(table);
    while (scan.next()) {
      kept += copyBlock(scan, options.keep, writer);
      await options.breathe?.();
    }
    const dropped = table.count - kept;
    const bytesBefore = table.sizeBytes;
    if (dropped === 0 && version === table.version) {
      writer?.abort();
      return { kept, dropped, bytesBefore, bytesAfter: bytesBefore, written: undefined };
    }
    const written = writer?.complete();
    const midpointCount = requiredMidpointCount(kept, version, options.midpointDepth);
    const bytesAfter = written?.sizeBytes ?? tableSizeBytes(version, kept, midpointCount);
    return { kept, dropped, bytesBefore, bytesAfter, written };
  } catch (error) {
    writer?.abort();
    throw error;
  }
}

function copyBlock({ block }: TableScan, keep: EntryPredicate, writer: IndexTableWriter | undefined): number {
  const { hashHigh, hashLow, number, position, count } = block;
  let kept = 0;
  for (let i = 0; i < count; i++) {
    if (!keep(hashHigh[i]!, hashLow[i]!, number[i]!, position[i]!)) continue;
    kept++;
    writer?.append(hashHigh[i]!, hashLow[i]!, number[i]!, position[i]!);
  }
  return kept;
}

function createCopy(options: FilterTable, version: TableVersion): IndexTableWriter {
  const { fileSystem, directory, table, newName } = options;
  if (version < 2) {
    throw indexCorrupt(`Index table ${table.name} has version 1, which holds only half of each hash.`, {
      file: table.name
    });
  }
  const filterOwner = fileSystem.describe(fileSystem.join(directory, filterNameOf(table.name)));
  return IndexTableWriter.create({
    fileSystem,
    directory,
    name: newName,
    expectedEntryCount: table.count,
    version,
    ...(options.midpointDepth === undefined ? {} : { midpointDepth: options.midpointDepth }),
    tableOwner: table.facts,
    ...(filterOwner && !filterOwner.isDirectory ? { filterOwner } : {})
  });
}
