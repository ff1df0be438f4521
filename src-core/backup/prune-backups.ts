/**
 * Removes backups that the retention does not keep, and unfinished ones that nothing will resume. First the
 * plan, then exactly that. A backup's manifest goes first: cut anywhere, what is shown is whole. Objects that a kept
 * manifest names stay, in whichever folder they lie.
 */
import type { OperationControl } from '../database/operation-control.ts';
import { EngineError, invalidRequest } from '../errors.ts';
import type { BackupTarget } from './backup-target.ts';
import { renewRegister, requireRegister, takeOffRegister } from './backup-register.ts';
import { MANIFEST_NAME, PROGRESS_NAME } from './backup-layout.ts';
import { clockWarnings } from './backup-order.ts';
import { readCatalogue, type Catalogue } from './catalogue.ts';
import { inParallel } from './in-parallel.ts';
import type { Manifest, ManifestFile, ManifestNote } from './manifest.ts';
import { signedIds, unprovedIds } from './manifest-signature.ts';
import { judgeRetention, type Retention, type RetentionVerdict } from './retention.ts';

export interface PrunePlan {
  kept: (RetentionVerdict & { manifest: Manifest })[];
  /** Those that are kept, and those that no given key proves: they stay, whatever they say. */
  staying: Manifest[];
  removed: Manifest[];
  /** Unfinished backups and remains of cut removals that go. */
  leftovers: string[];
  /** What the target gets back: bytes that no kept backup shares. */
  bytesFreed: number;
  warnings: ManifestNote[];
  /** What all this was judged by. */
  catalogue: Catalogue;
}

export interface PruneRequest {
  retention: Retention;
  /** Also the newest unfinished backup, which the next run would resume. */
  includeUnfinished: boolean;
  /** Signed backups that someone else removed are accepted as gone. */
  acceptsMissing?: boolean;
  /** ISO 8601 with seven fraction digits. */
  now: string;
}

export async function planPrune(target: BackupTarget, request: PruneRequest): Promise<PrunePlan> {
  const catalogue = await readCatalogue(target, { acceptsUnproved: true });
  const unreadable = catalogue.damaged[0];
  if (unreadable) throw cannotKnow(unreadable.id, unreadable.error);
  // Backups that nobody vouches for must not push the others out: they neither count nor go.
  const unproved = await unprovedIds(
    target,
    catalogue.backups.map(({ id }) => id)
  );
  const judged = catalogue.backups.filter(({ id }) => !unproved.has(id));
  const others = catalogue.backups.filter(({ id }) => unproved.has(id));
  const verdicts = judgeRetention(judged, request.retention);
  const kept = judged.map((manifest, i) => ({ ...verdicts[i]!, manifest })).filter((entry) => entry.isKept);
  const removed = judged.filter((_, i) => !verdicts[i]!.isKept);
  const unfinished = catalogue.unfinished
    .filter(({ isSuperseded }) => request.includeUnfinished || isSuperseded)
    .map(({ id }) => id);
  const staying = [...kept.map(({ manifest }) => manifest), ...others];
  const named = objectsOf(staying);
  const leftovers = [...unfinished];
  let bytesFreed = 0;
  for (const id of [...unfinished, ...catalogue.remains]) {
    const free = (await target.list(`${id}/`)).filter((object) => !named.has(object.name));
    // Hard links of an unfinished backup share their bytes with the backup they came from: counted with that one.
    if (!unfinished.includes(id) && free.length > 0) leftovers.push(id);
  }
  const shared = new Set(staying.flatMap(({ files }) => files.map(bytesOf)));
  const counted = new Set<string>();
  for (const file of removed.flatMap((manifest) => manifest.files)) {
    const key = bytesOf(file);
    if (shared.has(key) || counted.has(key)) continue;
    counted.add(key);
    bytesFreed += file.storedBytes;
  }
  const warnings = [...clockWarnings(judged, request.now), ...others.map(unprovedNote)];
  return { kept, staying, removed, leftovers: leftovers.sort(), bytesFreed, warnings, catalogue };
}

export interface PruneWork {
  control: OperationControl;
  /** Called under the lock with what is going to be done, before anything goes; what it throws ends the removal. */
  underLock?: ((plan: PrunePlan) => void) | undefined;
}

/** Removes what the plan of this moment says, under the target's lock. */
export async function runPrune(
  target: BackupTarget,
  request: PruneRequest,
  { control, underLock }: PruneWork
): Promise<PrunePlan> {
  const unlock = await target.lock?.();
  try {
    const plan = await planPrune(target, request);
    underLock?.(plan);
    const proved = [...plan.kept.map(({ manifest }) => manifest), ...plan.removed].map(({ id }) => id);
    if (request.acceptsMissing === true) await renewRegister(target, await signedIds(target, proved));
    else await requireRegister(target, proved);
    requireSignerFor(plan, target);
    await takeOffRegister(
      target,
      plan.removed.map(({ id }) => id)
    );
    const named = objectsOf(plan.staying);
    // Oldest first: a cut leaves the newer ones, which are worth more.
    const ids = [...plan.leftovers, ...plan.removed.map((manifest) => manifest.id)];
    for (const [i, id] of ids.entries()) {
      control.throwIfStopped();
      control.report({ phase: 'removing backups', done: i, total: ids.length, unit: 'files' });
      await removeFolder(target, id, named);
    }
    return plan;
  } finally {
    await unlock?.();
  }
}

/**
 * The manifest first, so that the rest is no longer a backup; the progress file last, so that an interruption is
 * noticed. What lies between goes in any order.
 */
export async function removeFolder(
  target: BackupTarget,
  id: string,
  named: ReadonlySet<string>
): Promise<void> {
  const [manifest, progress] = [`${id}/${MANIFEST_NAME}`, `${id}/${PROGRESS_NAME}`];
  const objects = (await target.list(`${id}/`)).flatMap(({ name }) => (named.has(name) ? [] : [name]));
  const between = objects.filter((name) => name !== manifest && name !== progress);
  const remove = (name: string): Promise<void> => target.remove(name);
  if (objects.includes(manifest)) await remove(manifest);
  await inParallel(between, target.parallelRemovals ?? 1, remove);
  if (objects.includes(progress)) await remove(progress);
}

/** Names of the objects that these backups need. */
export function objectsOf(manifests: readonly Pick<Manifest, 'files'>[]): Set<string> {
  return new Set(manifests.flatMap((manifest) => manifest.files.map((file) => file.object)));
}

/** The same for files that share their bytes, whether by a link or by naming one object. */
export function bytesOf({ since, area, name }: ManifestFile): string {
  return `${since}/${area}/${name}`;
}

/** Removed without the register, they would be missing at the next check. */
function requireSignerFor({ removed }: PrunePlan, { trust }: BackupTarget): void {
  if (removed.length === 0 || trust?.isRequired !== true || trust.signer) return;
  throw invalidRequest(
    'Signed backups are removed only together with their entries in the signed register.',
    '--sign-key',
    'Give the secret key that signs. Nothing was removed.'
  );
}

function unprovedNote({ id }: Manifest): ManifestNote {
  return {
    code: 'notProved',
    message: `The backup ${id} is not signed with a key that was given: it was neither counted nor removed.`,
    remedy: 'If you trust it, give its key too; to remove it, prune without a verify key.'
  };
}

function cannotKnow(id: string, cause: EngineError): EngineError {
  return new EngineError({
    code: cause.code,
    message: `Nothing was removed: which files the backup ${id} needs cannot be known. ${cause.message}`,
    remedy: `Check the folder ${id}, remove it yourself if it is lost, then prune again.`,
    details: cause.details,
    cause
  });
}
