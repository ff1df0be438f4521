/**
 * The log part of a backup, in the document's order: checkpoints before chunks, and of the checkpoints those that
 * promise less first. What the server writes after chaser.chk was read is cut off again by a restore.
 *
 *   full           chaser, epoch, proposal, tag, truncate, writer; then the chunks
 *   differential   the last chunk set aside; chaser, epoch, writer, proposal, tag; then the new chunks; clean-up
 *
 * A chunk that begins behind the copied writer checkpoint is left out: a server does not start with it. The chunk
 * that is being written comes last, which makes its tail small.
 */
import type { ChunkSet } from '../log/chunk-set.ts';
import { logCorrupt } from '../errors.ts';
import { readInt64 } from '../codec/int64.ts';
import type { BackupDraft } from './backup-draft.ts';
import { CHECKPOINT_BYTES, logCheckpointsOf, type CheckpointFile } from './list-backup-files.ts';
import type { BackupMode, ManifestCheckpoints, ManifestNote } from './manifest.ts';
import { listChunkFiles, readIfThere, type SourceFile, type SourcePlace } from './source-files.ts';

export interface LogPart {
  place: SourcePlace;
  draft: BackupDraft;
  mode: BackupMode;
  /** Called once the files to come are known, with the bytes that are not there yet. */
  onListed: (bytes: number) => void;
}

export interface CopiedLog {
  checkpoints: Omit<ManifestCheckpoints, 'index' | 'filter'>;
  chunkSet: ChunkSet;
  files: SourceFile[];
  notes: ManifestNote[];
}

const CHUNK_OR_OLD = /^chunk-\d{6}\.\d{6}(\.old)?$/;

export async function copyLogPart({ place, draft, mode, onListed }: LogPart): Promise<CopiedLog> {
  const isDifferential = mode === 'differential';
  if (isDifferential) await draft.setLastChunkAside();
  const values = await copyCheckpoints(place, draft, logCheckpointsOf(mode));
  const { writer, chaser } = values;
  if (writer === null || chaser === null) {
    const file = writer === null ? 'writer.chk' : 'chaser.chk';
    throw logCorrupt(`${file} disappeared while the backup began.`, { file });
  }
  const { chunkSet, files, notes } = listChunkFiles(place, writer);
  const completed = files.filter((file) => file.isImmutable);
  const growing = files.filter((file) => !file.isImmutable);
  onListed(files.reduce((sum, file) => sum + (draft.has(file) ? 0 : file.sourceBytes), 0));
  await draft.copyMissing(completed);
  await draft.copyMissing(growing);
  await draft.removeUnlisted('data', (name) => CHUNK_OR_OLD.test(name), files);
  const { epoch, proposal, truncate } = values;
  return { checkpoints: { writer, chaser, epoch, proposal, truncate }, chunkSet, files, notes };
}

/** Each is read once, in full: what the manifest says of it and what lies in the backup are the same bytes. */
async function copyCheckpoints(
  place: SourcePlace,
  draft: BackupDraft,
  order: readonly CheckpointFile[]
): Promise<Record<CheckpointFile, number | null>> {
  const values: Record<CheckpointFile, number | null> = {
    chaser: null,
    epoch: null,
    proposal: null,
    tag: null,
    truncate: null,
    writer: null
  };
  const { fileSystem, dataDirectory } = place;
  for (const checkpoint of order) {
    const name = `${checkpoint}.chk`;
    const bytes = readIfThere(fileSystem, fileSystem.join(dataDirectory, name));
    if (!bytes) continue;
    // The server reads missing bytes as zeros and ignores those behind the eighth; a backup holds what it reads.
    const eight = new Uint8Array(CHECKPOINT_BYTES);
    eight.set(bytes.subarray(0, CHECKPOINT_BYTES));
    values[checkpoint] = readInt64(new DataView(eight.buffer), 0);
    await draft.putBytes('data', name, eight);
  }
  return values;
}
