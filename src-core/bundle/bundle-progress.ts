/**
 * How far a bundle has come: a file in its folder, a line for each chunk that is done. Its first line tells of which run the
 * folder is; with it the folder is known as one that was left by a bundle, so it is the first thing there and the last to go.
 */
import type { Chunk } from '../chunks/chunk.ts';
import { decodeChunkFileName } from '../chunks/chunk-file-name.ts';
import { EngineError } from '../errors.ts';
import type { SkippedRange } from '../repair/salvage-chunk.ts';
import { entriesIn } from '../storage/directory-entries.ts';
import { appendLine, readLines } from '../storage/append-line.ts';
import type { FileSystem } from '../storage/file-system.ts';
import { BUNDLE_MANIFEST } from './bundle-manifest.ts';
import type { RewriteCounts } from './record-rewriter.ts';

export const BUNDLE_PROGRESS = 'bundle-progress.jsonl';
const LARGEST_PROGRESS = 1024 * 1024 * 1024;

/** A chunk that is done. */
export interface DoneChunk {
  /** Of the source, as far as it tells that the file is the same. */
  source: string;
  counts: RewriteCounts;
  skipped: SkippedRange[];
}

export class BundleProgress {
  readonly #fileSystem: FileSystem;
  readonly #directory: string;
  #done = new Map<string, DoneChunk>();

  constructor(fileSystem: FileSystem, directory: string) {
    this.#fileSystem = fileSystem;
    this.#directory = directory;
  }

  /** The folder, as an earlier run of the same `identity` left it, or new. Throws InvalidRequest for somebody else's. */
  begin(identity: string): void {
    const fileSystem = this.#fileSystem;
    const path = fileSystem.join(this.#directory, BUNDLE_PROGRESS);
    const entries = entriesIn(fileSystem, this.#directory);
    const isWhole = entries.some(({ name }) => name === BUNDLE_MANIFEST);
    if (entries.length > 0 && !isWhole && fileSystem.describe(path) === undefined) {
      throw new EngineError({
        code: 'InvalidRequest',
        message: `${this.#directory} exists already and was not left by a bundle.`,
        remedy: 'Move it away, or choose another destination.',
        details: { field: 'to', file: this.#directory }
      });
    }
    fileSystem.makeDirectory(this.#directory);
    // All was done but the last rename. It is made again; what says whose folder this is stays to the end.
    if (isWhole && fileSystem.describe(path) === undefined) this.#appendLine('{}');
    const [first, ...lines] = readLines(fileSystem, path, LARGEST_PROGRESS);
    if (first === identity) this.#done = doneChunks(lines);
    // What is not a chunk is made again: it is little, and depends on the rest.
    for (const { name, isDirectory } of entriesIn(fileSystem, this.#directory)) {
      if (name === BUNDLE_PROGRESS || this.#done.has(name)) continue;
      const other = fileSystem.join(this.#directory, name);
      if (isDirectory) fileSystem.removeDirectory(other);
      else fileSystem.remove(other);
    }
    if (first !== identity) {
      // Last, so that what is left of a run with another key is never taken for somebody else's folder.
      fileSystem.remove(path);
      this.#appendLine(identity);
    }
    fileSystem.syncDirectory(fileSystem.join(this.#directory, '..'));
  }

  /** What an earlier run had done of a chunk that is still the same. */
  doneOf(chunk: Chunk): DoneChunk | undefined {
    const before = this.#done.get(chunk.fileName);
    const made = this.#fileSystem.describe(this.#fileSystem.join(this.#directory, chunk.fileName));
    if (!before || made?.size !== chunk.fileSize) return undefined;
    return before.source === sourceOf(this.#fileSystem, chunk) ? before : undefined;
  }

  /** Of a chunk whose file does not change any more. */
  add(chunk: Chunk, done: Omit<DoneChunk, 'source'>): void {
    const line: DoneChunk = { source: sourceOf(this.#fileSystem, chunk), ...done };
    this.#appendLine(JSON.stringify({ file: chunk.fileName, ...line }));
  }

  /** Nothing says any more that the folder is not whole. */
  end(): void {
    this.#fileSystem.remove(this.#fileSystem.join(this.#directory, BUNDLE_PROGRESS));
    this.#fileSystem.syncDirectory(this.#directory);
  }

  #appendLine(line: string): void {
    const parts = { directory: this.#directory, name: BUNDLE_PROGRESS, line, isSoleWriter: true };
    appendLine(this.#fileSystem, parts);
  }
}

/** What tells a file of the source from another one of the same name. */
function sourceOf(fileSystem: FileSystem, { path, fileName, fileSize, footer, dataSize }: Chunk): string {
  const facts = fileSystem.describe(path);
  return [fileName, fileSize, dataSize, footer?.md5 ?? '', facts?.modifiedMs ?? 0, facts?.inode ?? 0].join(
    ':'
  );
}

/** Lines that can be read; a torn one is a chunk that is done again. */
function doneChunks(lines: readonly string[]): Map<string, DoneChunk> {
  const done = new Map<string, DoneChunk>();
  for (const line of lines) {
    try {
      const parsed = JSON.parse(line) as DoneChunk & { file: string };
      if (typeof parsed.file === 'string' && decodeChunkFileName(parsed.file)) done.set(parsed.file, parsed);
    } catch {
      // Torn, or not of this version.
    }
  }
  return done;
}
