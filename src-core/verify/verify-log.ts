/**
 * The log by itself: which files it is made of, checkpoints, every byte of every completed chunk against its hash,
 * every record up to the writer's position. Never repairs, and does not stop at the first fault.
 *
 * A server may run meanwhile. The log counts as it was when writer.chk was read; a chunk that is replaced before
 * it is read is verified in its new version, and a fault of the list of files counts only if it is there twice.
 */
import { isFileGone } from '../errors.ts';
import { partsOf, type Chunk } from '../chunks/chunk.ts';
import type { Database } from '../database/database.ts';
import type { OperationControl } from '../database/operation-control.ts';
import type { ChunkDigests } from '../digest/chunk-digests.ts';
import { readCheckpoints } from '../log/checkpoint-file.ts';
import { readChunkSet } from '../log/chunk-set.ts';
import type { LogProblem } from '../log/log-problem.ts';
import type { TruncationPlan } from '../log/truncation.ts';
import { provableChunk } from '../proof/provable-file.ts';
import type { ProofNotes } from '../proof/proof-notes.ts';
import { entriesFrom } from './chunk-entries.ts';

import { damage, findingOfProblem, hint, REPAIR_COMMAND, type Finding } from './finding.ts';
import { LogMarks, type CommitFault } from './log-marks.ts';
import { verifyChunkForm } from './verify-chunk-form.ts';
import { readingOn } from './follow-replaced-chunks.ts';
import { verifyCheckpoints } from './verify-checkpoints.ts';
import { CHUNKS_TOGETHER, type ChunkVerified } from './verify-chunk.ts';
import { verifyTruncation } from './verify-truncation.ts';
import { verifyInThisThread, type SettledChunk, type VerifyWorkers } from './verify-workers.ts';

/** A running scavenge does not replace one chunk as often as this while we read it. */
const MOST_VERSIONS = 5;

export interface VerifyLog {
  database: Database;
  /** Without the hashes of chunks: records are walked all the same. */
  quick: boolean;
  /** Those who verify chunks, and how many they are; this thread otherwise. */
  workers?: { count: number; pool: VerifyWorkers };
  control: OperationControl;
  /** Digests that are missing are made on the way. */
  digests?: ChunkDigests | undefined;
  /** Where it is noted what was proved. */
  proofs?: ProofNotes | undefined;
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
  const { findings, truncation } = await verifyLogForm(database, control);
  const chunks = new ChunkRun(options);
  await chunks.run();
  chunks.marks.complete();
  findings.push(...chunks.findings);
  const { fault } = chunks;
  // After a damaged chunk it is not known what a commit leads to.
  if (fault && findings.every(({ severity }) => severity !== 'damage')) findings.push(fault);
  const notChecked: string[] = [];
  if (quick) notChecked.push('hashes of chunks');
  for (const { code, file } of chunkSet.problems) {
    if (code === 'encrypted' && file !== null) notChecked.push(`records of ${file} (encrypted)`);
  }
  notChecked.push(...withoutHash(database));
  control.throwIfStopped();
  const { bytes, records, marks } = chunks;
  return {
    findings,
    notChecked,
    files: chunkSet.chunks.length,
    bytes,
    records,
    marks,
    truncation
  };
}

/** Of the commit, not of the place that it leads to: nothing may be wrong there. */
function commitFinding({ commitPosition, transactionPosition, why }: CommitFault, chunk: Chunk): Finding {
  return damage('recordInvalid', {
    file: chunk.fileName,
    offset: chunk.isScavenged ? null : chunk.dataStart + commitPosition - chunk.startPosition,
    position: commitPosition,
    message: `The commit at position ${commitPosition} names ${transactionPosition} as the beginning of its transaction: ${why}`,
    remedy: `Restore ${chunk.fileName} from a backup of this node.`,
    command: REPAIR_COMMAND
  });
}

/**
 * What the list of files, their heads and the checkpoints say: what can be told without reading chunks. With the files of the
 * moment, when one that a checkpoint leads to was replaced meanwhile.
 */
export function verifyLogForm(
  database: Database,
  control: OperationControl
): Promise<Pick<LogVerified, 'findings' | 'truncation'>> {
  return readingOn(database, () => verifyForm(database, control));
}

async function verifyForm(
  database: Database,
  control: OperationControl
): Promise<Pick<LogVerified, 'findings' | 'truncation'>> {
  const truncation = await verifyTruncation(database, control);
  const findings = [
    ...settledProblems(database).map(findingOfProblem),
    ...leftBehind(database),
    ...verifyCheckpoints(database),
    ...truncation.findings,
    ...verifyChunkForm(database)
  ];
  return { findings, truncation: truncation.plan };
}

