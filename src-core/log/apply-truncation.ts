/**
 * Cuts the log at truncate.chk as the server's first start would, in its order: chunk files from the highest down,
 * the rest of the last one zeroed, then epoch, chaser, writer, and truncate.chk back to -1 as the last step. Until
 * then truncate.chk still asks for the same cut, so that a run that was ended anywhere is simply made again, by us
 * or by the server. One step more than the server's: where a scavenged chunk goes as a whole, truncate.chk is set
 * to its start first, because once the file is gone nothing tells where it began.
 * The caller holds the lock of the directory.
 */
import { checkpointFileName, readCheckpointFile, writeCheckpointFile } from './checkpoint-file.ts';
import type { CheckpointName } from './checkpoint-file.ts';
import { sizeOf } from '../storage/file-size.ts';
import type { FileSystem } from '../storage/file-system.ts';
import {
  planTruncation,
  type LookControl,
  type TruncationPlan,
  type TruncationQuestion
} from './truncation.ts';

const OWNER_MAY_WRITE = 0o200;
const CHECKPOINT_BYTES = 8;

/** An OperationControl has it. */
export interface CutControl extends LookControl {
  throwIfStopped: () => void;
  report: (progress: { phase: string; done: number; total: number; unit: 'chunks' }) => void;
}

/** Works out the plan and carries it out; undefined when there was nothing to cut. */
export async function applyTruncation(
  question: TruncationQuestion & { control: CutControl }
): Promise<TruncationPlan | undefined> {
  const plan = await planTruncation(question);
  if (plan) carryOutTruncation({ ...question, plan });
  return plan;
}

export interface CarryOutTruncation {
  fileSystem: FileSystem;
  dataDirectory: string;
  plan: TruncationPlan;
  control: CutControl;
}

/** The plan must have been made of this directory as it stands. */
export function carryOutTruncation({ fileSystem, dataDirectory, plan, control }: CarryOutTruncation): void {
  const set = (name: CheckpointName, value: number): void => {
    const path = fileSystem.join(dataDirectory, checkpointFileName(name));
    const now = readCheckpointFile(fileSystem, path);
    // A short file reads as if zeros followed; the server makes its eight bytes of it.
    const isShort = sizeOf(fileSystem, path) < CHECKPOINT_BYTES;
    if (now !== null && (now !== value || isShort)) writeCheckpointFile(fileSystem, path, value);
  };
  if (plan.removed.length > 0 && plan.cutAt < plan.requested) set('truncate', plan.cutAt);
  const total = plan.removed.length;
  for (const [done, { file }] of plan.removed.entries()) {
    control.throwIfStopped();
    const path = fileSystem.join(dataDirectory, file);
    makeWritable(fileSystem, path); // read-only files cannot be deleted on Windows
    fileSystem.remove(path);
    control.report({ phase: 'truncation', done: done + 1, total, unit: 'chunks' });
  }
  // A chunk that comes back after a power cut behind a writer checkpoint that moved would be one too many.
  if (total > 0) fileSystem.syncDirectory(dataDirectory);
  if (plan.reopened) zeroTail(fileSystem, dataDirectory, plan.reopened);
  set('epoch', plan.checkpoints.epoch);
  set('chaser', plan.checkpoints.chaser);
  set('writer', plan.checkpoints.writer);
  set('truncate', -1);
}

/** Cut and lengthened again, the file reads as zeros there: nothing of the old tail can come back. */
function zeroTail(
  fileSystem: FileSystem,
  dataDirectory: string,
  { file, zeroFrom, length }: NonNullable<TruncationPlan['reopened']>
): void {
  const path = fileSystem.join(dataDirectory, file);
  makeWritable(fileSystem, path);
  const open = fileSystem.open(path, 'readWrite');
  try {
    open.truncate(zeroFrom);
    open.truncate(length);
    open.sync();
  } finally {
    open.close();
  }
}

function makeWritable(fileSystem: FileSystem, path: string): void {
  const mode = fileSystem.describe(path)?.mode;
  if (mode !== undefined && (mode & OWNER_MAY_WRITE) === 0)
    fileSystem.changeMode(path, mode | OWNER_MAY_WRITE);
}
