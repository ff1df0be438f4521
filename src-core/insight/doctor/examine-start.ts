/**
 * Will a server start on this directory, and what would it do? Goes through a start in the server's order without
 * doing any of it: settings, lock and rights, checkpoint files, truncation, the files of the log, epochs, index,
 * the records the index does not hold, the background check of hashes. Every reason is named, not only the first.
 * Only reads; never repairs. What it leaves out to be quick is named.
 */
import { openDatabase, type Database, type DatabasePlace } from '../../database/database.ts';
import type { OperationControl } from '../../database/operation-control.ts';
import { chunkReasons } from './chunk-reasons.ts';
import { indexReasons } from './index-reasons.ts';
import { checkpointFileReasons, logReasons } from './log-reasons.ts';
import { CheckBudget } from './check-budget.ts';
import { predictStart, type StartPrediction } from './prediction.ts';
import { parseServerArguments, type ServerSettings } from './server-settings.ts';
import { inferServerVersion, parseServerVersion } from './server-version.ts';
import { estimateStart, type StartEstimate } from './start-estimate.ts';
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
  /** Bytes that are read otherwise; for tests. */
  quickBytes?: number | undefined;
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
    const estimate = estimateStart({
      tableBytes: index.tableBytes,
      asideBytes: index.asideBytes,
      logBytes: bytesFrom(started, readFrom),
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
      ok: findings.every(({ severity }) => severity !== 'damage')
    };
  } finally {
    started.close();
  }
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
  return [
    startDamage('serverOptionInvalid', {
      message:
        'The server does not accept its command line: a value that begins with a hyphen must be attached with "=".',
      remedy: 'Write it as --max-truncation=-1.',
      effect: 'refuses',
      wouldDo: 'It ends with exit code 1 before it reads the directory.',
      serverSays: refusal
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
