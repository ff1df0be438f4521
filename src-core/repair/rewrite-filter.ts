/** Rewrites the filter of one index table from its entries. The old file must have been moved away. */
import { BloomFilter, tableFilterSizeBytes } from '../index/bloom-filter.ts';
import { filterNameOf, IndexTableReader } from '../index/index-table-reader.ts';
import { TableScan } from '../index/table-scan.ts';
import { replaceFile } from '../storage/replace-file.ts';
import type { RepairWork } from './repair-plan.ts';

export async function rewriteTableFilter(work: RepairWork, tableName: string): Promise<void> {
  const { fileSystem, indexDirectory } = work.place;
  const table = IndexTableReader.open({ fileSystem, directory: indexDirectory, name: tableName });
  try {
    const filter = BloomFilter.empty(tableFilterSizeBytes(table.count));
    const scan = new TableScan(table);
    while (scan.next()) {
      const { block } = scan;
      for (let i = 0; i < block.count; i++) filter.add(block.hashHigh[i]!, block.hashLow[i]!);
      if (work.control.isDue) await work.control.breathe();
    }
    const name = filterNameOf(tableName);
    replaceFile(fileSystem, {
      directory: indexDirectory,
      name,
      temporaryName: `${name}.${work.newGuid()}.tmp`,
      bytes: filter.encode(),
      mode: 0o644
    });
    const { uid, gid } = table.facts;
    fileSystem.changeOwner(fileSystem.join(indexDirectory, name), uid, gid);
  } finally {
    table.close();
  }
}
