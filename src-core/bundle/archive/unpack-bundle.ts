/**
 * A packed bundle becomes a directory again. The archive may come from anybody: only plain files with names of a bundle
 * are taken, of the number and length that its description (`bundle.json`, the first file in it) says, so a small file that
 * grows without an end is known as soon as it is longer than it says. Zeros become holes.
 *
 * Written is into a folder beside the destination, as when a bundle is made: cut anywhere, there is no directory or a
 * whole one, and the next run begins again. The description is written last.
 */
import { EngineError, requireFault } from '../../errors.ts';
import type { OperationControl } from '../../database/operation-control.ts';
import { entriesIn } from '../../storage/directory-entries.ts';
import { appendLine } from '../../storage/append-line.ts';
import { createFile } from '../../storage/create-file.ts';
import type { FileSystem } from '../../storage/file-system.ts';
import { BUNDLE_MANIFEST, decodeBundleManifest, type UnpackedManifest } from '../bundle-manifest.ts';
import { partialPathOf, requireFreeTarget } from '../bundle-target.ts';
import { SparseFile } from '../sparse-file.ts';
import { partsOfArchiveName, sameOnAnyDisk } from './archive-name.ts';
import { ArchiveReader } from './archive-reader.ts';

export interface UnpackBundle {
  fileSystem: FileSystem;
  /** The packed bundle, for messages. */
  file: string;
  /** Its content, decompressed. */
  blocks: AsyncIterable<Uint8Array>;
  /** Missing or an empty directory; undefined: the archive is read to its end, and nothing is written. */
  target: string | undefined;
  control: OperationControl;
}

/** In the folder as long as it is not whole. */
const MARK = 'bundle-unpacking.txt';
const LARGEST_MANIFEST = 256 * 1024 * 1024;
/** Names are kept, so that none comes twice. */
const MOST_FILES = 4_000_000;

/** What was unpacked, as its description says. Throws LogCorrupt for an archive that is not as it should be. */
export async function unpackBundle(request: UnpackBundle): Promise<UnpackedManifest> {
  const { fileSystem, file, blocks, target, control } = request;
  if (target !== undefined) requireFreeTarget(fileSystem, target);
  const archive = new ArchiveReader(file, blocks);
  try {
    const description = await readManifest(archive);
    if (target === undefined) await readFiles(archive, description, undefined, control);
    else {
      const folder = new UnpackedFolder(fileSystem, partialPathOf(target));
      try {
        await readFiles(archive, description, folder, control);
        folder.complete(description.bytes);
      } catch (error) {
        folder.abandon();
        throw error;
      }
      if (fileSystem.describe(target)) fileSystem.removeDirectory(target);
      fileSystem.rename(folder.directory, target);
      fileSystem.syncDirectory(fileSystem.join(target, '..'));
    }
    return description.manifest;
  } finally {
    await archive.close();
  }
}

interface Description {
  manifest: UnpackedManifest;
  /** As it is in the archive. */
  bytes: Buffer;
}

async function readManifest(archive: ArchiveReader): Promise<Description> {
  const head = await archive.next();
  const [name] = (head && partsOfArchiveName(head.name)) ?? [];
  if (!head || name !== BUNDLE_MANIFEST || head.size > LARGEST_MANIFEST) throw archive.notABundle();
  const parts: Buffer[] = [];
  for (let part = await archive.read(); part; part = await archive.read()) parts.push(Buffer.from(part));
  const bytes = Buffer.concat(parts);
  const manifest = decodeBundleManifest(bytes);
  if (manifest === undefined) throw archive.notABundle();
  if (manifest === 'newer') {
    throw new EngineError({
      code: 'UnsupportedFormat',
      message: 'The packed bundle is of a version that is not known here.',
      remedy: 'Use a newer workbench. Nothing was unpacked.',
      details: { file: archive.file }
    });
  }
  if (manifest.files > MOST_FILES) throw archive.fault(0, `${manifest.files} files are announced`);
  return { manifest, bytes };
}

