/**
 * Takes one backup: plan, index part, log part, checks, manifest. The source is read and never changed, and no lock
 * is taken on it. Interrupted at any point, the target holds the earlier backups and an unfinished one, which the
 * next run resumes.
 *
 * The manifest is written last, when every file is on the disk, and only for files that a server can start with.
 */
import { assert } from '../assert.ts';
import { EngineError, OperationStopped } from '../errors.ts';
import { ticksToIso } from '../units/ticks.ts';
import { backupId, manifestObject, progressObject } from './backup-layout.ts';
import { BackupDraft, seedsOf } from './backup-draft.ts';
import type { BackupEnvironment, BackupRequest } from './backup-request.ts';
import { checkPositions } from './check-positions.ts';
import { copyIndexPart, type CopiedIndex } from './copy-index-part.ts';
import { copyLogPart, type CopiedLog } from './copy-log-part.ts';
import { decodeManifest } from './decode-manifest.ts';
import { encodeManifest, type Manifest, type ManifestNote } from './manifest.ts';
import { requireSigner, writeManifest } from './manifest-signature.ts';
import { requireFitNode } from './node-facts.ts';
import { planBackup, type BackupPlan } from './plan-backup.ts';
import type { SourcePlace } from './source-files.ts';
import { asRemovedMeanwhile, requireNoScavenge, requireSameChunks } from './source-watch.ts';
import { requireSpace, toldWithSpace } from './target-space.ts';

const DEFAULT_MAP_LIMIT_MS = 60_000;
const EPOCHS_KEPT = 10;
/** The server's MaxTruncation, unless set: a longer cut is refused at its start. */
const MAX_TRUNCATION_BYTES = 256 * 1024 * 1024;

export async function runBackup(request: BackupRequest, environment: BackupEnvironment): Promise<Manifest> {
  const { target } = environment;
  requireSigner(target);
  const unlock = await target.lock?.();
  try {
    const startedAt = ticksToIso(environment.now());
    const plan = await planBackup(request, environment);
    requireSpace(plan, target.description);
    const id = plan.unfinished?.id ?? (await freeId(environment));
    const run = new BackupRun(request, environment, plan, id);
    return await run.run(startedAt);
  } finally {
    await unlock?.();
  }
}

/** An id whose folder is not there: two backups of one second must not share one. */
export async function freeId({
  target,
  now,
  newGuid
}: Pick<BackupEnvironment, 'target' | 'now' | 'newGuid'>): Promise<string> {
  const taken = new Set(await target.folders());
  const time = now();
  for (;;) {
    const id = backupId(time, newGuid());
    if (!taken.has(id)) return id;
  }
}

class BackupRun {
  readonly #request: BackupRequest;
  readonly #environment: BackupEnvironment;
  readonly #plan: BackupPlan;
  readonly #id: string;
  readonly #place: SourcePlace;
  readonly #draft: BackupDraft;
  #done = 0;
  #total: number;

