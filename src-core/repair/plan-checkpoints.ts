/**
 * Checkpoints other than the writer's. Missing ones are written with the value that the server would take or look
 * for itself; wrong ones with what the log says. A pending truncation is cleared only where it is plainly invalid:
 * otherwise it may be intended.
 */
import { openDatabase, type Database } from '../database/database.ts';
import { readEpochs } from '../database/epochs.ts';
import { requireFault, requireFaultBut } from '../errors.ts';
import { checkpointFileName, CHECKPOINT_NAMES, type CheckpointName } from '../log/checkpoint-file.ts';
import { REPAIR_COMMAND, type Finding } from '../verify/finding.ts';
import { checkpointChange } from './file-change.ts';
import { isChaserBehindIndex } from './index-reach.ts';
import { planActiveFromDonor } from './plan-chunks.ts';
import {
  unrepaired,
  type PlanRepair,
  type RepairAction,
  type RepairWork,
  type Unrepaired
} from './repair-plan.ts';
import { setCheckpoint } from './set-checkpoint.ts';

const CHECKPOINT_BYTES = 8;
/** Of epoch.chk nothing is wrong then. Hashes protect completed chunks, so that it lies in the one being written. */
const EPOCH_RECORD_WRONG =
  'It is the newest epoch record of the log: what it says is damaged. Give a backup of this node with --from-backup';

export interface CheckpointsPlan {
  actions: RepairAction[];
  unrepaired: Unrepaired[];
  answered: Finding[];
}

/**
 * `isLogDamaged`: chunks are damaged or missing still, or will only be put right by this plan. Where the newest epoch lies can be
 * told only after that, and an epoch that seems wrong may be right. `writer`: the planned position of the writer.
 */
export function planCheckpoints(
  options: PlanRepair,
  { isLogDamaged, writer }: { isLogDamaged: boolean; writer: number }
): CheckpointsPlan {
  const { database, findings } = options;
  const plan: CheckpointsPlan = { actions: [], unrepaired: [], answered: [] };
  const add = (code: string, name: CheckpointName, why: string, value: (work: RepairWork) => number) => {
    const file = checkpointFileName(name);
    if (plan.actions.some((action) => action.file === file)) return;
    const run = (work: RepairWork) => {
      setCheckpoint(work, name, value(work), why);
      return Promise.resolve(undefined);
    };
    const changes = [checkpointChange(database, name, plannedValue(database, name, writer))];
    plan.actions.push({ code, file, why, changes, run });
  };

  const { writer: oldWriter, truncate } = database.checkpoints;
  if (oldWriter !== writer && truncate !== null && truncate >= writer) {
    plan.answered.push(...findings.filter(({ code }) => code === 'truncatePending'));
    const why = `${truncate} is at or after the end that the log gets, ${writer}: nothing is left to cut`;
    add('truncatePending', 'truncate', why, () => -1);
  }
  for (const finding of findings.filter((one) => !plan.answered.includes(one))) {
    if (finding.code === 'truncateInsideRecord') {
      plan.answered.push(finding);
      const why = `${finding.position} is within a record, which cannot be an intended truncation: the server deletes chunks and then fails. Set to -1, "nothing to cut"`;
      add(finding.code, 'truncate', why, () => -1);
    }
    // Only where verification says that it cannot be intended.
    if (finding.code === 'truncatePending' && finding.command === REPAIR_COMMAND) {
      plan.answered.push(finding);
      const why = `${finding.position} cannot be an intended truncation: set to -1, "nothing to cut"`;
      add(finding.code, 'truncate', why, () => -1);
    }
    // The value of a truncated file is never intended either: the file is recreated below.
    if (finding.code === 'truncatePending' && fileState(database, 'truncate') !== 'sound')
      plan.answered.push(finding);
    if (finding.code === 'epochCheckpointInvalid') {
      plan.answered.push(finding);
      if (isLogDamaged) continue;
      if (epochOf(database) === database.checkpoints.epoch) {
        const fromDonor = isInActive(database) ? planActiveFromDonor(options, finding) : undefined;
        if (fromDonor) plan.actions.push(fromDonor);
        else plan.unrepaired.push(unrepaired(finding, `${finding.message} ${EPOCH_RECORD_WRONG}`));
      } else {
        add(finding.code, 'epoch', 'set to the newest epoch record in the log', newestEpoch);
      }
    }
    const isOfFile = finding.code === 'checkpointMissing' || finding.code === 'checkpointInvalid';
    if (isOfFile && finding.file !== 'writer.chk') plan.answered.push(finding);
    if (
      finding.code === 'checkpointInvalid' &&
      finding.severity === 'damage' &&
      finding.file === 'chaser.chk'
    )
      add(finding.code, 'chaser', 'set to the writer checkpoint: everything written counts', logEnd);
  }
  for (const name of CHECKPOINT_NAMES) {
    const state = fileState(database, name);
    if (name === 'writer' || state === 'sound' || (name === 'epoch' && isLogDamaged)) continue;
    const { why, value } = FRESH[name];
    if (state === 'missing') add('checkpointMissing', name, why, value);
    else add('checkpointInvalid', name, `the file does not have its 8 bytes; ${why}`, value);
  }
  for (const finding of findings) {
    if (finding.code !== 'indexAheadOfLog' || finding.severity !== 'damage' || !isChaserBehindIndex(database))
      continue;
    plan.answered.push(finding);
    const why = 'the index has read beyond it, so it was set back: set to the writer checkpoint';
    add(finding.code, 'chaser', why, logEnd);
  }
  if (isChaserInsideRecord(database)) {
    const why = `${database.checkpoints.chaser} is not the beginning of a record: set to the writer checkpoint`;
    add('chaserInsideRecord', 'chaser', why, logEnd);
  }
  return plan;
}

