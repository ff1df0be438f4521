/**
 * What a backup would be: of which node, on top of which earlier backup, how many bytes. Everything that refuses is
 * asked here, before anything is written. Reads only.
 */
import { EngineError, invalidRequest } from '../errors.ts';
import type { LockHolder } from '../storage/file-system.ts';
import type { BackupEnvironment, BackupRequest } from './backup-request.ts';
import { isCopyOf, keyOf, presentFiles, seedsOf } from './backup-draft.ts';
import type { BackupArea } from './backup-layout.ts';
import { clockWarnings, nextGeneration, nodeKeyOf } from './backup-order.ts';
import { readCatalogue, type Catalogue } from './catalogue.ts';
import {
  isReplaced,
  isSameNode,
  requireBase,
  requireSameCluster,
  describeOrigin,
  describeSource
} from './compare-history.ts';
import { listBackupFiles } from './list-backup-files.ts';
import type { BackupMode, Manifest, ManifestNote } from './manifest.ts';
import { mayBuildOn, requireSigner } from './manifest-signature.ts';
import { quorumNote, requireFitNode, type NodeFacts } from './node-facts.ts';
import { readProgress, type BackupProgress } from './progress-file.ts';
import type { SourcePlace } from './source-files.ts';
import { readSourceIdentity, type SourceIdentity } from './source-identity.ts';
import { asRemovedMeanwhile, requireNoScavenge } from './source-watch.ts';
import { ticksToIso } from '../units/ticks.ts';

export interface PlannedFile {
  area: BackupArea;
  name: string;
  /** As it would be restored. */
  bytes: number;
  /** Read from the source; 0: an earlier backup has it. */
  bytesToCopy: number;
}

export interface BackupPlan {
  mode: BackupMode;
  /** The backup that this one is seeded from. */
  base: Manifest | undefined;
  generation: number;
  /** An unfinished backup of this node that is resumed. */
  unfinished: BackupProgress | undefined;
  identity: SourceIdentity;
  node: NodeFacts | undefined;
  holder: LockHolder | undefined;
  /** Every file of the backup, as its manifest will list them. */
  files: PlannedFile[];
  fileCount: number;
  /** Of the whole backup, as it would be restored. */
  bytes: number;
  /** Of what is not there yet. */
  bytesToCopy: number;
  /** undefined where the target cannot tell. */
  freeBytes: number | undefined;
  notes: ManifestNote[];
}

export async function planBackup(
  request: BackupRequest,
  environment: BackupEnvironment
): Promise<BackupPlan> {
  try {
    return await planNow(request, environment);
  } catch (error) {
    throw asRemovedMeanwhile({ fileSystem: environment.fileSystem, ...request }, error);
  }
}

async function planNow(request: BackupRequest, environment: BackupEnvironment): Promise<BackupPlan> {
  const { fileSystem, target } = environment;
  requireSigner(target);
  const place: SourcePlace = {
    fileSystem,
    dataDirectory: request.dataDirectory,
    indexDirectory: request.indexDirectory
  };
  const holder = fileSystem.lockHolder(fileSystem.join(place.dataDirectory, 'writer.chk'));
  const node = await environment.askNode?.();
  const notes: ManifestNote[] = node ? requireFitNode(node, 'before') : [];
  // A node that answers says itself whether a scavenge runs: the caller has checked.
  const isAtRest = request.mode === 'snapshot' || environment.willStopScavenge === true;
  if (!node && !isAtRest) requireNoScavenge(place, holder);
  if (holder && !node) notes.push(notAsked(holder));
  const identity = readSourceIdentity(place, node?.address ?? null);
  const catalogue = await readCatalogue(target, { acceptsUnproved: true });
  const { mode, base } = await requireProvedBase(request, chooseBase(request, identity, catalogue, notes), {
    target,
    notes
  });
  const names = environment.encodings?.completedChunks?.names ?? [];
  const unfinished = await findUnfinished({ catalogue, identity, place, mode, base, names, environment });
  notes.push(...clockWarnings(catalogue.backups, ticksToIso(environment.now())));
  notes.push(...quorumNote(node, countNodes(catalogue, identity)));
  notes.push(...sourceNotes(place));
  const present = await presentFiles(
    {
      own: unfinished?.files ?? [],
      base: base ? seedsOf(base) : [],
      isDifferential: mode === 'differential'
    },
    environment
  );
  const files = listBackupFiles(place, mode, identity.writer).map((file): PlannedFile => {
    const { area, name, bytes, sourceBytes } = file;
    const copy = present.get(keyOf(file));
    return { area, name, bytes, bytesToCopy: copy && isCopyOf(copy, file) ? 0 : sourceBytes };
  });
  const freeBytes = await target.freeBytes();
  const generation = nextGeneration(catalogue.backups);
  return {
    mode,
    base,
    generation,
    unfinished,
    identity,
    node,
    holder,
    freeBytes,
    notes,
    files,
    ...sumsOf(files)
  };
}

