/**
 * Will a server start on this directory, and what would it do? Goes through a start in the server's order without
 * doing any of it: settings, lock and rights, checkpoint files, truncation, the files of the log, epochs, index,
 * the records the index does not hold, the background check of hashes. Every reason is named, not only the first.
 * Only reads; never repairs. What it leaves out to be quick is named.
 */
import { openDatabase, type Database, type DatabasePlace } from '../../database/database.ts';
import type { OperationControl } from '../../database/operation-control.ts';
import { existenceState, type ExistenceState } from '../../index/catch-up/catch-up-existence.ts';
import type { TruncationPlan } from '../../log/truncation.ts';
import { chunkReasons } from './chunk-reasons.ts';
import { indexReasons, type IndexReasons } from './index-reasons.ts';
import { checkpointFileReasons, logReasons } from './log-reasons.ts';
import { CheckBudget } from './check-budget.ts';
import { predictStart, type StartPrediction } from './prediction.ts';
import { parseServerArguments, type ServerSettings } from './server-settings.ts';
import { inferServerVersion, parseServerVersion, type ServerVersion } from './server-version.ts';
import { estimateStart, type EstimateStart, type StartEstimate, type StartRates } from './start-estimate.ts';
import { startDamage, type StartFinding } from './start-finding.ts';
import { startView } from './start-view.ts';
import { storageReasons } from './storage-reasons.ts';
import { truncationReasons } from './truncation-reasons.ts';

export interface ExamineStart {
  place: DatabasePlace;
  /** `23.10.6`; without it what the newest chunk tells. */
  serverVersion?: string | undefined;
  /** Words of the server's command line. */
  serverArguments?: readonly string[] | undefined;
  /** Reads all that the server reads, however much that is. */
  isThorough: boolean;
  /** Bytes that are read otherwise. */
  quickBytes?: number | undefined;
  /** Measured on this disk; default: assumed ones. */
  rates?: StartRates | undefined;
  control: OperationControl;
}

export interface StartExamination {
  prediction: StartPrediction;
  findings: StartFinding[];
  estimate: StartEstimate;
  server: { version: string; isInferred: boolean };
  checked: { files: number; bytes: number; records: number; indexEntries: number };
  notChecked: string[];
  /** To be quick, some of what the server reads was left out; named in `notChecked`. */
  isPartial: boolean;
  /** By its command line the server writes statistics events into the log. */
  writesStatistics: boolean;
  /** No damage; hints may be there. */
  ok: boolean;
  /** What the estimate was made of, for those who prepare a start. */
  facts: StartFacts;
}

/** Everything after the truncation that the start begins with, if it does. */
export interface StartFacts {
  settings: ServerSettings;
  server: ServerVersion;
  truncation: TruncationPlan | undefined;
  /** The directory as the start has it then: changes in memory over the real files. */
  place: DatabasePlace;
  index: Pick<
    IndexReasons,
    'readFrom' | 'willRebuild' | 'isUsable' | 'tableBytes' | 'entries' | 'maxAutoMergeLevel'
  >;
  /** null: the server uses none. */
  filter: ExistenceState | null;
  /** Where its index ends: the chaser, or the end of the log before it. */
  indexEnd: number;
}

/** Throws DatabaseNotFound when the directory holds no database; every other fault is a finding. */
export async function examineStart(options: ExamineStart): Promise<StartExamination> {
  const first = await examineOnce(options);
  // A running server changes its files while we read one after the other: only what is seen twice counts.
  const isInUse = first.findings.some(({ code }) => code === 'inUse');
  return isInUse && !first.prediction.starts ? examineOnce(options) : first;
}

async function examineOnce(options: ExamineStart): Promise<StartExamination> {
  const database = openDatabase(options.place);
  try {
    return await examine(database, options);
  } finally {
    database.close();
  }
}

async function examine(database: Database, options: ExamineStart): Promise<StartExamination> {
  const { place, isThorough, control } = options;
  const settings = parseServerArguments(options.serverArguments ?? []);
  const server =
    options.serverVersion === undefined
      ? inferServerVersion(database.chunkSet)
      : parseServerVersion(options.serverVersion);
  const early = [
    ...settingReasons(settings),
    ...storageReasons(database),
    ...checkpointFileReasons(database)
  ];
  const view = await startView(place, { maxTruncationBytes: settings.maxTruncationBytes, control });
  const started = openDatabase(view.place);
  try {
    const isEndKnown = database.checkpoints.writer !== null;
    const log = [...truncationReasons(database, view, server), ...logReasons(started, server)];
    const before = isEndKnown ? [...early, ...log] : withoutWriter(early, log);
    const budget = new CheckBudget({ isThorough, quickBytes: options.quickBytes });
    const index = await indexReasons({ view: started, settings, server, budget, control });
    const { readFrom } = index;
    const chunks = isEndKnown
      ? await chunkReasons({ view: started, settings, readFrom, budget, control })
      : NO_CHUNKS;
    const filter = filterOf(started, settings, server);
    const estimate = estimateStart({
      chunkFiles: started.chunkSet.chunks.length,
      tableBytes: index.tableBytes,
      asideBytes: index.asideBytes,
      logBytes: bytesFrom(started, readFrom),
      indexWhy: indexWhy(index, started),
      filter: filter && filterWorkOf(filter, index, started),
      rates: options.rates,
      backgroundBytes: chunks.backgroundBytes,
      counted: { records: chunks.records, bytes: chunks.recordBytes }
    });
    const ofIndex = view.truncation ? index.findings.map(afterCut) : index.findings;
    const findings = [...before, ...ofIndex, ...chunks.findings];
    const isPartial = chunks.isPartial || index.notChecked.length > 0;
    return {
      prediction: predictStart({
        findings,
        truncation: view.truncation,
        server,
        estimate,
        isPartial
      }),
      findings,
      estimate,
      server: { version: server.text, isInferred: server.isInferred },
      checked: {
        files: chunks.files + index.tables,
        bytes: chunks.hashedBytes + index.hashedBytes,
        records: chunks.records,
        indexEntries: 0
      },
      notChecked: [...index.notChecked, ...chunks.notChecked, ...NEVER_CHECKED],
      isPartial,
      writesStatistics: settings.writesStatistics,
      ok: findings.every(({ severity }) => severity !== 'damage'),
      facts: {
        settings,
        server,
        truncation: view.truncation,
        place: view.place,
        index,
        filter: filter ?? null,
        indexEnd: Math.min(started.checkpoints.chaser ?? 0, started.log.end)
      }
    };
  } finally {
    started.close();
  }
}

