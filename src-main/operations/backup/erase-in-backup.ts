/**
 * Erasure inside a backup: its database is gathered into a scratch directory, scavenged or redacted there, verified, and
 * stored as a new generation of the backup; the old one goes only when the new one has been read back whole, and only
 * if that was asked for. The target is locked all the time.
 */
import {
  chooseBackup,
  EngineError,
  holdersOf,
  invalidRequest,
  openDatabase,
  plainBytes,
  readCatalogue,
  removeOldGeneration,
  replacedFiles,
  storeRewritten,
  ticksFromMs,
  ticksToIso,
  unfinishedRewrite,
  backupSource,
  verifyBackup,
  verifyDatabase,
  type Catalogue,
  type Manifest
} from '../../../src-core/index.ts';
import type { OpenTarget } from '../../backup/open-target.ts';
import type { BackupErasureReport } from '../../contract/operations/erasure-reports.ts';
import type { CheckedRequestOf } from '../../contract/operations/operation-contract.ts';
import { timeOf, type OperationContext } from '../operation.ts';
import { planIdOf, requirePlan, type PlanParts } from '../plan/plan-identity.ts';
import { catalogueState, shortHash } from '../plan/plan-state.ts';
import { backupEnvironment } from './backup-create.ts';
import { backupRowOf, withTarget } from './backup-target-access.ts';
import { eraseInGathered, pointWords, type Erased } from './erase-in-gathered.ts';
import { CannotContinue, existingAbove, scratchFor, withGathered } from './gather-backup.ts';
import { repeatableSource } from './repeatable-source.ts';
import { keepCheckResult } from './keep-check-result.ts';

type Asked = CheckedRequestOf<'planBackupErasure'>;
const ZSTD = 'zstd';
const ENCRYPTED = /^age:/;

export function planBackupErasure(request: Asked, context: OperationContext): Promise<BackupErasureReport> {
  return withTarget({ ...request, mustExist: true }, context, async (open) => {
    const { manifest, catalogue } = await choose(open, request);
    const planId = planIdOf(identify(catalogue, request), timeOf(context));
    const there = madeBefore({ manifest, catalogue, request });
    const newBackup = there ? await backupRowOf(open.target, there) : null;
    return { ...plannedReport({ open, manifest, catalogue, request }, context), newBackup, planId };
  });
}

export function eraseInBackup(
  request: CheckedRequestOf<'eraseInBackup'>,
  context: OperationContext
): Promise<BackupErasureReport> {
  return withTarget({ ...request, mustExist: true }, context, async (reading) => {
    const { manifest: known } = await choose(reading, request);
    return withTarget(asStored(known, request), context, async (open, threads) => {
      const unlock = await open.target.lock?.();
      try {
        const { manifest, catalogue } = await choose(reading, request);
        requirePlan(request.plan, () => identify(catalogue, request));
        return await new BackupErasure({ reading, open, manifest, catalogue, request }, context).run(threads);
      } finally {
        await unlock?.();
      }
    });
  });
}

async function choose(
  open: OpenTarget,
  { id }: Asked
): Promise<{ manifest: Manifest; catalogue: Catalogue }> {
  const manifest = await chooseBackup(open.target, id);
  open.requireKeys(manifest);
  const catalogue = await readCatalogue(open.target);
  const unreadable = catalogue.damaged[0];
  // What the damaged one shares with the others is not known, so nothing can be said of what is left.
  if (unreadable) throw unreadable.error;
  return { manifest, catalogue };
}

/** The target opened for writing, so that files are stored as they were: compressed, encrypted, or neither. */
function asStored({ id, files }: Manifest, request: Asked): Parameters<typeof withTarget>[0] {
  const names = new Set(files.flatMap(({ encodings }) => encodings));
  // A password opens every key that was sealed with it, and files of earlier backups may be for another one.
  const own = files.filter(({ since }) => since === id).concat(files);
  const encrypted = own.flatMap(({ encodings }) => encodings).find((name) => ENCRYPTED.test(name));
  return {
    target: request.target,
    mustExist: false,
    s3Endpoint: request.s3Endpoint,
    compress: names.has(ZSTD),
    ...(encrypted === undefined
      ? {}
      : {
          keyFile: request.keyFile,
          password: request.password,
          recipient: encrypted.replace(ENCRYPTED, '')
        })
  };
}

function identify(catalogue: Catalogue, request: Asked): PlanParts {
  return { operation: 'eraseInBackup', request, state: [catalogueState(catalogue)] };
}

interface Parts {
  open: OpenTarget;
  manifest: Manifest;
  catalogue: Catalogue;
  request: Asked;
}

function questionOf({ erase }: Asked): string {
  return shortHash(JSON.stringify(erase));
}

/** The generation that an earlier run stored. Throws where that one was asked for something else. */
function madeBefore({ manifest, catalogue, request }: Omit<Parts, 'open'>): Manifest | undefined {
  const there = catalogue.backups.find(({ rewrite }) => rewrite?.of === manifest.id);
  if (there && there.rewrite?.question !== questionOf(request)) throw otherGeneration(manifest, there);
  return there;
}

