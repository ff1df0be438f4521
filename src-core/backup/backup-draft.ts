/**
 * A backup that is being made: the files that lie in its folder by now, as the manifest will list them. Seeded from
 * an earlier backup by hard links, or by naming its objects where the target has no links; then files are copied in,
 * renamed and removed as the document's steps say. `progress.json` remembers what can never change, so that a cut
 * run goes on.
 *
 * Invariants: an object of an earlier backup is never written nor removed here; nothing is written through a link,
 * because every object is written under a new name and renamed; only immutable files are reused.
 */
import { createHash } from 'node:crypto';
import type { OperationControl } from '../database/operation-control.ts';
import { invalidRequest, logCorrupt } from '../errors.ts';
import type { FileSystem } from '../storage/file-system.ts';
import { contentOf, type BackupTarget } from './backup-target.ts';
import { fileObject, type BackupArea, progressObject } from './backup-layout.ts';
import { CopyPace } from './copy-pace.ts';
import { encodingFor, isStoredAs, type BackupEncodings } from './file-encoding.ts';
import { inParallel } from './in-parallel.ts';
import type { Manifest, ManifestFile } from './manifest.ts';
import { encodeSignedProgress, type BackupProgress } from './progress-file.ts';
import { isTableOrFilterName, type SourceFile } from './source-files.ts';

export interface DraftParts {
  target: BackupTarget;
  fileSystem: FileSystem;
  control: OperationControl;
  /** All of the progress file but the files. */
  progress: Omit<BackupProgress, 'files'>;
  encodings: BackupEncodings | undefined;
  threads: number;
  /** For all files together; 0 is without a limit. */
  bytesPerSecond: number;
  /** What a cut may cost to copy again; default: 64 MiB. */
  bytesBetweenNotes?: number | undefined;
  /** Hears of bytes copied. */
  onBytes: (count: number) => void;
}

const READ_BLOCK_BYTES = 1024 * 1024;
const BYTES_BETWEEN_NOTES = 64 * 1024 * 1024;
const OLD_SUFFIX = '.old';

export class BackupDraft {
  readonly #parts: DraftParts;
  readonly #files = new Map<string, ManifestFile>();
  readonly #id: string;
  #canLink = true;
  #bytesSinceNote = 0;
  #noted: Promise<void> = Promise.resolve();
  /** Plain bytes read from the source by this run. */
  bytesCopied = 0;

  constructor(parts: DraftParts) {
    this.#parts = parts;
    this.#id = parts.progress.id;
  }