  constructor(request: BackupRequest, environment: BackupEnvironment, plan: BackupPlan, id: string) {
    const { fileSystem, target, operation, encodings } = environment;
    this.#request = request;
    this.#environment = environment;
    this.#plan = plan;
    this.#id = id;
    this.#total = plan.bytesToCopy;
    this.#place = {
      fileSystem,
      dataDirectory: request.dataDirectory,
      indexDirectory: request.indexDirectory
    };
    this.#draft = new BackupDraft({
      target,
      fileSystem,
      control: operation,
      encodings,
      threads: request.threads,
      bytesPerSecond: request.bytesPerSecond,
      progress: {
        id,
        mode: plan.mode,
        basedOn: plan.base?.id ?? null,
        generation: plan.generation,
        databaseTag: plan.identity.databaseTag,
        address: plan.identity.address,
        dataDirectory: request.dataDirectory,
        indexDirectory: request.indexDirectory,
        checkpointFiles: plan.identity.checkpointFiles ?? null,
        encodings: [...(encodings?.completedChunks?.names ?? [])]
      },
      onBytes: (count) => this.#count(count)
    });
  }

  async run(startedAt: string): Promise<Manifest> {
    const draft = this.#draft;
    await draft.goOn(this.#plan.unfinished?.files ?? []);
    await draft.note();
    try {
      if (this.#plan.base) await draft.seed(seedsOf(this.#plan.base));
      this.#phase = 'copying the index';
      const index = await this.#copyIndex();
      this.#phase = 'copying the log';
      const log = await this.#copyLog();
      const notes = [...this.#plan.notes, ...index.notes, ...log.notes, ...(await this.#checkSource(log))];
      await draft.sweep();
      return await this.#finish(startedAt, index, log, notes);
    } catch (thrown) {
      const error = asRemovedMeanwhile(this.#place, thrown);
      // What is copied already need not be copied again. A second failure would hide the first.
      const isOrderly = error instanceof OperationStopped || error instanceof EngineError;
      if (isOrderly) await draft.note().catch(() => undefined);
      const bytesLeft = Math.max(0, this.#total - this.#done);
      throw await toldWithSpace(error, { target: this.#environment.target, bytesLeft });
    }
  }

  #phase = 'looking at the source';

  #count(bytes: number): void {
    this.#done += bytes;
    const total = Math.max(this.#total, this.#done);
    this.#environment.operation.report({ phase: this.#phase, done: this.#done, total, unit: 'bytes' });
  }

  #copyIndex(): Promise<CopiedIndex> {
    return copyIndexPart({
      place: this.#place,
      draft: this.#draft,
      mode: this.#plan.mode,
      control: this.#environment.operation,
      isInUse: this.#plan.holder !== undefined || this.#plan.node !== undefined,
      wait: this.#environment.wait,
      mapLimitMs: this.#environment.mapLimitMs ?? DEFAULT_MAP_LIMIT_MS
    });
  }

  #copyLog(): Promise<CopiedLog> {
    return copyLogPart({
      place: this.#place,
      draft: this.#draft,
      mode: this.#plan.mode,
      onListed: (bytes) => {
        this.#total = this.#done + bytes;
      }
    });
  }

  /** What happened to the source meanwhile. Throws when the copy cannot be trusted. */
  async #checkSource(log: CopiedLog): Promise<ManifestNote[]> {
    const { fileSystem, askNode, requireRest } = this.#environment;
    requireRest?.();
    requireSameChunks(this.#place, log.files);
    const node = await askNode?.();
    if (node) return requireFitNode(node, 'after');
    const writer = fileSystem.join(this.#place.dataDirectory, 'writer.chk');
    if (this.#plan.mode !== 'snapshot') requireNoScavenge(this.#place, fileSystem.lockHolder(writer));
    return [];
  }

  async #finish(
    startedAt: string,
    index: CopiedIndex,
    log: CopiedLog,
    notes: ManifestNote[]
  ): Promise<Manifest> {
    const { target, now, toolVersion } = this.#environment;
    const { mode, base, identity, node, holder } = this.#plan;
    const manifest: Manifest = {
      id: this.#id,
      mode,
      basedOn: base?.id ?? null,
      generation: this.#plan.generation,
      toolVersion,
      startedAt,
      endedAt: ticksToIso(now()),
      node: {
        address: identity.address,
        dataDirectory: this.#request.dataDirectory,
        indexDirectory: this.#request.indexDirectory,
        serverVersion: node?.serverVersion ?? null,
        role: node?.role ?? null,
        cluster: node?.cluster ?? null,
        wasInUse: holder !== undefined || node !== undefined,
        checkpointFiles: identity.checkpointFiles ?? null
      },
      databaseTag: identity.databaseTag,
      checkpoints: {
        ...log.checkpoints,
        index: index.map?.map?.commitCheckpoint ?? null,
        filter: index.filter
      },
      epochs: identity.epochs
        .filter(({ position }) => position < log.checkpoints.writer)
        .slice(0, EPOCHS_KEPT),
      chunkSize: log.chunkSet.chunkSizeBytes,
      indexMap: index.map ? new TextDecoder().decode(index.map.bytes) : null,
      files: this.#draft.files.sort((a, b) => (a.object < b.object ? -1 : 1)),
      bytesCopied: this.#draft.bytesCopied,
      notes: [...notes, ...chaserNote(log.checkpoints)]
    };
    const fault = checkPositions(manifest).find((finding) => finding.severity === 'damage');
    if (fault) throw unusable(fault.message, fault.remedy, this.#id);
    const bytes = encodeManifest(manifest);
    decodeManifest(bytes, { target: target.description, object: manifestObject(this.#id) });
    assert(manifest.files.length > 0, 'a backup holds files');
    await writeManifest(target, this.#id, bytes);
    await target.remove(progressObject(this.#id));
    return manifest;
  }
}

/** A restore cuts the log at the chaser: what lies behind it is in the files but will not come back. */
function chaserNote({ writer, chaser }: { writer: number; chaser: number }): ManifestNote[] {
  const behind = writer - chaser;
  if (behind <= 0) return [];
  const isTooMuch = behind > MAX_TRUNCATION_BYTES;
  return [
    {
      code: isTooMuch ? 'beyondMaxTruncation' : 'chaserBehindWriter',
      message: `The chaser was ${behind} bytes behind the writer: a restore ends the log at ${chaser}.`,
      remedy: isTooMuch
        ? `A server refuses such a truncation unless MaxTruncation is at least ${behind} (or -1) for one start. Start the source once and take the backup again.`
        : 'Nothing to do for a running node. If the node was killed, start it once, stop it, and take the backup again.'
    }
  ];
}

function unusable(message: string, remedy: string, id: string): EngineError {
  return new EngineError({
    code: 'LogCorrupt',
    message: `The copy cannot be restored: ${message}`,
    remedy: `${remedy} The earlier backups are untouched; the next run or "winnow backup prune" removes the unfinished one (${id}).`,
    details: { backup: id }
  });
}
