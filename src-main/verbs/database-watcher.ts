/**
 * Follows the directories of one database. Notifications of the file system are only hints that it is time to
 * check; what changed is found by reading the directory again, at our own pace, and comparing. Only where there are no
 * notifications (a network share, a watch that failed, a directory that is gone) does the same check run every
 * POLL_INTERVAL_MS instead.
 *
 * Nothing on disk tells of a server that has stopped: the kernel drops its locks and changes no file. So who holds
 * writer.chk is asked every LOCK_INTERVAL_MS, in the way that takes no lock (docs/decisions/0028).
 *
 * Never opens a chunk or an index table: names, and the eight bytes of the checkpoint files.
 */
import { readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { NodeFileSystem, readRegularFile, type FileSystem } from '../../src-core/index.ts';
import type { ChangedPart } from '../contract/verbs/workbench-contract.ts';
import { sendsNotifications } from './file-notifications.ts';

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

/** What the watcher asks of the machine; tests bring their own. */
export interface WatchPlatform {
  fileSystem: Pick<FileSystem, 'lockHolder'>;
  /** Whether the volume of a directory notifies of all changes. */
  sendsNotifications: (directory: string) => Promise<boolean>;
}

const ownPlatform: WatchPlatform = { fileSystem: new NodeFileSystem(), sendsNotifications };

/** Calls `onChange` with what changed until the returned function is called. */
export function watchDatabase(
  directories: WatchedDirectories,
  onChange: (parts: ChangedPart[]) => void,
  platform: WatchPlatform = ownPlatform
): () => Promise<void> {
  const { fileSystem } = platform;
  let isClosed = false;
  let last: Look | undefined;
  let isLooking = false;
  let isOutdated = false;
  let settle: NodeJS.Timeout | undefined;
  let poll: NodeJS.Timeout | undefined;

  const lookAgain = (): void => {
    // What is being read may have been read before this change.
    if (isLooking) {
      isOutdated = true;
      return;
    }
    isLooking = true;
    void takeLook(directories).then((look) => {
      isLooking = false;
      if (isClosed) return;
      const parts = last === undefined ? [] : changedParts(last, look);
      last = look;
      if (parts.length > 0) onChange(parts);
      if (!isOutdated) return;
      isOutdated = false;
      lookAgain();
    });
  };
  const hint = (): void => {
    if (isClosed) return;
    clearTimeout(settle);
    settle = setTimeout(lookAgain, SETTLE_MS);
  };

  let holder = holderOf(directories, fileSystem);
  const lookAtLock = (): void => {
    const now = holderOf(directories, fileSystem);
    if (now === holder) return;
    holder = now;
    onChange(['lock']);
  };

  const startPolling = (): void => {
    if (!isClosed) poll ??= setInterval(lookAgain, POLL_INTERVAL_MS);
  };

  lookAgain();
  const lockPoll = setInterval(lookAtLock, LOCK_INTERVAL_MS);
  const roots = [directories.dataDirectory, directories.indexDirectory];
  for (const root of roots) {
    void platform.sendsNotifications(root).then((isNotified) => {
      if (!isNotified) startPolling();
    });
  }
  const watching = import('chokidar').then(({ watch }) => {
    if (isClosed) return undefined;
    const watcher = watch(roots, { depth: 1, ignoreInitial: true, ignorePermissionErrors: true });
    watcher.on('all', (event, place) => {
      // A directory that comes back under the same name is another one: nothing notifies of it.
      if (event === 'unlinkDir' && roots.includes(place)) startPolling();
      hint();
    });
    // What changed before the watch began.
    watcher.on('ready', hint);
    // A watch failed (too many watches, directory gone).
    watcher.on('error', () => {
      startPolling();
      hint();
    });
    return watcher;
  });
  // Without what watches, as after an update of a running Winnow.
  watching.catch(startPolling);

  return async () => {
    isClosed = true;
    clearInterval(poll);
    clearInterval(lockPoll);
    clearTimeout(settle);
    await watching.then((watcher) => watcher?.close()).catch(() => undefined);
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
