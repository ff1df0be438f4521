/**
 * A fault of the index as a value: verification lists it, opening collects it instead of failing, because an index
 * that cannot be used never prevents reading: everything in it can be derived from the log again.
 */
import type { EngineError } from '../errors.ts';

export type IndexProblemCode =
  | 'indexMapInvalid'
  | 'indexMapMissing'
  | 'indexAheadOfLog'
  | 'tableMissing'
  | 'tableInvalid'
  | 'tableHashMismatch'
  | 'indexEntryWithoutRecord'
  | 'filterMissing'
  | 'filterInvalid'
  | 'filterNotAFile'
  | 'filterFalseNegative'
  | 'existenceFilterIncomplete'
  | 'existenceFilterMissing'
  | 'stateJournal'
  | 'temporaryFile'
  | 'orphanFile';

export interface IndexProblem {
  /** Damage: the server would discard and rebuild the index, or answer wrongly. Hint: it copes. */
  severity: 'damage' | 'hint';
  code: IndexProblemCode;
  /** Name in the index directory. */
  file: string;
  offset: number | null;
  message: string;
}

export function problemOf(error: EngineError, code: IndexProblemCode, file: string): IndexProblem {
  return { severity: 'damage', code, file, offset: error.details.offset ?? null, message: error.message };
}
