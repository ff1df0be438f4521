/**
 * What a database contains and what a scavenge could free of it now, chunk by chunk. Order: the scavenge state for a
 * point at the end of the last completed chunk, then each chunk counted and judged by it, several at once. Chunks
 * that were counted in an earlier run, have not changed, and would be judged the same way are not read again.
 *
 * Writes nothing into the database; its own files lie where it is told to.
 */
import { partsOf, type Chunk } from '../../chunks/chunk.ts';
import { openDatabase, type Database } from '../../database/database.ts';
import type { OperationControl } from '../../database/operation-control.ts';
import { EngineError } from '../../errors.ts';
import { hashStream } from '../../index/stream-hash.ts';
import { RunControl } from '../../scavenge/run-control.ts';
import type { ScavengePoint } from '../../scavenge/points/scavenge-point.ts';
import type { ScavengeWarning } from '../../scavenge/scavenge-result.ts';
import {
  openSession,
  requireWriterCheckpoint,
  type ScavengeSession
} from '../../scavenge/scavenge-session.ts';
import { ScavengeState } from '../../scavenge/state/scavenge-state.ts';
import { removeState } from '../../scavenge/state/state-file.ts';
import { MemoryState } from '../../scavenge/state/memory/memory-state.ts';
import type { StateImage } from '../../scavenge/state/memory/memory-tables.ts';
import { StreamVerdicts } from '../../scavenge/decisions/stream-verdicts.ts';
import type { FileSystem } from '../../storage/file-system.ts';
import type { Ticks } from '../../units/ticks.ts';
import { calculateState, pointAtLastCompleted } from './calculated-state.ts';
import { putVerdict } from './count-chunk.ts';
import { dayOf, EXPIRY_DAYS } from './expiry-days.ts';
import { firstLeftOf } from './link-targets.ts';
import { COLUMN_COUNT } from './pair-columns.ts';
import { allGoesNow, pairStillHolds, settledTarget } from './still-holds.ts';
import { UsageStore, type StoredChunk } from './usage-store.ts';
import { countInThisThread, type StartUsageWorkers, type UsageSetup } from './usage-workers.ts';

/** Days that a calendar may ask for; chunks that know fewer are counted again. */
export const MOST_CALENDAR_DAYS = 90;
const FORMER_STATES = ['accumulated.db', 'calculated.db'];
/** What all chunks were last judged by. */
const JUDGED_FACT = 'judged';

export interface ReadUsage {
  fileSystem: FileSystem;
  dataDirectory: string;
  indexDirectory?: string | undefined;
  /** Time at which ages are judged, ticks. */
  effectiveNow: bigint;
  /** Directory for what may be kept between two runs. It exists. */
  keepDirectory: string;
  threads: number;
  startWorkers?: StartUsageWorkers | undefined;
  operation: OperationControl;
  newGuid: () => string;
}

export interface Usage {
  session: ScavengeSession;
  store: UsageStore;
  state: ScavengeState;
  /** undefined: no chunk is completed, or no scavenge can pass this log; nothing can be freed. */
  point: ScavengePoint | undefined;
  effectiveNow: Ticks;
  warnings: ScavengeWarning[];
  /** Says what the chunks were judged by. */
  basis: string;
  fileSystem: FileSystem;
  /** Chunk files read in this run, and those that were known. */
  chunksRead: number;
  chunksKnown: number;
  /** Log bytes gone through in this run, accumulation included, and the time it took. */
  bytesRead: number;
  readMs: number;
  close(): void;
}

/** Reads what is not known yet. Close what it returns. */
export async function readUsage(request: ReadUsage): Promise<Usage> {
  const { fileSystem, dataDirectory, indexDirectory, operation } = request;
  // A directory that is not a complete database is reported as such.
  const glance = openDatabase({ fileSystem, dataDirectory, indexDirectory });
  requireWriterCheckpoint(glance);
  glance.close();
  const control = new RunControl({ operation });
  const session = await openSession({ fileSystem, location: request, control });
  let store: UsageStore | undefined;
  let state: ScavengeState | undefined;
  const close = () => {
    state?.close();
    store?.close();
    session.close();
  };
  try {
    store = UsageStore.open(fileSystem, fileSystem.join(request.keepDirectory, 'usage.db'));
    // Earlier versions kept what was accumulated.
    for (const name of FORMER_STATES) removeState(fileSystem, fileSystem.join(request.keepDirectory, name));
    const judged = await judgeBy(request, session);
    ({ state } = judged);
    const counting = new Counting(request, session.database, store, judged);
    await counting.run();
    const effectiveNow = request.effectiveNow as Ticks;
    return { fileSystem, session, store, effectiveNow, ...judged, ...counting.facts, close };
  } catch (error) {
    close();
    throw error;
  }
}

