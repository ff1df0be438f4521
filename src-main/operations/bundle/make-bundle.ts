/** A support bundle of a database: planned, and made. */
import { randomBytes, randomUUID } from 'node:crypto';
import path from 'node:path';
import {
  BUNDLE_MANIFEST,
  NAME_KEY_LENGTH,
  partialPathOf,
  planBundle as planOf,
  readBundleKey,
  requireFreeTarget,
  requireNothingAt,
  runBundle as runBundleOf,
  writeBundleKey,
  invalidRequest,
  type Database,
  type FileSystem,
  entriesIn
} from '../../../src-core/index.ts';
import type { BundlePlanReport, BundleReport } from '../../contract/operations/bundle/bundle-reports.ts';
import type { CheckedRequestOf } from '../../contract/operations/operation-contract.ts';
import { withDatabase } from '../database/database-access.ts';
import { timeOf, type OperationContext } from '../operation.ts';
import { makeStateScratch } from '../scavenge/stored-state.ts';
import { readBundleConfiguration, BUNDLE_CONFIGURATION } from './bundle-configuration.ts';
import { NameTable } from './name-table.ts';
import { packBundle } from './pack-bundle.ts';

type Request = CheckedRequestOf<'runBundle'>;

interface Places {
  /** The directory that is made. */
  target: string;
  /** It is only made to be packed, and goes then. */
  isPassing: boolean;
  keyFile: string;
  namesFile: string | undefined;
  packFile: string | undefined;
}

export async function planBundle(request: Request, context: OperationContext): Promise<BundlePlanReport> {
  const { fileSystem } = context;
  const places = placesOf(request);
  if (!places.isPassing) requireFreeTarget(fileSystem, places.target);
  if (request.configuration !== undefined) readBundleConfiguration(request.configuration);
  const key = readBundleKey(fileSystem, splitPath(places.keyFile));
  return withDatabase(request, context, (database) => {
    requireApart(database, places);
    return {
      ...plannedFacts(request, places, database),
      keyExists: key !== undefined,
      continues: fileSystem.describe(partialPathOf(places.target)) !== undefined,
      freeBytes: fileSystem.freeBytes(existingParentOf(fileSystem, places.target))
    };
  });
}

export async function runBundle(request: Request, context: OperationContext): Promise<BundleReport> {
  const { fileSystem, control } = context;
  const places = placesOf(request);
  if (!places.isPassing) requireFreeTarget(fileSystem, places.target);
  const configuration =
    request.configuration === undefined ? undefined : readBundleConfiguration(request.configuration);
  for (const file of [places.namesFile, places.packFile]) {
    if (file !== undefined) requireNothingAt(fileSystem, file);
  }
  const keyPlace = splitPath(places.keyFile);
  return withDatabase(request, context, async (database) => {
    requireApart(database, places);
    // Left by a run that was killed while it packed.
    if (places.isPassing) removeBundle(fileSystem, places.target);
    fileSystem.makeDirectory(path.dirname(places.target));
    fileSystem.makeDirectory(keyPlace.directory);
    const known = readBundleKey(fileSystem, keyPlace);
    const key = known ?? randomBytes(NAME_KEY_LENGTH);
    // Before the first name is replaced by it: a bundle whose key is lost could not be read back.
    if (!known) writeBundleKey(fileSystem, keyPlace, key);
    const facts = plannedFacts(request, places, database);
    const names = places.namesFile === undefined ? undefined : new NameTable(fileSystem, places.namesFile);
    try {
      const { manifest, unreadable, resumedChunks } = await runBundleOf({
        database,
        target: places.target,
        headersOnly: request.headersOnly,
        key,
        madeAt: timeOf(context),
        newGuid: randomUUID,
        makeScratch: makeStateScratch,
        control,
        extras: configuration === undefined ? [] : [{ name: BUNDLE_CONFIGURATION, bytes: configuration }],
        ...(names ? { onName: (kind, name, replaced) => names.add(kind, name, replaced) } : {})
      });
      names?.complete();
      const packedBytes =
        places.packFile === undefined
          ? null
          : await packBundle({ directory: places.target, file: places.packFile }, context);
      if (places.isPassing) removeBundle(fileSystem, places.target);
      return {
        ...facts,
        packedBytes,
        standIns: manifest.standIns,
        leftOut: manifest.leftOut,
        keyMade: known === undefined,
        resumedChunks,
        records: manifest.records,
        payloadBytes: manifest.payloadBytes,
        indexEntries: manifest.indexEntries,
        entriesWithoutRecord: manifest.entriesWithoutRecord,
        metadataWithoutRights: manifest.metadataWithoutRights,
        unreadable
      };
    } catch (error) {
      names?.abandon();
      throw error;
    }
  });
}

