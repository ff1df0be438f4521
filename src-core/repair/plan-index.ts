/**
 * What to do about the index: all of it follows from the log. Tables, map and entries that are wrong: the whole index
 * is rebuilt. A filter alone is made again from its table. Files that belong to nothing are moved out of the directory,
 * because the server deletes what it does not know there.
 */
import {
  EXISTENCE_CHECKPOINT_NAME,
  EXISTENCE_FILTER_DIRECTORY,
  EXISTENCE_FILTER_NAME
} from '../index/existence-filter.ts';
import { INDEX_MAP_NAME } from '../index/index-map.ts';
import { doubtfulRecords } from '../verify/doubtful-records.ts';
import { isIndexFault, type Finding } from '../verify/finding.ts';
import { derivedFrom, nameChange } from './file-change.ts';
import { isChaserBehindIndex } from './index-reach.ts';
import { planActiveFromDonor } from './plan-chunks.ts';
import {
  unrepaired,
  type PlanRepair,
  type RepairAction,
  type RepairWork,
  type Unrepaired
} from './repair-plan.ts';
import { rewriteTableFilter } from './rewrite-filter.ts';
import { entriesIn } from '../storage/directory-entries.ts';

export interface IndexPlan {
  actions: RepairAction[];
  unrepaired: Unrepaired[];
  answered: Finding[];
}

const FILTER_CODES = new Set(['filterMissing', 'filterInvalid', 'filterNotAFile', 'filterFalseNegative']);
const STATE_CODES = new Set(['stateInvalid', 'stateAheadOfLog']);
const FILTER_SUFFIX = '.bloomfilter';

export function planIndex(options: PlanRepair): IndexPlan {
  const { findings, database } = options;
  const plan: IndexPlan = { actions: [], unrepaired: [], answered: [] };
  if (planDoubtfulRecords(options, plan)) return plan;
  const rebuild = findings.filter(
    (finding) =>
      isIndexFault(finding) && !(finding.code === 'indexAheadOfLog' && isChaserBehindIndex(database))
  );
  plan.answered.push(...rebuild);
  const first = rebuild[0];
  if (first) {
    plan.actions.push({
      code: first.code,
      file: first.file ?? 'indexmap',
      why: 'the index is rebuilt from the log; the old one is moved aside',
      changes: [derivedFrom(first.file ?? 'indexmap', 'log')],
      isOfWholeLog: true,
      run: async (work) => {
        moveOldIndex(work);
        await work.rebuildIndex();
        return undefined;
      }
    });
  }
  const leftovers = new Set(database.chunkSet.leftovers.map(({ file }) => file));
  for (const finding of findings) {
    // What names no file says nothing of what to move away.
    if (!isOfFile(finding)) continue;
    const name = inIndex(finding.file);
    if (STATE_CODES.has(finding.code)) {
      plan.answered.push(finding);
      plan.actions.push(
        moveAway(
          finding,
          name.split('/')[0]!,
          'the next scavenge starts afresh; with this state it would delete live events, or fail'
        )
      );
    } else if (FILTER_CODES.has(finding.code)) {
      plan.answered.push(finding);
      // A new index has new filters.
      if (!first) planFilter(finding, name, plan);
    } else if (
      (finding.code === 'orphanFile' || finding.code === 'temporaryFile') &&
      !leftovers.has(finding.file)
    ) {
      plan.answered.push(finding);
      if (!first) plan.actions.push(moveAway(finding, name, 'belongs to no table of the index'));
    }
  }
  return plan;
}

/** A backup may have the doubtful record; else it is named. True if the index must be left alone. */
function planDoubtfulRecords(options: PlanRepair, plan: IndexPlan): boolean {
  const { findings, database, acceptLoss } = options;
  const doubtful = doubtfulRecords(findings, database);
  const first = doubtful?.findings[0];
  if (!doubtful || !first) return false;
  const fromDonor = planActiveFromDonor(options, first);
  if (!fromDonor && acceptLoss) return false;
  plan.answered.push(...doubtful.findings);
  if (fromDonor) {
    plan.actions.push(fromDonor);
    return true;
  }
  const why =
    `the index, whose own hash matches, names another event at position ${doubtful.places.join(' and ')} than ${doubtful.file}, which no hash covers yet: ` +
    'most likely the record is damaged. Take the chunk from a backup with --from-backup, or give --accept-loss to ' +
    'trust the log and rebuild the index';
  plan.unrepaired.push(unrepaired(first, why));
  return true;
}

/**
 * The map goes first: without it the server, too, ignores everything else and rebuilds the index. The
 * scavenge state stays; it belongs to the log.
 */
function moveOldIndex(work: RepairWork): void {
  const { fileSystem, indexDirectory } = work.place;
  const why = 'replaced by an index rebuilt from the log';
  moveIfThere(work, INDEX_MAP_NAME, why);
  for (const { name, isDirectory } of entriesIn(fileSystem, indexDirectory)) {
    if (!isDirectory) moveIfThere(work, name, why);
  }
  moveIfThere(work, `${EXISTENCE_FILTER_DIRECTORY}/${EXISTENCE_CHECKPOINT_NAME}`, why);
  moveIfThere(work, `${EXISTENCE_FILTER_DIRECTORY}/${EXISTENCE_FILTER_NAME}`, why);
}

/** Findings name a file in the index directory with or without that directory. */
function inIndex(file: string): string {
  return file.replace(/^index\//, '');
}

type FindingOfFile = Finding & { file: string };

function isOfFile(finding: Finding): finding is FindingOfFile {
  return finding.file !== null;
}

function moveAway({ code, file }: FindingOfFile, name: string, why: string): RepairAction {
  return {
    code,
    file,
    why,
    changes: [nameChange(file, name, null)],
    run: (work) => {
      moveIfThere(work, name, why);
      return Promise.resolve(undefined);
    }
  };
}

function moveIfThere(work: RepairWork, name: string, why: string): void {
  const { fileSystem, indexDirectory } = work.place;
  if (fileSystem.describe(fileSystem.join(indexDirectory, name)) !== undefined)
    work.setAside.move('index', name, why);
}

function planFilter(finding: FindingOfFile, name: string, plan: IndexPlan): void {
  const { file } = finding;
  if (plan.actions.some((action) => action.file === file)) return;
  if (name.startsWith(`${EXISTENCE_FILTER_DIRECTORY}/`)) {
    const why = 'the server rebuilds the filter of existing streams at its next start';
    plan.actions.push({
      code: finding.code,
      file,
      why,
      changes: [nameChange(file, name, null)],
      run: (work) => {
        // The check point first: alone, the filter is nothing.
        moveIfThere(work, `${EXISTENCE_FILTER_DIRECTORY}/${EXISTENCE_CHECKPOINT_NAME}`, why);
        moveIfThere(work, `${EXISTENCE_FILTER_DIRECTORY}/${EXISTENCE_FILTER_NAME}`, why);
        return Promise.resolve(undefined);
      }
    });
    return;
  }
  if (!name.endsWith(FILTER_SUFFIX)) return;
  const why = 'rewritten from the entries of its table';
  plan.actions.push({
    code: finding.code,
    file,
    why,
    changes: [derivedFrom(file, name.slice(0, -FILTER_SUFFIX.length))],
    run: async (work) => {
      moveIfThere(work, name, why);
      await rewriteTableFilter(work, name.slice(0, -FILTER_SUFFIX.length));
      return undefined;
    }
  });
}