  get files(): ManifestFile[] {
    return [...this.#files.values()];
  }

  /** Takes over what an earlier attempt at this very backup has copied. */
  async goOn(own: readonly ManifestFile[]): Promise<void> {
    for (const file of own) {
      if (await isStillThere(this.#parts.target, file)) this.#put(file);
    }
  }

  /** Fills the folder with what the earlier backup has and what can be the same still. */
  async seed(earlier: readonly ManifestFile[]): Promise<void> {
    const { encodings } = this.#parts;
    for (const file of earlier) {
      if (!isSeed(file, encodings) || this.#files.has(keyOf(file))) continue;
      this.#parts.control.throwIfStopped();
      const suffix = encodingFor(file, encodings)?.suffix ?? '';
      const object = fileObject(this.#id, file.area, file.name, suffix);
      this.#put({ ...file, object: await this.#share(file, object) });
    }
  }

  /** A second name for the object where the target can; else the first. */
  async #share(file: ManifestFile, object: string): Promise<string> {
    if (!this.#canLink) return file.object;
    const { target } = this.#parts;
    if (await target.describe(object)) await target.remove(object);
    this.#canLink = await target.link(file.object, object);
    return this.#canLink ? object : file.object;
  }

  /** True when the file is in the backup already and is what the source has. */
  has(source: SourceFile): boolean {
    const file = this.#files.get(keyOf(source));
    return file !== undefined && isCopyOf(file, source);
  }

  /** Copies those that are not there yet, several at a time, in the order given. */
  async copyMissing(sources: readonly SourceFile[]): Promise<void> {
    const { target, threads } = this.#parts;
    const missing = sources.filter((source) => !this.has(source));
    const count = Math.max(1, Math.min(threads, target.parallelFiles, missing.length));
    await inParallel(missing, count, async (source) => {
      await this.#copy(source, Math.ceil(this.#parts.bytesPerSecond / count));
    });
  }

  /** Puts in a small file whose bytes were read before: a checkpoint, the map. */
  async putBytes(area: BackupArea, name: string, bytes: Uint8Array): Promise<void> {
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    const source = { area, name, bytes: bytes.length, chunk: null, tableMd5: null };
    await this.#write(source, contentOf(bytes), () => sha256);
    this.bytesCopied += bytes.length;
  }

  /** The log part's first step: the last chunk was being written when the earlier backup was made. */
  async setLastChunkAside(): Promise<void> {
    const last = lastChunkOf(this.files);
    if (!last) return;
    const name = last.name + OLD_SUFFIX;
    const isOwn = last.object.startsWith(`${this.#id}/`);
    const object = isOwn ? await this.#share(last, fileObject(this.#id, 'data', name)) : last.object;
    this.#put({ ...last, name, object });
    await this.remove(last);
  }

  /** The last step of each part: removes what the source no longer lists, and the chunk set aside. */
  async removeUnlisted(
    area: BackupArea,
    isCandidate: (name: string) => boolean,
    listed: readonly SourceFile[]
  ): Promise<void> {
    const names = new Set(listed.map((file) => file.name));
    for (const file of this.files) {
      if (file.area !== area || names.has(file.name) || !isCandidate(file.name)) continue;
      await this.remove(file);
    }
  }

  /** Takes a file out; its object goes too if it lies in this backup's folder and nothing else here names it. */
  async remove(file: ManifestFile): Promise<void> {
    this.#files.delete(keyOf(file));
    const isNamed = this.files.some((other) => other.object === file.object);
    if (file.object.startsWith(`${this.#id}/`) && !isNamed) await this.#parts.target.remove(file.object);
  }

  /** Removes from the folder what no file names: objects of an attempt that took another course. */
  async sweep(): Promise<void> {
    const named = new Set(this.files.map((file) => file.object));
    named.add(progressObject(this.#id));
    for (const { name } of await this.#parts.target.list(`${this.#id}/`)) {
      if (!named.has(name)) await this.#parts.target.remove(name);
    }
  }

  /** Notes what is there and can never change. */
  note(): Promise<void> {
    this.#bytesSinceNote = 0;
    // Several copies may end at once; the notes follow each other, each with what is there when it is written.
    this.#noted = this.#noted.then(() => this.#writeNote());
    return this.#noted;
  }

  async #writeNote(): Promise<void> {
    const files = this.files.filter(
      (file) => file.chunk?.isCompleted === true || (file.chunk === null && isTableOrFilterName(file.name))
    );
    const bytes = encodeSignedProgress({ ...this.#parts.progress, files }, this.#parts.target);
    await this.#parts.target.write(progressObject(this.#id), contentOf(bytes));
  }

  async #copy(source: SourceFile, bytesPerSecond: number): Promise<void> {
    const { target, fileSystem, control, encodings } = this.#parts;
    control.throwIfStopped();
    const onBytes = (count: number): void => {
      this.bytesCopied += count;
      this.#bytesSinceNote += count;
      this.#parts.onBytes(count);
    };
    if (!encodingFor(source, encodings) && target.copyFile) {
      const name = fileObject(this.#id, source.area, source.name);
      const { sha256 } = await target.copyFile(
        {
          sourcePath: source.path,
          name,
          bytes: source.bytes,
          sourceBytes: source.sourceBytes,
          bytesPerSecond
        },
        { signal: control.signal, onBytes }
      );
      this.#put(
        this.#entry(source, { object: name, sha256, storedBytes: source.bytes, storedSha256: sha256 })
      );
    } else {
      const hash = createHash('sha256');
      const content = readSource(fileSystem, source, {
        control,
        bytesPerSecond,
        onBytes,
        onPlain: (block) => hash.update(block)
      });
      await this.#write(source, content, () => hash.digest('hex'));
    }
    if (this.#bytesSinceNote >= (this.#parts.bytesBetweenNotes ?? BYTES_BETWEEN_NOTES)) await this.note();
  }

  async #write(
    source: Pick<SourceFile, 'area' | 'name' | 'bytes' | 'chunk' | 'tableMd5'>,
    plain: AsyncIterable<Uint8Array>,
    plainHash: () => string
  ): Promise<void> {
    const { target, encodings } = this.#parts;
    const encoding = encodingFor(source, encodings);
    const object = fileObject(this.#id, source.area, source.name, encoding?.suffix ?? '');
    const stored = createHash('sha256');
    let storedBytes = 0;
    const counted = async function* (content: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> {
      for await (const block of content) {
        stored.update(block);
        storedBytes += block.length;
        yield block;
      }
    };
    await target.write(object, counted(encoding ? encoding.encode(plain) : plain));
    this.#put(
      this.#entry(source, { object, sha256: plainHash(), storedBytes, storedSha256: stored.digest('hex') })
    );
  }

  #entry(
    {
      area,
      name,
      bytes,
      chunk,
      tableMd5
    }: Pick<SourceFile, 'area' | 'name' | 'bytes' | 'chunk' | 'tableMd5'>,
    stored: Pick<ManifestFile, 'object' | 'sha256' | 'storedBytes' | 'storedSha256'>
  ): ManifestFile {
    return {
      area,
      name,
      bytes,
      ...stored,
      encodings: [...(encodingFor({ chunk }, this.#parts.encodings)?.names ?? [])],
      chunk,
      tableMd5,
      since: this.#id
    };
  }

  #put(file: ManifestFile): void {
    this.#files.set(keyOf(file), file);
  }
}

/**
 * The files of earlier attempts and backups that need not be copied again, by their key: what `goOn`, `seed` and
 * `setLastChunkAside` leave, without changing anything.
 */
export async function presentFiles(
  {
    own,
    base,
    isDifferential
  }: { own: readonly ManifestFile[]; base: readonly ManifestFile[]; isDifferential: boolean },
  { target, encodings }: { target: BackupTarget; encodings?: BackupEncodings | undefined }
): Promise<ReadonlyMap<string, ManifestFile>> {
  const files = new Map<string, ManifestFile>();
  for (const file of own) if (await isStillThere(target, file)) files.set(keyOf(file), file);
  for (const file of base) {
    if (isSeed(file, encodings) && !files.has(keyOf(file))) files.set(keyOf(file), file);
  }
  const last = isDifferential ? lastChunkOf([...files.values()]) : undefined;
  if (last) files.delete(keyOf(last));
  return files;
}

/**
 * What a backup of the node can share with this one. Not what was made for another generation of it: such a chunk may
 * have the name of one of the node's that is another file.
 */
export function seedsOf({ id, files, rewrite }: Manifest): ManifestFile[] {
  return rewrite ? files.filter(({ since }) => since !== id) : files;
}

async function isStillThere(target: BackupTarget, file: ManifestFile): Promise<boolean> {
  return (await target.describe(file.object))?.size === file.storedBytes;
}

function isSeed(file: ManifestFile, encodings: BackupEncodings | undefined): boolean {
  const canBeSame = file.chunk !== null || (file.area === 'index' && isTableOrFilterName(file.name));
  return canBeSame && isStoredAs(file, encodings);
}

/** The one that was being written when the files were copied. */
function lastChunkOf(files: readonly ManifestFile[]): ManifestFile | undefined {
  const chunks = files.filter((file) => file.area === 'data' && file.chunk !== null);
  return chunks.reduce<ManifestFile | undefined>((latest, file) => {
    const [a, b] = [file.chunk!, latest?.chunk];
    const isLater = !b || a.start > b.start || (a.start === b.start && a.fileVersion > b.fileVersion);
    return isLater ? file : latest;
  }, undefined);
}

/** True when what was copied is what the source has. Throws InvalidRequest for another chunk of the same name. */
export function isCopyOf(file: ManifestFile, source: SourceFile): boolean {
  if (!source.isImmutable || file.bytes !== source.bytes) return false;
  if (source.chunk === null) return file.tableMd5 === source.tableMd5;
  const { chunk } = file;
  const isSame =
    chunk?.isCompleted === true && chunk.md5 === source.chunk.md5 && chunk.id === source.chunk.id;
  if (chunk?.isCompleted === true && !isSame) throw otherChunk(source, file);
  return isSame;
}

export function keyOf({ area, name }: { area: BackupArea; name: string }): string {
  return `${area}/${name}`;
}

/** The plain bytes of a file of the source, zeros at its end included. */
async function* readSource(
  fileSystem: FileSystem,
  source: SourceFile,
  options: {
    control: OperationControl;
    bytesPerSecond: number;
    onBytes: (count: number) => void;
    onPlain: (block: Uint8Array) => void;
  }
): AsyncIterable<Uint8Array> {
  const { control, bytesPerSecond, onBytes, onPlain } = options;
  const pace = new CopyPace(bytesPerSecond, () => control.throwIfStopped());
  const file = fileSystem.open(source.path, 'read');
  try {
    for (let at = 0; at < source.bytes;) {
      await control.breathe();
      const block = Buffer.alloc(Math.min(READ_BLOCK_BYTES, source.bytes - at));
      const wanted = Math.min(block.length, source.sourceBytes - at);
      const count = wanted <= 0 ? block.length : file.read(block, 0, wanted, at);
      if (count === 0) {
        throw logCorrupt(`${source.name} ended at byte ${at} while it was copied.`, {
          file: source.name,
          offset: at
        });
      }
      const bytes = block.subarray(0, count);
      onPlain(bytes);
      yield bytes;
      at += count;
      if (wanted <= 0) continue;
      onBytes(count);
      await pace.after(count);
    }
  } finally {
    file.close();
  }
}

function otherChunk(source: SourceFile, file: ManifestFile): Error {
  return invalidRequest(
    `${source.name} is not the chunk of the backup ${file.since}: id ${source.chunk?.id}, hash ${source.chunk?.md5} ` +
      `here, id ${file.chunk?.id}, hash ${file.chunk?.md5} there.`,
    '--mode',
    'This is another node, or it has been restored since. Take a full backup, or name another target.'
  );
}
