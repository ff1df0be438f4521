/**
 * Everything that can be checked without a server: the log by itself, the index by itself, one against the other.
 * Answers with findings and never repairs; throws only if it cannot check at all. What could not be checked is
 * named, never skipped.
 *
 * A server may have the database open. The log is taken as it was when writer.chk was read, the index as it is once
 * the log has been walked; what changes in between is not a finding.
 */
import type { Database } from '../database/database.ts';
import type { OperationControl } from '../database/operation-control.ts';
import type { ChunkDigests } from '../digest/chunk-digests.ts';
import { requireFault } from '../errors.ts';
import { IndexDirectory } from '../index/index-directory.ts';
import type { SortedEntries } from '../index/index-entry.ts';
import { readRecentEntries } from '../index/read-recent-entries.ts';
import { hashStream } from '../index/stream-hash.ts';
import { verifyExistence } from '../index/verify-existence.ts';
import { readCheckpoints } from '../log/checkpoint-file.ts';
import type { TruncationPlan } from '../log/truncation.ts';
import type { ProofNotes } from '../proof/proof-notes.ts';
import { compareIndexWithLog, type WeightOf } from './compare-index-with-log.ts';
import { followReplacedChunks, readingOn } from './follow-replaced-chunks.ts';
import { asUnreadable, hint, type Finding } from './finding.ts';
import { asIndexFinding, indexErrorAsFinding, missingIndex } from './index-finding.ts';
import type { LogMarks } from './log-marks.ts';
import { newestScavengePoint } from './newest-scavenge-point.ts';
import { describeAffected } from './affected-events.ts';
import { verifyIndexFiles } from './verify-index-files.ts';
import { verifyLog, type LogVerified } from './verify-log.ts';
import type { StartVerifyWorkers } from './verify-workers.ts';

export interface VerifyDatabase {
  database: Database;
  /** Without hashes of chunks and tables. */
  quick: boolean;
  control: OperationControl;
  /** Threads that verify chunks. */
  threads?: number;
  /** Starts them; without it all is done in this thread. */
  startWorkers?: StartVerifyWorkers;
  /** From the scavenge state, for the reason why records stay; without it none is singled out. */
  weightOf?: WeightOf | undefined;
  /** Digests that are missing are made on the way, since every byte is read. */
  digests?: ChunkDigests | undefined;
  /** Where it is noted what was proved of chunks and tables. */
  proofs?: ProofNotes | undefined;
}

export interface Verification {
  findings: Finding[];
  checked: { files: number; bytes: number; records: number; indexEntries: number };
  notChecked: string[];
  /** No damage; hints may be there. */
  ok: boolean;
}

export async function verifyDatabase(options: VerifyDatabase): Promise<Verification> {
  const { database, quick, control, proofs } = options;
  const log = await verifyLogWithThreads(options);
  const findings = [...log.findings];
  const notChecked = [...log.notChecked];
  const checked = { files: log.files, bytes: log.bytes, records: log.records, indexEntries: 0 };

  const { directory, problems } = await verifyIndexFiles(database, { quick, control, proofs });
  try {
    findings.push(
      ...missingIndex(database),
      ...problems.map(asIndexFinding),
      ...aheadAfterTruncation(log.truncation, database, directory)
    );
    const sources: SortedEntries[] = [...directory.tables];
    if (quick && directory.tables.length > 0) notChecked.push('hashes of index tables');
    checked.files += directory.tables.length;
    if (!directory.isUsable || problems.some(({ code }) => code === 'tableHashMismatch')) {
      notChecked.push('index entries against records: the index cannot be used');
    } else if (log.findings.some(({ severity }) => severity === 'damage')) {
      notChecked.push('index entries against records: the log is damaged');
    } else if (database.problems.some(({ code }) => code === 'encrypted')) {
      notChecked.push('index entries against records: chunks are encrypted');
    } else {
      const compared = await compare(options, directory, log.marks);
      findings.push(...compared.findings);
      checked.indexEntries = compared.entriesChecked;
      if (compared.recent) sources.push(compared.recent);
    }
    log.marks.release();
    if (!quick) findings.push(...(await existence(options, sources)));
    // An index of another log knows nothing about this one.
    if (!directory.fit?.isForeign) await describeAffected(findings, { database, directory, control });
  } finally {
    directory.close();
  }
  return judged(database, { findings, checked, notChecked });
}

