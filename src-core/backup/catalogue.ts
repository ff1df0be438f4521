/**
 * The catalogue of a backup target: the backups that are whole, that is those with a manifest, oldest first (in the
 * order of backup-order.ts), and what is not: unfinished ones and those whose manifest is damaged. Reads only.
 */
import { EngineError, invalidRequest } from '../errors.ts';
import { readWholeObject, type BackupTarget } from './backup-target.ts';
import { requireRegister } from './backup-register.ts';
import { isBackupId, manifestObject, progressObject } from './backup-layout.ts';
import { clockWarnings, inOrder } from './backup-order.ts';
import { decodeManifest, MAX_MANIFEST_BYTES, parseJson } from './decode-manifest.ts';
import { sealState } from './manifest-seal.ts';
import type { Manifest } from './manifest.ts';
import { requireSignature } from './manifest-signature.ts';
import { readProgress } from './progress-file.ts';

export interface Catalogue {
  /** Oldest first. */
  backups: Manifest[];
  /** Without a manifest, but with a file that says what is there already: cut, or still being written. Oldest first. */
  unfinished: UnfinishedBackup[];
  /** Folders with neither: objects that later manifests name, or the remains of a cut removal. */
  remains: string[];
  damaged: { id: string; error: EngineError }[];
}

export interface UnfinishedBackup {
  id: string;
  /** A backup has been finished since: nothing will resume this one. */
  isSuperseded: boolean;
}

/** Where public keys were given, what none of them proves is among the damaged, unless `acceptsUnproved`. */
export async function readCatalogue(
  target: BackupTarget,
  { acceptsUnproved = false }: Reading = {}
): Promise<Catalogue> {
  const found: Manifest[] = [];
  const unfinished: string[] = [];
  const catalogue: Catalogue = { backups: [], unfinished: [], remains: [], damaged: [] };
  const ids = (await target.folders()).filter(isBackupId).sort();
  for (const id of ids) {
    try {
      const manifest = await readManifest(target, id, { acceptsUnproved });
      if (manifest) found.push(manifest);
      else if (await target.describe(progressObject(id))) unfinished.push(id);
      else catalogue.remains.push(id);
    } catch (error) {
      const isOurs = error instanceof EngineError;
      if (!isOurs || (error.code !== 'LogCorrupt' && error.code !== 'UnsupportedFormat')) throw error;
      catalogue.damaged.push({ id, error });
    }
  }
  catalogue.backups = inOrder(found);
  catalogue.unfinished = await describeUnfinished(target, unfinished, catalogue.backups);
  return catalogue;
}

async function describeUnfinished(
  target: BackupTarget,
  ids: readonly string[],
  backups: readonly Manifest[]
): Promise<UnfinishedBackup[]> {
  const highest = backups.reduce((most, { generation }) => Math.max(most, generation ?? 0), 0);
  const newest = backups.at(-1)?.id ?? '';
  const described = [];
  for (const id of ids) {
    // Without a generation (an older program, or a damaged file) only the clock is left.
    const generation = (await readProgress(target, id))?.generation ?? null;
    const isSuperseded = generation === null ? id < newest : generation <= highest;
    described.push({ id, isSuperseded, rank: generation ?? 0 });
  }
  described.sort((a, b) => a.rank - b.rank); // of one rank in the order of their ids, in which they come
  return described.map(({ id, isSuperseded }) => ({ id, isSuperseded }));
}

interface Reading {
  /** For those who must know of every backup, and restore none. */
  acceptsUnproved?: boolean;
}

/** The manifest of one backup; undefined when there is none. Its signature, where keys were given, comes first. */
export async function readManifest(
  target: BackupTarget,
  id: string,
  { acceptsUnproved = false }: Reading = {}
): Promise<Manifest | undefined> {
  const object = manifestObject(id);
  const bytes = await readWholeObject(target, object, MAX_MANIFEST_BYTES);
  if (!bytes) return undefined;
  if (!acceptsUnproved) await requireSignature(target, id, bytes);
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

/** Whether the manifest has a hash of itself. Those of older versions have none. */
export async function isManifestSealed(target: BackupTarget, id: string): Promise<boolean> {
  const object = manifestObject(id);
  const bytes = await readWholeObject(target, object, MAX_MANIFEST_BYTES);
  if (!bytes) return false;
  return sealState(bytes, parseJson(bytes, { target: target.description, object })) === 'sealed';
}

/** After every date: only the backups themselves are compared. */
const LAST_TIME = '9999-12-31T23:59:59.9999999Z';

/** The backup of that id, or the newest one without an id. Throws InvalidRequest when there is none. */
export async function chooseBackup(target: BackupTarget, id: string | undefined): Promise<Manifest> {
  if (id !== undefined) {
    const manifest = isBackupId(id) ? await readManifest(target, id) : undefined;
    if (manifest) return manifest;
    throw invalidRequest(
      `${target.description} has no finished backup with the id ${id}.`,
      'backup',
      'See "winnow backup list" for the ids.'
    );
  }
  const { backups, damaged } = await readCatalogue(target);
  const newest = backups.at(-1);
  // A damaged manifest of a later backup must not silently make an older one the newest. It does not say where it
  // stands, so its date is believed, unless the dates of the others are known to be wrong.
  const spoilt = damaged.at(-1);
  const isClockRight = clockWarnings(backups, LAST_TIME).length === 0;
  if (spoilt && (!newest || !isClockRight || spoilt.id > newest.id)) throw spoilt.error;
  // With the newest removed, an older one would be taken for it.
  await requireRegister(
    target,
    backups.map((backup) => backup.id)
  );
  if (newest) return newest;
  throw invalidRequest(
    `${target.description} has no finished backup.`,
    'backup',
    'Take one with "winnow backup create", or name another target.'
  );
}