function plannedReport(
  { open, manifest, catalogue, request }: Parts,
  { fileSystem }: OperationContext
): BackupErasureReport {
  const { target } = open;
  const completed = manifest.files.filter(({ chunk }) => chunk?.isCompleted === true);
  const largest = completed.reduce((most, { bytes }) => Math.max(most, bytes), 0);
  const directory = scratchFor(manifest.id, request.scratchDirectory);
  const rewritable = completed.concat(manifest.files.filter(({ tableMd5 }) => tableMd5 !== null));
  return {
    target: target.description,
    backup: manifest.id,
    work: request.erase.kind,
    result: 'planned',
    newBackup: null,
    old: {
      mode: manifest.mode,
      startedAt: manifest.startedAt,
      bytes: plainBytes(manifest),
      files: manifest.files.length,
      completedChunks: completed.length
    },
    scavengePoint: request.erase.kind === 'scavenge' ? pointWords(request.erase.scavengePoint) : null,
    scavenge: null,
    redaction: null,
    files: null,
    verified: null,
    oldRemoved: false,
    bytesFreed: 0,
    stillHeldBy: holdersOf(rewritable, catalogue.backups, [manifest.id]),
    scratch: {
      directory,
      // The gathered files, a chunk being written again, and room for the state of the scavenge.
      neededBytes: plainBytes(manifest) + 2 * largest,
      freeBytes: fileSystem.freeBytes(existingAbove(directory))
    },
    targetSpace: { neededBytes: rewritable.reduce((sum, { bytes }) => sum + bytes, 0), freeBytes: null },
    warnings: warningsOf(manifest, request.erase.kind)
  };
}

function warningsOf(
  { checkpoints: { writer, chaser } }: Manifest,
  kind: Asked['erase']['kind']
): BackupErasureReport['warnings'] {
  const later = [
    {
      code: 'deletionMayBeLater',
      message:
        'A scavenge removes what the log of this backup says is deleted or expired. What was deleted after the backup was taken is in it as if nothing had happened.',
      remedy: 'Redact such events in the backup ("winnow redact TARGET@ID --event ID"), or remove the backup.'
    }
  ];
  const warnings = kind === 'scavenge' ? later : [];
  if (chaser >= writer) return warnings;
  const cut = {
    code: 'logIsCut',
    message: `The new generation ends at ${chaser}, as a restore of this backup does; its files hold ${writer - chaser} bytes more.`,
    remedy: 'Nothing to do.'
  };
  return [...warnings, cut];
}

class BackupErasure {
  readonly #parts: Parts & { reading: OpenTarget };
  readonly #context: OperationContext;

  constructor(parts: Parts & { reading: OpenTarget }, context: OperationContext) {
    this.#parts = parts;
    this.#context = context;
  }

