/**
 * A verification that has only so much time: chunks and index tables one by one, those first that were not verified for the
 * longest time, until the time is over. What is half read then is read again next time, first of all. Lists of files, heads
 * and checkpoints are looked at each time, since that takes no time; index and log are not compared.
 */
import { partsOf, type Chunk } from '../chunks/chunk.ts';
import type { Database } from '../database/database.ts';
import type { OperationControl } from '../database/operation-control.ts';
import { EngineError, OperationStopped, requireFault, isFileGone } from '../errors.ts';
import type { IndexDirectory } from '../index/index-directory.ts';
import type { IndexProblem } from '../index/index-problem.ts';
import type { IndexTableReader } from '../index/index-table-reader.ts';
import { verifyTable } from '../index/verify-index.ts';
import { inTurn } from '../proof/coverage.ts';
import { provableChunk, provableChunks, provableTable, type ProvableFile } from '../proof/provable-file.ts';
import type { ProofNotes } from '../proof/proof-notes.ts';
import { describeAffected } from './affected-events.ts';

import type { Finding } from './finding.ts';
import { asIndexFinding, missingIndex } from './index-finding.ts';
import { judged, type Verification } from './verify-database.ts';
import { CHUNKS_TOGETHER } from './verify-chunk.ts';
import { openIndexAsItIs, provableTables } from './verify-index-files.ts';
import { verifyLogForm, withoutHash } from './verify-log.ts';
import { verifyInThisThread, type StartVerifyWorkers, type VerifyWorkers } from './verify-workers.ts';

export interface VerifyInTurns {
  database: Database;
  proofs: ProofNotes;
  control: OperationControl;
  /** Milliseconds; with 0 nothing is read. */
  budgetMs: number;
  /** Milliseconds since 1970. */
  nowMs: number;
  threads?: number;
  /** Starts threads that verify chunks; without it all is done in this one. */
  startWorkers?: StartVerifyWorkers;
}

export interface VerifiedInTurns extends Verification {
  /** Files that were verified whole. */
  verifiedFiles: number;
  /** Files that had no turn, or were not through when the time was over. */
  waitingFiles: number;
  waitingBytes: number;
  /** Whose turn is next; null: all had theirs. */
  next: string | null;
  usedMs: number;
}

export async function verifyInTurns(options: VerifyInTurns): Promise<VerifiedInTurns> {
  const { database, control, proofs, nowMs } = options;
  const startedMs = control.elapsedMs;
  const form = await verifyLogForm(database, control);
  const directory = openIndexAsItIs(database);
  try {
    const findings = [...form.findings, ...missingIndex(database), ...directory.problems.map(asIndexFinding)];
    const files = inTurn(filesOf(database, directory), proofs.book, { nowMs });
    const turns = new Turns(options, directory, files);
    await turns.run();
    findings.push(...turns.findings);
    await describeInTime(findings, { database, directory, control: turns.control }, control);
    const { checked, waiting } = turns;
    const notChecked = [
      'the entries of the index against the records: with a budget each file is verified by itself',
      'the filter of existing streams and the scavenge state',
      ...encryptedRecords(database),
      ...withoutHash(database)
    ];
    return {
      ...judged(database, { findings, checked, notChecked }),
      verifiedFiles: checked.files,
      waitingFiles: waiting.length,
      waitingBytes: waiting.reduce((sum, { bytes }) => sum + bytes, 0),
      next: waiting[0]?.name ?? null,
      usedMs: control.elapsedMs - startedMs
    };
  } finally {
    directory.close();
  }
}

/** In the order of the log; the chunk that is being written comes last, because nothing proves it. */
export function filesOf(database: Database, directory: IndexDirectory): ProvableFile[] {
  const chunks = provableChunks(database);
  const growing = chunks.filter(({ kind }) => kind === 'growing');
  return [...chunks.filter(({ kind }) => kind === 'chunk'), ...provableTables(directory), ...growing];
}

/** Streams and events are named as far as there is time. */
async function describeInTime(
  findings: Finding[],
  look: { database: Database; directory: IndexDirectory; control: OperationControl },
  whole: OperationControl
): Promise<void> {
  if (look.directory.fit?.isForeign) return;
  try {
    await describeAffected(findings, look);
  } catch (error) {
    if (!(error instanceof OperationStopped)) throw error;
    whole.throwIfStopped();
  }
}

function encryptedRecords({ chunkSet }: Database): string[] {
  return chunkSet.problems.flatMap(({ code, file }) =>
    code === 'encrypted' && file !== null ? [`records of ${file} (encrypted)`] : []
  );
}

/** The files that wait, and what was found in those that had their turn. */
class Turns {
  readonly findings: Finding[] = [];
  readonly checked = { files: 0, bytes: 0, records: 0, indexEntries: 0 };
  /** Ends when the time is over, too. */
  readonly control: OperationControl;
  readonly #options: VerifyInTurns;
  readonly #files: readonly ProvableFile[];
  readonly #chunks: ReadonlyMap<string, Chunk>;
  readonly #tables: ReadonlyMap<string, IndexTableReader>;
  readonly #queue: ProvableFile[];
  readonly #through = new Set<ProvableFile>();
  readonly #endMs: number;
  readonly #total: number;
  #read = 0;
  /** The first file that could not be read. The others have their turn all the same. */
  #failure: EngineError | undefined;
  /** Of one thread; undefined until a chunk has been read. */
  #bytesPerMs: number | undefined;

