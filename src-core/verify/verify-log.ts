/**
 * The log by itself: which files it is made of, checkpoints, every byte of every completed chunk against its hash,
 * every record up to the writer's position. Never repairs, and does not stop at the first fault.
 *
 * A server may run meanwhile. The log counts as it was when writer.chk was read; a chunk that is replaced before
 * it is read is verified in its new version, and a fault of the list of files counts only if it is there twice.
 */
import type { Chunk } from '../chunks/chunk.ts';
import type { Database } from '../database/database.ts';
import type { OperationControl } from '../database/operation-control.ts';
import { readCheckpoints } from '../log/checkpoint-file.ts';
import { readChunkSet } from '../log/chunk-set.ts';
import type { LogProblem } from '../log/log-problem.ts';
import type { TruncationPlan } from '../log/truncation.ts';
import { entriesFrom } from './chunk-entries.ts';
import { isGone } from './follow-replaced-chunks.ts';
import { asUnreadable, findingOfProblem, hint, type Finding } from './finding.ts';
import { LogMarks } from './log-marks.ts';
import { verifyChunkForm } from './verify-chunk-form.ts';
import { verifyCheckpoints } from './verify-checkpoints.ts';
import type { ChunkVerified } from './verify-chunk.ts';
import { verifyTruncation } from './verify-truncation.ts';
import { verifyInThisThread, type VerifyWorkers } from './verify-workers.ts';

/** A running scavenge does not replace one chunk as often as this while we read it. */
const MOST_VERSIONS = 5;

export interface VerifyLog {
  database: Database;
  /** Without the hashes of chunks: records are walked all the same. */
  quick: boolean;
  /** Those who verify chunks, and how many they are; this thread otherwise. */
  workers?: { count: number; pool: VerifyWorkers };
  control: OperationControl;
}

export interface LogVerified {
  findings: Finding[];
  notChecked: string[];
  files: number;
  bytes: number;
  records: number;
  /** All entries that the log gives. */
  marks: LogMarks;
  /** What the next start cuts; undefined when it cuts nothing or refuses to. */
  truncation: TruncationPlan | undefined;
}

export async function verifyLog(options: VerifyLog): Promise<LogVerified> {
  const { database, quick, control } = options;
  const { chunkSet } = database;
  const truncation = await verifyTruncation(database, control);
  const findings = [
    ...settledProblems(database).map(findingOfProblem),
    ...leftBehind(database),
    ...verifyCheckpoints(database),
    ...truncation.findings,
    ...verifyChunkForm(database)
  ];
  const chunks = new ChunkRun(options);
  await chunks.run();
  chunks.marks.complete();
  findings.push(...chunks.findings);
  const { fault } = chunks.marks;
  // After a damaged chunk it is not known what a commit leads to.
  if (fault && findings.every(({ severity }) => severity !== 'damage')) findings.push(asUnreadable(fault));
  const notChecked: string[] = [];
  if (quick) notChecked.push('hashes of chunks');
  for (const { code, file } of chunkSet.problems) {
    if (code === 'encrypted' && file !== null) notChecked.push(`records of ${file} (encrypted)`);
  }
  const active = chunkSet.chunks.find((chunk) => chunk.isActive);
  if (active) notChecked.push(`payloads in ${active.fileName}: the chunk being written has no hash yet`);
  control.throwIfStopped();
  const { bytes, records, marks } = chunks;
  return {
    findings,
    notChecked,
    files: chunkSet.chunks.length,
    bytes,
    records,
    marks,
    truncation: truncation.plan
  };
}

type Outcome = { verified: ChunkVerified; from: number } | { error: unknown };

/** All chunks, some at once, their results in the order of the log. */
class ChunkRun {
  readonly findings: Finding[] = [];
  readonly marks: LogMarks;
  bytes = 0;
  records = 0;
  readonly #options: VerifyLog;
  readonly #pool: VerifyWorkers;
  #done = 0;
  readonly #total: number;

  constructor(options: VerifyLog) {
    this.#options = options;
    this.#pool = options.workers?.pool ?? verifyInThisThread(options.database.fileSystem, options.control);
    this.marks = new LogMarks(options.database.log);
    const { chunks } = options.database.chunkSet;
    this.#total = chunks.reduce((sum, chunk) => sum + this.#sizeOf(chunk), 0);
  }