/** The answer, without what was only there for a while. */
export function judged(database: Database, found: Omit<Verification, 'ok'>): Verification {
  const findings = found.findings.filter((finding) => !isGoneByNow(database, finding));
  return { ...found, findings, ok: findings.every(({ severity }) => severity !== 'damage') };
}

async function verifyLogWithThreads(options: VerifyDatabase): Promise<LogVerified> {
  const { database, quick, control, digests, proofs, startWorkers, threads: count = 1 } = options;
  if (!startWorkers || count < 2) return verifyLog({ database, quick, control, digests, proofs });
  const pool = startWorkers({ count, signal: control.signal, digestDirectory: digests?.directory });
  try {
    return await verifyLog({ database, quick, control, digests, proofs, workers: { count, pool } });
  } finally {
    await pool.close();
  }
}

/** Last, because the filter of a server with default settings takes 256 MB of memory. */
async function existence({ database, control }: VerifyDatabase, sources: readonly SortedEntries[]) {
  const { fileSystem, indexDirectory } = database;
  const problems = await verifyExistence({
    fileSystem,
    directory: indexDirectory,
    sources,
    breathe: () => control.breathe()
  });
  return problems.map(asIndexFinding);
}

async function compare(
  { database, control, weightOf }: VerifyDatabase,
  directory: IndexDirectory,
  marks: LogVerified['marks']
) {
  const { log } = database;
  const breathe = async () => {
    if (control.isDue) await control.breathe();
  };
  control.report({ phase: 'index against log', done: 0, total: null, unit: 'records' }, true);
  try {
    const read = { log, end: log.end, hasher: hashStream, breathe };
    const recent = await readingOn(database, () => readRecentEntries({ ...read, ...directory.checkpoints }));
    if (endNow(database) > log.end || database.inUse) followReplacedChunks(database);
    const compared = await compareIndexWithLog({
      log,
      tables: directory.tables,
      marks,
      recent,
      endNow: endNow(database),
      scavengePoint: scavengePointNow(database, marks),
      weightOf,
      control
    });
    return { ...compared, recent };
  } catch (error) {
    requireFault(error, 'LogCorrupt', 'IndexCorrupt');
    // An entry that no table may hold: verifyIndex has told of it, unless hashes and order were left out.
    const finding = error.code === 'LogCorrupt' ? asUnreadable(error) : indexErrorAsFinding(error);
    return { findings: [finding], entriesChecked: 0, recent: undefined };
  }
}

/** Where the log of a database that a server may have open ends by now. */
function endNow({ fileSystem, dataDirectory, log }: Database): number {
  return Math.max(log.end, readCheckpoints(fileSystem, dataDirectory).writer ?? 0);
}

/** A scavenge may have begun since the log was read: what it takes from the index lies before a point of its own. */
function scavengePointNow(database: Database, marks: LogMarks): number {
  if (endNow(database) === database.log.end) return marks.scavengePoint;
  return Math.max(marks.scavengePoint, newestScavengePoint(database));
}

/** A truncation that waits for the next start may cut below what the index reaches. */
function aheadAfterTruncation(
  truncation: TruncationPlan | undefined,
  { log }: Database,
  directory: IndexDirectory
): Finding[] {
  const reached = directory.map?.commitCheckpoint ?? -1;
  if (!truncation || truncation.end >= log.end || reached < truncation.end) return [];
  return [
    hint('indexAheadOfLog', {
      file: 'indexmap',
      position: reached,
      message: `The index reaches to position ${reached}; after the pending truncation to ${truncation.end} it is ahead of the log.`,
      remedy: 'Nothing to do: the server rebuilds it from the log after the truncation.'
    })
  ];
}

/** Files that are only there for a while, and are gone when all has been read. */
const PASSING_CODES = new Set(['supersededChunk', 'temporaryFile', 'surplusChunk', 'orphanFile']);

function isGoneByNow(
  { fileSystem, dataDirectory, indexDirectory }: Database,
  { severity, code, file }: Finding
) {
  if (severity === 'damage' || file === null || !PASSING_CODES.has(code)) return false;
  return [dataDirectory, indexDirectory].every(
    (directory) => fileSystem.describe(fileSystem.join(directory, ...file.split('/'))) === undefined
  );
}