  constructor(options: VerifyInTurns, directory: IndexDirectory, files: readonly ProvableFile[]) {
    const { control, budgetMs, database } = options;
    this.#options = options;
    this.#files = files;
    this.#queue = [...files];
    this.#total = files.reduce((sum, { bytes }) => sum + bytes, 0);
    this.#chunks = new Map(database.chunkSet.chunks.map((chunk) => [chunk.fileName, chunk]));
    this.#tables = new Map(directory.tables.map((table) => [table.name, table]));
    this.#endMs = control.elapsedMs + budgetMs;
    this.control = control.stoppedOnce(() => control.elapsedMs >= this.#endMs);
  }

  /** In the order of their turns. */
  get waiting(): ProvableFile[] {
    return this.#files.filter((file) => !this.#through.has(file));
  }

  async run(): Promise<void> {
    const { startWorkers, threads = 1, database, control } = this.#options;
    if (this.#isOver) return;
    const isAlone = !startWorkers || threads < 2;
    const pool = isAlone
      ? verifyInThisThread(database.fileSystem, this.control)
      : startWorkers({ count: threads, signal: this.control.signal });
    try {
      const count = isAlone ? 1 : threads;
      const ends = await Promise.allSettled(Array.from({ length: count }, () => this.#work(pool)));
      const failed = ends.find((end) => end.status === 'rejected');
      if (failed) throw failed.reason;
    } finally {
      await pool.close();
    }
    control.throwIfStopped();
    if (this.#failure) throw this.#failure;
  }

  async #work(pool: VerifyWorkers): Promise<void> {
    try {
      while (this.#queue.length > 0 && !this.#isOver) {
        const group = this.#nextGroup();
        if (group[0]!.kind === 'table') await this.#verifyTable(group[0]!);
        else await this.#verifyChunks(group, pool);
        await this.control.breathe();
      }
    } catch (error) {
      if (!(error instanceof OperationStopped)) throw error;
    }
  }

  /** Chunks are read side by side if all of them will be through in time. */
  #nextGroup(): ProvableFile[] {
    const group = this.#queue.splice(0, 1);
    if (group[0]!.kind === 'table') return group;
    const mayRead = (this.#endMs - this.control.elapsedMs) * (this.#bytesPerMs ?? 0);
    let bytes = group[0]!.bytes;
    while (group.length < CHUNKS_TOGETHER && this.#queue.length > 0) {
      const next = this.#queue[0]!;
      bytes += next.bytes;
      if (next.kind === 'table' || bytes > mayRead) break;
      group.push(this.#queue.shift()!);
    }
    return group;
  }

  async #verifyChunks(group: readonly ProvableFile[], pool: VerifyWorkers): Promise<void> {
    const { proofs, database } = this.#options;
    const startedMs = this.control.elapsedMs;
    const readBefore = this.#read;
    const noted = proofs.begin(group);
    const chunks = group.map(({ name }) => this.#chunks.get(name)!);
    const settled = await pool.verify(
      chunks.map((chunk) => ({ chunk: partsOf(chunk), quick: false })),
      (count) => this.#advance(count)
    );
    settled.forEach((outcome, i) => {
      const file = group[i]!;
      if (outcome.status === 'rejected') {
        if (outcome.reason instanceof OperationStopped) return;
        this.#fail(file, outcome.reason);
        return;
      }
      const { findings, bytes, records } = outcome.value;
      const after = provableChunk(database.fileSystem, chunks[i]!);
      if (file.kind === 'chunk' && after.identity !== file.identity) return;
      noted[i]!({ findings }, after);
      this.#take(file, { findings, bytes, records });
    });
    const tookMs = this.control.elapsedMs - startedMs;
    if (tookMs > 0) this.#bytesPerMs = (this.#read - readBefore) / tookMs;
  }

  async #verifyTable(file: ProvableFile): Promise<void> {
    const { proofs, database } = this.#options;
    const table = this.#tables.get(file.name)!;
    const [end] = proofs.begin([file]);
    let problems: IndexProblem[];
    try {
      problems = await verifyTable(table, () => this.control.breathe());
    } catch (error) {
      if (error instanceof OperationStopped) throw error;
      this.#fail(file, error);
      return;
    }
    const after = provableTable(database.fileSystem, table);
    if (after.identity !== file.identity) return;
    end!({ findings: problems }, after);
    this.#advance(file.bytes);
    const findings = problems.map(asIndexFinding);
    this.#take(file, { findings, bytes: file.bytes, records: 0, indexEntries: table.count });
  }

  /** One that is gone was replaced: what is there now has its turn next time. What cannot be read is not sound. */
  #fail(file: ProvableFile, reason: unknown): void {
    if (isFileGone(reason)) return;
    requireFault(reason);
    this.#options.proofs.noteUnreadable(file);
    this.#failure ??= reason;
  }

  #take(
    file: ProvableFile,
    found: { findings: Finding[]; bytes: number; records: number; indexEntries?: number }
  ): void {
    this.#through.add(file);
    this.findings.push(...found.findings);
    this.checked.files++;
    this.checked.bytes += found.bytes;
    this.checked.records += found.records;
    this.checked.indexEntries += found.indexEntries ?? 0;
  }

  get #isOver(): boolean {
    return this.control.elapsedMs >= this.#endMs || this.control.signal?.aborted === true;
  }

  #advance(count: number): void {
    this.#read += count;
    const done = Math.min(this.#read, this.#total);
    this.control.report({ phase: 'verifying', done, total: this.#total, unit: 'bytes' });
    // Threads hear of the end through the signal, which is only looked at here while they read.
    if (this.#isOver) this.#tellThreads();
  }

  #tellThreads(): void {
    try {
      this.control.throwIfStopped();
    } catch (error) {
      if (!(error instanceof EngineError) && !(error instanceof OperationStopped)) throw error;
    }
  }
}
