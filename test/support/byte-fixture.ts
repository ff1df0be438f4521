/**
 * A small database of every kind of file, each of whose bytes can be changed: chunks, the active one, checkpoints, index map,
 * a table with its filter. And a backup of it.
 */
import { openDatabase } from '../../src-core/database/database.ts';
import { uncontrolled } from '../../src-core/database/operation-control.ts';
import { EngineError } from '../../src-core/errors.ts';
import { rebuildIndex } from '../../src-core/repair/rebuild-index.ts';
import type { FileSystem } from '../../src-core/storage/file-system.ts';
import { verifyDatabase } from '../../src-core/verify/verify-database.ts';
import { guidsFrom, writeCrashDatabase } from './crash-database.ts';
import type { FileNode, MemoryFileSystem, TreeNode } from './memory-file-system.ts';

export const DIRECTORY = '/db';

export async function writeByteFixture(): Promise<MemoryFileSystem> {
  const memory = await writeCrashDatabase({ dataDirectory: DIRECTORY, rounds: 1, point: { threshold: 0 } });
  const place = { fileSystem: memory, dataDirectory: DIRECTORY };
  await rebuildIndex({ ...place, control: uncontrolled(), newGuid: guidsFrom(3) });
  return memory;
}

/** What verification says, as text; what it refuses to begin with, by its code. Throws what is no error of the engine's. */
export async function verifyLines(fileSystem: FileSystem): Promise<string> {
  try {
    const database = openDatabase({ fileSystem, dataDirectory: DIRECTORY });
    try {
      const { findings } = await verifyDatabase({ database, quick: false, control: uncontrolled() });
      return findings.map(({ severity, code, file }) => `${severity} ${code} ${file}`).join('\n');
    } finally {
      database.close();
    }
  } catch (error) {
    if (error instanceof EngineError) return `refused ${error.code}`;
    throw error;
  }
}

/** Every file by its path below a directory. */
export function fileNodes(memory: MemoryFileSystem, directory = DIRECTORY): [string, FileNode][] {
  const found: [string, FileNode][] = [];
  const walk = (node: TreeNode | undefined, path: string): void => {
    if (node?.kind === 'file') found.push([path, node]);
    else for (const [name, inner] of node?.entries ?? []) walk(inner, path === '' ? name : `${path}/${name}`);
  };
  walk(memory.find(directory), '');
  return found.sort(([a], [b]) => (a < b ? -1 : 1));
}

/** Runs `look` with one byte changed by `mask`, and puts it back. */
export async function withFlip<T>(
  node: FileNode,
  at: number,
  mask: number,
  look: () => Promise<T>
): Promise<T> {
  const byte = new Uint8Array(1);
  node.bytes.read(byte, 0, 1, at);
  const changed = Uint8Array.of(byte[0]! ^ mask);
  node.bytes.write(changed, at);
  try {
    return await look();
  } finally {
    node.bytes.write(byte, at);
  }
}

/** Runs `look` with the file cut to a length, and puts the rest back. */
export async function withLength<T>(node: FileNode, length: number, look: () => Promise<T>): Promise<T> {
  const rest = new Uint8Array(node.bytes.size - length);
  node.bytes.read(rest, 0, rest.length, length);
  node.bytes.truncate(length);
  try {
    return await look();
  } finally {
    node.bytes.write(rest, length);
  }
}