  async run(threads: number): Promise<BackupErasureReport> {
    const { open, manifest, catalogue, request } = this.#parts;
    requireSameKey(manifest, open);
    const question = questionOf(request);
    const begun = await unfinishedRewrite(open.target, catalogue, { of: manifest.id, question });
    const planned = plannedReport(this.#parts, this.#context);
    const there = madeBefore(this.#parts);
    if (there) return this.#conclude({ ...planned, result: 'exists' }, there);
    const source = this.#source();
    const { directory } = planned.scratch;
    const order = {
      ...{ source, manifest, scratch: directory },
      identity: shortHash(JSON.stringify([manifest, open.target.description, question])),
      asOf: { required: begun?.asOf, now: ticksToIso(ticksFromMs(this.#context.clock())) },
      isEncrypted: manifest.files.some(({ encodings }) => encodings.some((name) => ENCRYPTED.test(name)))
    };
    return withGathered(order, this.#context, async (gathered, steps) => {
      const { asOf, attempts } = steps.note;
      // A run that goes on must not give the ids a second time that the cut one gave to other chunks.
      const seed = `${manifest.id} ${question}${attempts === 0 ? '' : ` ${attempts}`}`;
      const repeatable = repeatableSource(seed, asOf);
      const work = { gathered, erase: request.erase, repeatable, steps, manifest };
      const erased = await eraseInGathered(work, this.#context);
      const report = this.#withErased(planned, erased);
      if (!erased.isChanged) return { ...report, result: 'unchanged' };
      const { fileSystem, control } = this.#context;
      const place = { fileSystem, ...gathered };
      await this.#requireSound(place, steps.isContinued);
      const { point, detachedPoint } = erased;
      const rewrite = {
        ...{ work: request.erase.kind, question, scavengePoint: point },
        ...(detachedPoint && { detachedPoints: [detachedPoint] })
      };
      control.report({ phase: 'storing the new generation', done: 0, total: null, unit: 'bytes' }, true);
      const environment = backupEnvironment(this.#context, open);
      const stored = await storeRewritten(
        { of: manifest, place, work: rewrite, asOf, begun, threads },
        environment
      );
      this.#context.log({ level: 'info', message: `The backup ${manifest.id} was stored as ${stored.id}.` });
      return this.#conclude({ ...report, result: 'rewritten' }, stored);
    });
  }

  #source() {
    const { reading, manifest, request } = this.#parts;
    return backupSource({
      target: reading.target,
      manifest,
      targetName: request.target,
      decode: reading.decode
    });
  }

  #withErased(planned: BackupErasureReport, { scavenge, redaction }: Erased): BackupErasureReport {
    const { target, backup } = planned;
    const place = `${target}#${backup}`;
    return {
      ...planned,
      scavenge,
      redaction: redaction && { ...redaction, dataDirectory: place, indexDirectory: place }
    };
  }

  /** The gathered database as it is now: nothing is stored that could not be restored. */
  async #requireSound(
    { dataDirectory, indexDirectory }: { dataDirectory: string; indexDirectory: string },
    isContinued: boolean
  ) {
    const { fileSystem, control } = this.#context;
    const database = openDatabase({ fileSystem, dataDirectory, indexDirectory });
    try {
      const { ok, findings } = await verifyDatabase({ database, quick: false, control });
      if (ok) return;
      if (isContinued)
        throw new CannotContinue('What an earlier run left in the scratch directory is damaged.');
      const damage = findings.find(({ severity }) => severity === 'damage');
      throw new EngineError({
        code: 'LogCorrupt',
        message: `The backup could not be rewritten: ${damage?.message ?? 'its database is damaged.'} Nothing was stored.`,
        remedy: 'Rehearse the backup ("winnow backup rehearse") to see whether it can be restored.',
        details: damage?.file ? { file: damage.file } : {}
      });
    } finally {
      database.close();
    }
  }

  /** Reads the new generation back, and only then removes the old one. */
  async #conclude(report: BackupErasureReport, stored: Manifest): Promise<BackupErasureReport> {
    const { open, reading, manifest, catalogue, request } = this.#parts;
    const { target } = open;
    const { control } = this.#context;
    const { decode } = reading;
    const { findings, checkedFiles, checkedBytes } = await verifyBackup({
      manifest: stored,
      target,
      decode,
      control
    });
    const damage = findings.filter(({ severity }) => severity === 'damage').length;
    const result = { at: timeOf(this.#context), ok: damage === 0, damage };
    await keepCheckResult({ target, id: stored.id, kind: 'verified' }, result, this.#context);
    const replaced = replacedFiles(manifest, stored);
    const own = stored.files.filter(({ since }) => since === stored.id);
    const shared = stored.files.filter(({ since }) => since !== stored.id);
    const concluded: BackupErasureReport = {
      ...report,
      newBackup: await backupRowOf(target, stored),
      files: {
        shared: shared.length,
        sharedBytes: shared.reduce((sum, { bytes }) => sum + bytes, 0),
        stored: own.length,
        storedBytes: own.reduce((sum, { storedBytes }) => sum + storedBytes, 0),
        replaced: replaced.map(({ area, name }) => `${area}/${name}`)
      },
      verified: { ok: damage === 0, damage, files: checkedFiles, bytes: checkedBytes },
      stillHeldBy: holdersOf(replaced, catalogue.backups, [manifest.id, stored.id])
    };
    if (damage > 0) throw unsound(stored, findings[0]?.message ?? '');
    if (!request.removeOld) return concluded;
    const bytesFreed = await removeOldGeneration(target, manifest.id);
    return { ...concluded, oldRemoved: true, bytesFreed };
  }
}

/** A backup that was encrypted for one key is not stored for another. */
function requireSameKey({ files, id }: Manifest, { encodings }: OpenTarget): void {
  const before = new Set(files.flatMap((file) => file.encodings.filter((name) => ENCRYPTED.test(name))));
  const after = encodings?.others?.names.find((name) => ENCRYPTED.test(name));
  if (before.size === 0 || (after !== undefined && before.has(after))) return;
  throw invalidRequest(
    `The backup ${id} is encrypted for another key than the one that was given.`,
    'keyFile',
    'Name the key file with which this backup was made, with that key alone.'
  );
}

function otherGeneration({ id }: Manifest, { id: other }: Manifest): EngineError {
  return invalidRequest(
    `The backup ${id} has another generation already, ${other}, which was made with another request.`,
    'id',
    `Erase in ${other}, or remove it first.`
  );
}

function unsound({ id, rewrite }: Manifest, message: string): EngineError {
  return new EngineError({
    code: 'StorageFailed',
    message: `The new generation ${id} is not what was stored: ${message} The old one was not removed.`,
    remedy: `Check the disk of the target, remove the folder ${id}, and erase in ${rewrite?.of ?? 'the backup'} again.`,
    details: { backup: id }
  });
}
