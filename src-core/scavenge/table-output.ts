/**
 * Where filtered index tables go: into the index, one at a time, or, in a plan, nowhere.
 */
import { assert } from '../assert.ts';
import { filterTable, type EntryPredicate } from '../index/filter-table.ts';
import type { StreamIndex } from '../index/stream-index.ts';
import type { IndexTableReader } from '../index/index-table-reader.ts';
import type { FileSystem } from '../storage/file-system.ts';
import type { TableOutput } from './phases/5-index-execution.ts';
import type { TableOutcome } from './scavenge-result.ts';

export interface IndexTableOutputParts {
  fileSystem: FileSystem;
  index: StreamIndex;
  newGuid: () => string;
  /** Count only. */
  isDryRun: boolean;
}

export class IndexTableOutput implements TableOutput {
  readonly #parts: IndexTableOutputParts;
  /** As listed when the phase begins; each is replaced at most once. */
  readonly #tables: readonly IndexTableReader[];

  constructor(parts: IndexTableOutputParts) {
    this.#parts = parts;
    this.#tables = [...parts.index.tables];
  }

  get count(): number {
    return this.#tables.length;
  }

  async filter(at: number, keep: EntryPredicate, breathe: () => Promise<void>): Promise<TableOutcome> {
    const { fileSystem, index, newGuid, isDryRun } = this.#parts;
    const table = this.#tables[at]!;
    const place = index.directory.map?.tables.find(({ file }) => file === table.name);
    assert(place !== undefined, `the index map names ${table.name}`);
    const filtered = await filterTable({
      fileSystem,
      directory: index.directory.directory,
      table,
      keep,
      newName: newGuid(),
      isDryRun,
      breathe
    });
    if (filtered.written) index.switchIn(table, filtered.written.name, newGuid());
    return {
      level: place.level,
      order: place.position,
      entriesBefore: filtered.kept + filtered.dropped,
      entriesAfter: filtered.kept,
      bytesBefore: filtered.bytesBefore,
      bytesAfter: filtered.bytesAfter
    };
  }
}
