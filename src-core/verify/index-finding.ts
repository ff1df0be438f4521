/** Problems of the index as findings: each with what to do about it. */
import type { Database } from '../database/database.ts';
import type { EngineError } from '../errors.ts';
import type { IndexProblem, IndexProblemCode } from '../index/index-problem.ts';
import { hint, REBUILD_COMMAND, REPAIR_COMMAND, type Finding } from './finding.ts';

const REBUILT = {
  remedy: 'Rebuild the index from the log; the server does so by itself at its next start.',
  command: REBUILD_COMMAND
};
const LEFT = { remedy: 'Nothing to do: the server removes it at its next start.', command: null };
const REMEDIES: Record<IndexProblemCode, { remedy: string; command: string | null }> = {
  indexMapInvalid: REBUILT,
  indexMapMissing: REBUILT,
  indexAheadOfLog: REBUILT,
  tableMissing: REBUILT,
  tableInvalid: REBUILT,
  tableHashMismatch: REBUILT,
  // No server notices, so none rebuilds it.
  indexEntryWithoutRecord: { remedy: 'Rebuild the index from the log.', command: REBUILD_COMMAND },
  filterMissing: {
    remedy: 'Nothing to do: look-ups in this table are slower until it is merged or scavenged.',
    command: null
  },
  filterInvalid: {
    remedy: 'Nothing to do: the server treats damaged parts of a filter as full.',
    command: null
  },
  filterNotAFile: {
    remedy: 'Move it away, or let repair do so: look-ups in this table are slower without its filter.',
    command: REPAIR_COMMAND
  },
  filterFalseNegative: {
    remedy: 'Remove the filter file: without it the whole table is searched and nothing is missed.',
    command: REPAIR_COMMAND
  },
  existenceFilterIncomplete: {
    remedy: 'Nothing to do: the server rebuilds the filter of existing streams at its next start.',
    command: null
  },
  existenceFilterMissing: {
    remedy: 'Nothing to do: a server that uses one builds it at its next start, from the index and the log.',
    command: null
  },
  stateJournal: {
    remedy:
      'Nothing to do on a stopped node: the next scavenge resumes from it. Leave these files out of a backup.',
    command: null
  },
  temporaryFile: LEFT,
  orphanFile: LEFT
};

export function asIndexFinding(problem: IndexProblem): Finding {
  return { ...problem, position: null, ...REMEDIES[problem.code] };
}

/** No directory at all, as of a node whose index was never written or was moved away. */
export function missingIndex({ fileSystem, indexDirectory }: Database): Finding[] {
  if (fileSystem.describe(indexDirectory) !== undefined) return [];
  return [
    hint('indexMissing', {
      message: 'There is no index directory.',
      remedy:
        'Nothing to do, or name it with --index if it is elsewhere: the next start creates one and builds the index from the whole log.'
    })
  ];
}

/** An error of reading the index as a finding. */
export function indexErrorAsFinding({ message, details }: EngineError): Finding {
  return asIndexFinding({
    severity: 'damage',
    code: 'tableInvalid',
    file: details.file ?? 'indexmap',
    offset: details.offset ?? null,
    message
  });
}