async function readFiles(
  archive: ArchiveReader,
  { manifest }: Description,
  folder: UnpackedFolder | undefined,
  control: OperationControl
): Promise<void> {
  const names = new Set([BUNDLE_MANIFEST]);
  let files = 0;
  let bytes = 0;
  for (;;) {
    control.throwIfStopped();
    const at = archive.offset;
    const head = await archive.next();
    if (!head) break;
    const shown = JSON.stringify(head.name);
    const parts = partsOfArchiveName(head.name);
    if (!parts || parts[0] === MARK)
      throw archive.fault(at, `a file is called ${shown}, which is no name in a bundle`);
    const name = sameOnAnyDisk(parts);
    if (names.has(name)) throw archive.fault(at, `the file ${shown} comes a second time`);
    names.add(name);
    files++;
    if (files > manifest.files || head.size > manifest.bytes - bytes) {
      throw archive.fault(
        at,
        `${shown} makes it larger than the ${manifest.files} files of ${manifest.bytes} bytes it says`
      );
    }
    const out = folder?.create(parts);
    try {
      for (let part = await archive.read(); part; part = await archive.read()) {
        out?.put(part);
        bytes += part.length;
        control.report({ phase: 'unpacking', done: bytes, total: manifest.bytes, unit: 'bytes' });
        if (control.isDue) await control.breathe();
      }
      out?.complete(head.size);
    } catch (error) {
      out?.close();
      throw error;
    }
  }
  if (files !== manifest.files || bytes !== manifest.bytes) {
    throw archive.fault(
      archive.offset,
      `it ends after ${files} files of ${bytes} bytes; ${manifest.files} of ${manifest.bytes} are announced`
    );
  }
}

/** The folder that becomes the directory. */
class UnpackedFolder {
  readonly directory: string;
  readonly #fileSystem: FileSystem;
  readonly #directories = new Set<string>();

  /** Throws InvalidRequest for a folder of this name that is somebody else's. */
  constructor(fileSystem: FileSystem, directory: string) {
    this.#fileSystem = fileSystem;
    this.directory = directory;
    const entries = entriesIn(fileSystem, directory);
    const names = entries.map(({ name }) => name);
    if (names.length > 0 && !names.includes(MARK) && !names.includes(BUNDLE_MANIFEST)) {
      throw new EngineError({
        code: 'InvalidRequest',
        message: `${directory} exists already and was not left by an unpacking.`,
        remedy: 'Move it away, or choose another destination.',
        details: { field: 'to', file: directory }
      });
    }
    fileSystem.makeDirectory(fileSystem.join(directory, '..'));
    fileSystem.makeDirectory(directory);
    // Whose folder it is stays to the end: of a whole one the description goes after the mark is there.
    if (!names.includes(MARK)) this.#mark();
    this.#clear();
    fileSystem.syncDirectory(fileSystem.join(directory, '..'));
  }

  /** Leaves nothing behind of an archive that was refused, as far as the disk allows: the next run clears what is left. */
  abandon(): void {
    try {
      this.#clear();
      this.#fileSystem.removeDirectory(this.directory);
    } catch (error) {
      requireFault(error);
    }
  }

  /** An empty file that must be completed or closed. */
  create(parts: readonly string[]): SparseFile {
    let directory = this.directory;
    for (const part of parts.slice(0, -1)) {
      directory = this.#fileSystem.join(directory, part);
      if (this.#directories.has(directory)) continue;
      this.#fileSystem.makeDirectory(directory);
      this.#directories.add(directory);
    }
    return new SparseFile(this.#fileSystem, this.#fileSystem.join(directory, parts.at(-1)!), {
      isSummed: false
    });
  }

  /** Everything is on the disk when this returns. */
  complete(manifest: Buffer): void {
    const fileSystem = this.#fileSystem;
    for (const directory of this.#directories) fileSystem.syncDirectory(directory);
    const name = BUNDLE_MANIFEST;
    createFile(fileSystem, {
      directory: this.directory,
      name,
      temporaryName: `${name}.new`,
      bytes: manifest,
      mode: 0o644
    });
    fileSystem.remove(fileSystem.join(this.directory, MARK));
    fileSystem.syncDirectory(this.directory);
  }

  #clear(): void {
    for (const { name, isDirectory } of entriesIn(this.#fileSystem, this.directory)) {
      if (name === MARK) continue;
      const path = this.#fileSystem.join(this.directory, name);
      if (isDirectory) this.#fileSystem.removeDirectory(path);
      else this.#fileSystem.remove(path);
    }
  }

  #mark(): void {
    const line = 'A bundle is being unpacked here. The next run begins again.';
    appendLine(this.#fileSystem, { directory: this.directory, name: MARK, line, isSoleWriter: true });
  }
}
