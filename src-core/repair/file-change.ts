/**
 * What a step of a repair makes of one file, as an old value and a new one. Told before the step by the plan, and
 * after it by the report; what an earlier step of the same repair changes counts as done.
 */
import type { Database } from '../database/database.ts';
import { checkpointFileName, type CheckpointName } from '../log/checkpoint-file.ts';
import type { FileSystem } from '../storage/file-system.ts';
import type { Patch } from './patched-file.ts';

export interface FileChange {
  /** Relative to the data directory, as in findings. */
  file: string;
  /**
   * - `checkpoint`: its value, in bytes of the log; null where the file is missing or has not its 8 bytes.
   * - `bytes`: the bytes at `offset`, as hexadecimal digits, the first ones of many.
   * - `zeros`: what follows `offset` becomes zeros.
   * - `length`: the length of the file in bytes.
   * - `name`: the name of the file that serves; null where none does, or where the file is moved away.
   * - `derived`: written again from `new`, the file or files from which it follows.
   */
  kind: 'checkpoint' | 'bytes' | 'zeros' | 'length' | 'name' | 'derived';
  offset: number | null;
  old: number | string | null;
  new: number | string | null;
}

/** So many bytes show what is wrong; a whole position map would show no more. */
const MOST_BYTES = 16;

export function checkpointChange(
  { checkpoints }: Pick<Database, 'checkpoints'>,
  name: CheckpointName,
  now: number
): FileChange {
  return {
    file: checkpointFileName(name),
    kind: 'checkpoint',
    offset: null,
    old: checkpoints[name],
    new: now
  };
}

/** One for each patch of the file. */
export function byteChanges(
  fileSystem: FileSystem,
  { path, file }: { path: string; file: string },
  patches: readonly Patch[]
): FileChange[] {
  const open = fileSystem.open(path, 'read');
  try {
    return patches.map(({ offset, bytes }) => {
      const old = Buffer.alloc(Math.min(MOST_BYTES, bytes.length));
      const count = open.read(old, 0, old.length, offset);
      return {
        file,
        kind: 'bytes',
        offset,
        old: old.subarray(0, count).toString('hex'),
        new: Buffer.from(bytes.subarray(0, MOST_BYTES)).toString('hex')
      };
    });
  } finally {
    open.close();
  }
}

/** Another file serves in place of `old`, or none does. */
export function nameChange(file: string, old: string | null, now: string | null): FileChange {
  return { file, kind: 'name', offset: null, old, new: now };
}

export function derivedFrom(file: string, source: string): FileChange {
  return { file, kind: 'derived', offset: null, old: null, new: source };
}
