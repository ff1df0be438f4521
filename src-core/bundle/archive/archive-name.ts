/**
 * Names of files in a packed bundle. The archive may come from anybody: a name must not lead out of the folder, and not be
 * another name on a disk that takes letters of both cases, or both forms of a letter with an accent, for the same.
 */

/** Everything in the archive: the name that a person chose for the bundle is nobody's business. */
export const ARCHIVE_FOLDER = 'bundle';

const DEEPEST = 4;
/** Control characters, what separates names on some system, and what shells and Windows take for something else. */
// eslint-disable-next-line no-control-regex
const NEVER = /[\0-\x1f\x7f-\x9f\\/:*?"<>|]/;
/** Of Windows, whatever follows the dot. */
const DEVICE = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i;

/** The parts of a name below the folder; undefined: no bundle has such a file. */
export function partsOfArchiveName(name: string): string[] | undefined {
  const [folder, ...parts] = name.split('/');
  if (folder !== ARCHIVE_FOLDER || parts.length === 0 || parts.length > DEEPEST) return undefined;
  return parts.every(isPlain) ? parts : undefined;
}

/** Equal for names that may be one on some disk. */
export function sameOnAnyDisk(parts: readonly string[]): string {
  return parts.join('/').normalize('NFKC').toLowerCase().normalize('NFKC');
}

function isPlain(part: string): boolean {
  return part !== '' && !NEVER.test(part) && !DEVICE.test(part) && !/^\.\.?$|[. ]$/.test(part);
}
