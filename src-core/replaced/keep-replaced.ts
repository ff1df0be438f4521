/**
 * Keeps what a scavenge is about to replace, before its first write: a second name of every completed chunk and table, a
 * copy of the few files that change in place (open chunk, index map, scavenge state), the values of the checkpoints. A
 * second name costs nothing as long as the file is also in its place, so all of them are kept at once: whatever happens to
 * the run afterwards, killed, resumed by this or by a server, these files stay as they are now.
 *
 * Order: copies and names, flushed; the manifest; only then the run writes. What is kept of a run that changed nothing goes
 * again. When the scavenge point is chosen the chunks that it completed are kept too: a log that goes on after the scavenge
 * needs them whole. Decision: docs/decisions/0043-a-scavenge-can-be-undone.md.
 */
import type { Chunk } from '../chunks/chunk.ts';
import type { Database } from '../database/database.ts';
import type { LogReader } from '../log/log-reader.ts';
import { ticksFromMs, ticksToIso, ticksToMs, type Ticks } from '../units/ticks.ts';
import { copyKept, shareFile } from './copy-kept.ts';
import {
  cannotKeep,
  checkpointBytes,
  chunkFile,
  existenceOf,
  isAsideState,
  lastBytes,
  openChunks,
  plainFacts,
  requireFree
} from './kept-facts.ts';
import {
  folderOf,
  indexFolderOf,
  indexWithin,
  keptPath,
  lockKept,
  makeKeptDirectory,
  makeLike,
  placeOf,
  readableKept,
  removeKept,
  sweepKept,
  type KeptPlace
} from './kept-folders.ts';
import { kindOfName, writeKeptManifest, type KeptFile, type KeptManifest } from './kept-manifest.ts';
import { sizeOfAll } from '../storage/file-size.ts';
import { entriesIn, namesIn } from '../storage/directory-entries.ts';

const STATE_DIRECTORY = 'scavenging';
/** The number in an id has three digits at most (kept-manifest.ts). */
const MOST_OF_A_SECOND = 999;

export interface KeepReplaced {
  database: Database;
  /** How long; undefined: nothing more is kept, but a run that continues one whose files are kept belongs to it. */
  keepMs: number | undefined;
  mayAppend: boolean;
  assumeStopped: boolean;
  now: () => Ticks;
  breathe: () => Promise<void>;
}

/** Which scavenge point a run works to. */
export interface KeptPoint {
  number: number;
  position: number;
  placement: string;
}

/** What is kept of one run. */
export class KeptRun {
  readonly #parts: KeepReplaced;
  readonly #place: KeptPlace;
  #release: (() => void) | undefined;
  #manifest: KeptManifest | undefined;
  /** The copies that had to be made before the run opened what they are of. */
  #early: KeptManifest | undefined;

  private constructor(parts: KeepReplaced) {
    this.#parts = parts;
    const { fileSystem, dataDirectory, indexDirectory } = parts.database;
    this.#place = { fileSystem, dataDirectory, indexDirectory };
  }

