/**
 * Looks for faults in the files of an index and reports them as values; never repairs, never stops at the first. It
 * compares the index with itself only: table against checksum, midpoints and filter, map against directory. The
 * caller that knows both checks whether entries and log agree; the filter of existing streams has a file of its own
 * (verify-existence.ts).
 */
import { requireFault } from '../errors.ts';
import type { IndexDirectory } from './index-directory.ts';
import { problemOf, type IndexProblem } from './index-problem.ts';
import { filterNameOf, type IndexTableReader } from './index-table-reader.ts';
import { MD5_SIZE_BYTES } from './index-table.ts';
import { findStateJournals, findStrayFiles } from './stray-files.ts';
import { readTableChecksum } from './table-checksum.ts';
import { TableScan } from './table-scan.ts';
import { findMissingExistence } from './verify-existence.ts';

export interface VerifyOptions {
  /** Called some milliseconds of work apart; may pause, and ends the verification by throwing. */
  breathe?: () => Promise<void>;
  /** Leaves out what reads whole tables: checksums, order, midpoints, filters against entries. */
  isQuick?: boolean;
}

/** Everything that is wrong in an index directory, beginning with what opening it found. */
export async function verifyIndex(
  index: IndexDirectory,
  options: VerifyOptions = {}
): Promise<IndexProblem[]> {
  const problems = [...index.problems];
  // Behind a damaged map every table looks like a stray file: that would only frighten.
  const isMapDamaged = problems.some((problem) => problem.code === 'indexMapInvalid');
  if (!isMapDamaged) problems.push(...findStrayFiles(index.fileSystem, index.directory, index.map));
  problems.push(...findStateJournals(index.fileSystem, index.directory));
  problems.push(...findMissingExistence(index.fileSystem, index.directory));
  for (const table of index.tables) {
    problems.push(...verifyFilterFile(table));
    if (options.isQuick) continue;
    const found = await verifyTable(table, options.breathe);
    // What opening has met already is told once.
    problems.push(...found.filter((problem) => !index.problems.some((known) => isSamePlace(known, problem))));
  }
  return problems;
}

function isSamePlace(known: IndexProblem, problem: IndexProblem): boolean {
  return known.code === problem.code && known.file === problem.file && known.offset === problem.offset;
}

/** Missing and damaged filters only cost speed. */
function verifyFilterFile(table: IndexTableReader): IndexProblem[] {
  const file = filterNameOf(table.name);
  const hint = (
    code: 'filterMissing' | 'filterInvalid' | 'filterNotAFile',
    offset: number | null,
    message: string
  ): IndexProblem[] => [{ severity: 'hint', code, file, offset, message }];
  if (!table.hasFilterFile) {
    return hint('filterMissing', null, `Index table ${table.name} has no filter: look-ups in it are slower.`);
  }
  const { problem, isIrregular, damagedLineCount, firstDamageOffset } = table.filter;
  if (problem !== undefined)
    return hint(
      isIrregular === true ? 'filterNotAFile' : 'filterInvalid',
      null,
      `The filter ${file} is not used: ${problem}.`
    );
  if (damagedLineCount === 0) return [];
  return hint(
    'filterInvalid',
    firstDamageOffset ?? null,
    `The filter ${file} has ${damagedLineCount} damaged lines; look-ups that meet them are slower.`
  );
}

/** Checksum, order and ranges of all entries, midpoints against entries, and every hash against the filter. */
export async function verifyTable(
  table: IndexTableReader,
  breathe?: () => Promise<void>
): Promise<IndexProblem[]> {
  const problems: IndexProblem[] = [];
  const { computed, stored } = await readTableChecksum(table, breathe);
  if (computed !== stored) {
    problems.push({
      // The server checks no table without entries.
      severity: table.count === 0 ? 'hint' : 'damage',
      code: 'tableHashMismatch',
      file: table.name,
      offset: table.sizeBytes - MD5_SIZE_BYTES,
      message: `Index table ${table.name} has the checksum ${computed}, but ${stored} is stored.`
    });
  }
  try {
    problems.push(...(await verifyEntries(table, breathe)));
  } catch (error) {
    requireFault(error, 'IndexCorrupt');
    problems.push(problemOf(error, 'tableInvalid', table.name));
  }
  return problems;
}

async function verifyEntries(
  table: IndexTableReader,
  breathe?: () => Promise<void>
): Promise<IndexProblem[]> {
  const { sampled } = table.midpoints;
  const filter = table.version === 1 ? undefined : table.filter.filter;
  const scan = new TableScan(table);
  const missing = { count: 0, offset: 0 };
  const wrongSamples = { count: 0, offset: 0 };
  let k = 0;
  let high = -1;
  let low = -1;
  while (scan.next()) {
    const { block, start } = scan;
    for (; k < sampled.count && sampled.position[k]! < start + block.count; k++) {
      const at = sampled.position[k]! - start;
      const isSame =
        block.compareKey(at, sampled.hashHigh[k]!, sampled.hashLow[k]!, sampled.number[k]!) === 0;
      if (!isSame && wrongSamples.count++ === 0) wrongSamples.offset = table.offsetOf(start + at);
    }
    for (let i = 0; filter && i < block.count; i++) {
      if (block.hashHigh[i] === high && block.hashLow[i] === low) continue;
      high = block.hashHigh[i]!;
      low = block.hashLow[i]!;
      if (!filter.mayContain(high, low) && missing.count++ === 0) missing.offset = table.offsetOf(start + i);
    }
    await breathe?.();
  }
  const problems: IndexProblem[] = [];
  if (wrongSamples.count > 0) {
    problems.push({
      severity: 'damage',
      code: 'tableInvalid',
      file: table.name,
      offset: wrongSamples.offset,
      message: `${wrongSamples.count} midpoints of index table ${table.name} do not match its entries.`
    });
  }
  if (missing.count > 0) {
    problems.push({
      severity: 'damage',
      code: 'filterFalseNegative',
      file: filterNameOf(table.name),
      offset: null,
      message: `The filter of index table ${table.name} denies ${missing.count} stream hashes of the table (the first at its offset ${missing.offset}): their events are invisible to readers.`
    });
  }
  return problems;
}