interface Judged {
  state: ScavengeState;
  image: StateImage;
  point: ScavengePoint | undefined;
  warnings: ScavengeWarning[];
  accumulatedBytes: number;
  startMs: number;
  /** Says what the state was made of. */
  basis: string;
}

async function judgeBy(request: ReadUsage, { database, index }: ScavengeSession): Promise<Judged> {
  const { operation, newGuid } = request;
  const effectiveNow = request.effectiveNow as Ticks;
  const startMs = operation.elapsedMs;
  const point = pointAtLastCompleted(database, index, effectiveNow);
  const warnings: ScavengeWarning[] = [];
  const basis = JSON.stringify([
    database.log.chunks.map((chunk) => identityOf(chunk, database)),
    String(effectiveNow)
  ]);
  const judged = { warnings, startMs, basis };
  if (point) {
    try {
      const store = await calculateState({ database, index, effectiveNow, operation, newGuid }, point);
      const accumulatedBytes = database.log.chunks
        .filter(({ endPosition }) => endPosition <= point.position)
        .reduce((sum, { dataSize }) => sum + dataSize, 0);
      return { ...judged, ...stateIn(store), point, accumulatedBytes };
    } catch (error) {
      if (!(error instanceof EngineError) || error.details['reason'] === undefined) throw error;
      if (error.code !== 'UnsupportedFormat') throw error;
      warnings.push({ code: 'noScavenge', message: error.message, remedy: error.remedy });
    }
  }
  return { ...judged, ...stateIn(new MemoryState()), point: undefined, accumulatedBytes: 0 };
}

function stateIn(store: MemoryState): Pick<Judged, 'state' | 'image'> {
  return { state: new ScavengeState({ store, hasher: hashStream }), image: store.tables.image };
}

/** Changes whenever the content does. Of a chunk that is being written its end is part of it. */
function identityOf(chunk: Chunk, database: Database | undefined): string {
  const { fileName, fileSize, header, footer, dataSize } = chunk;
  const end = footer ? footer.md5 : `open to ${dataSize} of ${database?.log.end ?? ''}`;
  return `${fileName} ${fileSize} ${header.chunkId} ${dataSize} ${end}`;
}

class Counting {
  readonly #request: ReadUsage;
  readonly #database: Database;
  readonly #store: UsageStore;
  readonly #judged: Judged;
  readonly #verdicts: StreamVerdicts;
  readonly #isJudgedAlready: boolean;
  readonly facts = { chunksRead: 0, chunksKnown: 0, bytesRead: 0, readMs: 0 };

  constructor(request: ReadUsage, database: Database, store: UsageStore, judged: Judged) {
    this.#request = request;
    this.#database = database;
    this.#store = store;
    this.#judged = judged;
    this.#isJudgedAlready = store.fact(JUDGED_FACT) === judged.basis;
    const { effectiveNow } = request;
    this.#verdicts = new StreamVerdicts({ state: judged.state, hasher: hashStream, effectiveNow });
  }

