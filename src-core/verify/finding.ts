/**
 * What verification says about one fault: where, what, and what to do. Damage means data cannot be read, would be
 * read wrongly, or the server refuses or rebuilds; a hint is for information, the server copes by itself.
 */
import type { EngineError } from '../errors.ts';
import type { LogProblem } from '../log/log-problem.ts';

export interface Finding {
  severity: 'damage' | 'hint';
  /** A stable word of the contract. */
  code: string;
  /** Relative to the data directory (`index/…` for the index). */
  file: string | null;
  offset: number | null;
  position: number | null;
  message: string;
  remedy: string;
  /** The command that carries the remedy out, where there is one. */
  command: string | null;
}

/** Carries out what can be derived again, takes chunks from a backup, and says what neither can do. */
export const REPAIR_COMMAND = 'winnow repair';
export const REBUILD_COMMAND = 'winnow index rebuild';

/** Damage that a new index puts right, because all of an index follows from the log. */
const REBUILD_CODES = new Set([
  'indexMapInvalid',
  'indexMapMissing',
  'indexAheadOfLog',
  'tableMissing',
  'tableInvalid',
  'tableHashMismatch',
  'indexEntryWithoutRecord',
  'recordWithoutIndexEntry'
]);

export function isIndexFault({ severity, code }: Pick<Finding, 'severity' | 'code'>): boolean {
  return severity === 'damage' && REBUILD_CODES.has(code);
}

export function damage(code: string, parts: Partial<Finding> & { message: string; remedy: string }): Finding {
  return { severity: 'damage', code, file: null, offset: null, position: null, command: null, ...parts };
}

export function hint(code: string, parts: Partial<Finding> & { message: string; remedy: string }): Finding {
  return { severity: 'hint', code, file: null, offset: null, position: null, command: null, ...parts };
}

/** Each record by itself reads well, but a commit leads to a place where none begins. */
export function asUnreadable({ message, remedy, details }: EngineError): Finding {
  const { file = null, offset = null, position = null } = details;
  return damage('recordInvalid', { file, offset, position, message, remedy, command: REPAIR_COMMAND });
}

/** What opening the log found already, as verification says it. */
export function findingOfProblem(problem: LogProblem): Finding {
  const isForeign = problem.code === 'encrypted' || problem.code === 'archiveGap';
  return { ...problem, command: problem.severity === 'damage' && !isForeign ? REPAIR_COMMAND : null };
}