/** Servers before 21.10 have none; 0 switches it off. A version that is only inferred says nothing about that. */
function filterOf(
  { fileSystem, indexDirectory }: Database,
  { existenceFilterBytes }: ServerSettings,
  server: ServerVersion
): ExistenceState | null {
  if (existenceFilterBytes === 0 || (!server.isInferred && !server.hasExistenceFilter)) return null;
  return existenceState({ fileSystem, directory: indexDirectory }, existenceFilterBytes);
}

function filterWorkOf(
  { state, why, fileBytes, checkpoint }: ExistenceState,
  { entries, tableBytes }: IndexReasons,
  started: Database
): EstimateStart['filter'] {
  if (state === 'usable')
    return {
      fileBytes,
      rebuildWhy: null,
      entries: 0,
      entryBytes: 0,
      logBytes: bytesFrom(started, checkpoint)
    };
  // Entries that the start has just read into memory count as those of tables: the log is not read again for them.
  return { fileBytes, rebuildWhy: why, entries, entryBytes: tableBytes, logBytes: 0 };
}

function indexWhy({ willRebuild, isUsable, readFrom, findings }: IndexReasons, { log }: Database): string {
  if (willRebuild) {
    const reason = findings.find(({ effect }) => effect === 'rebuildsIndex');
    return `The index is rebuilt from the whole log. ${reason?.message ?? ''}`.trim();
  }
  if (!isUsable && readFrom === 0)
    return 'There is no index on the disk: the whole log is read into one in memory.';
  return `The index on the disk reaches to position ${readFrom}, the log to ${log.end}.`;
}

const NEVER_CHECKED = [
  'the content of filters: the server does not check it',
  'whether the user of the server may write here'
];

const NO_CHUNKS = {
  findings: [] as StartFinding[],
  notChecked: ['records and hashes: the end of the log is not known'],
  files: 0,
  hashedBytes: 0,
  records: 0,
  recordBytes: 0,
  isPartial: false,
  backgroundBytes: 0
};

/**
 * The server takes a missing writer.chk for 0, and everything contradicts that: the missing file is the reason, what
 * follows from it is told by what the server would do.
 */
function withoutWriter(early: StartFinding[], log: StartFinding[]): StartFinding[] {
  const refusal = log.find(({ effect }) => effect === 'refuses');
  if (!refusal) return [...early, ...log];
  const reason = {
    effect: 'refuses' as const,
    wouldDo: `It treats the missing file as 0 and ends with exit code 1: ${refusal.message}`,
    serverSays: refusal.serverSays
  };
  return [
    ...early.map((finding) => (finding.file === 'writer.chk' ? { ...finding, ...reason } : finding)),
    ...log.filter(({ code }) => !FOLLOWS_FROM_NO_WRITER.has(code))
  ];
}

const FOLLOWS_FROM_NO_WRITER = new Set([
  'chaserBeyondWriter',
  'epochCheckpointInvalid',
  'surplusChunk',
  'logOverwritten',
  'chunkShort'
]);

/** The server ends before it reads the directory. */
function settingReasons({ refusal }: ServerSettings): StartFinding[] {
  if (refusal === undefined) return [];
  const { setting, isDetached, says } = refusal;
  return [
    startDamage('serverOptionInvalid', {
      message: isDetached
        ? 'The server does not accept its command line: a value that begins with a hyphen must be attached with "=".'
        : `The server does not accept its command line: the value of ${setting} is not a whole number.`,
      remedy: !isDetached
        ? 'Write a whole number, or leave the setting out.'
        : setting === 'MaxTruncation'
          ? 'Write it as --max-truncation=-1.'
          : `Write the value of ${setting} directly after "=".`,
      effect: 'refuses',
      wouldDo: 'It ends with exit code 1 before it reads the directory.',
      serverSays: says
    })
  ];
}

/** Every cut that reaches below the index has this effect: no damage, where the cut is meant. */
function afterCut(finding: StartFinding): StartFinding {
  if (finding.code !== 'indexAheadOfLog') return finding;
  const remedy = 'Nothing to do: the server rebuilds it from the log after the truncation.';
  return { ...finding, severity: 'hint', remedy, command: null };
}

/** Bytes of records from a position on. */
function bytesFrom({ chunkSet }: Database, position: number): number {
  return chunkSet.chunks
    .filter(({ endPosition }) => endPosition > position)
    .reduce((sum, { dataSize, startPosition, isScavenged }) => {
      const skipped = isScavenged ? 0 : Math.max(0, position - startPosition);
      return sum + Math.max(0, dataSize - skipped);
    }, 0);
}
