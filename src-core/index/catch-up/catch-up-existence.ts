/**
 * The filter of existing streams brought up to the end of the log, by the server's rules for its start: all entries of
 * the tables where there is no filter to go on from, then the stream of every prepare from its check point on.
 *
 * The filter is complete and flushed under another name before it takes the old one's place, and its check point
 * follows: a filter that knows more than its check point says is harmless, the other way round streams disappear.
 * The whole filter is in memory while this runs (256 MB by default).
 */
import { writeInt64 } from '../../codec/int64.ts';
import { entriesIn } from '../../storage/directory-entries.ts';
import type { FileSystem } from '../../storage/file-system.ts';
import { replaceFile } from '../../storage/replace-file.ts';
import { BloomFilter, filterFileSizeBytes } from '../bloom-filter.ts';
import {
  EXISTENCE_CHECKPOINT_NAME,
  EXISTENCE_FILTER_DIRECTORY,
  EXISTENCE_FILTER_NAME,
  readExistenceCheckpoint,
  readExistenceFilter
} from '../existence-filter.ts';
import { readFilterSize } from '../filter-file.ts';
import type { IndexTableReader } from '../index-table-reader.ts';
import type { RecordLog } from '../record-source.ts';
import { hashStream, hashStreamOf, type StreamHash, type StreamHasher } from '../stream-hash.ts';
import { TableScan } from '../table-scan.ts';

/** The server's default of StreamExistenceFilterSize. */
export const DEFAULT_EXISTENCE_BYTES = 256_000_000;
const CHECKPOINT_BYTES = 8;
const FILTER_MODE = 0o644;
const TEMPORARY_SUFFIX = '.tmp';
/** Records between two pauses. */
const BREATHE_EVERY = 4096;

/** What a start finds, from the first line of the filter and from its check point. */
export interface ExistenceState {
  /** `missing`: neither file is there. `unusable`: the server makes the filter again. */
  state: 'usable' | 'missing' | 'unusable';
  /** Why it is made again, a part of a sentence; null where it is used. */
  why: string | null;
  /** Bytes of bits, as configured or as the file has them. */
  logicalSizeBytes: number;
  /** Of the file that the server loads or writes. */
  fileBytes: number;
  /** -1: of none. */
  checkpoint: number;
}

/** `configuredBytes`: the server's setting, undefined if it is not known; then the size is that of the file. */
export function existenceState(
  { fileSystem, directory }: { fileSystem: FileSystem; directory: string },
  configuredBytes: number | undefined
): ExistenceState {
  const folder = fileSystem.join(directory, EXISTENCE_FILTER_DIRECTORY);
  const path = fileSystem.join(folder, EXISTENCE_FILTER_NAME);
  const size = fileSystem.describe(path)?.size;
  const checkpoint = readExistenceCheckpoint(fileSystem, folder);
  const hasCheckpoint = fileSystem.describe(fileSystem.join(folder, EXISTENCE_CHECKPOINT_NAME)) !== undefined;
  const header = size === undefined ? undefined : readFilterSize(fileSystem, path);
  const found = typeof header === 'number' ? header : undefined;
  const logicalSizeBytes = configuredBytes ?? found ?? DEFAULT_EXISTENCE_BYTES;
  const of = (state: ExistenceState['state'], why: string | null): ExistenceState => ({
    state,
    why,
    logicalSizeBytes,
    fileBytes: filterFileSizeBytes(logicalSizeBytes),
    checkpoint: state === 'usable' ? checkpoint : -1
  });
  if (size === undefined) {
    return hasCheckpoint ? of('unusable', 'its file is missing') : of('missing', 'there is none');
  }
  if (typeof header === 'string') return of('unusable', header);
  if (found !== logicalSizeBytes)
    return of('unusable', `it has ${found} bytes of bits, the server is set to ${logicalSizeBytes}`);
  if (checkpoint < 0) return of('unusable', 'its checkpoint says that nothing is in it');
  return of('usable', null);
}

export interface CatchUpExistence {
  fileSystem: FileSystem;
  /** The index directory; there already. */
  directory: string;
  /** All tables of the index. */
  tables: readonly IndexTableReader[];
  log: Pick<RecordLog, 'cursor'>;
  /** Where the log ends for the index: the chaser's position. */
  end: number;
  /** undefined: the setting is not known. */
  configuredBytes?: number | undefined;
  newGuid: () => string;
  hasher?: StreamHasher;
  breathe: () => Promise<void>;
  onProgress?: (progress: { done: number; total: number; unit: 'entries' | 'bytes' }) => void;
}

