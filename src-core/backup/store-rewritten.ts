/**
 * Stores the database of a backup, gathered and changed in a scratch directory, as another generation of the same
 * backup: same kind, same node, same log, same time and same place in the order, other files. What did not change is
 * shared with the old generation, as a differential backup shares it. The old generation is read only here.
 *
 * Cut anywhere, the target holds the old one and at most an unfinished folder, which says whose it is; the next
 * attempt removes it and begins again. The caller holds the target's lock.
 */
import { EngineError } from '../errors.ts';
import { ticksToIso } from '../units/ticks.ts';
import { BackupDraft } from './backup-draft.ts';
import { takeOffRegister } from './backup-register.ts';
import { manifestObject, progressObject } from './backup-layout.ts';
import type { BackupEnvironment } from './backup-request.ts';
import type { BackupTarget } from './backup-target.ts';
import { readCatalogue, type Catalogue } from './catalogue.ts';
import { checkPositions } from './check-positions.ts';
import { copyIndexPart } from './copy-index-part.ts';
import { copyLogPart } from './copy-log-part.ts';
import { decodeManifest } from './decode-manifest.ts';
import {
  detachedPointsOf,
  encodeManifest,
  type Manifest,
  type ManifestFile,
  type ManifestRewrite
} from './manifest.ts';
import { mayBuildOn, requireSigner, writeManifest } from './manifest-signature.ts';
import { readProgress } from './progress-file.ts';
import { bytesOf, objectsOf, removeFolder } from './prune-backups.ts';
import { freeId } from './run-backup.ts';
import type { SourcePlace } from './source-files.ts';
import { toldWithSpace } from './target-space.ts';

export interface StoreRewritten {
  /** The generation that is replaced. */
  of: Manifest;
  /** Its database, gathered and changed: nobody else knows of it. */
  place: SourcePlace;
  work: Omit<ManifestRewrite, 'of' | 'at'>;
  threads: number;
}

type Environment = Pick<
  BackupEnvironment,
  'target' | 'operation' | 'now' | 'newGuid' | 'toolVersion' | 'encodings' | 'wait'
>;

export async function storeRewritten(
  { of, place, work, threads }: StoreRewritten,
  environment: Environment
): Promise<Manifest> {
  const { target, operation, now, toolVersion, encodings } = environment;
  requireSigner(target);
  if (!(await mayBuildOn(target, of.id))) throw notSigned(of.id, target.description);
  const id = await freeId(environment);
  let done = 0;
  let total: number | null = null;
  let phase = 'storing the index';
  const draft = new BackupDraft({
    target,
    fileSystem: place.fileSystem,
    control: operation,
    encodings,
    threads,
    bytesPerSecond: 0,
    progress: {
      id,
      mode: of.mode,
      basedOn: of.basedOn,
      generation: of.generation,
      databaseTag: of.databaseTag,
      address: of.node.address,
      dataDirectory: of.node.dataDirectory,
      indexDirectory: of.node.indexDirectory,
      checkpointFiles: of.node.checkpointFiles ?? null,
      encodings: [...(encodings?.completedChunks?.names ?? [])],
      rewrites: of.id
    },
    onBytes: (count) => {
      done += count;
      operation.report({ phase, done, total, unit: 'bytes' });
    }
  });
  try {
    await draft.note();
    await draft.seed(of.files);
    const index = await copyIndexPart({
      place,
      draft,
      mode: of.mode,
      control: operation,
      isInUse: false,
      wait: environment.wait,
      mapLimitMs: 0
    });
    phase = 'storing the log';
    const log = await copyLogPart({
      place,
      draft,
      mode: of.mode,
      onListed: (bytes) => {
        total = done + bytes;
      }
    });
    await draft.sweep();
    const at = ticksToIso(now());
    const manifest: Manifest = {
      ...of,
      id,
      toolVersion,
      endedAt: of.endedAt,
      checkpoints: {
        ...log.checkpoints,
        index: index.map?.map?.commitCheckpoint ?? null,
        filter: index.filter
      },
      epochs: of.epochs.filter(({ position }) => position < log.checkpoints.writer),
      chunkSize: log.chunkSet.chunkSizeBytes,
      indexMap: index.map ? new TextDecoder().decode(index.map.bytes) : null,
      files: draft.files.sort((a, b) => (a.object < b.object ? -1 : 1)),
      bytesCopied: draft.bytesCopied,
      notes: [...of.notes.filter(({ code }) => !OF_THE_OLD_LOG.has(code)), ...index.notes, ...log.notes],
      rewrite: { of: of.id, at, ...work, ...detachedPointsOf(of, work.detachedPoints) }
    };
    const fault = checkPositions(manifest).find(({ severity }) => severity === 'damage');
    if (fault) throw unusable(fault.message, of.id);
    const bytes = encodeManifest(manifest);
    decodeManifest(bytes, { target: target.description, object: manifestObject(id) });
    await writeManifest(target, id, bytes);
    await target.remove(progressObject(id));
    return manifest;
  } catch (error) {
    throw await toldWithSpace(error, { target, bytesLeft: Math.max(0, (total ?? done) - done) });
  }
}

