/**
 * The eight-byte `.chk` files: one little-endian int64. Written in place, because eight bytes are written whole
 * or not at all; flushed before the call returns. An existing file that is shorter is read as if zeros followed
 * (the server extends it so), therefore an empty file is never created here.
 * Format: docs/format/log.md, "Checkpoints".
 */
import { readInt64, writeInt64 } from '../codec/int64.ts';
import type { FileSystem } from '../storage/file-system.ts';

export const CHECKPOINT_NAMES = ['writer', 'chaser', 'epoch', 'proposal', 'truncate'] as const;
export type CheckpointName = (typeof CHECKPOINT_NAMES)[number];

/**
 * What chaser.chk holds while a directory must not be started: beyond every log (8 PiB), and a number that a double holds
 * exactly. The server finds it ahead of writer.chk and refuses before it reads any chunk.
 */
export const BLOCKED_CHASER = Number.MAX_SAFE_INTEGER;

/** Values of a directory's checkpoints; null where the file is missing. -1 is a value: "nothing". */
export type Checkpoints = Record<CheckpointName, number | null>;

export function checkpointFileName(name: CheckpointName): string {
  return `${name}.chk`;
}

/** Value of one checkpoint file, null when it is missing. */
export function readCheckpointFile(fileSystem: FileSystem, path: string): number | null {
  if (fileSystem.describe(path) === undefined) return null;
  // Eight bytes, whatever the length of the file: what lies behind them means nothing.
  const bytes = new Uint8Array(8);
  const file = fileSystem.open(path, 'read');
  try {
    file.read(bytes, 0, bytes.length, 0);
  } finally {
    file.close();
  }
  return readInt64(new DataView(bytes.buffer), 0);
}

export function readCheckpoints(fileSystem: FileSystem, dataDirectory: string): Checkpoints {
  const read = (name: CheckpointName) =>
    readCheckpointFile(fileSystem, fileSystem.join(dataDirectory, checkpointFileName(name)));
  return {
    writer: read('writer'),
    chaser: read('chaser'),
    epoch: read('epoch'),
    proposal: read('proposal'),
    truncate: read('truncate')
  };
}

/** Sets a checkpoint file and returns once it is on disk. */
export function writeCheckpointFile(fileSystem: FileSystem, path: string, value: number): void {
  const bytes = new Uint8Array(8);
  writeInt64(new DataView(bytes.buffer), 0, value);
  const file = fileSystem.open(path, fileSystem.describe(path) ? 'readWrite' : 'createNew');
  try {
    file.write(bytes, 0, 8, 0);
    file.sync();
  } finally {
    file.close();
  }
}
