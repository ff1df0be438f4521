/** Reading beside a running server: its scavenge removes files that another version has taken the place of. */
import { isFileGone } from '../errors.ts';

/** A running scavenge does not replace what we read as often as this. */
export const MOST_READINGS = 5;

/** Does `read` again, from the list of files of the moment, when one that it had listed was gone. */
export function readAgainWhenGone<T>(read: () => T): T {
  for (let reading = 1; ; reading++) {
    try {
      return read();
    } catch (error) {
      if (reading === MOST_READINGS || !isFileGone(error)) throw error;
    }
  }
}