  async run(): Promise<void> {
    const { operation } = this.#request;
    const { chunks } = this.#database.log;
    this.#store.keepOnly(new Set(chunks.map(({ startNumber }) => startNumber)));
    const unknown: Chunk[] = [];
    for (const chunk of chunks) {
      if (!(await this.#isKnown(chunk))) unknown.push(chunk);
    }
    this.#store.setFact(JUDGED_FACT, '');
    await this.#countAll(unknown);
    this.#store.setFact(JUDGED_FACT, this.#judged.basis);
    const { facts } = this;
    facts.chunksRead = unknown.length;
    facts.chunksKnown = chunks.length - unknown.length;
    facts.bytesRead =
      this.#judged.accumulatedBytes + unknown.reduce((sum, { dataSize }) => sum + dataSize, 0);
    facts.readMs = operation.elapsedMs - this.#judged.startMs;
  }

  get #pointPosition(): number {
    return this.#judged.point?.position ?? 0;
  }

  async #isKnown(chunk: Chunk): Promise<boolean> {
    const { operation, effectiveNow } = this.#request;
    const { state } = this.#judged;
    const stored = this.#store.chunk(chunk.startNumber);
    if (!stored || !this.#isSameFile(chunk, stored)) return false;
    if (this.#isJudgedAlready) return true;
    const lastDay = dayOf(Number(effectiveNow / 10_000n)) + MOST_CALENDAR_DAYS;
    const { firstDay } = stored.expiry;
    if (firstDay + EXPIRY_DAYS < lastDay || firstDay > lastDay - MOST_CALENDAR_DAYS) return false;
    const targets = stored.targets.map((target) => settledTarget(target, firstLeftOf(target.stream, state)));
    if (!targets.every((target) => target !== undefined)) return false;
    const goneIds: number[] = [];
    const today = lastDay - MOST_CALENDAR_DAYS;
    const now = new Float64Array(COLUMN_COUNT);
    for (const { id, stream, hashHigh, hashLow, values } of this.#store.pairsOf(chunk.startNumber)) {
      const isColliding =
        state.collisions.isCollidingHash(hashHigh, hashLow) && state.collisions.isColliding(stream);
      const verdict = isColliding
        ? this.#verdicts.ofCollidingStream(stream)
        : this.#verdicts.ofEntry(hashHigh, hashLow);
      putVerdict(now, 0, verdict, effectiveNow);
      if (!pairStillHolds(values, now, stored.isBehindPoint)) {
        if (!allGoesNow(values, now, today)) return false;
        goneIds.push(id);
      }
      if (operation.isDue) await operation.breathe();
    }
    const hasChanged = goneIds.length > 0 || targets.some((target, i) => target !== stored.targets[i]);
    if (hasChanged) this.#store.settle(chunk.startNumber, { goneIds, targets });
    return true;
  }

  #isSameFile(chunk: Chunk, stored: StoredChunk): boolean {
    const isBehindPoint = chunk.startPosition >= this.#pointPosition;
    return stored.identity === identityOf(chunk, this.#database) && stored.isBehindPoint === isBehindPoint;
  }

  async #countAll(chunks: readonly Chunk[]): Promise<void> {
    if (chunks.length === 0) return;
    const { fileSystem, operation, threads, startWorkers, effectiveNow } = this.#request;
    const setup: UsageSetup = {
      state: this.#judged.image,
      pointPosition: this.#pointPosition,
      effectiveNow
    };
    const count = Math.max(1, Math.min(threads, chunks.length));
    const workers =
      startWorkers && count > 1
        ? startWorkers({ count, setup, signal: operation.signal })
        : countInThisThread(fileSystem, operation, setup);
    const total = chunks.reduce((sum, { dataSize }) => sum + dataSize, 0);
    let done = 0;
    const onBytes = (more: number): void => {
      done += more;
      operation.report({ phase: 'usage', done, total, unit: 'bytes' });
    };
    const waiting = [...chunks];
    const work = async (): Promise<void> => {
      for (let chunk = waiting.shift(); chunk; chunk = waiting.shift()) {
        const { startNumber, endNumber } = chunk;
        const counted = await workers.count({ chunk: partsOf(chunk) }, onBytes);
        const identity = identityOf(chunk, this.#database);
        const isBehindPoint = chunk.startPosition >= this.#pointPosition;
        this.#store.put({ startNumber, endNumber, identity, isBehindPoint, count: counted });
        await operation.breathe();
      }
    };
    try {
      // All are awaited even when one fails: workers still in work would outlive the answer.
      const ends = await Promise.allSettled(
        Array.from({ length: count }, () =>
          work().catch((error: unknown) => {
            waiting.length = 0;
            throw error;
          })
        )
      );
      const failure = ends.find((end) => end.status === 'rejected');
      if (failure) throw failure.reason;
    } finally {
      await workers.close();
    }
  }
}
