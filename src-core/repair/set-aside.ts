/**
 * The dated folder into which a repair moves files instead of deleting them. It lies beside the data directory (and
 * beside the index directory where that is elsewhere), on the same volume; where that cannot be, inside the data
 * directory as a folder, which the server neither reads nor deletes. Never inside the index directory.
 *
 * `moved.ndjson` in the folder tells of each step before it is taken: what was where, and why. A line without its
 * file means that the step was cut and the file is still at its old place.
 */
import { readBlocks } from '../storage/read-blocks.ts';
import { EngineError } from '../errors.ts';
import { appendLine } from '../storage/append-line.ts';
import { isFailedFlush, type FileSystem } from '../storage/file-system.ts';

export const MOVED_LIST_NAME = 'moved.ndjson';

export interface SetAsideParts {
  fileSystem: FileSystem;
  dataDirectory: string;
  indexDirectory: string;
  /** `20261121T050000Z`. */
  stamp: string;
}

export type SetAsideArea = 'data' | 'index';

export class SetAside {
  readonly #parts: SetAsideParts;
  readonly #folders = new Map<SetAsideArea, string>();

  constructor(parts: SetAsideParts) {
    this.#parts = parts;
  }

  /** The folder of the data directory; null as long as nothing was put there. */
  get folder(): string | null {
    return this.#folders.get('data') ?? this.#folders.get('index') ?? null;
  }

  /** Moves a file or directory of an area away. Gives where it now is. */
  move(area: SetAsideArea, name: string, why: string): string {
    const { fileSystem } = this.#parts;
    const from = fileSystem.join(this.#directoryOf(area), ...name.split('/'));
    const to = this.#placeFor(area, name);
    this.#note(area, { moved: name, from, to, why });
    fileSystem.rename(from, to);
    fileSystem.syncDirectory(fileSystem.join(to, '..'));
    fileSystem.syncDirectory(fileSystem.join(from, '..'));
    return to;
  }

  /** Keeps a copy of a file that is about to be changed in its place. */
  copy(area: SetAsideArea, name: string, why: string): void {
    const { fileSystem } = this.#parts;
    const from = fileSystem.join(this.#directoryOf(area), ...name.split('/'));
    const to = this.#placeFor(area, name);
    this.#note(area, { copied: name, from, to, why });
    const target = fileSystem.open(to, 'createNew');
    try {
      for (const { bytes, offset } of readBlocks(fileSystem, from))
        target.write(bytes, 0, bytes.length, offset);
      target.sync();
    } finally {
      target.close();
    }
    fileSystem.syncDirectory(fileSystem.join(to, '..'));
  }

  /** Keeps the old value of a checkpoint that is about to be overwritten. */
  noteValue(name: string, values: { was: number | null; now: number }, why: string): void {
    this.#note('data', { changed: name, ...values, why });
  }

  #directoryOf(area: SetAsideArea): string {
    return area === 'data' ? this.#parts.dataDirectory : this.#parts.indexDirectory;
  }

  /** A path that is free, its directories made. */
  #placeFor(area: SetAsideArea, name: string): string {
    const { fileSystem } = this.#parts;
    const folder = this.#folderOf(area);
    const parts = area === 'index' ? ['index', ...name.split('/')] : name.split('/');
    const directory = fileSystem.join(folder, ...parts.slice(0, -1));
    if (!fileSystem.describe(directory)) {
      fileSystem.makeDirectory(directory);
      fileSystem.syncDirectory(fileSystem.join(directory, '..'));
    }
    const base = parts.at(-1)!;
    let free = fileSystem.join(directory, base);
    for (let n = 2; fileSystem.describe(free) !== undefined; n++) {
      free = fileSystem.join(directory, `${base}.${n}`);
    }
    return free;
  }

  #folderOf(area: SetAsideArea): string {
    const known = this.#folders.get(area);
    if (known !== undefined) return known;
    const { fileSystem, dataDirectory, indexDirectory } = this.#parts;
    const plain = (path: string) => fileSystem.join(path, '.').replace(/[/\\]+$/, '');
    const isInside = plain(fileSystem.join(indexDirectory, '..')) === plain(dataDirectory);
    const folder =
      area === 'index' && isInside ? this.#folderOf('data') : this.#makeFolder(this.#directoryOf(area));
    this.#folders.set(area, folder);
    return folder;
  }

  #makeFolder(directory: string): string {
    const { fileSystem, dataDirectory, stamp } = this.#parts;
    const parent = fileSystem.join(directory, '..');
    const base = directory.split(/[/\\]/).findLast((part) => part !== '') ?? 'database';
    const beside = fileSystem.join(parent, `${base}-set-aside-${stamp}`);
    if (fileSystem.describe(parent)?.device === fileSystem.describe(directory)?.device) {
      try {
        return this.#made(beside, parent);
      } catch (error) {
        if (!(error instanceof EngineError) || isFailedFlush(error)) throw error;
        // The parent is not ours to write to: the folder inside the data directory does as well.
      }
    }
    return this.#made(fileSystem.join(dataDirectory, `set-aside-${stamp}`), dataDirectory);
  }

  #made(folder: string, parent: string): string {
    this.#parts.fileSystem.makeDirectory(folder);
    this.#parts.fileSystem.syncDirectory(parent);
    return folder;
  }

  #note(area: SetAsideArea, line: object): void {
    const { fileSystem } = this.#parts;
    const folder = this.#folderOf(area);
    const isSoleWriter = true; // the repair holds the lock of the directory
    appendLine(fileSystem, {
      directory: folder,
      name: MOVED_LIST_NAME,
      line: JSON.stringify(line),
      isSoleWriter
    });
  }
}
