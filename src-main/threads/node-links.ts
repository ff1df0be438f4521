/**
 * Hard links and clones of the platform, for targets on this machine. If a file system has none, the answer is
 * false and the caller copies instead: this is not a failure.
 */
import fs from 'node:fs';
import { requireRegularFile, type FileLinks } from '../../src-core/index.ts';

export const nodeLinks: FileLinks = {
  link: (from, to) => isDone(() => fs.linkSync(from, to)),
  clone: (from, to) =>
    isDone(() => {
      requireRegularFile(from);
      fs.copyFileSync(from, to, fs.constants.COPYFILE_EXCL | fs.constants.COPYFILE_FICLONE_FORCE);
      // A clone takes the mode of its source too; completed chunks are read-only, and this file is still ours to write.
      fs.chmodSync(to, 0o644);
    })
};

function isDone(action: () => void): boolean {
  try {
    action();
    return true;
  } catch {
    // Not supported here, or not between these places. Any other reason (no space, an I/O error) occurs again, and is
    // reported with its file and remedy, in the copy that follows.
    return false;
  }
}
