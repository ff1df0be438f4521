/**
 * Repairs a database: verifies, plans, carries the plan out under an exclusive lock, and verifies again, in a few
 * rounds, because a fault may only show once another is gone (an index can be compared with a log only when the log
 * is whole). Derives again what is derived, moves away what does not belong, never invents data, deletes nothing.
 *
 * Cut anywhere, the next repair finds the rest by verifying: each action leaves either the old state or the new one,
 * and one that was cut between two moves is found again as a leftover.
 */
import { openDatabase, type Database, type DatabasePlace } from '../database/database.ts';
import type { OperationControl } from '../database/operation-control.ts';
import { requireFault } from '../errors.ts';
import { refuseUnfinishedRestore } from '../storage/restore-marker.ts';
import type { Finding } from '../verify/finding.ts';
import type { ChunkDonor } from './chunk-donor.ts';
import type { FileChange } from './file-change.ts';
import { planRepair } from './plan-repair.ts';
import { lockForRepair } from './repair-lock.ts';
import type { RepairAction, RepairPlan, RepairWork, Unrepaired } from './repair-plan.ts';
import { SetAside } from './set-aside.ts';

/** Log, index, and whatever shows once those are whole: of unreadable files behind the end each shows when the one after it is gone. */
const MOST_ROUNDS = 64;

export interface RepairVerification {
  findings: Finding[];
  /** No damage. */
  ok: boolean;
}

export interface RunRepair {
  place: DatabasePlace;
  verify: (database: Database) => Promise<RepairVerification>;
  /** Rebuilds the index from the log, under its own lock. */
  rebuildIndex: (place: RepairWork['place']) => Promise<void>;
  donor?: ChunkDonor | undefined;
  acceptLoss: boolean;
  /** Only actions that answer these codes; all when empty. */
  only: readonly string[];
  /** Says what would be done first, and does nothing. */
  dryRun: boolean;
  assumeStopped: boolean;
  /** Called under the lock, before the first write; what it throws ends the repair. Not called by a dry run. */
  underLock?: (() => void) | undefined;
  /** Of the dated folder: `20261121T050000Z`. */
  stamp: string;
  newGuid: () => string;
  control: OperationControl;
}

export interface DoneAction {
  code: string;
  file: string;
  done: boolean;
  why: string;
  changes: FileChange[];
}

export interface RepairOutcome {
  actions: DoneAction[];
  unrepaired: Unrepaired[];
  /** Of the last verification. */
  findings: Finding[];
  /** The dated folder; null when nothing was put there. */
  setAside: string | null;
  /** Nothing damaged remains. */
  ok: boolean;
}

export async function runRepair(options: RunRepair): Promise<RepairOutcome> {
  const { place, dryRun } = options;
  refuseUnfinishedRestore(place.fileSystem, place.dataDirectory);
  if (dryRun) {
    const { verification, plan } = await look(options, options.donor);
    const actions = wanted(plan.actions, options.only).map((action) => answer(action, false));
    const { unrepaired } = plan;
    return { actions, unrepaired, findings: verification.findings, setAside: null, ok: verification.ok };
  }
  let unlock = lockForRepair(options);
  const rebuildIndex = async (full: RepairWork['place']) => {
    // A rebuild takes the same lock for itself. A server that comes in between makes one of the two fail.
    unlock();
    unlock = () => undefined;
    await options.rebuildIndex(full);
    unlock = lockForRepair(options);
  };
  try {
    options.underLock?.();
    return await repairInRounds({ ...options, rebuildIndex });
  } finally {
    unlock();
  }
}

async function repairInRounds(options: RunRepair): Promise<RepairOutcome> {
  const work = workOf(options);
  const done: DoneAction[] = [];
  const tried = new Map<string, number>();
  let donor = options.donor;
  for (let round = 1; ; round++) {
    const { verification, plan } = await look(options, donor);
    const next = wanted(plan.actions, options.only).filter(
      (action) => (tried.get(keyOf(action)) ?? 0) < timesOf(action)
    );
    if (next.length === 0 || round > MOST_ROUNDS) {
      const { findings, ok } = verification;
      return { actions: done, unrepaired: plan.unrepaired, findings, setAside: work.setAside.folder, ok };
    }
    let hasFailed = false;
    for (const action of next) {
      // An index of a log that is not whole would be wrong: the next round plans for the log as it then is.
      if (hasFailed && action.isOfWholeLog === true) continue;
      options.control.throwIfStopped();
      options.control.report(
        { phase: `repairing ${action.file}`, done: 0, total: null, unit: 'files' },
        true
      );
      const failure = await attempt(action, work);
      tried.set(keyOf(action), (tried.get(keyOf(action)) ?? 0) + (failure === undefined ? 1 : Infinity));
      done.push(answer(action, failure === undefined, failure));
      hasFailed ||= failure !== undefined;
      if (failure !== undefined || action.isFromDonor === true) donor = withoutFile(donor, action.file);
    }
  }
}

async function look(
  { place, verify, acceptLoss, control }: RunRepair,
  donor: ChunkDonor | undefined
): Promise<{ verification: RepairVerification; plan: RepairPlan }> {
  const database = openDatabase(place);
  try {
    const verification = await verify(database);
    const { findings } = verification;
    const plan = await planRepair({ database, findings, donor, acceptLoss, control });
    return { verification, plan };
  } finally {
    database.close();
  }
}

function workOf({ place, stamp, newGuid, rebuildIndex, control }: RunRepair): RepairWork {
  const indexDirectory = place.indexDirectory ?? place.fileSystem.join(place.dataDirectory, 'index');
  const full = { ...place, indexDirectory };
  const setAside = new SetAside({ ...full, stamp });
  return { place: full, setAside, newGuid, rebuildIndex: () => rebuildIndex(full), control };
}

/** A sentence when it could not be done. A disk that refuses ends the repair: nothing after it would do better. */
async function attempt(action: RepairAction, work: RepairWork): Promise<string | undefined> {
  try {
    return await action.run(work);
  } catch (error) {
    requireFault(error, 'LogCorrupt', 'IndexCorrupt', 'UnsupportedFormat');
    return error.message;
  }
}

function wanted(actions: readonly RepairAction[], only: readonly string[]): RepairAction[] {
  return actions.filter(({ code }) => only.length === 0 || only.includes(code));
}

/** A chunk is the same whatever version of its file serves. */
function keyOf({ code, file }: RepairAction): string {
  return `${code} ${file.replace(/^(chunk-\d{6})\.\d{6}$/, '$1')}`;
}

/** What follows the log is worth a second time, because the log may have changed in between. */
function timesOf({ code }: RepairAction): number {
  return /^(index|table|checkpoint)/.test(code) ? 2 : 1;
}

function answer({ code, file, why, changes }: RepairAction, done: boolean, failure?: string): DoneAction {
  return { code, file, done, why: failure ?? why, changes };
}

/** What did not fit once does not fit the next time, and what is in place has no more to give. */
function withoutFile(donor: ChunkDonor | undefined, file: string): ChunkDonor | undefined {
  if (!donor) return undefined;
  const number = file.slice(0, 'chunk-000000'.length);
  const chunks = donor.chunks.filter(({ fileName }) => !fileName.startsWith(number));
  return {
    description: donor.description,
    chunkSizeBytes: donor.chunkSizeBytes,
    chunks,
    read: (chunk) => donor.read(chunk)
  };
}
