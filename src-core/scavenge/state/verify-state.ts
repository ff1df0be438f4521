/**
 * Checks the stored scavenge state without touching it: whether the file can be used at all, whether it belongs to
 * the log beside it, and whether what it says of streams is what the log says.
 */
import type { Database } from '../../database/database.ts';
import { EngineError, requireFault } from '../../errors.ts';
import { hashStream } from '../../index/stream-hash.ts';
import type { StreamIndex } from '../../index/stream-index.ts';
import { checkFoundState } from './check-state.ts';
import type { HeadSource } from '../../log/log-reader.ts';
import { findNewestReadablePoint } from '../points/find-scavenge-point.ts';
import { checkpointOddity, holdProgress } from './hold-checkpoint.ts';
import { holdNames } from './hold-names.ts';
import { holdTimes } from './hold-times.ts';
import { openStateToRead, type ReadState } from './read-state.ts';
import { copyState, stateDirectoryOf, statePathOf } from './state-file.ts';
import { ScavengeState } from './scavenge-state.ts';
import { STATE_DIRECTORY, STATE_FILE, StateStore } from './state-store.ts';

const OF_THE_FILE: ReadonlySet<unknown> = new Set(['stateInvalid', 'stateAheadOfLog', 'notARegularFile']);
const FILE = `${STATE_DIRECTORY}/${STATE_FILE}`;
const AFRESH =
  'Scavenge with "--start-afresh", which sets the state aside and reads the log again, or remove the directory ' +
  'before the server scavenges: it would use a state of another log and delete live events.';

export interface VerifyScavengeState {
  database: Database;
  index: StreamIndex;
  /** Makes an empty directory for a copy; it is removed again. */
  makeScratch: () => string;
  /** All streams are looked up in the log, all names, times and pages of the file, or else a sample of streams. */
  isWhole: boolean;
  /** What is known of chunks: else the log is read for the times of all of them, where all is checked. */
  heads?: Pick<HeadSource, 'notableOf'> | undefined;
  isDue?: () => boolean;
  breathe?: () => Promise<void>;
}

export interface StateProblem {
  /** A hint: the next scavenge copes by itself. */
  severity: 'damage' | 'hint';
  /** `stateUnread`: the machine does not let it be read (rights, length of its path, room, a process that has it). */
  code: 'stateInvalid' | 'stateAheadOfLog' | 'stateCheckpointUnknown' | 'stateUnread';
  /** Name in the index directory. */
  file: string;
  message: string;
  remedy: string;
}

/** Path of the state that a server would use, whether it is there or not. */
export function storedStatePath({ fileSystem, indexDirectory }: Database): string {
  return statePathOf(fileSystem, stateDirectoryOf(fileSystem, indexDirectory));
}

/** False: nothing is in the place of a state. What is there, or may be, need not be one. */
export function mayHoldState(database: Database): boolean {
  try {
    return database.fileSystem.describe(storedStatePath(database)) !== undefined;
  } catch (error) {
    requireFault(error);
    return true; // what hides it is said where it is read
  }
}

/** undefined if there is no state, or nothing is wrong with it. */
export async function verifyScavengeState(options: VerifyScavengeState): Promise<StateProblem | undefined> {
  const { database, index, makeScratch, isWhole, isDue, breathe } = options;
  const { fileSystem, log } = database;
  const path = storedStatePath(database);
  let opened: { store: StateStore; close: () => void } | undefined;
  try {
    opened = openStore({ fileSystem, path, makeScratch, isQuick: !isWhole });
    if (!opened) return undefined;
    const state = new ScavengeState({ store: opened.store, hasher: hashStream });
    const pace = { ...(isDue ? { isDue } : {}), ...(breathe ? { breathe } : {}) };
    await checkFoundState({
      state,
      log,
      index,
      latest: findNewestReadablePoint(log, index),
      statePath: path,
      extent: isWhole ? 'whole' : 'sample',
      ...pace
    });
    if (!isWhole) return undefined;
    holdProgress(state, log.chunkSizeBytes, path);
    await holdNames({ store: opened.store, hasher: hashStream, statePath: path, breathe });
    await holdTimes({ state, log, heads: options.heads, statePath: path, ...pace });
    const oddity = checkpointOddity(state);
    return oddity === undefined ? undefined : oddCheckpoint(path, oddity);
  } catch (error) {
    requireFault(error);
    if (isOfMachine(error)) return problem('stateUnread', error.message, error.remedy);
    const code = error.details['reason'] === 'stateAheadOfLog' ? 'stateAheadOfLog' : 'stateInvalid';
    return problem(code, error.message);
  } finally {
    opened?.close();
  }
}

/** A state that was cut while its tables were made is completed in a copy, as a run would do in its place. */
function openStore(options: ReadState): { store: StateStore; close: () => void } | undefined {
  const reading = openStateToRead(options);
  if (!reading) return undefined;
  if (reading.isComplete) {
    return { store: StateStore.over(reading.database, options.path), close: () => reading.close() };
  }
  reading.close();
  const { fileSystem, path, makeScratch } = options;
  const scratch = makeScratch();
  const copy = fileSystem.join(scratch, 'state.db');
  copyState(fileSystem, path, copy);
  const store = StateStore.open({ path: copy });
  return {
    store,
    close: () => {
      store.close();
      fileSystem.removeDirectory(scratch);
    }
  };
}

/** Says nothing of what the file holds. What stands in its place and is no file does: a server would fail on it. */
function isOfMachine({ code, details }: EngineError): boolean {
  if (code === 'DatabaseInUse') return true;
  return code === 'StorageFailed' && !OF_THE_FILE.has(details['reason']);
}

function problem(code: StateProblem['code'], message: string, remedy = AFRESH): StateProblem {
  return { severity: 'damage', code, file: FILE, message, remedy };
}

function oddCheckpoint(path: string, oddity: string): StateProblem {
  const message =
    `The scavenge state ${path} was changed, or is of a newer server: ${oddity}. ` +
    'A scavenge takes no notice of what it does not understand there.';
  const remedy =
    'Nothing to do: the next scavenge reads the log as far as it needs, and writes a new checkpoint.';
  return { severity: 'hint', code: 'stateCheckpointUnknown', file: FILE, message, remedy };
}
