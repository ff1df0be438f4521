/**
 * What the index means for a start: whether the server uses it, puts it aside and reads the log again, or is led
 * astray by one of another node. Hashes of tables are computed as the server does, within a budget.
 */
import type { Database } from '../../database/database.ts';
import type { OperationControl } from '../../database/operation-control.ts';
import type { IndexDirectory } from '../../index/index-directory.ts';
import { UNLIMITED_AUTO_MERGE_LEVEL } from '../../index/index-map.ts';
import type { IndexProblem } from '../../index/index-problem.ts';
import type { IndexTableReader } from '../../index/index-table-reader.ts';
import { readTableChecksum } from '../../index/table-checksum.ts';
import { asIndexFinding, missingIndex } from '../../verify/index-finding.ts';
import { verifyIndexFiles } from '../../verify/verify-index-files.ts';
import type { ServerSettings } from './server-settings.ts';
import type { ServerVersion } from './server-version.ts';
import type { CheckBudget } from './check-budget.ts';
import { asStartFinding, NOTHING_CHANGES, REFUSES, startDamage, type StartFinding } from './start-finding.ts';

const REBUILDS = 'It copies the index to a folder beside it and rebuilds the index from the whole log.';
const FORCE_VERIFY_NAME = '.forceverify';
/** Where the version line of an index map begins: alone a version that is no number ends the server. */
const VERSION_LINE_OFFSET = 33;
/** Place of the version in the header of a table. */
const TABLE_VERSION_OFFSET = 1;
const NOT_NOTICED = 'It does not notice: readers miss events or get errors.';

export interface IndexReasons {
  findings: StartFinding[];
  notChecked: string[];
  /** Where the server begins to read the log for its index: 0 for a rebuild. */
  readFrom: number;
  willRebuild: boolean;
  /** There is a map, and nothing is wrong with what it names. */
  isUsable: boolean;
  /** Entries of all tables. */
  entries: number;
  /** The level that the map stores as the highest of automatic merges. */
  maxAutoMergeLevel: number;
  /** Bytes of tables that the server hashes. */
  tableBytes: number;
  /** Bytes of the index that is put aside before a rebuild. */
  asideBytes: number;
  tables: number;
  /** Bytes that were hashed here. */
  hashedBytes: number;
}

export interface LookAtIndex {
  view: Database;
  settings: ServerSettings;
  server: ServerVersion;
  budget: CheckBudget;
  control: OperationControl;
}

export async function indexReasons(options: LookAtIndex): Promise<IndexReasons> {
  const { view, settings, server, control } = options;
  const { directory, problems } = await verifyIndexFiles(view, { quick: true, control });
  try {
    const findings = [
      ...problems.map((problem) => problemReason(problem, { view, server, directory })),
      ...missingDirectory(view),
      ...otherTableVersions(directory, server),
      ...mergeLevel(directory, settings)
    ];
    const { fileSystem, indexDirectory } = view;
    const isForced = fileSystem.describe(fileSystem.join(indexDirectory, FORCE_VERIFY_NAME)) !== undefined;
    const tableBytes = directory.tables.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
    const isHashed = !settings.skipIndexVerify || isForced;
    const hashed = isHashed ? await hashTables(directory, options) : NOTHING_HASHED;
    findings.push(...hashed.findings);
    if (findings.every(({ effect }) => effect === 'none')) findings.push(...doubtfulEntries(directory));
    const willRebuild = findings.some(({ effect }) => effect === 'rebuildsIndex');
    const isUsed = !willRebuild && directory.map !== undefined;
    return {
      findings,
      notChecked: hashed.notChecked,
      readFrom: isUsed ? Math.max(0, directory.map.commitCheckpoint) : 0,
      willRebuild,
      isUsable: isUsed && directory.isUsable,
      entries: directory.entryCount,
      maxAutoMergeLevel: directory.map?.maxAutoMergeLevel ?? UNLIMITED_AUTO_MERGE_LEVEL,
      tableBytes: isHashed ? tableBytes : 0,
      asideBytes: willRebuild ? tableBytes : 0,
      tables: directory.tables.length,
      hashedBytes: hashed.bytes
    };
  } finally {
    directory.close();
  }
}

function problemReason(
  problem: IndexProblem,
  { view, server, directory }: { view: Database; server: ServerVersion; directory: IndexDirectory }
): StartFinding {
  const finding = asIndexFinding(problem);
  if (problem.severity === 'hint') {
    const isRemoved = problem.code === 'orphanFile' || problem.code === 'temporaryFile';
    return asStartFinding(finding, {
      effect: 'none',
      wouldDo: isRemoved ? 'It removes the file.' : (MADE_AGAIN[problem.code] ?? NOTHING_CHANGES)
    });
  }
  if (problem.code === 'indexEntryWithoutRecord') {
    const isReadFromInside = (directory.fit?.checkpointInsideRecord ?? -1) >= 0;
    return asStartFinding(
      finding,
      isReadFromInside
        ? {
            effect: 'refuses',
            wouldDo:
              'It ends with exit code 1 when it reads the log for its index, beginning inside a record.',
            serverSays: 'Error in StorageChaser. Terminating...'
          }
        : { effect: 'none', wouldDo: NOT_NOTICED }
    );
  }
  // Found by its header alone, so that the version is all that is wrong with it.
  const isOldTable =
    problem.code === 'tableInvalid' &&
    problem.offset === TABLE_VERSION_OFFSET &&
    directory.tables.some(({ name, version }) => name === problem.file && version === 1);
  if (isOldTable && server.oldestTableVersion === 1) {
    return asStartFinding(
      { ...finding, severity: 'hint', remedy: 'Nothing to do before an upgrade to 24.10.', command: null },
      { effect: 'none', wouldDo: NOTHING_CHANGES }
    );
  }
  if (problem.code === 'indexMapInvalid' && problem.offset === VERSION_LINE_OFFSET) {
    return asStartFinding(
      { ...finding, remedy: 'Rebuild the index from the log: the server does not do so by itself here.' },
      { effect: 'refuses', wouldDo: REFUSES }
    );
  }
  const isMissingMap = problem.code === 'indexMapMissing';
  return asStartFinding(finding, {
    effect: problem.code === 'filterFalseNegative' ? 'none' : 'rebuildsIndex',
    wouldDo: isMissingMap ? 'It removes the tables and rebuilds the index from the whole log.' : REBUILDS,
    serverSays: isMissingMap
      ? null
      : serverWords(problem, view.fileSystem.join(view.indexDirectory, problem.file))
  });
}

