/**
 * Removes what a cut run left in the index directory: new tables and filters that no map names, and temporary
 * maps. The server does the same at its start. Only names that tables and their maps have are touched, and nothing
 * at all where there is no map to tell which tables count.
 */
import type { StreamIndex } from '../../index/stream-index.ts';
import type { FileSystem } from '../../storage/file-system.ts';

const GUID = '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}';
const TABLE_OR_FILTER = new RegExp(`^(${GUID})(\\.bloomfilter)?$`, 'i');
const TEMPORARY_MAP = /^indexmap\..*\.tmp$/;

export function sweepIndex(fileSystem: FileSystem, index: StreamIndex): void {
  for (const path of findIndexLeftovers(fileSystem, index)) fileSystem.remove(path);
}

/** Paths of what a sweep removes. */
export function findIndexLeftovers(
  fileSystem: FileSystem,
  { directory: { directory, map } }: StreamIndex
): string[] {
  if (!map) return [];
  const tables = new Set(map.tables.map(({ file }) => file));
  const found: string[] = [];
  for (const { name, isDirectory } of fileSystem.list(directory) ?? []) {
    if (isDirectory) continue;
    const table = TABLE_OR_FILTER.exec(name)?.[1];
    const isStray = table !== undefined ? !tables.has(table) : TEMPORARY_MAP.test(name);
    if (isStray) found.push(fileSystem.join(directory, name));
  }
  return found;
}