  /**
   * Before the scavenge state is opened: SQLite changes its files when it opens them. Undefined where nothing is kept and
   * nothing is to be. The directory's lock is held.
   */
  static async prepare(parts: KeepReplaced): Promise<KeptRun | undefined> {
    const run = new KeptRun(parts);
    const isContinuing = readableKept(run.#place).some(({ finishedAt }) => finishedAt === null);
    if (parts.keepMs === undefined && !isContinuing) return undefined;
    run.#release = lockKept(run.#place, parts.assumeStopped);
    try {
      if (parts.keepMs !== undefined) await run.#copyState(parts.keepMs);
      return run;
    } catch (error) {
      run.discard();
      throw error;
    }
  }

  /** Bytes of the copies that are still to be made, on the volume of the data directory. */
  get #copyBytes(): number {
    return openChunks(this.#parts.database).reduce((sum, { fileSize }) => sum + fileSize, 0);
  }

  /** Right before the first write. `isContinued`: this run resumes the one that was stopped or killed at that point. */
  async begin(isContinued: (point: KeptPoint) => boolean): Promise<void> {
    const open = readableKept(this.#place).findLast(
      ({ finishedAt, point }) => finishedAt === null && point !== null && isContinued(point)
    );
    if (open) {
      this.#dropEarly();
      this.#manifest = open;
      return;
    }
    const manifest = this.#early;
    if (!manifest) return this.discard();
    this.#requireSpace();
    const files = await this.#keepFiles(manifest);
    this.#manifest = { ...manifest, files };
    this.#early = undefined;
    this.#flushFolders(this.#manifest);
    writeKeptManifest(this.#place.fileSystem, folderOf(this.#place, manifest.id), this.#manifest);
  }

  /** Once the point is known, before the first phase. `log`: as it is then. */
  note(point: KeptPoint, log: LogReader): void {
    const manifest = this.#manifest;
    if (!manifest) return;
    const { fileSystem } = this.#place;
    const first = Math.floor(manifest.writer / manifest.chunkSizeBytes);
    const completed = [...manifest.completed];
    for (const chunk of log.chunks) {
      const isNew = chunk.startNumber >= first && chunk.isLasting && !chunk.isScavenged;
      if (!isNew || completed.some(({ name }) => name === chunk.fileName)) continue;
      if (manifest.files.some(({ name, kind }) => name === chunk.fileName && kind === 'chunk')) continue;
      const file = chunkFile(fileSystem, chunk, 'chunk');
      const path = keptPath(this.#place, manifest, file, true);
      makeLike(fileSystem, fileSystem.join(path, '..'), folderOf(this.#place, manifest.id));
      fileSystem.remove(path);
      if (shareFile(fileSystem, chunk.path, path)) completed.push(file);
      fileSystem.syncDirectory(fileSystem.join(path, '..'));
      fileSystem.syncDirectory(folderOf(this.#place, manifest.id));
    }
    if (manifest.point !== null && completed.length === manifest.completed.length) return;
    this.#write({ ...manifest, point: manifest.point ?? point, completed });
  }

  /** The run has ended; files are kept from now on as long as was asked for. */
  finish({ isDone }: { isDone: boolean }): void {
    const manifest = this.#manifest;
    if (!manifest) return;
    const now = this.#parts.now();
    const keepMs = this.#parts.keepMs ?? manifest.keepMs;
    this.#write({
      ...manifest,
      keepMs,
      expiresAt: after(now, keepMs),
      finishedAt: isDone ? ticksToIso(now) : manifest.finishedAt
    });
  }

  /** What was kept of a run that changed nothing goes. */
  discard(): void {
    if (this.#manifest && this.#manifest.point === null) removeKept(this.#place, this.#manifest.id);
    this.#manifest = undefined;
    this.#dropEarly();
    this.close();
  }

  /** Releases the lock. What was prepared and not begun goes. */
  close(): void {
    const release = this.#release;
    if (!release) return;
    this.#release = undefined;
    try {
      this.#early = undefined;
      sweepKept(this.#place);
    } finally {
      release();
    }
  }

  /** What is kept of this run; null when nothing is. */
  get kept(): { id: string; expiresAt: string } | null {
    const manifest = this.#manifest;
    return manifest ? { id: manifest.id, expiresAt: manifest.expiresAt } : null;
  }

  #write(manifest: KeptManifest): void {
    writeKeptManifest(this.#place.fileSystem, folderOf(this.#place, manifest.id), manifest);
    this.#manifest = manifest;
  }

  #dropEarly(): void {
    this.#early = undefined;
    if (this.#release) sweepKept(this.#place);
  }

  async #copyState(keepMs: number): Promise<void> {
    const { fileSystem, dataDirectory, indexDirectory } = this.#place;
    const { database, now, mayAppend, breathe } = this.#parts;
    const { checkpoints, chunkSet } = database;
    sweepKept(this.#place);
    makeKeptDirectory(this.#place, dataDirectory);
    const keptAt = now();
    const id = this.#freeId(keptAt);
    const within = indexWithin(this.#place);
    const state = fileSystem.join(indexDirectory, STATE_DIRECTORY);
    const hadIndex = fileSystem.describe(indexDirectory) !== undefined;
    const manifest: KeptManifest = {
      id,
      keptAt: ticksToIso(keptAt),
      expiresAt: after(keptAt, keepMs),
      keepMs,
      writer: checkpoints.writer ?? 0,
      chunkSizeBytes: chunkSet.chunkSizeBytes,
      checkpoints: checkpointBytes(fileSystem, dataDirectory),
      mayAppend,
      indexWithin: within,
      hadIndex,
      hadState: fileSystem.describe(state) !== undefined,
      asideStates: namesIn(fileSystem, indexDirectory).filter(isAsideState),
      files: [],
      existence: await existenceOf(this.#place, breathe),
      point: null,
      completed: [],
      finishedAt: null
    };
    this.#requireStateSpace(state);
    makeLike(fileSystem, folderOf(this.#place, id), dataDirectory);
    if (within === null && hadIndex) {
      makeKeptDirectory(this.#place, indexDirectory);
      makeLike(fileSystem, indexFolderOf(this.#place, manifest), indexDirectory);
    }
    for (const { name, isDirectory } of entriesIn(fileSystem, state)) {
      if (isDirectory) continue;
      const file = `${STATE_DIRECTORY}/${name}`;
      const hash = await this.#copy(manifest, { area: 'index', name: file });
      manifest.files.push({
        ...plainFacts(fileSystem, placeOf(this.#place, { area: 'index', name: file })),
        area: 'index',
        name: file,
        kind: 'state',
        hash
      });
    }
    this.#early = manifest;
  }

  /** Of this second; where all of its names are taken, of the next one that has one. */
  #freeId(now: Ticks): string {
    for (let seconds = 0; ; seconds++) {
      const stamp = `${after(now, seconds * 1000)
        .slice(0, 19)
        .replaceAll(/[-:]/g, '')}Z`;
      for (let number = 1; number <= MOST_OF_A_SECOND; number++) {
        const id = number === 1 ? stamp : `${stamp}-${number}`;
        if (this.#isFree(id)) return id;
      }
    }
  }

  #isFree(id: string): boolean {
    const { fileSystem } = this.#place;
    const folders = [folderOf(this.#place, id), indexFolderOf(this.#place, { id, indexWithin: null })];
    return folders.every((path) => fileSystem.describe(path) === undefined);
  }

  async #keepFiles(manifest: KeptManifest): Promise<KeptFile[]> {
    const { fileSystem, dataDirectory, indexDirectory } = this.#place;
    const files = [...manifest.files];
    const { chunkSet } = this.#parts.database;
    const chunks = new Map(chunkSet.chunks.map((chunk) => [chunk.fileName, chunk]));
    for (const area of ['data', 'index'] as const) {
      const directory = area === 'data' ? dataDirectory : indexDirectory;
      for (const { name, isDirectory, isLink } of entriesIn(fileSystem, directory)) {
        const kind = isDirectory ? undefined : kindOfName(area, name);
        if (kind === undefined) continue;
        if (isLink === true) throw cannotKeep(fileSystem.join(directory, name), 'it is a symbolic link');
        const chunk = chunks.get(name);
        if (area === 'data' && chunk) files.push(await this.#keepChunk(manifest, chunk));
        else
          files.push(
            await this.#keepOther(manifest, { area, name, kind: kind === 'chunk' ? 'leftover' : kind })
          );
      }
    }
    return files;
  }

  async #keepChunk(manifest: KeptManifest, chunk: Chunk): Promise<KeptFile> {
    const { fileSystem } = this.#place;
    const file = chunkFile(fileSystem, chunk, chunk.isLasting ? 'chunk' : 'open');
    if (chunk.isLasting) {
      this.#share(manifest, file);
      return file;
    }
    return { ...file, hash: await this.#copy(manifest, file) };
  }

  async #keepOther(
    manifest: KeptManifest,
    { area, name, kind }: Pick<KeptFile, 'area' | 'name' | 'kind'>
  ): Promise<KeptFile> {
    const { fileSystem } = this.#place;
    const file: KeptFile = {
      ...plainFacts(fileSystem, placeOf(this.#place, { area, name })),
      area,
      name,
      kind
    };
    if (kind === 'map') return { ...file, hash: await this.#copy(manifest, file) };
    this.#share(manifest, file);
    return kind === 'table' ? { ...file, hash: lastBytes(fileSystem, placeOf(this.#place, file)) } : file;
  }

  #share(manifest: KeptManifest, file: KeptFile): void {
    const from = placeOf(this.#place, file);
    if (shareFile(this.#place.fileSystem, from, this.#keptPath(manifest, file))) return;
    throw cannotKeep(from, 'this volume has neither hard links nor clones of files');
  }

  async #copy(manifest: KeptManifest, file: Pick<KeptFile, 'area' | 'name'>): Promise<string> {
    const { fileSystem } = this.#place;
    const to = this.#keptPath(manifest, file);
    const { breathe } = this.#parts;
    return copyKept({ fileSystem, from: placeOf(this.#place, file), to, breathe });
  }

  /** Its directory is made. */
  #keptPath(manifest: KeptManifest, file: Pick<KeptFile, 'area' | 'name'>): string {
    const { fileSystem, dataDirectory } = this.#place;
    const path = keptPath(this.#place, manifest, file as KeptFile);
    const directory = fileSystem.join(path, '..');
    if (fileSystem.describe(directory) === undefined) makeLike(fileSystem, directory, dataDirectory);
    return path;
  }

  /** Deepest first, so that a name is on the disk before what leads to it. */
  #flushFolders(manifest: KeptManifest): void {
    const { fileSystem, dataDirectory, indexDirectory } = this.#place;
    const folders = new Set([folderOf(this.#place, manifest.id), indexFolderOf(this.#place, manifest)]);
    for (const folder of folders) {
      const below = ['index/scavenging', 'index', 'data'].map((name) =>
        fileSystem.join(folder, ...name.split('/'))
      );
      for (const directory of [...below, folder, fileSystem.join(folder, '..')])
        if (fileSystem.describe(directory)) fileSystem.syncDirectory(directory);
    }
    fileSystem.syncDirectory(dataDirectory);
    if (manifest.indexWithin === null && manifest.hadIndex) fileSystem.syncDirectory(indexDirectory);
  }

  #requireSpace(): void {
    const { fileSystem, dataDirectory } = this.#place;
    requireFree(fileSystem, dataDirectory, this.#copyBytes);
  }

  #requireStateSpace(state: string): void {
    const { fileSystem, dataDirectory } = this.#place;
    const paths = namesIn(fileSystem, state).map((name) => fileSystem.join(state, name));
    const bytes = sizeOfAll(fileSystem, paths);
    requireFree(fileSystem, indexWithin(this.#place) === null ? state : dataDirectory, bytes);
  }
}

function after(ticks: Ticks, ms: number): string {
  return ticksToIso(ticksFromMs(ticksToMs(ticks) + ms));
}