/** What the action will write, as far as the database in its present state tells. */
function plannedValue(database: Database, name: CheckpointName, writer: number): number {
  if (name === 'chaser') return writer;
  return name === 'epoch' ? epochOf(database) : -1;
}

const FRESH: Record<
  Exclude<CheckpointName, 'writer'>,
  { why: string; value: (work: RepairWork) => number }
> = {
  truncate: { why: 'created with -1, "nothing to cut"', value: () => -1 },
  chaser: {
    why: 'created with the value of the writer checkpoint: everything written counts',
    value: logEnd
  },
  epoch: { why: 'created with the position of the newest epoch record', value: newestEpoch },
  proposal: { why: 'created with -1: the server uses the number of the newest epoch', value: () => -1 }
};

function fileState(
  { fileSystem, dataDirectory }: Database,
  name: CheckpointName
): 'sound' | 'missing' | 'short' {
  const size = fileSystem.describe(fileSystem.join(dataDirectory, checkpointFileName(name)))?.size;
  if (size === undefined) return 'missing';
  return size >= CHECKPOINT_BYTES ? 'sound' : 'short';
}

function logEnd(work: RepairWork): number {
  const database = openDatabase(work.place);
  try {
    return database.checkpoints.writer ?? database.log.end;
  } finally {
    database.close();
  }
}

/** -1 where it cannot be told: the server then looks for it by itself. */
function epochOf({ problems, log }: Database): number {
  if (problems.some(({ severity }) => severity === 'damage')) return -1;
  try {
    return readEpochs(log, null)[0]?.position ?? -1;
  } catch (error) {
    requireFaultBut(error, 'StorageFailed');
    return -1;
  }
}

function isInActive({ checkpoints: { epoch }, chunkSet, log }: Database): boolean {
  const numberOf = (position: number) => Math.floor(position / chunkSet.chunkSizeBytes);
  return epoch !== null && numberOf(epoch) === numberOf(log.end - 1);
}

function newestEpoch(work: RepairWork): number {
  const database = openDatabase(work.place);
  try {
    return epochOf(database);
  } finally {
    database.close();
  }
}

/** The server resumes at the chaser's position and fails when no record begins there. */
function isChaserInsideRecord({ checkpoints, log }: Database): boolean {
  const { chaser } = checkpoints;
  if (chaser === null || chaser <= 0 || chaser >= log.end) return false;
  const chunk = log.chunkAt(chaser);
  if (!chunk || chunk.isScavenged || chunk.startPosition === chaser) return false;
  // Behind the last record of a chunk the next one begins in the next chunk.
  if (chaser - chunk.startPosition >= chunk.logicalDataSize) return false;
  try {
    return log.readAt(chaser) === undefined;
  } catch (error) {
    requireFault(error, 'LogCorrupt', 'UnsupportedFormat');
    return error.code === 'LogCorrupt' && endsNoRecordAt(log, chaser);
  }
}

/** A damaged record may begin at `position` all the same: then a whole one ends there. */
function endsNoRecordAt(log: Database['log'], position: number): boolean {
  try {
    log.findBackward(position, () => true);
    return false;
  } catch (error) {
    requireFault(error, 'LogCorrupt');
    return true;
  }
}
