/**
 * The filter of existing streams against the streams that exist: one that it denies is invisible to readers, and
 * nothing else ever notices. The whole filter is in memory while this runs (256 MB by default).
 */
import type { FileSystem } from '../storage/file-system.ts';
import {
  EXISTENCE_CHECKPOINT_NAME,
  EXISTENCE_FILTER_DIRECTORY,
  EXISTENCE_FILTER_NAME,
  readExistenceFilter
} from './existence-filter.ts';
import { EntryBlock, type SortedEntries } from './index-entry.ts';
import type { IndexProblem } from './index-problem.ts';
import { SCAN_BLOCK_ENTRIES } from './table-scan.ts';

const EXISTENCE_FILE = `${EXISTENCE_FILTER_DIRECTORY}/${EXISTENCE_FILTER_NAME}`;

export interface VerifyExistence {
  fileSystem: FileSystem;
  /** The index directory. */
  directory: string;
  /** Tables, and the entries behind them. */
  sources: readonly SortedEntries[];
  breathe?: (() => Promise<void>) | undefined;
}

/** Why the filter is not used, and streams that it denies although they were there before its check point. */
export async function verifyExistence({
  fileSystem,
  directory,
  sources,
  breathe
}: VerifyExistence): Promise<IndexProblem[]> {
  const existence = readExistenceFilter(fileSystem, directory);
  if (existence?.problem !== undefined) {
    return [
      {
        severity: 'hint',
        code: 'filterInvalid',
        file: EXISTENCE_FILE,
        offset: null,
        message: `The filter of existing streams is not used: ${existence.problem}; the server rebuilds it when it starts.`
      }
    ];
  }
  if (!existence?.filter || existence.checkpoint < 0) return [];
  const { filter, checkpoint } = existence;
  const block = new EntryBlock(SCAN_BLOCK_ENTRIES);
  const problems: IndexProblem[] = [];
  for (const source of sources) {
    let high = -1;
    let low = -1;
    let missing = 0;
    for (let index = 0; index < source.count; index += block.count) {
      source.readEntries(index, block);
      for (let i = 0; i < block.count; i++) {
        // One question for each run of a hash, at its first entry that the filter must know.
        if (block.position[i]! >= checkpoint || (block.hashHigh[i] === high && block.hashLow[i] === low))
          continue;
        high = block.hashHigh[i]!;
        low = block.hashLow[i]!;
        if (!filter.mayContain(high, low)) missing++;
      }
      await breathe?.();
    }
    if (missing === 0) continue;
    problems.push({
      severity: 'damage',
      code: 'filterFalseNegative',
      file: EXISTENCE_FILE,
      offset: null,
      message: `The filter of existing streams denies ${missing} stream hashes of ${nameOf(source)}: readers do not see these streams.`
    });
  }
  return problems;
}

function nameOf({ name }: SortedEntries): string {
  return name.includes(' ') ? name : `index table ${name}`;
}

/** Neither of the two files, or one of them without the other: the server rebuilds the filter. Reads no content. */
export function findMissingExistence(fileSystem: FileSystem, directory: string): IndexProblem[] {
  const isThere = (name: string) =>
    fileSystem.describe(fileSystem.join(directory, EXISTENCE_FILTER_DIRECTORY, name)) !== undefined;
  const hasFilter = isThere(EXISTENCE_FILTER_NAME);
  const hasCheckpoint = isThere(EXISTENCE_CHECKPOINT_NAME);
  if (hasFilter && hasCheckpoint) return [];
  // Of an index that is missing as a whole it says nothing more.
  if (!hasFilter && !hasCheckpoint && fileSystem.describe(directory) === undefined) return [];
  if (!hasFilter && !hasCheckpoint) {
    return [
      {
        severity: 'hint',
        code: 'existenceFilterMissing',
        file: EXISTENCE_FILE,
        offset: null,
        message: 'There is no filter of existing streams.'
      }
    ];
  }
  const missing = hasFilter ? EXISTENCE_CHECKPOINT_NAME : EXISTENCE_FILTER_NAME;
  return [
    {
      severity: 'hint',
      code: 'existenceFilterIncomplete',
      file: `${EXISTENCE_FILTER_DIRECTORY}/${missing}`,
      offset: null,
      message: `${missing} is missing, its other half is not: the server rebuilds the filter of existing streams.`
    }
  ];
}
