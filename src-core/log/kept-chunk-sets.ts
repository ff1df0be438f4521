/**
 * The chunk sets of directories read before, so that the next reading need not open every chunk for its header and
 * footer. Keeps what was read and no file open: nothing blocks a rename or a lock.
 *
 * A set counts while the names in the directory, the directory itself and the writer's position are those it was
 * read with: switching a chunk in, completing one or writing on changes one of them. When they have
 * changed, the heads of files that are the same by size, time and identity count still, of completed chunks only;
 * the others are read again. For display only: code that judges or changes a log reads all of it from the disk.
 */
import { transformName } from '../chunks/chunk-header.ts';
import { namesIn } from '../storage/directory-entries.ts';
import type { FileFacts, FileSystem } from '../storage/file-system.ts';
import type { OpenedHead } from './chunk-head.ts';
import { readChunkSet, type ChunkSet, type HeadSource } from './chunk-set.ts';

interface Kept {
  stamp: string;
  set: ChunkSet;
  heads: KnownHeads;
}

export class KeptChunkSets {
  readonly #limit: number;
  /** By directory, least recently used first. */
  readonly #kept = new Map<string, Kept>();

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** `writer` as of readChunkSet. */
  read(fileSystem: FileSystem, directory: string, writer: number | null): ChunkSet {
    // Before the set is read: of what changes meanwhile the stamp is too old, never the set.
    const stamp = stampOf(fileSystem, directory, writer);
    const known = this.#kept.get(directory);
    this.#kept.delete(directory);
    if (known?.stamp === stamp) {
      this.#kept.set(directory, known);
      return known.set;
    }
    const heads = new KnownHeads(known?.heads);
    const set = readChunkSet({ fileSystem, directory, writer, heads });
    this.#kept.set(directory, { stamp, set, heads });
    for (const oldest of this.#kept.keys()) {
      if (this.#kept.size <= this.#limit) break;
      this.#kept.delete(oldest);
    }
    return set;
  }

  clear(): void {
    this.#kept.clear();
  }
}

function stampOf(fileSystem: FileSystem, directory: string, writer: number | null): string {
  const facts = fileSystem.describe(directory);
  const names = namesIn(fileSystem, directory).sort();
  return JSON.stringify([writer, facts && identityOf(facts), names]);
}

function identityOf({ device, inode, size, modifiedMs }: FileFacts): string {
  return `${device}/${inode}/${size}/${modifiedMs}`;
}

/** The heads of one reading, taken from the one before where the files are the same. */
class KnownHeads implements HeadSource {
  readonly #heads = new Map<string, { identity: string; head: OpenedHead }>();
  readonly #before: ReadonlyMap<string, { identity: string; head: OpenedHead }> | undefined;

  constructor(before: KnownHeads | undefined) {
    this.#before = before ? before.#heads : undefined;
  }

  headOf(fileSystem: FileSystem, path: string, read: () => OpenedHead | undefined): OpenedHead | undefined {
    const facts = fileSystem.describe(path);
    const identity = facts && identityOf(facts);
    const known = this.#before?.get(path);
    const head = known && known.identity === identity ? known.head : read();
    if (head && identity !== undefined && isSettled(head)) this.#heads.set(path, { identity, head });
    return head;
  }
}

/** Nobody writes into it any more, and nothing is to be said of it that only its reading says. */
function isSettled({ header, footer }: OpenedHead): boolean {
  return typeof footer === 'object' && footer.isCompleted && transformName(header) === undefined;
}
