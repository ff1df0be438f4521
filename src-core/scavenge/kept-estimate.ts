/**
 * What keeping replaced files means for the disk, from what a plan did: nothing is freed until they expire, and the new files
 * come on top. Sizes of files as in space-saved.ts; a merge of files that this run has written itself keeps none of them.
 */
import type { Database } from '../database/database.ts';
import type { ChunkOutcome, ScavengeOutcome, ScavengeWarning } from './scavenge-result.ts';
import { sizeOf } from '../storage/file-size.ts';
import { stateDirectoryOf, statePathOf } from './state/state-file.ts';
import { counted } from '../units/counted.ts';

export interface KeptEstimate {
  /** Bytes of old files, freed when they expire. */
  replacedBytes: number;
  /** Taken beside them until then: new files, and copies of those that change in place. */
  neededBytes: number;
  keepMs: number;
}

export function estimateKept(
  { chunks, tables }: Pick<ScavengeOutcome, 'chunks' | 'tables'>,
  { database, keepMs }: { database: Database; keepMs: number }
): KeptEstimate {
  const rewritten = chunks.filter(({ decision }) => decision === 'rewritten' || decision === 'emptied');
  const merged = chunks.filter(({ decision }) => decision === 'merged');
  const copied = tables.filter(({ entriesBefore, entriesAfter }) => entriesBefore !== entriesAfter);
  const isIn = (merge: ChunkOutcome) => (chunk: ChunkOutcome) =>
    chunk.chunkStart >= merge.chunkStart && chunk.chunkEnd <= merge.chunkEnd;
  const ofThisRun = sumOf(
    rewritten.filter((chunk) => merged.some((merge) => isIn(merge)(chunk))),
    'bytesAfter'
  );
  const rows: readonly Sizes[] = [...rewritten, ...merged, ...copied];
  const replaced = sumOf(rows, 'bytesBefore');
  const written = sumOf(rows, 'bytesAfter');
  return {
    replacedBytes: replaced - ofThisRun,
    neededBytes: written - ofThisRun + copiedBytes(database),
    keepMs
  };
}

/** Throws nothing: a plan only says so. */
export function keptWarnings(kept: KeptEstimate, freeBytes: number): ScavengeWarning[] {
  const days = Math.round((kept.keepMs / 86_400_000) * 10) / 10;
  const said: ScavengeWarning = {
    code: 'keepsReplaced',
    message: `Nothing is freed for ${counted(days, 'day')}: ${kept.replacedBytes} bytes of replaced files are kept, and up to ${kept.neededBytes} bytes of new files and copies come on top.`,
    remedy: 'The space is freed when they expire, or at once with "winnow scavenge --undo --forget".'
  };
  if (kept.neededBytes <= freeBytes) return [said];
  const tooLittle: ScavengeWarning = {
    code: 'keepsTooMuch',
    message: `The volume has ${freeBytes} bytes free, ${kept.neededBytes - freeBytes} fewer than this scavenge may need while it keeps what it replaces.`,
    remedy:
      'Free space, or scavenge without "--keep-replaced". A run that fills the disk ends with an error, loses nothing, and ' +
      'resumes or is undone.'
  };
  return [said, tooLittle];
}

interface Sizes {
  bytesBefore: number;
  bytesAfter: number;
}

function sumOf(rows: readonly Sizes[], member: keyof Sizes): number {
  return rows.reduce((sum, row) => sum + row[member], 0);
}

/** Files that change in place: the open chunk and the state. */
function copiedBytes({ fileSystem, indexDirectory, chunkSet }: Database): number {
  const state = statePathOf(fileSystem, stateDirectoryOf(fileSystem, indexDirectory));
  const open = chunkSet.chunks.filter(({ isLasting }) => !isLasting);
  return open.reduce((sum, { fileSize }) => sum + fileSize, sizeOf(fileSystem, state));
}
