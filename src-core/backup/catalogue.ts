/**
 * The catalogue of a backup target: the backups that are whole, that is those with a manifest, oldest first, and
 * what is not: unfinished ones and those whose manifest is damaged. Reads only.
 */
import { EngineError, invalidRequest } from '../errors.ts';
import { readWholeObject, type BackupTarget } from './backup-target.ts';
import { isBackupId, manifestObject, progressObject } from './backup-layout.ts';
import { decodeManifest, MAX_MANIFEST_BYTES } from './decode-manifest.ts';
import type { Manifest } from './manifest.ts';

export interface Catalogue {
  /** Oldest first. */
  backups: Manifest[];
  /** Ids of folders without a manifest that say what is there already: cut, or still being written. */
  unfinished: string[];
  /** Folders with neither: objects that later manifests name, or the remains of a cut removal. */
  remains: string[];
  damaged: { id: string; error: EngineError }[];
}

export async function readCatalogue(target: BackupTarget): Promise<Catalogue> {
  const catalogue: Catalogue = { backups: [], unfinished: [], remains: [], damaged: [] };
  const ids = (await target.folders()).filter(isBackupId).sort();
  for (const id of ids) {
    try {
      const manifest = await readManifest(target, id);
      if (manifest) catalogue.backups.push(manifest);
      else if (await target.describe(progressObject(id))) catalogue.unfinished.push(id);
      else catalogue.remains.push(id);
    } catch (error) {
      const isOurs = error instanceof EngineError;
      if (!isOurs || (error.code !== 'LogCorrupt' && error.code !== 'UnsupportedFormat')) throw error;
      catalogue.damaged.push({ id, error });
    }
  }
  return catalogue;
}

/** The manifest of one backup; undefined when there is none. */
export async function readManifest(target: BackupTarget, id: string): Promise<Manifest | undefined> {
  const object = manifestObject(id);
  const bytes = await readWholeObject(target, object, MAX_MANIFEST_BYTES);
  if (!bytes) return undefined;
  const manifest = decodeManifest(bytes, { target: target.description, object });
  if (manifest.id !== id) {
    throw new EngineError({
      code: 'LogCorrupt',
      message: `${object} in ${target.description} is the manifest of the backup ${manifest.id}.`,
      remedy: `Rename the folder back to ${manifest.id}, or use another backup.`,
      details: { file: object, target: target.description, expected: id, found: manifest.id }
    });
  }
  return manifest;
}

/** The backup of that id, or the newest one without an id. Throws InvalidRequest when there is none. */
export async function chooseBackup(target: BackupTarget, id: string | undefined): Promise<Manifest> {
  if (id !== undefined) {
    const manifest = isBackupId(id) ? await readManifest(target, id) : undefined;
    if (manifest) return manifest;
    throw invalidRequest(
      `${target.description} holds no finished backup with the id ${id}.`,
      'backup',
      'See "winnow backup list" for the ids.'
    );
  }
  const { backups, damaged } = await readCatalogue(target);
  const newest = backups.at(-1);
  // A damaged manifest of a later backup must not silently make an older one the newest.
  const spoilt = damaged.at(-1);
  if (spoilt && (!newest || spoilt.id > newest.id)) throw spoilt.error;
  if (newest) return newest;
  throw invalidRequest(
    `${target.description} holds no finished backup.`,
    'backup',
    'Take one with "winnow backup create", or name another target.'
  );
}