export interface CaughtUpExistence {
  /** Made again from the tables, or only brought up to the end of the log. */
  isRebuilt: boolean;
  fileBytes: number;
  checkpoint: number;
}

export async function catchUpExistence(options: CatchUpExistence): Promise<CaughtUpExistence> {
  const { fileSystem, directory } = options;
  const { state, logicalSizeBytes, fileBytes } = existenceState(options, options.configuredBytes);
  const old = state === 'usable' ? readExistenceFilter(fileSystem, directory) : undefined;
  // A damaged line answers "maybe" for ever; what is made again has none.
  const isKept = old?.filter !== undefined && old.damagedLineCount === 0;
  const filter = isKept ? old.filter! : BloomFilter.empty(logicalSizeBytes);
  const from = isKept ? old.checkpoint : await addTables(options, filter);
  await addLog(options, filter, Math.max(0, from));
  // Of everything before the end every stream is in it: one that was ahead of the log is set back, as the server does.
  writeFilter(options, filter.encode(), options.end);
  return { isRebuilt: !isKept, fileBytes, checkpoint: options.end };
}

/** Gives the greatest position of an entry; -1 without entries. */
async function addTables(
  { tables, breathe, onProgress }: CatchUpExistence,
  filter: BloomFilter
): Promise<number> {
  const total = tables.reduce((sum, { count }) => sum + count, 0);
  let done = 0;
  let last = -1;
  for (const table of tables) {
    let high = -1;
    let low = -1;
    for (const scan = new TableScan(table); scan.next();) {
      const { block } = scan;
      for (let i = 0; i < block.count; i++) {
        if (block.position[i]! > last) last = block.position[i]!;
        if (block.hashHigh[i] === high && block.hashLow[i] === low) continue;
        high = block.hashHigh[i]!;
        low = block.hashLow[i]!;
        filter.add(high, low);
      }
      done += block.count;
      onProgress?.({ done, total, unit: 'entries' });
      await breathe();
    }
  }
  return last;
}

/** The stream of every prepare, committed or not. */
async function addLog(
  { log, end, hasher = hashStream, breathe, onProgress }: CatchUpExistence,
  filter: BloomFilter,
  from: number
): Promise<void> {
  const hash: StreamHash = { high: 0, low: 0 };
  let since = 0;
  const records = log.cursor(from, end);
  try {
    while (records.next()) {
      const { record } = records;
      if (record.kind === 'prepare') {
        hashStreamOf(record, hasher, hash);
        filter.add(hash.high, hash.low);
      }
      if (++since < BREATHE_EVERY) continue;
      since = 0;
      onProgress?.({ done: record.position - from, total: end - from, unit: 'bytes' });
      await breathe();
    }
  } finally {
    records.close();
  }
}

function writeFilter(
  { fileSystem, directory, newGuid }: CatchUpExistence,
  bytes: Uint8Array,
  checkpoint: number
): void {
  const folder = fileSystem.join(directory, EXISTENCE_FILTER_DIRECTORY);
  const owner = fileSystem.describe(directory);
  if (!fileSystem.describe(folder)) {
    fileSystem.makeDirectory(folder);
    if (owner) fileSystem.changeOwner(folder, owner.uid, owner.gid);
    fileSystem.syncDirectory(directory);
  }
  removeTemporaries(fileSystem, folder);
  const put = (name: string, content: Uint8Array): void => {
    const path = fileSystem.join(folder, name);
    const isNew = fileSystem.describe(path) === undefined;
    const temporaryName = `${name}.${newGuid()}${TEMPORARY_SUFFIX}`;
    replaceFile(fileSystem, { directory: folder, name, temporaryName, bytes: content, mode: FILTER_MODE });
    if (isNew && owner) fileSystem.changeOwner(path, owner.uid, owner.gid);
  };
  put(EXISTENCE_FILTER_NAME, bytes);
  const stored = new Uint8Array(CHECKPOINT_BYTES);
  writeInt64(new DataView(stored.buffer), 0, checkpoint);
  put(EXISTENCE_CHECKPOINT_NAME, stored);
}

/** What a cut run left: the server does not look into this folder. */
function removeTemporaries(fileSystem: FileSystem, folder: string): void {
  for (const { name, isDirectory } of entriesIn(fileSystem, folder)) {
    const isOurs =
      name.startsWith(`${EXISTENCE_FILTER_NAME}.`) || name.startsWith(`${EXISTENCE_CHECKPOINT_NAME}.`);
    if (!isDirectory && isOurs && name.endsWith(TEMPORARY_SUFFIX))
      fileSystem.remove(fileSystem.join(folder, name));
  }
}
