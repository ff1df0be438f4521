/**
 * Gives a checkpoint file a value. A sound file is written in its eight bytes; one that is missing or has another
 * length is made beside its place and renamed, because the server takes a short file for a zero, and a zero in
 * truncate.chk for "cut everything".
 */
import { writeInt64 } from '../codec/int64.ts';
import {
  checkpointFileName,
  readCheckpointFile,
  writeCheckpointFile,
  type CheckpointName
} from '../log/checkpoint-file.ts';
import { replaceFile } from '../storage/replace-file.ts';
import type { RepairWork } from './repair-plan.ts';

const CHECKPOINT_BYTES = 8;

export function setCheckpoint(work: RepairWork, name: CheckpointName, now: number, why: string): void {
  const { fileSystem, dataDirectory } = work.place;
  const file = checkpointFileName(name);
  const path = fileSystem.join(dataDirectory, file);
  const was = readCheckpointFile(fileSystem, path);
  const isSound = fileSystem.describe(path)?.size === CHECKPOINT_BYTES;
  if (isSound && was === now) return;
  work.setAside.noteValue(file, { was, now }, why);
  if (isSound) {
    writeCheckpointFile(fileSystem, path, now);
    return;
  }
  const bytes = new Uint8Array(CHECKPOINT_BYTES);
  writeInt64(new DataView(bytes.buffer), 0, now);
  const temporaryName = `${file}.${work.newGuid()}.tmp`;
  replaceFile(fileSystem, { directory: dataDirectory, name: file, temporaryName, bytes });
}
