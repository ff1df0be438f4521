/** Reading beside a running server: its scavenge removes files that another version has taken the place of. */
import { isFileGone } from '../errors.ts';

/** A running scavenge does not replace what we read as often as this. */
export const MOST_READINGS = 5;

/**
 * Does `read` again, from the list of files of the moment, when one that it had listed was gone. `read` is handed that error, and
 * throws it where nothing has taken the place of the file.
 */
export function readAgainWhenGone<T>(read: (gone: Error | undefined) => T): T {
  let gone: Error | undefined;
  for (let reading = 1; ; reading++) {
    try {
      return read(gone);
    } catch (error) {
      const isGone = error instanceof Error && isFileGone(error);
      if (!isGone || error === gone || reading === MOST_READINGS) throw error;
      gone = error;
    }
  }
}
