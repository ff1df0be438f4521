/**
 * Encrypts the backups of a target for other keys: each becomes another generation of itself, in which what was encrypted
 * is encrypted again; when its stored bytes have been read back, the old generation goes. Files that backups share are
 * encrypted once and shared again.
 *
 * Invariants: an object of an old generation is never written; before it goes, the new one is whole. Cut anywhere, each
 * backup is there in its old form, its new one, or both, and the next run with the same keys resumes.
 */
import { createHash } from 'node:crypto';
import type { OperationControl } from '../database/operation-control.ts';
import { EngineError, invalidRequest, logCorrupt } from '../errors.ts';
import { ticksToIso } from '../units/ticks.ts';
import { fileObject, manifestObject, progressObject, signatureObject } from './backup-layout.ts';
import { requireRegister } from './backup-register.ts';
import type { BackupEnvironment } from './backup-request.ts';
import { contentOf, type BackupTarget } from './backup-target.ts';
import { readCatalogue, type Catalogue } from './catalogue.ts';
import { decodeManifest } from './decode-manifest.ts';
import { detachedPointsOf, encodeManifest, type Manifest, type ManifestFile } from './manifest.ts';
import { mayBuildOn, requireSigner, signedIds, writeManifest } from './manifest-signature.ts';
import { encodeSignedProgress, readProgress, type BackupProgress } from './progress-file.ts';
import { bytesOf, objectsOf, removeFolder } from './prune-backups.ts';
import { freeId } from './run-backup.ts';
import { removeOldGeneration } from './store-rewritten.ts';
import { toldWithSpace } from './target-space.ts';
import { verifyBackup } from './verify-backup.ts';

/** From one encryption to another. What it does not encrypt it leaves as it is. */
export interface Recoding {
  /** Names the new keys: the same for the same keys. */
  readonly wanted: string;
  isEncrypted: (file: Pick<ManifestFile, 'encodings'>) => boolean;
  /** How the file is named in a manifest when it has been encrypted again. */
  encodingsOf: (file: Pick<ManifestFile, 'encodings'>) => string[];
  suffixOf: (file: Pick<ManifestFile, 'encodings'>) => string;
  encode: (
    stored: AsyncIterable<Uint8Array>,
    file: Pick<ManifestFile, 'object' | 'encodings'>
  ) => AsyncIterable<Uint8Array>;
}

export interface RekeyPlan {
  /** In the order in which they are encrypted again, oldest first. */
  due: Manifest[];
  /** Encrypted for the new keys alone already. */
  done: Manifest[];
  /** Not encrypted: they stay so. */
  plain: Manifest[];
  /** Unfinished backups, which may have files that the old keys open. */
  unfinished: string[];
  /** Stored bytes to be read and written. */
  bytes: number;
  catalogue: Catalogue;
}

export async function planRekey(target: BackupTarget, recoding: Recoding): Promise<RekeyPlan> {
  const catalogue = await readCatalogue(target);
  const unreadable = catalogue.damaged[0];
  // What the damaged one shares with the others is not known.
  if (unreadable) throw unreadable.error;
  const { backups } = catalogue;
  const isDue = ({ files }: Manifest): boolean => files.some((file) => isOld(file, recoding));
  const due = backups.filter(isDue);
  const rest = backups.filter((manifest) => !isDue(manifest));
  const isPlain = ({ files }: Manifest): boolean => !files.some(recoding.isEncrypted);
  const distinct = new Map(
    due.flatMap(({ files }) =>
      files.filter((file) => isOld(file, recoding)).map((file) => [bytesOf(file), file])
    )
  );
  const unfinished: string[] = [];
  for (const { id } of catalogue.unfinished) {
    const rewrites = (await readProgress(target, id))?.rewrites;
    if (!due.some((manifest) => manifest.id === rewrites)) unfinished.push(id);
  }
  return {
    due,
    done: rest.filter((manifest) => !isPlain(manifest)),
    plain: rest.filter(isPlain),
    unfinished,
    bytes: [...distinct.values()].reduce((sum, { storedBytes }) => sum + storedBytes, 0),
    catalogue
  };
}