/** Said of a chaser behind the writer: in the new generation the log is cut there. */
const OF_THE_OLD_LOG: ReadonlySet<string> = new Set(['chaserBehindWriter', 'beyondMaxTruncation']);

/** Unfinished attempts at another generation of this backup: gone when this returns. */
export async function removeUnfinishedRewrites(
  target: BackupTarget,
  { unfinished, backups, damaged }: Catalogue,
  of: string
): Promise<string[]> {
  const removed: string[] = [];
  if (damaged.length > 0) return removed; // what their manifests name is not known
  for (const { id } of unfinished) {
    if ((await readProgress(target, id))?.rewrites !== of) continue;
    await removeFolder(target, id, objectsOf(backups));
    removed.push(id);
  }
  return removed;
}

/** Files of the old generation that the new one does not share: completed chunks and tables that were replaced. */
export function replacedFiles(of: Manifest, by: Manifest): ManifestFile[] {
  const kept = new Set(by.files.map(bytesOf));
  return of.files.filter(
    (file) => !kept.has(bytesOf(file)) && (file.chunk?.isCompleted === true || file.tableMd5 !== null)
  );
}

/** Other backups that share some of these files, with how many. */
export function holdersOf(
  files: readonly ManifestFile[],
  backups: readonly Manifest[],
  except: readonly string[]
): { id: string; files: number }[] {
  const wanted = new Set(files.map(bytesOf));
  return backups
    .filter(({ id }) => !except.includes(id))
    .map(({ id, files: own }) => ({ id, files: own.filter((file) => wanted.has(bytesOf(file))).length }))
    .filter(({ files: count }) => count > 0);
}

/**
 * Removes the generation that was replaced, under the target's lock. Objects that another manifest names stay. Gives
 * the stored bytes that no backup names any more.
 */
export async function removeOldGeneration(target: BackupTarget, id: string): Promise<number> {
  const { backups, damaged } = await readCatalogue(target);
  const unreadable = damaged[0];
  if (unreadable) throw unreadable.error;
  const old = backups.find((backup) => backup.id === id);
  if (!old) return 0;
  const others = backups.filter((backup) => backup.id !== id);
  const shared = new Set(others.flatMap(({ files }) => files.map(bytesOf)));
  await takeOffRegister(target, [id]);
  await removeFolder(target, id, objectsOf(others));
  return old.files
    .filter((file) => !shared.has(bytesOf(file)))
    .reduce((sum, { storedBytes }) => sum + storedBytes, 0);
}

/** What a signed backup takes over must be proved. */
function notSigned(id: string, target: string): EngineError {
  return new EngineError({
    code: 'LogCorrupt',
    message: `The backup ${id} in ${target} is not signed with a key that was given, so no signed one can be made of it.`,
    remedy:
      'Leave out the key that signs, or give the public half of the key that this backup was signed with.',
    details: { backup: id, reason: 'notSigned' }
  });
}

function unusable(message: string, id: string): EngineError {
  return new EngineError({
    code: 'LogCorrupt',
    message: `The rewritten backup cannot be restored: ${message}`,
    remedy: `The backup ${id} is untouched. Check it with "winnow backup rehearse".`,
    details: { backup: id }
  });
}