  async run(): Promise<void> {
    const { chunks } = this.#options.database.chunkSet;
    const threads = this.#options.workers?.count ?? 1;
    this.#report(true);
    const outcomes = new Map<number, Promise<Outcome>>();
    let started = 0;
    for (const [i, chunk] of chunks.entries()) {
      // One more than there are threads, so that none waits while a result is taken in.
      const ahead = threads === 1 ? 1 : threads + 1;
      for (; started < Math.min(chunks.length, i + ahead); started++) {
        outcomes.set(started, this.#outcomeOf(chunks[started]!));
      }
      const outcome = await outcomes.get(i)!;
      outcomes.delete(i);
      if ('error' in outcome) {
        await Promise.all(outcomes.values());
        throw outcome.error;
      }
      const { verified, from } = outcome;
      this.findings.push(...verified.findings);
      this.bytes += verified.bytes;
      this.records += verified.records;
      this.marks.add(from, verified.entries);
      await this.#options.control.breathe();
      if (chunk.isActive) this.#report(true);
    }
  }

  #outcomeOf(chunk: Chunk): Promise<Outcome> {
    return this.#verified(chunk).then(
      (verified) => ({ verified, from: chunk.startPosition }),
      (error: unknown) => ({ error })
    );
  }

  /** A chunk, or what has taken its place since the directory was read. */
  async #verified(listed: Chunk): Promise<ChunkVerified> {
    const { quick } = this.#options;
    let chunk = listed;
    for (let version = 1; ; version++) {
      try {
        const verified = await this.#pool.verify({ chunk: partsOf(chunk), quick }, (count) =>
          this.#advance(count)
        );
        const newer = verified.findings.length > 0 ? this.#newerThan(chunk) : undefined;
        if (!newer || version === MOST_VERSIONS) return within(verified, listed);
        chunk = newer;
      } catch (error) {
        const newer = isGone(error) ? this.#newerThan(chunk) : undefined;
        if (!newer || version === MOST_VERSIONS) throw error;
        chunk = newer;
      }
    }
  }

  /** The chunk that serves the place of another one by now; undefined when it is still itself. */
  #newerThan(chunk: Chunk): Chunk | undefined {
    const { fileSystem, dataDirectory, checkpoints, log } = this.#options.database;
    const now = readChunkSet({
      fileSystem,
      directory: dataDirectory,
      writer: checkpoints.writer
    }).chunks.find(
      ({ startNumber, endNumber }) => startNumber <= chunk.startNumber && chunk.startNumber <= endNumber
    );
    if (!now || now.fileName === chunk.fileName) return undefined;
    log.switchIn(now);
    return now;
  }

  #sizeOf(chunk: Chunk): number {
    return this.#options.quick || !chunk.footer ? chunk.dataSize : chunk.fileSize;
  }

  #advance(count: number): void {
    this.#done += count;
    this.#report();
  }

  #report(force = false): void {
    const done = Math.min(this.#done, this.#total);
    this.#options.control.report({ phase: 'chunks', done, total: this.#total, unit: 'bytes' }, force);
  }
}

function partsOf(chunk: Chunk) {
  const { fileName, path, fileVersion, fileSize, header, footer, isActive, dataSize } = chunk;
  return { fileName, path, fileVersion, fileSize, header, footer, isActive, dataSize };
}

/** A merged chunk may hold more than the one it stands for; those before have been verified by themselves. */
function within(verified: ChunkVerified, { startPosition, endPosition }: Chunk): ChunkVerified {
  return { ...verified, entries: entriesFrom(verified.entries, startPosition, endPosition) };
}

/** What is wrong with the list of files, and still is when it is read again: a server may have been at work between. */
function settledProblems({ fileSystem, dataDirectory, problems }: Database): LogProblem[] {
  if (problems.every(({ severity }) => severity !== 'damage')) return [...problems];
  const { writer } = readCheckpoints(fileSystem, dataDirectory);
  const again = new Set(
    readChunkSet({ fileSystem, directory: dataDirectory, writer }).problems.map(
      ({ code, file }) => `${code} ${file}`
    )
  );
  return problems.filter(({ code, file }) => again.has(`${code} ${file}`));
}

function leftBehind({ chunkSet }: Database): Finding[] {
  return [
    ...chunkSet.superseded.map(({ file, fileSize }) =>
      hint('supersededChunk', {
        file,
        message: `${file} (${fileSize} bytes) was replaced by a newer version or a merged chunk.`,
        remedy: 'Nothing to do: the server removes it at its next start, as does a scavenge by Winnow.'
      })
    ),
    ...chunkSet.leftovers.map(({ file, fileSize }) =>
      hint('temporaryFile', {
        file,
        message: `${file} (${fileSize} bytes) is left over from an interrupted rewrite.`,
        remedy: 'Nothing to do: the server removes it at its next start, as does a scavenge by Winnow.'
      })
    )
  ];
}