type Environment = Pick<BackupEnvironment, 'target' | 'operation' | 'now' | 'newGuid' | 'toolVersion'>;

export interface Rekeyed {
  of: string;
  id: string;
  /** Files encrypted again in this generation, and those shared with an earlier one. */
  stored: number;
  shared: number;
}

/**
 * `plan`: of this moment, under the target's lock, which the caller holds. Also with nothing due it removes what a cut removal
 * left, which the old keys may open.
 */
export async function runRekey(
  plan: RekeyPlan,
  recoding: Recoding,
  environment: Environment
): Promise<Rekeyed[]> {
  const { target, operation } = environment;
  if (plan.due.length > 0) await requireSignatures(plan, target);
  const rekeyed: Rekeyed[] = [];
  let doneBytes = 0;
  const onBytes = (count: number): void => {
    doneBytes += count;
    const done = Math.min(doneBytes, plan.bytes);
    operation.report({ phase: 'encrypting again', done, total: plan.bytes, unit: 'bytes' });
  };
  for (const old of plan.due) {
    operation.throwIfStopped();
    const { backups } = await readCatalogue(target);
    const there = backups.find((one) => isGenerationOf(one, old, recoding));
    const stored =
      there ?? (await new Generation(old, backups, recoding, { ...environment, onBytes }).store());
    // Of a run that was cut just behind the manifest.
    await target.remove(progressObject(stored.id));
    await requireStored(stored, target, operation);
    await removeOldGeneration(target, old.id);
    const own = stored.files.filter(({ since }) => since === stored.id).length;
    rekeyed.push({ of: old.id, id: stored.id, stored: own, shared: stored.files.length - own });
  }
  await removeRemains(target);
  return rekeyed;
}

/** Encrypted for other keys than the new ones. */
function isOld(file: ManifestFile, recoding: Recoding): boolean {
  return recoding.isEncrypted(file) && file.encodings.join() !== recoding.encodingsOf(file).join();
}

function isGenerationOf({ rewrite, files }: Manifest, old: Manifest, recoding: Recoding): boolean {
  return rewrite?.of === old.id && rewrite.work === 'rekey' && !files.some((file) => isOld(file, recoding));
}

/** What a cut left of a generation that became another one, and objects that only removed backups named. */
async function removeRemains(target: BackupTarget): Promise<void> {
  const { backups, remains, damaged } = await readCatalogue(target);
  if (damaged.length > 0) return;
  const named = objectsOf(backups);
  for (const id of remains) await removeFolder(target, id, named);
}

/** A signed backup stays a signed one. */
async function requireSignatures({ due, catalogue }: RekeyPlan, target: BackupTarget): Promise<void> {
  requireSigner(target);
  const ids = catalogue.backups.map(({ id }) => id);
  await requireRegister(target, await signedIds(target, ids));
  for (const { id } of due) {
    const isSigned = (await target.describe(signatureObject(id))) !== undefined;
    if (isSigned && !target.trust?.signer) throw noSigner(id);
    if (!(await mayBuildOn(target, id))) throw notProved(id, target.description);
  }
}

/** Without a key: the stored bytes against the manifest. */
async function requireStored(
  manifest: Manifest,
  target: BackupTarget,
  control: OperationControl
): Promise<void> {
  const { findings } = await verifyBackup({ manifest, target, control, lacksKey: () => true });
  const damage = findings.find(({ severity }) => severity === 'damage');
  if (!damage) return;
  throw new EngineError({
    code: 'StorageFailed',
    message: `The new generation ${manifest.id} is not what was stored: ${damage.message} The old one was not removed.`,
    remedy: `Check the disk of the target, remove the folder ${manifest.id}, then run the command again.`,
    details: { backup: manifest.id }
  });
}

