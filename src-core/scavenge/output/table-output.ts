/**
 * Where filtered index tables go: into the index, one at a time, or, in a plan, nowhere.
 */
import { assert } from '../../assert.ts';
import { filterFileSizeBytes, tableFilterSizeBytes } from '../../index/bloom-filter.ts';
import { filterTable, type EntryPredicate } from '../../index/filter-table.ts';
import type { StreamIndex } from '../../index/stream-index.ts';
import { filterNameOf, type IndexTableReader } from '../../index/index-table-reader.ts';
import { sizeOf } from '../../storage/file-size.ts';
import type { FileSystem } from '../../storage/file-system.ts';
import type { TableOutput } from '../phases/5-index-execution.ts';
import type { TableOutcome } from '../scavenge-result.ts';

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
  filterBytesSaved = 0;

  constructor(parts: IndexTableOutputParts) {
    this.#parts = parts;
    this.#tables = [...parts.index.tables];
  }

  get count(): number {
    return this.#tables.length;
  }

  describe(at: number): { fileName: string; sizeBytes: number; filterBytes: number } {
    const { fileSystem, index } = this.#parts;
    const { name, sizeBytes } = this.#tables[at]!;
    const filter = fileSystem.describe(fileSystem.join(index.directory.directory, filterNameOf(name)));
    return { fileName: name, sizeBytes, filterBytes: filter?.size ?? leastFilterBytes(sizeBytes) };
  }

  measure(at: number, keep: EntryPredicate, breathe: () => Promise<void>): Promise<TableOutcome> {
    return this.#filter(at, keep, { breathe, isDryRun: true });
  }

  filter(at: number, keep: EntryPredicate, breathe: () => Promise<void>): Promise<TableOutcome> {
    return this.#filter(at, keep, { breathe, isDryRun: this.#parts.isDryRun, isKept: true });
  }

  async #filter(
    at: number,
    keep: EntryPredicate,
    {
      breathe,
      isDryRun,
      isKept = false
    }: { breathe: () => Promise<void>; isDryRun: boolean; isKept?: boolean }
  ): Promise<TableOutcome> {
    const { fileSystem, index, newGuid } = this.#parts;
    const table = this.#tables[at]!;
    const place = index.directory.map?.tables.find(({ file }) => file === table.name);
    assert(place !== undefined, `the index map names ${table.name}`);
    const oldFilter = fileSystem.join(index.directory.directory, filterNameOf(table.name));
    const oldFilterBytes = sizeOf(fileSystem, oldFilter);
    const filtered = await filterTable({
      fileSystem,
      directory: index.directory.directory,
      table,
      keep,
      newName: newGuid(),
      isDryRun,
      breathe
    });
    if (isKept && filtered.dropped > 0) {
      this.filterBytesSaved += oldFilterBytes - filterFileSizeBytes(tableFilterSizeBytes(table.count));
    }
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

/** What a filter that is not there would take: a quarter of a byte for an entry of 24, and its checksums. */
function leastFilterBytes(tableBytes: number): number {
  return Math.max(16384, Math.ceil(tableBytes / 64));
}
