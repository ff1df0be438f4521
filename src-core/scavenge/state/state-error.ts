/** What speaks against a scavenge state, sorted by what can be done; SQLite's own errors among them. */
import { EngineError } from '../../errors.ts';

const AFRESH =
  'Set it aside with "--start-afresh": the next scavenge then reads the whole log again. ' +
  'Nothing is lost, but space below a threshold may be found only by a scavenge with threshold -1.';

/** The file is not a known state: `what` ends the sentence. */
export function stateDamaged(path: string, what: string, cause?: unknown): EngineError {
  return new EngineError({
    code: 'StorageFailed',
    message: `The scavenge state ${path} cannot be used: ${what}.`,
    remedy: AFRESH,
    details: { file: path, reason: 'stateInvalid' },
    cause
  });
}

/** The state says of the log what the log does not say: `what` ends the sentence. */
export function stateUntrue(path: string, what: string): EngineError {
  return new EngineError({
    code: 'LogCorrupt',
    message:
      `The scavenge state ${path} contradicts the log: ${what}. A scavenge that trusted it would delete live events; ` +
      'no chunk was changed.',
    remedy: AFRESH,
    details: { file: path, reason: 'stateInvalid' }
  });
}

/** An error of SQLite as one of ours; others as they are. */
export function stateProblem(error: unknown, path: string): unknown {
  if (!(error instanceof Error) || error instanceof EngineError) return error;
  const sqliteCode = (error as { code?: unknown }).code;
  if (sqliteCode !== 'ERR_SQLITE_ERROR') {
    // A number that no double holds, in a column of ours: the examination leaves none, another process may.
    return sqliteCode === 'ERR_OUT_OF_RANGE' ? stateDamaged(path, error.message, error) : error;
  }
  const message = error.message;
  if (/disk is full|disk I\/O|readonly|unable to open/.test(message)) {
    return new EngineError({
      code: 'StorageFailed',
      message: `The scavenge state ${path} could not be written or read: ${message}.`,
      remedy:
        'Free space or correct the permissions of the file, then run the same command again; it resumes where it stopped.',
      details: { file: path },
      cause: error
    });
  }
  if (/locked|busy/.test(message)) {
    return new EngineError({
      code: 'DatabaseInUse',
      message: `The scavenge state ${path} is in use by another process: ${message}.`,
      remedy: 'Wait for the other scavenge or stop it.',
      details: { file: path },
      cause: error
    });
  }
  return stateDamaged(path, message, error);
}
