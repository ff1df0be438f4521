/**
 * Follows the directories of one database. Notifications of the file system are only hints that it is time to
 * check; what changed is found by reading the directory again, at our own pace, and comparing. Without
 * notifications (network shares, some containers) the same check runs every POLL_INTERVAL_MS.
 *
 * Nothing on disk tells of a server that has stopped: the kernel drops its locks and changes no file. So who holds
 * writer.chk is asked every LOCK_INTERVAL_MS, in the way that takes no lock (docs/decisions/0028).
 *
 * Never opens a chunk or an index table: names, and the eight bytes of the checkpoint files.
 */
import { watch as watchPaths } from 'chokidar';
import { readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { NodeFileSystem, readRegularFile, type FileSystem } from '../../src-core/index.ts';
import type { ChangedPart } from '../contract/verbs/workbench-contract.ts';

export const POLL_INTERVAL_MS = 2000;
export const LOCK_INTERVAL_MS = 1000;
/** Hints within this time lead to one check. */
const SETTLE_MS = 150;
/** Enough for a file of which only the first eight bytes count. */
const MAX_CHECKPOINT_BYTES = 64 * 1024;
const CHECKPOINT_FILES = ['writer.chk', 'chaser.chk', 'epoch.chk', 'proposal.chk', 'truncate.chk'];

export interface WatchedDirectories {
  dataDirectory: string;
  indexDirectory: string;
}

/** One line of text for each part, equal as long as nothing changed. */
type Look = Record<Exclude<ChangedPart, 'lock'>, string>;

/** Calls `onChange` with what changed until the returned function is called. */
export function watchDatabase(
  directories: WatchedDirectories,
  onChange: (parts: ChangedPart[]) => void,
  fileSystem: Pick<FileSystem, 'lockHolder'> = new NodeFileSystem()
): () => Promise<void> {
  let isClosed = false;
  let last: Look | undefined;
  let looking: Promise<void> | undefined;
  let settle: NodeJS.Timeout | undefined;

  const lookAgain = (): Promise<void> => {
    looking ??= takeLook(directories)
      .then((look) => {
        if (isClosed) return;
        const parts = last === undefined ? [] : changedParts(last, look);
        last = look;
        if (parts.length > 0) onChange(parts);
      })
      .finally(() => {
        looking = undefined;
      });
    return looking;
  };
  const hint = (): void => {
    if (isClosed) return;
    clearTimeout(settle);
    settle = setTimeout(() => void lookAgain(), SETTLE_MS);
  };

  let holder = holderOf(directories, fileSystem);
  const lookAtLock = (): void => {
    const now = holderOf(directories, fileSystem);
    if (now === holder) return;
    holder = now;
    onChange(['lock']);
  };

  void lookAgain();
  const lockPoll = setInterval(lookAtLock, LOCK_INTERVAL_MS);
  const poll = setInterval(() => void lookAgain(), POLL_INTERVAL_MS);
  const watcher = watchPaths([directories.dataDirectory, directories.indexDirectory], {
    depth: 1,
    ignoreInitial: true,
    ignorePermissionErrors: true
  });
  watcher.on('all', hint);
  // If a watch fails (too many watches, directory gone), polling finds the same changes later.
  watcher.on('error', hint);

  return async () => {
    isClosed = true;
    clearInterval(poll);
    clearInterval(lockPoll);
    clearTimeout(settle);
    await watcher.close();
  };
}

function changedParts(before: Look, after: Look): ChangedPart[] {
  return (Object.keys(after) as (keyof Look)[]).filter((part) => before[part] !== after[part]);
}

/** Who holds the database, as a text that is another when it is somebody else. Unseen locks are nobody's. */
function holderOf({ dataDirectory }: WatchedDirectories, fileSystem: Pick<FileSystem, 'lockHolder'>): string {
  try {
    const holder = fileSystem.lockHolder(path.join(dataDirectory, 'writer.chk'));
    return holder ? `${holder.by} ${holder.pid ?? ''}` : '';
  } catch {
    return '';
  }
}

async function takeLook({ dataDirectory, indexDirectory }: WatchedDirectories): Promise<Look> {
  const [names, indexNames, stateNames, checkpoints, map] = await Promise.all([
    namesIn(dataDirectory),
    namesIn(indexDirectory),
    namesIn(path.join(indexDirectory, 'scavenging')),
    Promise.all(CHECKPOINT_FILES.map((name) => checkpointIn(path.join(dataDirectory, name)))),
    modifiedTime(path.join(indexDirectory, 'indexmap'))
  ]);
  return {
    chunks: names.filter((name) => !name.endsWith('.chk')).join('\n'),
    checkpoints: checkpoints.join('\n'),
    index: `${map}\n${indexNames.join('\n')}`,
    scavengeState: stateNames.filter((name) => !/-(wal|shm)$/.test(name)).join('\n')
  };
}

/** Sorted names; none if the directory cannot be read, which the next inspection reports in full. */
async function namesIn(directory: string): Promise<string[]> {
  try {
    return (await readdir(directory)).sort();
  } catch {
    return [];
  }
}

async function checkpointIn(file: string): Promise<string> {
  try {
    return readRegularFile(file, MAX_CHECKPOINT_BYTES).toString('hex', 0, 8);
  } catch {
    return '';
  }
}

async function modifiedTime(file: string): Promise<string> {
  try {
    return String((await stat(file)).mtimeMs);
  } catch {
    return '';
  }
}