function chooseBase(
  request: BackupRequest,
  identity: SourceIdentity,
  { backups }: Catalogue,
  notes: ManifestNote[]
): { mode: BackupMode; base: Manifest | undefined } {
  const newest = backups.at(-1);
  const parted = newest && requireSameCluster(newest, identity);
  if (parted !== undefined) {
    notes.push({
      code: 'historyParted',
      message: parted,
      remedy: 'Earlier backups stay usable; nothing to do.'
    });
  }
  if (request.mode === 'full' || request.mode === 'snapshot') return { mode: request.mode, base: undefined };
  const ofNode = backups.filter((backup) => isSameNode(backup, identity)).at(-1);
  const base = ofNode ?? (request.isMoved ? newest : undefined);
  if (base) {
    try {
      requireBase(base, identity, request.isMoved);
      return { mode: 'differential', base };
    } catch (error) {
      if (request.mode === 'differential' || !(error instanceof EngineError)) throw error;
      notes.push({
        code: 'notDifferential',
        message: `A full backup was taken. ${error.message}`,
        remedy: error.remedy
      });
      return { mode: 'full', base: undefined };
    }
  }
  if (request.mode === 'auto') return { mode: 'full', base: undefined };
  throw invalidRequest(
    newest
      ? `There is no backup of ${describeSource(identity)} here to build on; the newest, ${newest.id}, is of ${describeOrigin(newest)}.`
      : `There is no earlier backup here to build on.`,
    '--mode',
    'Take a full backup first: --mode full.'
  );
}

/** What a signed backup says of files that it shares must be proved: else a full one is taken. */
async function requireProvedBase(
  { mode: asked }: BackupRequest,
  chosen: { mode: BackupMode; base: Manifest | undefined },
  { target, notes }: { target: BackupEnvironment['target']; notes: ManifestNote[] }
): Promise<{ mode: BackupMode; base: Manifest | undefined }> {
  const { base } = chosen;
  if (!base || (await mayBuildOn(target, base.id))) return chosen;
  const message = `The backup ${base.id} is not signed with a key that was given, so no signed backup builds on it.`;
  if (asked === 'differential') {
    throw invalidRequest(message, '--mode', 'Take a full backup first: --mode full.');
  }
  notes.push({
    code: 'notDifferential',
    message: `A full backup was taken. ${message}`,
    remedy: 'Nothing to do: the next one builds on it.'
  });
  return { mode: 'full', base: undefined };
}

/** An attempt at the same backup that was cut, unless a newer backup has been finished since. */
async function findUnfinished(parts: {
  catalogue: Catalogue;
  identity: SourceIdentity;
  place: SourcePlace;
  mode: BackupMode;
  base: Manifest | undefined;
  names: readonly string[];
  environment: BackupEnvironment;
}): Promise<BackupProgress | undefined> {
  const { catalogue, identity, place, mode, base, names, environment } = parts;
  const last = catalogue.unfinished.findLast(({ isSuperseded }) => !isSuperseded);
  if (!last) return undefined;
  const progress = await readProgress(environment.target, last.id);
  const isSame =
    progress?.mode === mode &&
    progress.basedOn === (base?.id ?? null) &&
    progress.databaseTag === identity.databaseTag &&
    progress.address === identity.address &&
    progress.dataDirectory === place.dataDirectory &&
    progress.indexDirectory === place.indexDirectory &&
    !isReplaced(progress.checkpointFiles, identity.checkpointFiles) &&
    progress.encodings.join() === names.join();
  return isSame ? progress : undefined;
}

function countNodes({ backups }: Catalogue, identity: SourceIdentity): number {
  const others = new Set(backups.filter((backup) => !isSameNode(backup, identity)).map(nodeKeyOf));
  return others.size + 1;
}

function sumsOf(files: readonly PlannedFile[]): Pick<BackupPlan, 'fileCount' | 'bytes' | 'bytesToCopy'> {
  return {
    fileCount: files.length,
    bytes: files.reduce((sum, { bytes }) => sum + bytes, 0),
    bytesToCopy: files.reduce((sum, { bytesToCopy }) => sum + bytesToCopy, 0)
  };
}

function sourceNotes({ fileSystem, dataDirectory }: SourcePlace): ManifestNote[] {
  const notes: ManifestNote[] = [];
  if (fileSystem.describe(fileSystem.join(dataDirectory, 'kurrent.ddb'))) {
    notes.push({
      code: 'secondaryIndexLeftOut',
      message: 'kurrent.ddb (secondary indexes) changes in place and is not part of a file backup.',
      remedy: 'Take disk snapshots of this node if its secondary indexes must come back with a restore.'
    });
  }
  return notes;
}

function notAsked(holder: LockHolder): ManifestNote {
  const by = holder.pid === null ? holder.by : `${holder.by}, process ${holder.pid}`;
  return {
    code: 'nodeNotAsked',
    message: `The directory is open in ${by}; its role, lag and scavenges were not requested.`,
    remedy: 'Give --node-url, so that the backup notices a node that is catching up or scavenging.'
  };
}
