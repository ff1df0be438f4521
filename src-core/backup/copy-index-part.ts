/**
 * The index part of a backup, in the document's order. Differential and full share the loop around the map: copy
 * it, copy what it names, and begin again if the map has changed meanwhile, because a merge removes tables.
 *
 *   full           (a) *.chk  (b) map, tables, filters, every other file
 *   differential   map, tables, filters, clean-up, then stream-existence *.chk, then *.dat
 *
 * In both the checkpoint of the stream existence filter comes before its bits: later bits fulfil an older promise,
 * never the other way round.
 */
import type { OperationControl } from '../database/operation-control.ts';
import { EngineError, isFileGone } from '../errors.ts';
import { INDEX_MAP_NAME } from '../index/index-map.ts';
import type { BackupDraft } from './backup-draft.ts';
import { FILTER_CHECKPOINT, listIndexCheckpoints, listOtherIndexFiles } from './list-backup-files.ts';
import type { BackupMode, ManifestNote } from './manifest.ts';
import {
  hasTableFiles,
  isTableOrFilterName,
  listTableFiles,
  readIfThere,
  readSourceMap,
  type SourceFile,
  type SourceMap,
  type SourcePlace
} from './source-files.ts';

export interface IndexPart {
  place: SourcePlace;
  draft: BackupDraft;
  mode: BackupMode;
  control: OperationControl;
  /** A process has the database open: a missing map may come back. */
  isInUse: boolean;
  wait: (ms: number) => Promise<void>;
  /** How long a missing map is waited for. */
  mapLimitMs: number;
}

export interface CopiedIndex {
  map: SourceMap | undefined;
  /** Checkpoint of the stream existence filter; null when there is none. */
  filter: number | null;
  notes: ManifestNote[];
}

const RETRY_MS = 50;
/** A server merges far less often than this while a few files are copied. */
const MAX_ROUNDS = 50;

export async function copyIndexPart(part: IndexPart): Promise<CopiedIndex> {
  const { place, draft, mode } = part;
  if (place.fileSystem.describe(place.indexDirectory) === undefined) {
    await draft.removeUnlisted('index', isTableOrFilterName, []);
    return { map: undefined, filter: null, notes: [] };
  }
  const isDifferential = mode === 'differential';
  let filter: number | null = null;
  if (!isDifferential) filter = await copyCheckpoints(part);
  const { map, notes } = await copyMapAndTables(part);
  if (isDifferential) filter = await copyCheckpoints(part);
  await draft.copyMissing(listOtherIndexFiles(place, mode));
  return { map, filter, notes };
}

/** Small files, each read at once; returns the value of the filter's. */
async function copyCheckpoints({ place, draft, mode }: IndexPart): Promise<number | null> {
  let filter: number | null = null;
  for (const name of listIndexCheckpoints(place, mode)) {
    const bytes = readIfThere(
      place.fileSystem,
      place.fileSystem.join(place.indexDirectory, ...name.split('/'))
    );
    if (!bytes) continue;
    await draft.putBytes('index', name, bytes);
    if (FILTER_CHECKPOINT.test(name) && bytes.length >= 8) {
      filter = Number(new DataView(bytes.buffer, bytes.byteOffset).getBigInt64(0, true));
    }
  }
  return filter;
}

async function copyMapAndTables(part: IndexPart): Promise<Omit<CopiedIndex, 'filter'>> {
  const { place, draft, control } = part;
  for (let round = 1; ; round++) {
    const map = await awaitMap(part);
    if (!map) {
      await draft.removeUnlisted('index', isTableOrFilterName, []);
      return { map: undefined, notes: hasTableFiles(place) ? [mapMissing()] : [] };
    }
    await draft.putBytes('index', INDEX_MAP_NAME, map.bytes);
    const { files, missing } = listTableFiles(place, map.map);
    const isComplete = await copiedWhole(draft, files);
    control.throwIfStopped();
    const now = readSourceMap(place);
    if (now && isComplete && Buffer.compare(now.bytes, map.bytes) === 0) {
      await draft.removeUnlisted('index', isTableOrFilterName, files);
      return { map, notes: notesOf(map, missing) };
    }
    if (round === MAX_ROUNDS) throw neverStill(place);
    await part.wait(RETRY_MS);
  }
}

/** False when a file went away meanwhile: then the map has changed, too. */
async function copiedWhole(draft: BackupDraft, files: readonly SourceFile[]): Promise<boolean> {
  try {
    await draft.copyMissing(files);
    return true;
  } catch (error) {
    if (isFileGone(error) || (error instanceof EngineError && isFileGone(error.cause))) return false;
    throw error;
  }
}

/** Absent for moments while a server replaces it, and for ever where no table was ever written. */
async function awaitMap({
  place,
  isInUse,
  wait,
  mapLimitMs,
  control
}: IndexPart): Promise<SourceMap | undefined> {
  for (let waitedMs = 0; ; waitedMs += RETRY_MS) {
    const map = readSourceMap(place);
    if (map || !isInUse || waitedMs >= mapLimitMs || !hasTableFiles(place)) return map;
    control.throwIfStopped();
    await wait(RETRY_MS);
  }
}

function notesOf(map: SourceMap, missing: readonly string[]): ManifestNote[] {
  const notes: ManifestNote[] = [];
  const remedy =
    'The index is derived from the log: it will be rebuilt after a restore. "winnow index rebuild" does it here.';
  if (!map.map) {
    notes.push({ code: 'indexMapInvalid', message: 'The index map of the source is damaged.', remedy });
  }
  if (missing.length > 0) {
    const message = `Tables that the index map names are missing in the source: ${missing.join(', ')}.`;
    notes.push({ code: 'tableMissing', message, remedy });
  }
  return notes;
}

function mapMissing(): ManifestNote {
  return {
    code: 'indexMapMissing',
    message: 'The source has files of index tables but no index map; they were left out.',
    remedy: 'The index is derived from the log: it will be rebuilt after a restore.'
  };
}

function neverStill(place: SourcePlace): EngineError {
  return new EngineError({
    code: 'DatabaseInUse',
    message: `The index map in ${place.indexDirectory} changed ${MAX_ROUNDS} times while its tables were copied.`,
    remedy: 'Take the backup when the server is less busy, or without a throttle.',
    details: { file: INDEX_MAP_NAME }
  });
}