/** What a cut may cost to encrypt again. */
const BYTES_BETWEEN_NOTES = 64 * 1024 * 1024;

/** One backup in its new form. */
class Generation {
  readonly #old: Manifest;
  readonly #recoding: Recoding;
  readonly #environment: Environment & { onBytes: (count: number) => void };
  /** Files of other backups that are encrypted for the new keys, by their content. */
  readonly #shareable: ReadonlyMap<string, ManifestFile>;
  readonly #newIds: ReadonlyMap<string, string>;
  #canLink = true;
  #sinceNote = 0;

  constructor(
    old: Manifest,
    backups: readonly Manifest[],
    recoding: Recoding,
    environment: Environment & { onBytes: (count: number) => void }
  ) {
    this.#old = old;
    this.#recoding = recoding;
    this.#environment = environment;
    const ready = backups
      .flatMap(({ files }) => files)
      .filter((file) => recoding.isEncrypted(file) && !isOld(file, recoding));
    this.#shareable = new Map(ready.map((file) => [contentKey(file, file.encodings), file]));
    this.#newIds = new Map(
      backups.flatMap(({ id, rewrite }) => (rewrite?.work === 'rekey' ? [[rewrite.of, id]] : []))
    );
  }

  async store(): Promise<Manifest> {
    const { target, operation, now, toolVersion } = this.#environment;
    const begun = await this.#begun();
    const id = begun?.id ?? (await freeId(this.#environment));
    const files = new Map((begun?.files ?? []).map((file) => [nameKey(file), file]));
    let left = this.#old.files.reduce((sum, { storedBytes }) => sum + storedBytes, 0);
    try {
      await this.#note(id, [...files.values()]);
      for (const file of this.#old.files) {
        operation.throwIfStopped();
        const known = files.get(nameKey(file));
        const facts = known && (await target.describe(known.object));
        if (!known || facts?.size !== known.storedBytes)
          files.set(nameKey(file), await this.#fileOf(id, file));
        left -= file.storedBytes;
        if (this.#sinceNote >= BYTES_BETWEEN_NOTES) await this.#note(id, [...files.values()]);
      }
      const rewrite = {
        ...{ of: this.#old.id, at: ticksToIso(now()), work: 'rekey' as const },
        ...{ question: this.#recoding.wanted, scavengePoint: null },
        ...detachedPointsOf(this.#old)
      };
      const { basedOn } = this.#old;
      const manifest: Manifest = {
        ...this.#old,
        ...{ id, toolVersion, rewrite },
        basedOn: basedOn === null ? null : (this.#newIds.get(basedOn) ?? basedOn),
        files: [...files.values()].sort((a, b) => (a.object < b.object ? -1 : 1))
      };
      const bytes = encodeManifest(manifest);
      decodeManifest(bytes, { target: target.description, object: manifestObject(id) });
      await writeManifest(target, id, bytes);
      await target.remove(progressObject(id));
      return manifest;
    } catch (error) {
      throw await toldWithSpace(error, { target, bytesLeft: Math.max(0, left) });
    }
  }

  /** An earlier attempt at this very generation. Attempts at others of this backup are removed. */
  async #begun(): Promise<BackupProgress | undefined> {
    const { target } = this.#environment;
    const { unfinished, backups } = await readCatalogue(target);
    let begun: BackupProgress | undefined;
    for (const { id } of unfinished) {
      const progress = await readProgress(target, id);
      if (progress?.rewrites !== this.#old.id) continue;
      if (!begun && progress.encodings.join() === this.#mark()) begun = progress;
      else await removeFolder(target, id, objectsOf(backups));
    }
    return begun;
  }

  /** Tells an attempt at this from a scavenge inside the backup. */
  #mark(): string {
    return `rekey ${this.#recoding.wanted}`;
  }

  async #note(id: string, files: ManifestFile[]): Promise<void> {
    this.#sinceNote = 0;
    const { mode, basedOn, generation, databaseTag, node } = this.#old;
    const { address, dataDirectory, indexDirectory, checkpointFiles } = node;
    const progress: BackupProgress = {
      ...{ id, mode, basedOn, generation, databaseTag, address, dataDirectory, indexDirectory },
      checkpointFiles: checkpointFiles ?? null,
      encodings: [this.#mark()],
      files,
      rewrites: this.#old.id
    };
    const { target } = this.#environment;
    await target.write(progressObject(id), contentOf(encodeSignedProgress(progress, target)));
  }

  async #fileOf(id: string, file: ManifestFile): Promise<ManifestFile> {
    const isDue = isOld(file, this.#recoding);
    const encodings = isDue ? this.#recoding.encodingsOf(file) : file.encodings;
    const ready = isDue ? this.#shareable.get(contentKey(file, encodings)) : file;
    const object = fileObject(id, file.area, file.name, this.#recoding.suffixOf(file));
    if (!ready) return this.#encode(id, object, { ...file, encodings }, file);
    const { storedBytes, storedSha256, since } = ready;
    const shared = await this.#share(ready.object, object);
    return { ...file, encodings, object: shared, storedBytes, storedSha256, since };
  }

  /** A second name for the object where the target can; else the first. */
  async #share(from: string, to: string): Promise<string> {
    if (!this.#canLink) return from;
    const { target } = this.#environment;
    await target.remove(to); // of a cut attempt
    this.#canLink = await target.link(from, to);
    return this.#canLink ? to : from;
  }

  async #encode(id: string, object: string, entry: ManifestFile, old: ManifestFile): Promise<ManifestFile> {
    const { target, operation, onBytes } = this.#environment;
    const [before, after] = [createHash('sha256'), createHash('sha256')];
    let storedBytes = 0;
    const stored = async function* (): AsyncIterable<Uint8Array> {
      for await (const block of target.read(old.object)) {
        operation.throwIfStopped();
        before.update(block);
        onBytes(block.length);
        yield block;
      }
    };
    const recoded = this.#recoding.encode(stored(), old);
    const content = async function* (): AsyncIterable<Uint8Array> {
      for await (const block of recoded) {
        after.update(block);
        storedBytes += block.length;
        yield block;
      }
      // Before the last byte is given away: what is not the backup's never gets a name.
      if (before.digest('hex') !== old.storedSha256) throw changed(old.object);
    };
    await target.write(object, content());
    this.#sinceNote += storedBytes;
    return { ...entry, object, storedBytes, storedSha256: after.digest('hex'), since: id };
  }
}

function nameKey({ area, name }: Pick<ManifestFile, 'area' | 'name'>): string {
  return `${area}/${name}`;
}

/** Of files with the same plain bytes, stored in the same way. */
function contentKey({ area, name, bytes, sha256 }: ManifestFile, encodings: readonly string[]): string {
  return [area, name, bytes, sha256, ...encodings].join('\n');
}

function changed(object: string): EngineError {
  return logCorrupt(
    `${object} is not what was stored: its SHA-256 differs from the manifest's. Nothing of this backup was removed.`,
    { file: object },
    'Check the backups with "winnow backup verify --all". Remove the damaged one, or restore it from elsewhere, then run the command again.'
  );
}

function noSigner(id: string): EngineError {
  return invalidRequest(
    `The backup ${id} is signed, and its new form would not be.`,
    '--sign-key',
    'Give the secret key that signs. Nothing was changed.'
  );
}

function notProved(id: string, target: string): EngineError {
  return new EngineError({
    code: 'LogCorrupt',
    message: `The backup ${id} in ${target} is not signed with a key that was given, so no signed one can be made of it.`,
    remedy:
      'Give the public half of the key that it was signed with, or leave out the key that signs. Nothing was changed.',
    details: { backup: id, reason: 'notSigned' }
  });
}
