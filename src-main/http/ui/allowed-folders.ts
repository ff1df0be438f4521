/**
 * The folders of the machine that a page in a browser may look into and choose from, and the one check of a path that comes
 * from a page: everything else in this process takes only what `admit` has returned.
 *
 * Nothing outside is touched: a path is first compared as text with the allowed folders, and only then followed. What it
 * leads to, all links followed, must lie in an allowed folder too. Not covered: a link that somebody with access to an
 * allowed folder puts in the place of a folder after the check.
 */
import { lstat, mkdir, realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import { EngineError, invalidRequest } from '../../../src-core/index.ts';

/** The longest that file systems take. */
const MOST_BYTES = 4096;
const MOST_BYTES_OF_NAME = 255;

export interface AllowedFolder {
  /** As it was configured or registered. */
  given: string;
  /** All links followed; undefined: it is not there, or cannot be reached. */
  real: string | undefined;
}

export class AllowedFolders {
  readonly #given: () => readonly string[];

  /** `given`: asked each time, since nodes and their backup targets change. Absolute paths. */
  constructor(given: () => readonly string[]) {
    this.#given = given;
  }

  /** Each once; those inside another one are left out. */
  async list(): Promise<AllowedFolder[]> {
    const found: AllowedFolder[] = [];
    for (const given of new Set(this.#given().map((folder) => path.resolve(folder)))) {
      found.push({ given, real: await realPathOf(given) });
    }
    return found.filter(
      (folder, at) =>
        !found.some((other, otherAt) => {
          if (other === folder || !isInside(other.real ?? other.given, folder.real ?? folder.given))
            return false;
          const isSame = isInside(folder.real ?? folder.given, other.real ?? other.given);
          return !isSame || otherAt < at;
        })
    );
  }

  /**
   * The path without links, if it lies in an allowed folder; throws InvalidRequest for any other. `mayBeNew`: it may name
   * something that does not exist, in a folder that does.
   */
  async admit(asked: string, { mayBeNew = false } = {}): Promise<string> {
    const wanted = plainPath(asked);
    const folders = await this.list();
    const isNear = folders.some(
      ({ given, real }) => isInside(given, wanted) || (real !== undefined && isInside(real, wanted))
    );
    if (!isNear) throw outside(asked, folders);
    const real = await this.#follow(wanted, mayBeNew);
    if (real === undefined) throw missing(asked);
    if (!folders.some((folder) => folder.real !== undefined && isInside(folder.real, real)))
      throw outside(asked, folders);
    return real;
  }

  /** A folder that is there; with `mayBeNew` it is made in one that is there. Throws InvalidRequest or StorageFailed. */
  async admitFolder(asked: string, { mayBeNew }: { mayBeNew: boolean }): Promise<string> {
    const admitted = await this.admit(asked, { mayBeNew });
    if (mayBeNew) await makeFolder(admitted);
    // Again: what was made may be another thing by now.
    const folder = await this.admit(admitted);
    if ((await stat(folder)).isDirectory()) return folder;
    throw invalidRequest(`${folder} is not a folder.`, 'path', 'Choose another one.');
  }

  async #follow(wanted: string, mayBeNew: boolean): Promise<string | undefined> {
    const real = await realPathOf(wanted);
    if (real !== undefined || !mayBeNew || (await exists(wanted))) return real;
    const folder = await realPathOf(path.dirname(wanted));
    return folder === undefined ? undefined : path.join(folder, path.basename(wanted));
  }
}

/** Whether a path is a folder or lies in it; both absolute, compared as text. */
export function isInside(folder: string, candidate: string): boolean {
  const way = path.relative(folder, candidate);
  return way === '' || (way !== '..' && !way.startsWith(`..${path.sep}`) && !path.isAbsolute(way));
}

/** Absolute, without `.` and `..`; throws InvalidRequest for what no file system takes. */
function plainPath(asked: string): string {
  const names = asked.split(/[\\/]/);
  if (
    asked === '' ||
    asked.includes('\0') ||
    !asked.isWellFormed() ||
    !path.isAbsolute(asked) ||
    Buffer.byteLength(asked) > MOST_BYTES ||
    names.some((name) => Buffer.byteLength(name) > MOST_BYTES_OF_NAME)
  ) {
    throw invalidRequest('This is not a path of this machine.', 'path', 'Name a folder from its root on.');
  }
  return path.resolve(asked);
}

async function realPathOf(file: string): Promise<string | undefined> {
  try {
    return await realpath(file);
  } catch {
    return undefined;
  }
}

/** Also a link that leads nowhere. */
async function exists(file: string): Promise<boolean> {
  try {
    await lstat(file);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ENOENT';
  }
}

function outside(asked: string, folders: readonly AllowedFolder[]): EngineError {
  const allowed = folders.map(({ given }) => given).join(', ');
  return invalidRequest(
    `${asked} is outside the folders that this service allows.`,
    'path',
    `${allowed === '' ? 'It allows none' : `Choose one in ${allowed}`}; "winnow serve --allow-path DIR" allows more.`
  );
}

function missing(asked: string): EngineError {
  return invalidRequest(`${asked} does not exist, or cannot be reached.`, 'path', 'Choose another one.');
}

async function makeFolder(folder: string): Promise<void> {
  try {
    await mkdir(folder);
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== 'EEXIST') throw notMade(folder, cause);
  }
}

function notMade(folder: string, cause: unknown): EngineError {
  const reason = cause instanceof Error ? cause.message : String(cause);
  return new EngineError({
    code: 'StorageFailed',
    message: `The folder ${folder} cannot be made: ${reason}.`,
    remedy: 'Choose another one.',
    details: { file: folder },
    cause
  });
}