/** What no verification can prove. */
export function withoutHash({ chunkSet }: Database): string[] {
  const active = chunkSet.chunks.find((chunk) => chunk.isActive);
  return active ? [`payloads in ${active.fileName}: the chunk being written has no hash yet`] : [];
}

/** All chunks, some at once, their results in the order of the log. */
class ChunkRun {
  readonly findings: Finding[] = [];
  readonly marks: LogMarks;
  /** The first commit that leads nowhere. */
  fault: Finding | undefined;
  bytes = 0;
  records = 0;
  readonly #options: VerifyLog;
  readonly #pool: VerifyWorkers;
  #done = 0;
  readonly #total: number;

  constructor(options: VerifyLog) {
    this.#options = options;
    const { workers, database, control, digests } = options;
    this.#pool = workers?.pool ?? verifyInThisThread(database.fileSystem, control, digests?.store);
    this.marks = new LogMarks(options.database.log);
    const { chunks } = options.database.chunkSet;
    this.#total = chunks.reduce((sum, chunk) => sum + this.#sizeOf(chunk), 0);
  }

  async run(): Promise<void> {
    const { chunks } = this.#options.database.chunkSet;
    const threads = this.#options.workers?.count ?? 1;
    this.#report(true);
    const groups = inGroups(chunks, Math.min(CHUNKS_TOGETHER, Math.ceil(chunks.length / threads)));
    // One more than there are threads, so that none waits while a result is taken in.
    const ahead = threads === 1 ? 1 : threads + 1;
    const outcomes = new Map<number, Promise<SettledChunk[]>>();
    let started = 0;
    for (const [i, group] of groups.entries()) {
      for (; started < Math.min(groups.length, i + ahead); started++) {
        outcomes.set(started, this.#settled(groups[started]!));
      }
      const settled = await outcomes.get(i)!;
      outcomes.delete(i);
      for (const [k, outcome] of settled.entries()) {
        if (outcome.status === 'rejected') {
          await Promise.all(outcomes.values());
          throw outcome.reason;
        }
        await this.#take(group[k]!, outcome.value);
      }
    }
  }

  async #take(chunk: Chunk, verified: ChunkVerified): Promise<void> {
    this.findings.push(...verified.findings);
    this.bytes += verified.bytes;
    this.records += verified.records;
    this.marks.add(chunk.startPosition, verified.entries);
    if (this.marks.fault) this.fault ??= commitFinding(this.marks.fault, chunk);
    await this.#options.control.breathe();
    if (chunk.isActive) this.#report(true);
  }

  /** Those of which the first look found a fault or no file are looked at again by themselves. Never rejects. */
  async #settled(listed: readonly Chunk[]): Promise<SettledChunk[]> {
    try {
      const first = await this.#look(listed);
      return await Promise.allSettled(listed.map((chunk, i) => this.#verified(chunk, first[i]!)));
    } catch (reason) {
      return listed.map(() => ({ status: 'rejected', reason }));
    }
  }

  async #look(chunks: readonly Chunk[]): Promise<SettledChunk[]> {
    const { quick, digests, proofs } = this.#options;
    const noted = quick
      ? undefined
      : proofs?.begin(chunks.map((chunk) => provableChunk(this.#fileSystem, chunk)));
    const orders = chunks.map((chunk) => ({
      chunk: partsOf(chunk),
      quick,
      digestKeptAs: quick ? undefined : digests?.wantedOf(chunk)
    }));
    const settled = await this.#pool.verify(orders, (count) => this.#advance(count));
    for (const [i, outcome] of settled.entries()) {
      if (outcome.status === 'rejected') continue;
      noted?.[i]!(outcome.value, provableChunk(this.#fileSystem, chunks[i]!));
    }
    return settled;
  }

  /** A chunk, or what has taken its place since the directory was read. */
  async #verified(listed: Chunk, first: SettledChunk): Promise<ChunkVerified> {
    let [chunk, settled] = [listed, first];
    for (let version = 1; ; version++) {
      const isFine = settled.status === 'fulfilled' && settled.value.findings.length === 0;
      const mayBeNewer = !isFine && (settled.status === 'fulfilled' || isFileGone(settled.reason));
      const newer = mayBeNewer && version < MOST_VERSIONS ? this.#newerThan(chunk) : undefined;
      if (newer) {
        chunk = newer;
        settled = (await this.#look([newer]))[0]!;
      } else if (settled.status === 'fulfilled') return within(settled.value, listed);
      else throw settled.reason;
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

  get #fileSystem() {
    return this.#options.database.fileSystem;
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

function inGroups<T>(items: readonly T[], size: number): T[][] {
  const groups: T[][] = [];
  for (let i = 0; i < items.length; i += size) groups.push(items.slice(i, i + size));
  return groups;
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
