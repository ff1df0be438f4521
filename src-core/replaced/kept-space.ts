/** What kept files take: bytes that would be freed if they were removed. A second name of a file in use takes nothing. */
import { folderOf, indexFolderOf, keptPath, listKept, placeOf, type KeptPlace } from './kept-folders.ts';
import type { KeptFile, KeptManifest } from './kept-manifest.ts';
import { entriesIn } from '../storage/directory-entries.ts';

export interface KeptSummary {
  id: string;
  keptAt: string | null;
  expiresAt: string | null;
  finishedAt: string | null;
  /** Of the scavenge; null if it was not chosen, or the manifest cannot be read. */
  scavengePoint: number | null;
  /** Freed if this one alone were removed. */
  bytes: number;
  /** Files that would be put back; others are still in their place. */
  replacedFiles: number;
  /** Why it cannot be put back; null if nothing speaks against it. */
  problem: string | null;
}

export interface KeptUse {
  /** Freed if all were removed. */
  bytes: number;
  kept: KeptSummary[];
}

interface FoundFile {
  id: string;
  bytes: number;
  /** Device and inode. */
  key: string;
  isInPlace: boolean;
}

export function keptUse(place: KeptPlace): KeptUse {
  const generations = listKept(place);
  const found = generations.flatMap((one) =>
    'manifest' in one ? filesOf(place, one.manifest) : unreadableFiles(place, one.id)
  );
  const owners = Map.groupBy(found, ({ key }) => key);
  const isFreed = (files: readonly FoundFile[]): boolean => files.every(({ isInPlace }) => !isInPlace);
  let bytes = 0;
  for (const files of owners.values()) if (isFreed(files)) bytes += files[0]!.bytes;
  const kept = generations.map((one): KeptSummary => {
    const own = found.filter(({ id }) => id === one.id);
    const alone = own.filter(({ key }) =>
      owners.get(key)!.every(({ id, isInPlace }) => id === one.id && !isInPlace)
    );
    const unique = new Map(alone.map((file) => [file.key, file.bytes]));
    const freed = [...unique.values()].reduce((sum, size) => sum + size, 0);
    const replacedFiles = own.filter(({ isInPlace }) => !isInPlace).length;
    if ('error' in one) {
      const nothing = { keptAt: null, expiresAt: null, finishedAt: null, scavengePoint: null };
      return { id: one.id, ...nothing, bytes: freed, replacedFiles, problem: one.error.message };
    }
    const { id, keptAt, expiresAt, finishedAt, point } = one.manifest;
    return {
      id,
      keptAt,
      expiresAt,
      finishedAt,
      scavengePoint: point?.number ?? null,
      bytes: freed,
      replacedFiles,
      problem: null
    };
  });
  return { bytes, kept };
}

function filesOf(place: KeptPlace, manifest: KeptManifest): FoundFile[] {
  const of = (isCompleted: boolean) => (file: KeptFile) =>
    found(place, manifest.id, {
      path: keptPath(place, manifest, file, isCompleted),
      inPlace: placeOf(place, file)
    });
  return [...manifest.files.flatMap(of(false)), ...manifest.completed.flatMap(of(true))];
}

function found(
  place: KeptPlace,
  id: string,
  { path, inPlace }: { path: string; inPlace: string | undefined }
): FoundFile[] {
  const { fileSystem } = place;
  const facts = fileSystem.describe(path);
  if (!facts || facts.isDirectory) return [];
  const there = inPlace === undefined ? undefined : fileSystem.describe(inPlace);
  const isInPlace = there !== undefined && there.inode === facts.inode && there.device === facts.device;
  return [{ id, bytes: facts.size, key: `${facts.device}:${facts.inode}`, isInPlace }];
}

/** Without a manifest that can be read every file there counts whose name and inode are not in use. */
function unreadableFiles(place: KeptPlace, id: string): FoundFile[] {
  const { fileSystem, dataDirectory, indexDirectory } = place;
  const folders = new Set([folderOf(place, id), indexFolderOf(place, { id, indexWithin: null })]);
  return [...folders].flatMap((folder) =>
    [
      { below: 'data', directory: dataDirectory },
      { below: 'completed', directory: dataDirectory },
      { below: 'index', directory: indexDirectory }
    ].flatMap(({ below, directory }) =>
      entriesIn(fileSystem, fileSystem.join(folder, below)).flatMap(({ name }) =>
        found(place, id, {
          path: fileSystem.join(folder, below, name),
          inPlace: fileSystem.join(directory, name)
        })
      )
    )
  );
}