function placesOf({ to, keyFile, namesFile, packFile }: Request): Places {
  const packed = packFile === undefined ? undefined : path.resolve(packFile);
  const target = to === undefined ? packed && `${packed}.making` : path.resolve(to);
  if (target === undefined) {
    throw invalidRequest(
      'Neither a directory nor a packed file is named.',
      'to',
      'Name one of them, or both.'
    );
  }
  return {
    target,
    isPassing: to === undefined,
    keyFile: path.resolve(keyFile ?? `${(to === undefined ? packed : undefined) ?? target}.key`),
    namesFile: namesFile === undefined ? undefined : path.resolve(namesFile),
    packFile: packed
  };
}

/** A whole one. What says that it is a bundle goes last, so that what is left of it is known for one. */
function removeBundle(fileSystem: FileSystem, directory: string): void {
  const entries = entriesIn(fileSystem, directory);
  if (entries.length > 0 && !entries.some(({ name }) => name === BUNDLE_MANIFEST)) {
    requireFreeTarget(fileSystem, directory);
  }
  for (const { name, isDirectory } of entries) {
    if (name === BUNDLE_MANIFEST) continue;
    const entry = fileSystem.join(directory, name);
    if (isDirectory) fileSystem.removeDirectory(entry);
    else fileSystem.remove(entry);
  }
  if (fileSystem.describe(directory)) fileSystem.removeDirectory(directory);
}

/** A bundle in its own source would change it; a key or table of names in the bundle would go out with it. */
function requireApart(database: Database, { target, keyFile, namesFile, packFile }: Places): void {
  const isWithin = (file: string, directory: string): boolean => {
    const relative = path.relative(path.resolve(directory), file);
    return relative === '' || (!relative.startsWith('..') && !path.isAbsolute(relative));
  };
  for (const directory of [database.dataDirectory, database.indexDirectory]) {
    for (const [field, file] of Object.entries({
      to: target,
      key: keyFile,
      names: namesFile,
      pack: packFile
    })) {
      if (file === undefined || !isWithin(file, directory)) continue;
      throw invalidRequest(
        `${file} lies in the database that the bundle is made of.`,
        field,
        'Choose a place outside of it.'
      );
    }
  }
  for (const [field, file] of Object.entries({ key: keyFile, names: namesFile, pack: packFile })) {
    if (file === undefined || !isWithin(file, target)) continue;
    throw invalidRequest(`${file} would lie in the bundle itself.`, field, 'Choose a place outside of it.');
  }
}

function plannedFacts(
  request: Request,
  { target, isPassing, keyFile, namesFile, packFile }: Places,
  database: Database
) {
  const plan = planOf(database);
  return {
    target: (isPassing ? packFile : undefined) ?? target,
    headersOnly: request.headersOnly,
    keyFile,
    namesFile: namesFile ?? null,
    packFile: packFile ?? null,
    configuration: request.configuration !== undefined,
    inUse: database.inUse !== null,
    chunks: plan.chunks,
    tables: plan.tables.length,
    sourceBytes: plan.chunkBytes + plan.tableBytes,
    standIns: [...plan.standIns, ...plan.indexStandIns.map((file) => `index/${file}`)],
    leftOut: plan.leftOut
  };
}

function splitPath(file: string): { directory: string; name: string } {
  return { directory: path.dirname(file), name: path.basename(file) };
}

function existingParentOf(fileSystem: FileSystem, directory: string): string {
  let parent = path.dirname(directory);
  while (fileSystem.describe(parent) === undefined && path.dirname(parent) !== parent)
    parent = path.dirname(parent);
  return parent;
}