const MADE_AGAIN: Partial<Record<IndexProblem['code'], string>> = {
  existenceFilterMissing: 'It builds the filter from the index and the log, if it uses one.',
  existenceFilterIncomplete: 'It rebuilds the filter from the index and the log.'
};

function serverWords({ code, offset }: IndexProblem, path: string): string {
  if (code === 'tableMissing') return `ReadIndex is corrupted... PTable ${path} not found.`;
  if (code === 'indexAheadOfLog') {
    return "ReadIndex is corrupted... IndexMap's CommitCheckpoint";
  }
  if (code === 'tableInvalid' && offset === 1)
    return `ReadIndex is corrupted... File ${path} has wrong version`;
  return code === 'indexMapInvalid'
    ? 'ReadIndex is corrupted... Error while loading IndexMap.'
    : 'ReadIndex is corrupted... Corrupted PTable.';
}

function missingDirectory(view: Database): StartFinding[] {
  return missingIndex(view).map((finding) =>
    asStartFinding(finding, {
      effect: 'none',
      wouldDo: 'It creates one and builds the index from the whole log.'
    })
  );
}

function otherTableVersions(directory: IndexDirectory, server: ServerVersion): StartFinding[] {
  const table = directory.tables.find(({ version }) => version > server.newestTableVersion);
  if (!table) return [];
  return [
    startDamage('tableTooNew', {
      file: table.name,
      offset: 1,
      message: `Index table ${table.name} has version ${table.version}; a server ${server.text} reads up to ${server.newestTableVersion}.`,
      remedy: 'Nothing to do if the older server is intended: it rebuilds the index.',
      effect: 'rebuildsIndex',
      wouldDo: REBUILDS,
      serverSays: `ReadIndex is corrupted... File ${table.name} has wrong version: ${table.version}`
    })
  ];
}

function mergeLevel({ map }: IndexDirectory, { maxAutoMergeLevel }: ServerSettings): StartFinding[] {
  const stored = map?.maxAutoMergeLevel ?? UNLIMITED_AUTO_MERGE_LEVEL;
  const configured = maxAutoMergeLevel ?? UNLIMITED_AUTO_MERGE_LEVEL;
  if (stored >= configured) return [];
  return [
    startDamage('indexMergeLevelRaised', {
      file: 'indexmap',
      message:
        maxAutoMergeLevel === undefined
          ? `The index merges up to level ${stored}: a server without MaxAutoMergeIndexLevel rebuilds it.`
          : `The index merges up to level ${stored}, the server is set to merge up to ${maxAutoMergeLevel}.`,
      remedy: `Start the server with --max-auto-merge-index-level=${stored}, or let it rebuild the index.`,
      effect: 'rebuildsIndex',
      wouldDo: REBUILDS,
      serverSays: 'ReadIndex is corrupted...'
    })
  ];
}

const NOTHING_HASHED = { findings: [] as StartFinding[], notChecked: [] as string[], bytes: 0 };

async function hashTables(
  directory: IndexDirectory,
  { budget, control }: LookAtIndex
): Promise<typeof NOTHING_HASHED> {
  const findings: StartFinding[] = [];
  let left = 0;
  let bytes = 0;
  for (const table of directory.tables) {
    // The server checks no table without entries.
    if (table.count === 0) continue;
    if (!budget.take(table.sizeBytes)) {
      left += table.sizeBytes;
      continue;
    }
    const { computed, stored } = await readTableChecksum(table, async () => {
      if (control.isDue) await control.breathe();
    });
    bytes += table.sizeBytes;
    if (computed !== stored) findings.push(hashMismatch(table, computed, stored));
  }
  return { findings, notChecked: left === 0 ? [] : [`hashes of index tables: ${left} bytes`], bytes };
}

function hashMismatch(table: IndexTableReader, computed: string, stored: string): StartFinding {
  const message = `Index table ${table.name} has the checksum ${computed}, but ${stored} is stored.`;
  const finding = asIndexFinding({
    severity: 'damage',
    code: 'tableHashMismatch',
    file: table.name,
    offset: table.sizeBytes - 16,
    message
  });
  return asStartFinding(finding, {
    effect: 'rebuildsIndex',
    wouldDo: REBUILDS,
    serverSays: 'ReadIndex is corrupted... Corrupted PTable.'
  });
}

/** A few entries lead astray, too few to say that the index is of another node: no server would notice. */
function doubtfulEntries({ fit }: IndexDirectory): StartFinding[] {
  if (!fit?.firstWrong || fit.isForeign) return [];
  const { asked, wrong, firstWrong } = fit;
  return [
    startDamage('indexEntryWithoutRecord', {
      file: firstWrong.table,
      position: firstWrong.position,
      message: `${wrong} of ${asked} checked index entries lead to no record of their stream.`,
      remedy: 'Run "winnow verify": it compares all entries with all records.',
      command: 'winnow verify',
      effect: 'none',
      wouldDo: NOT_NOTICED
    })
  ];
}
