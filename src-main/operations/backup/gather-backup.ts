/**
 * The database of a backup, restored into a scratch directory of ours, which is removed when the work has ended. Its
 * name is that of the backup: the next run continues with what a stopped or killed one left there, under the lock of the
 * target, and removes what it cannot use.
 */
import fs from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import {
  continueRestore,
  EngineError,
  makeDirectories,
  openDatabase,
  OperationStopped,
  planRestore,
  runRestore,
  unfinishedRestore,
  verifyDatabase,
  type Manifest
} from '../../../src-core/index.ts';
import type { OperationContext } from '../operation.ts';
import type { OpenedBackup } from '../restore/restore-source.ts';
import { environmentOf, stampOf } from '../restore/run-restore.ts';
import { ErasureSteps, unsealedHashes } from './erasure-steps.ts';

export interface GatheredBackup {
  dataDirectory: string;
  indexDirectory: string;
  /** For the state of a detached scavenge. */
  winnowHome: string;
}

const RESTORE_JOURNAL = 'winnow-restore.json';
/** Only for this user: the backup may be encrypted, and here it is not. */
const OWNER_ONLY = 0o700;

export function scratchFor(id: string, scratchDirectory: string | undefined): string {
  return path.join(path.resolve(scratchDirectory ?? tmpdir()), `winnow-backup-erasure-${id}`);
}

/** The directory that is there already, to ask for free space. */
export function existingAbove(directory: string): string {
  let above = path.dirname(directory);
  while (!fs.existsSync(above) && path.dirname(above) !== above) above = path.dirname(above);
  return above;
}

export interface GatherOrder extends Pick<OpenedBackup, 'source'> {
  manifest: Manifest;
  scratch: string;
  /** Backup, target and question, as a hash. */
  identity: string;
  /** Of what an earlier attempt stored; else the present time. ISO 8601. */
  asOf: { required: string | undefined; now: string };
  /** The plain files of an encrypted backup stay nowhere longer than they must. */
  isEncrypted: boolean;
}

/** Files that were to be continued with are not what they were. */
export class CannotContinue extends Error {}

export async function withGathered<T>(
  order: GatherOrder,
  context: OperationContext,
  work: (gathered: GatheredBackup, steps: ErasureSteps) => Promise<T>
): Promise<T> {
  const { scratch, identity, asOf } = order;
  const known = ErasureSteps.read(scratch, identity, asOf.required);
  try {
    return await inScratch(known ?? (await begin(order)), order, context, work);
  } catch (error) {
    if (!(error instanceof CannotContinue)) throw error;
    context.log({ level: 'warning', message: `${error.message} The backup is gathered again.` });
    return inScratch(await begin(order), order, context, work);
  }
}

async function begin({ scratch, identity, asOf }: GatherOrder): Promise<ErasureSteps> {
  await remove(scratch);
  makeDirectories(scratch, OWNER_ONLY);
  return ErasureSteps.begin(scratch, identity, asOf.required ?? asOf.now);
}

async function inScratch<T>(
  steps: ErasureSteps,
  order: GatherOrder,
  context: OperationContext,
  work: (gathered: GatheredBackup, steps: ErasureSteps) => Promise<T>
): Promise<T> {
  const { scratch } = order;
  const dataDirectory = path.join(scratch, 'db');
  const gathered = {
    dataDirectory,
    indexDirectory: path.join(dataDirectory, 'index'),
    winnowHome: path.join(scratch, 'home')
  };
  let isKept = false;
  try {
    if (steps.note.step === 'gathering') {
      await gather(order, gathered, context);
      steps.enter({ step: 'erasing', unsealed: await unsealedHashes(order.manifest, dataDirectory) });
    } else {
      await requireUnchanged(steps, order, gathered, context);
      context.log({ level: 'info', message: `Continues in ${scratch}, where an earlier run was cut.` });
    }
    return await work(gathered, steps);
  } catch (error) {
    isKept = !order.isEncrypted && canGoOn(error, steps);
    if (isKept) {
      const message = `The same command continues with what is in ${scratch}; remove that directory if it is not to.`;
      context.log({ level: 'warning', message });
    }
    throw error;
  } finally {
    if (!isKept) await remove(scratch);
  }
}

async function gather(
  { source, scratch, asOf }: GatherOrder,
  { dataDirectory, indexDirectory }: GatheredBackup,
  context: OperationContext
): Promise<void> {
  const { fileSystem } = context;
  const environment = { ...environmentOf(context, false), verify: undefined };
  if (unfinishedRestore(fileSystem, dataDirectory) !== undefined) {
    // Each file that lies there whole, by its hash, is kept.
    const withSource = <T>(_location: unknown, work: (given: typeof source) => Promise<T>) => work(source);
    try {
      await continueRestore({ dataDirectory, withSource }, environment);
    } catch (error) {
      const isNone = error instanceof EngineError && error.details['file'] === RESTORE_JOURNAL;
      throw isNone ? new CannotContinue(`The files in ${scratch} cannot be used again.`) : error;
    }
    return;
  }
  // Before its marker a restore has written nothing, and after it the note says so.
  await remove(dataDirectory);
  const place = { source, dataDirectory, indexDirectory, stamp: stampOf(asOf.now) };
  const plan = planRestore(fileSystem, { ...place, appliesTruncation: true });
  await runRestore(plan, source, environment);
}

/** Every byte again: what was read from the backup with its hash may have lain here for days. */
async function requireUnchanged(
  { note }: ErasureSteps,
  { manifest, scratch }: GatherOrder,
  { dataDirectory, indexDirectory }: GatheredBackup,
  { fileSystem, control }: OperationContext
): Promise<void> {
  const changed = new CannotContinue(`What is in ${scratch} is not what an earlier run left there.`);
  const now = await unsealedHashes(manifest, dataDirectory);
  const names = new Set([...Object.keys(now), ...Object.keys(note.unsealed)]);
  if ([...names].some((name) => now[name] !== note.unsealed[name])) throw changed;
  // What is to be stored is read as a whole before that.
  if (note.step === 'erased') return;
  let isSound: boolean;
  try {
    const database = openDatabase({ fileSystem, dataDirectory, indexDirectory });
    try {
      isSound = (await verifyDatabase({ database, quick: false, control })).ok;
    } finally {
      database.close();
    }
  } catch (error) {
    if (error instanceof OperationStopped || !(error instanceof EngineError)) throw error;
    throw changed;
  }
  if (!isSound) throw changed;
}

/** A stop at any moment; once the work is done in the scratch directory, also what the target refused. */
function canGoOn(error: unknown, { note }: ErasureSteps): boolean {
  if (error instanceof OperationStopped) return true;
  const isElsewhere = error instanceof EngineError && KEEPS_SCRATCH.has(error.code);
  return note.step === 'erased' && isElsewhere;
}

const KEEPS_SCRATCH: ReadonlySet<string> = new Set(['StorageFailed', 'RemoteNodeFailed']);

async function remove(scratch: string): Promise<void> {
  await fs.promises.rm(scratch, { recursive: true, force: true });
}
