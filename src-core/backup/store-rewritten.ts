/**
 * Stores the database of a backup, gathered and changed in a scratch directory, as another generation of the same
 * backup: same kind, same node, same log, same time and same place in the order, other files. What did not change is
 * shared with the old generation, as a differential backup shares it. The old generation is read only here.
 *
 * Cut anywhere, the target holds the old one and at most an unfinished folder, which says whose it is, what for, and as of
 * when. The next attempt at the same makes the same files as of the same time, and stores only those that are not there whole
 * (both by hash); one at something else removes the folder. The caller holds the target's lock.
 */
import { createHash } from 'node:crypto';
import type { OperationControl } from '../database/operation-control.ts';
import { EngineError } from '../errors.ts';
import type { FileSystem } from '../storage/file-system.ts';
import { ticksFromIso, ticksToIso } from '../units/ticks.ts';
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
import { readProgress, type BackupProgress } from './progress-file.ts';
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
  /** The time as of which the work was done (ISO 8601), that of `begun` if there is one. */
  asOf: string;
  /** An earlier attempt at the same. */
  begun?: BackupProgress | undefined;
  threads: number;
  /** As in BackupDraft. */
  bytesBetweenNotes?: number | undefined;
}

type Environment = Pick<
  BackupEnvironment,
  'target' | 'operation' | 'now' | 'newGuid' | 'toolVersion' | 'encodings' | 'wait'
>;

export async function storeRewritten(
  { of, place, work, asOf, begun, threads, bytesBetweenNotes }: StoreRewritten,
  environment: Environment
): Promise<Manifest> {
  const { target, operation, now, toolVersion, encodings } = environment;
  requireSigner(target);
  if (!(await mayBuildOn(target, of.id))) throw notSigned(of.id, target.description);
  const id = begun?.id ?? (await freeId(environment));
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
    bytesBetweenNotes,
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
      rewrites: of.id,
      question: work.question,
      asOf
    },
    onBytes: (count) => {
      done += count;
      operation.report({ phase, done, total, unit: 'bytes' });
    }
  });
  try {
    if (begun) await draft.goOn(await wholeFiles(begun, place, environment));
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
    // What was stored is of use to the next attempt, if the target takes one more note.
    if (operation.signal?.aborted === true) await draft.note().catch(() => undefined);
    throw await toldWithSpace(error, { target, bytesLeft: Math.max(0, (total ?? done) - done) });
  }
}

/** Said of a chaser behind the writer: in the new generation the log is cut there. */
const OF_THE_OLD_LOG: ReadonlySet<string> = new Set(['chaserBehindWriter', 'beyondMaxTruncation']);

/**
 * The unfinished attempt at that very generation of this backup, which can be continued; attempts at others of it are gone when
 * this returns.
 */
export async function unfinishedRewrite(
  target: BackupTarget,
  { unfinished, backups, damaged }: Catalogue,
  { of, question }: { of: string; question: string }
): Promise<BackupProgress | undefined> {
  let begun: BackupProgress | undefined;
  if (damaged.length > 0) return begun; // what their manifests name is not known
  for (const { id } of unfinished) {
    const progress = await readProgress(target, id);
    if (progress?.rewrites !== of) continue;
    const isSame = progress.question === question && ticksFromIso(progress.asOf ?? '') !== undefined;
    if (isSame && !begun) begun = progress;
    else await removeFolder(target, id, objectsOf(backups));
  }
  return begun;
}

/** What an earlier attempt stored and what is, byte for byte, what this one would store. */
async function wholeFiles(
  { id, files }: BackupProgress,
  { fileSystem, dataDirectory, indexDirectory }: SourcePlace,
  { target, operation }: Environment
): Promise<ManifestFile[]> {
  const whole: ManifestFile[] = [];
  for (const file of files) {
    if (file.since !== id) continue; // shared ones are linked again
    operation.throwIfStopped();
    const directory = file.area === 'data' ? dataDirectory : (indexDirectory ?? dataDirectory);
    const source = fileSystem.join(directory, file.name);
    if (fileSystem.describe(source)?.size !== file.bytes) continue;
    if ((await hashOfFile(fileSystem, source, operation)) !== file.sha256) continue;
    if ((await hashOfObject(target, file.object, operation)) === file.storedSha256) whole.push(file);
  }
  return whole;
}

async function hashOfFile(
  fileSystem: FileSystem,
  path: string,
  operation: OperationControl
): Promise<string> {
  const hash = createHash('sha256');
  const block = Buffer.alloc(READ_BLOCK_BYTES);
  const file = fileSystem.open(path, 'read');
  try {
    for (let at = 0; ;) {
      await operation.breathe();
      const count = file.read(block, 0, block.length, at);
      if (count === 0) return hash.digest('hex');
      hash.update(block.subarray(0, count));
      at += count;
    }
  } finally {
    file.close();
  }
}

/** undefined: it is not there. */
async function hashOfObject(
  target: BackupTarget,
  name: string,
  operation: OperationControl
): Promise<string | undefined> {
  if (!(await target.describe(name))) return undefined;
  const hash = createHash('sha256');
  for await (const block of target.read(name)) {
    await operation.breathe();
    hash.update(block);
  }
  return hash.digest('hex');
}

const READ_BLOCK_BYTES = 1024 * 1024;

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
