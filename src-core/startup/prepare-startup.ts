/**
 * Does beforehand what the next start would do before its node is ready: the truncation that is asked for, the index
 * up to the log (or all of it), the filter of existing streams. Each step leaves, wherever it is cut, the old state or
 * the new one, and each looks again at what is there: a run that was ended is simply made again. The scavenge state and
 * the chunks of the log stay as they are, but for a truncation that was chosen.
 */
import { openDatabase, type Database, type DatabasePlace } from '../database/database.ts';
import type { OperationControl } from '../database/operation-control.ts';
import { examineStart, type StartFacts } from '../insight/doctor/examine-start.ts';
import { catchUpExistence } from '../index/catch-up/catch-up-existence.ts';
import { catchUpIndex } from '../index/catch-up/catch-up-index.ts';
import { mergeLevels } from '../index/catch-up/merge-levels.ts';
import { IndexDirectory } from '../index/index-directory.ts';
import { applyTruncation } from '../log/apply-truncation.ts';
import { effectOf } from '../log/truncation-rule.ts';
import { prepareDirectory, rebuildUnderLock, requireSpace, spaceFor } from '../repair/rebuild-index.ts';
import { moveStateAside } from '../scavenge/state/state-file.ts';
import { lockDirectory } from '../storage/directory-lock.ts';
import { lookBeforeLock } from '../storage/look-before-lock.ts';
import {
  planPreparation,
  type Preparation,
  type PreparationChoice,
  type PreparationCode,
  type PreparationStep
} from './plan-preparation.ts';

const STATE_DIRECTORY = 'scavenging';

export interface PrepareStartup {
  place: DatabasePlace;
  serverVersion?: string | undefined;
  serverArguments?: readonly string[] | undefined;
  choice: PreparationChoice;
  control: OperationControl;
  newGuid: () => string;
  /** Go on although a lock cannot be taken because the platform or the share has none. */
  assumeStopped?: boolean;
  /** Called under the lock, before the first write; what it throws ends the preparation. */
  underLock?: (() => void) | undefined;
}

export interface PreparedStartup {
  /** What was done; empty when nothing was left to be done. */
  steps: PreparationStep[];
  notes: string[];
  /** Where a scavenge state was moved to that a truncation left ahead of the log. */
  stateMovedTo: string | null;
}

/** Throws what stands against it: a node that would not start, a truncation that nobody chose, a database in use. */
export async function prepareStartup(request: PrepareStartup): Promise<PreparedStartup> {
  const { place, assumeStopped = false } = request;
  const { fileSystem, dataDirectory } = place;
  // Says what stands against it before it tries a lock: without a log there is nothing to lock.
  await lookBeforeLock({ fileSystem, dataDirectory }, () =>
    planNow(request, ({ refusal }) => {
      if (refusal) throw refusal;
      return Promise.resolve();
    })
  );
  const unlock = lockDirectory({ fileSystem, dataDirectory, assumeStopped });
  try {
    request.underLock?.();
    return await prepare(request);
  } finally {
    unlock();
  }
}

async function prepare(request: PrepareStartup): Promise<PreparedStartup> {
  const done: PreparedStartup = { steps: [], notes: [], stateMovedTo: null };
  // After a truncation all that was known of index and filter is judged again.
  if (request.choice.applyTruncation) await runPlanned(request, done, (code) => code === 'applyTruncation');
  await runPlanned(request, done, (code) => code !== 'applyTruncation');
  return done;
}

/** Plans over what is there now and carries out these steps of the plan. */
function runPlanned(
  request: PrepareStartup,
  done: PreparedStartup,
  isWanted: (code: PreparationCode) => boolean
): Promise<void> {
  return planNow(request, async ({ steps, refusal, notes }, { database, facts }) => {
    if (refusal) throw refusal;
    done.notes = notes;
    for (const step of steps.filter(({ code }) => isWanted(code))) {
      request.control.throwIfStopped();
      done.steps.push({ ...(await runStep({ step, request, database, facts, done })), done: true });
    }
  });
}

async function planNow(
  request: PrepareStartup,
  use: (plan: Preparation, parts: { database: Database; facts: StartFacts }) => Promise<void>
): Promise<void> {
  const database = openDatabase(request.place);
  try {
    const examination = await examineStart({ ...request, isThorough: false, quickBytes: 0 });
    await use(await planPreparation({ ...request, examination }), {
      database,
      facts: examination.facts
    });
  } finally {
    database.close();
  }
}

interface StepWork {
  step: PreparationStep;
  request: PrepareStartup;
  database: Database;
  facts: StartFacts;
  done: PreparedStartup;
}

/** Gives the step with what was really written. */
async function runStep({ step, request, database, facts, done }: StepWork): Promise<PreparationStep> {
  const { place, control, newGuid } = request;
  const { fileSystem, dataDirectory, indexDirectory: directory, log } = database;
  const breathe = async (): Promise<void> => {
    if (control.isDue) await control.breathe();
  };
  const end = Math.min(database.checkpoints.chaser ?? 0, log.end);
  const common = { fileSystem, directory, newGuid, breathe };
  switch (step.code) {
    case 'applyTruncation': {
      // With a state of the log as it was, the next scavenge would delete live events: it goes first.
      if (facts.truncation && effectOf(facts.truncation) !== 'nothing')
        done.stateMovedTo = moveStateAside(fileSystem, fileSystem.join(directory, STATE_DIRECTORY)) ?? null;
      const { maxTruncationBytes } = facts.settings;
      await applyTruncation({ fileSystem, dataDirectory, maxTruncationBytes, control });
      return step;
    }
    case 'rebuildIndex': {
      const { entries, bytes } = await rebuildUnderLock({ ...place, control, newGuid });
      return { ...step, entries, bytes };
    }
    case 'catchUpIndex': {
      const { table } = await catchUpIndex({
        ...common,
        log,
        end,
        onProgress: (progress) => control.report(progress),
        beforeTable: (count) => requireSpace(database, spaceFor(count).scratchBytes)
      });
      return { ...step, entries: table?.entryCount ?? 0, bytes: sizeOf(table) };
    }
    case 'mergeTables': {
      requireSpace(database, step.bytes);
      const tables = await mergeLevels({
        ...common,
        onProgress: (progress) => control.report({ phase: 'merging tables', unit: 'entries', ...progress })
      });
      const entries = tables.reduce((sum, { entryCount }) => sum + entryCount, 0);
      return { ...step, entries, bytes: tables.reduce((sum, table) => sum + sizeOf(table), 0) };
    }
    case 'rebuildExistenceFilter':
    case 'catchUpExistenceFilter': {
      prepareDirectory(database);
      requireSpace(database, step.bytes);
      const index = IndexDirectory.open({ fileSystem, directory, logEnd: database.checkpoints.chaser ?? 0 });
      try {
        const { fileBytes } = await catchUpExistence({
          ...common,
          tables: index.tables,
          log,
          end,
          configuredBytes: facts.filter?.logicalSizeBytes,
          onProgress: (progress) => control.report({ phase: 'filter of existing streams', ...progress })
        });
        return { ...step, bytes: fileBytes };
      } finally {
        index.close();
      }
    }
  }
}

function sizeOf(table: { sizeBytes: number; filterSizeBytes: number } | undefined): number {
  return table ? table.sizeBytes + table.filterSizeBytes : 0;
}
