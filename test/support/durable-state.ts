/**
 * What of a memory file system is on the disk for certain, and what is on its way there. A file's bytes are certain
 * once the file was synced, a name once its directory was. Everything else may survive a power cut or not, and
 * `survivors` chooses by a seed: nothing of it, all of it, the oldest part, or any of it; of a write also only
 * some whole sectors. A rename is atomic: both of its names change, or none.
 */
import { GrowableBytes } from './growable-bytes.ts';
import {
  MemoryFileSystem,
  ROOT_INODE,
  type DirectoryNode,
  type FileNode,
  type TreeNode
} from './memory-file-system.ts';
import { Prng } from './prng.ts';

const SECTOR_BYTES = 512;

interface FileMode {
  mode: number;
  uid: number;
  gid: number;
}
type FileChange =
  | { kind: 'write'; position: number; bytes: Uint8Array }
  | { kind: 'truncate'; size: number }
  | { kind: 'facts'; facts: FileMode };
interface DurableFile {
  kind: 'file';
  bytes: GrowableBytes;
  facts: FileMode;
  pending: FileChange[];
}
interface DurableDirectory {
  kind: 'directory';
  entries: Map<string, number>;
}
/** Names that appear (with the file they name) and disappear together. */
interface EntryChange {
  removed: { directory: number; name: string }[];
  added: { directory: number; name: string; inode: number }[];
}

/** What of the uncertain changes survives. */
interface Survival {
  /** `index` counts changes of one kind from the oldest. */
  survives(index: number, count: number): boolean;
  /** The cut may fall into the last write of a file. */
  tearsWrites: boolean;
}

export class DurableState {
  readonly #nodes = new Map<number, DurableFile | DurableDirectory>();
  #pendingEntries: EntryChange[] = [];

  /** Takes everything that is there as certain. */
  constructor(root: DirectoryNode) {
    this.#adopt(root);
  }

  addNode(node: TreeNode): void {
    if (node.kind === 'directory') this.#nodes.set(node.inode, { kind: 'directory', entries: new Map() });
    else
      this.#nodes.set(node.inode, {
        kind: 'file',
        bytes: new GrowableBytes(),
        facts: factsOf(node),
        pending: []
      });
  }

  changeFile(inode: number, change: FileChange): void {
    this.#file(inode)?.pending.push(change);
  }

  changeEntries(change: EntryChange): void {
    this.#pendingEntries.push(change);
  }

  syncFile(inode: number): void {
    const file = this.#file(inode);
    if (!file) return;
    for (const change of file.pending) applyChange(file, change);
    file.pending = [];
  }

  syncDirectory(inode: number): void {
    const isTouched = (change: EntryChange): boolean =>
      [...change.removed, ...change.added].some((entry) => entry.directory === inode);
    for (const change of this.#pendingEntries.filter(isTouched)) this.#applyEntries(this.#nodes, change);
    this.#pendingEntries = this.#pendingEntries.filter((change) => !isTouched(change));
  }

  /** A new file system with what is on the disk after the power came back. */
  survivors(seed: number): MemoryFileSystem {
    const prng = new Prng(seed);
    const survival = chooseSurvival(prng);
    const nodes = new Map<number, DurableFile | DurableDirectory>();
    for (const [inode, node] of this.#nodes) {
      nodes.set(inode, node.kind === 'file' ? survivingFile(node, survival, prng) : copyDirectory(node));
    }
    this.#pendingEntries.forEach((change, i) => {
      if (survival.survives(i, this.#pendingEntries.length)) this.#applyEntries(nodes, change);
    });
    const fileSystem = new MemoryFileSystem();
    build(nodes, { inode: ROOT_INODE, target: fileSystem.root, fileSystem });
    return fileSystem;
  }

  #adopt(node: TreeNode): void {
    this.addNode(node);
    const adopted = this.#nodes.get(node.inode)!;
    if (node.kind === 'file') {
      if (adopted.kind === 'file') adopted.bytes = node.bytes.clone();
      return;
    }
    for (const [name, entry] of node.entries) {
      if (adopted.kind === 'directory') adopted.entries.set(name, entry.inode);
      this.#adopt(entry);
    }
  }

  #file(inode: number): DurableFile | undefined {
    const node = this.#nodes.get(inode);
    return node?.kind === 'file' ? node : undefined;
  }

  #applyEntries(nodes: Map<number, DurableFile | DurableDirectory>, change: EntryChange): void {
    const entriesOf = (inode: number): Map<string, number> => {
      const node = nodes.get(inode);
      if (node?.kind !== 'directory') throw new Error(`Inode ${inode} is no directory.`);
      return node.entries;
    };
    for (const { directory, name } of change.removed) entriesOf(directory).delete(name);
    for (const { directory, name, inode } of change.added) entriesOf(directory).set(name, inode);
  }
}

export function factsOf({ mode, uid, gid }: FileMode): FileMode {
  return { mode, uid, gid };
}

function chooseSurvival(prng: Prng): Survival {
  switch (prng.below(4)) {
    case 0:
      return { survives: () => false, tearsWrites: false };
    case 1:
      return { survives: () => true, tearsWrites: false };
    case 2:
      return { survives: (index, count) => index < count / 2, tearsWrites: true };
    default:
      return { survives: () => prng.chance(0.5), tearsWrites: true };
  }
}

function survivingFile(file: DurableFile, survival: Survival, prng: Prng): DurableFile {
  const copy: DurableFile = { kind: 'file', bytes: file.bytes.clone(), facts: file.facts, pending: [] };
  const count = file.pending.length;
  file.pending.forEach((change, i) => {
    if (!survival.survives(i, count)) return;
    const isTorn = survival.tearsWrites && i === count - 1 && change.kind === 'write';
    applyChange(copy, isTorn ? tornWrite(change, prng) : change);
  });
  return copy;
}

/** The write up to a boundary of sectors, or all of it: sectors themselves are written whole. */
function tornWrite(change: FileChange & { kind: 'write' }, prng: Prng): FileChange {
  const firstBoundary = Math.ceil((change.position + 1) / SECTOR_BYTES) * SECTOR_BYTES - change.position;
  const boundaries = 1 + Math.max(0, Math.ceil((change.bytes.length - firstBoundary) / SECTOR_BYTES));
  const length = firstBoundary + prng.below(boundaries) * SECTOR_BYTES;
  return { ...change, bytes: change.bytes.subarray(0, length) };
}

function applyChange(file: DurableFile, change: FileChange): void {
  switch (change.kind) {
    case 'write':
      file.bytes.write(change.bytes, change.position);
      break;
    case 'truncate':
      file.bytes.truncate(change.size);
      break;
    case 'facts':
      file.facts = change.facts;
  }
}

function copyDirectory(directory: DurableDirectory): DurableDirectory {
  return { kind: 'directory', entries: new Map(directory.entries) };
}

function build(
  nodes: Map<number, DurableFile | DurableDirectory>,
  { inode, target, fileSystem }: { inode: number; target: DirectoryNode; fileSystem: MemoryFileSystem }
): void {
  const source = nodes.get(inode);
  if (source?.kind !== 'directory') throw new Error(`Inode ${inode} is no directory.`);
  for (const [name, entryInode] of source.entries) {
    const entry = nodes.get(entryInode);
    if (entry?.kind === 'file') {
      const file: FileNode = Object.assign(fileSystem.newFile(), { bytes: entry.bytes }, entry.facts);
      target.entries.set(name, file);
    } else {
      const directory = fileSystem.newDirectory();
      target.entries.set(name, directory);
      build(nodes, { inode: entryInode, target: directory, fileSystem });
    }
  }
}
