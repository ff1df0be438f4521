// Where tests make their databases: in memory where there is plenty of it. They flush thousands of times to show what is left
// of what was not; how long a disk takes for that is no business of theirs, and on some it is most of the time of a run.
import { readFileSync, statfsSync } from 'node:fs';
import { freemem, tmpdir } from 'node:os';

const MEMORY_DISK = '/dev/shm';
/** All tests together need less than a tenth of it at once. */
const ENOUGH_BYTES = 8 * 2 ** 30;

/** A directory that exists; `TMPDIR` decides where it is given. */
export function scratchParent() {
  if (process.env.TMPDIR) return tmpdir();
  try {
    const { bavail, bsize } = statfsSync(MEMORY_DISK);
    const isRoomy = bavail * bsize >= ENOUGH_BYTES && freemem() >= ENOUGH_BYTES;
    return isRoomy && mayRun() ? MEMORY_DISK : tmpdir();
  } catch {
    return tmpdir(); // no Linux
  }
}

/** Some tests install programs there and run them, which containers often forbid in memory. */
function mayRun() {
  const mounts = readFileSync('/proc/mounts', 'utf8').split('\n');
  const [, , , options = ''] =
    mounts.map((line) => line.split(' ')).findLast(([, at]) => at === MEMORY_DISK) ?? [];
  return !options.split(',').includes('noexec');
}
