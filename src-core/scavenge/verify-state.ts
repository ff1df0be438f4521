/**
 * Looks at the stored scavenge state without touching it: a copy is opened, so that a journal left by a killed run
 * is read with it. Says whether the file can be read at all and whether it belongs to the log beside it.
 */
import type { Database } from '../database/database.ts';
import { EngineError } from '../errors.ts';
import { hashStream } from '../index/stream-hash.ts';
import type { StreamIndex } from '../index/stream-index.ts';
import { checkState } from './check-state.ts';
import { findLatestScavengePoint } from './find-scavenge-point.ts';
import { copyState, removeState, stateDirectoryOf, statePathOf } from './state/state-file.ts';
import { ScavengeState } from './state/scavenge-state.ts';
import { STATE_DIRECTORY, STATE_FILE, StateStore } from './state/state-store.ts';

export interface VerifyScavengeState {
  database: Database;
  index: StreamIndex;
  /** An existing directory for the copy, which is removed again. */
  scratchDirectory: string;
}

export interface StateProblem {
  code: 'stateInvalid' | 'stateAheadOfLog';
  /** Name in the index directory. */
  file: string;
  message: string;
  remedy: string;
}

/** undefined when there is no state, or nothing is wrong with it. */
export function verifyScavengeState(options: VerifyScavengeState): StateProblem | undefined {
  const { database, index, scratchDirectory } = options;
  const { fileSystem, indexDirectory, log } = database;
  const path = statePathOf(fileSystem, stateDirectoryOf(fileSystem, indexDirectory));
  if (!fileSystem.describe(path)?.size) return undefined; // an empty file is a fresh start for the server as well
  const copy = fileSystem.join(scratchDirectory, 'state-to-verify.db');
  copyState(fileSystem, path, copy);
  let store: StateStore | undefined;
  try {
    store = StateStore.open({ path: copy });
    const isWhole = store.prepare('PRAGMA quick_check(1)').get()?.['quick_check'] === 'ok';
    if (!isWhole) return problem('stateInvalid', `The scavenge state ${path} is damaged.`);
    const state = new ScavengeState({ store, hasher: hashStream });
    checkState({ state, log, latest: findLatestScavengePoint(log, index), statePath: path });
    return undefined;
  } catch (error) {
    if (!(error instanceof EngineError)) throw error;
    const code = error.details['reason'] === 'stateAheadOfLog' ? 'stateAheadOfLog' : 'stateInvalid';
    return problem(code, error.message.replaceAll(copy, path));
  } finally {
    store?.close();
    removeState(fileSystem, copy);
  }
}

function problem(code: StateProblem['code'], message: string): StateProblem {
  return {
    code,
    file: `${STATE_DIRECTORY}/${STATE_FILE}`,
    message,
    remedy:
      'Scavenge with "--start-afresh", which sets the state aside and reads the log again, or remove the directory ' +
      'before the server scavenges: it would use a state of another log and delete live events.'
  };
}
