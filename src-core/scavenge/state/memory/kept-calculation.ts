/**
 * What accumulation and calculation found out for a question, kept beside the digests: the next question about the same log and
 * index begins where they ended. Found by all that it was made of. Of the time of the question it depends only through
 * calculation, which compares the cut-off of each maximum age with the first and the last time of each chunk: between two of
 * these moments it comes to the same, whatever the time.
 *
 * For questions only. A run decides from the log.
 */
import { columnPieces, decodeColumns } from '../../../codec/column-file.ts';
import { signedArray, type SignedBytes, type SignedColumn } from '../../../codec/narrow-columns.ts';
import { KEPT_STATE } from '../../../digest/chunk-digests.ts';
import { derivedFileName } from '../../../digest/digest-identity.ts';
import type { PreparedHeads } from '../../../digest/prepared-heads.ts';
import type { IndexDirectory } from '../../../index/index-directory.ts';
import { entriesIn } from '../../../storage/directory-entries.ts';
import type { DerivedFiles } from '../../../storage/derived-files.ts';
import { TICKS_PER_SECOND } from '../../../units/ticks.ts';
import type { HeldCalculation } from '../../decisions/held-calculation.ts';
import { KeptJudgements } from '../../decisions/kept-judgements.ts';
import type { ScavengePoint } from '../../points/scavenge-point.ts';
import type { HashUsersCacheUse, ScavengeOutcome, ScavengeWarning } from '../../scavenge-result.ts';
import type { ScavengeState } from '../scavenge-state.ts';
import { MemoryState } from './memory-state.ts';
import { MemoryTables } from './memory-tables.ts';
import type { StreamsImage } from './memory-streams.ts';

/** Changes whenever the first two phases decide something else, or what is kept of it changes. */
const FORM = 'WNWSTA03';
/** Of one database: for the points of a plan, of a count, and one more. */
const MOST_KEPT = 3;
/** Of streams in memory: to be kept, they take it twice for a moment. */
const LARGEST_KEPT_BYTES = 1024 * 1024 * 1024;
/** With more ages than these the moments between which nothing changes are not looked for. */
const MOST_AGES = 256;

/** What is asked; the time of the point does not belong to it. */
export interface QuestionFacts {
  /** Empty or not. */
  state: ScavengeState;
  point: ScavengePoint;
  isPointInLog: boolean;
  /** See MetadataOrderParts. */
  keepMetadataFrom: number | undefined;
}

export interface CalculatedQuestion extends QuestionFacts {
  outcome: ScavengeOutcome;
}

interface Facts {
  /** The time of a question must be above the first and at or below the second, ticks. */
  above: string;
  upTo: string;
  weights: [chunk: number, weight: number][];
  times: [chunk: number, min: string, max: string][];
  collisions: string[];
  originalNames: string[];
  metastreamNames: string[];
  /** Bytes of a value in each column, of both kinds of streams. */
  originalColumns: SignedBytes[];
  metastreamColumns: SignedBytes[];
  warnings: ScavengeWarning[];
  cache: HashUsersCacheUse | null;
}

export class KeptCalculation {
  readonly #heads: PreparedHeads;
  readonly #index: IndexDirectory;
  #identity: string | undefined;
  #held: HeldCalculation | undefined;

  constructor(heads: PreparedHeads, index: IndexDirectory) {
    this.#heads = heads;
    this.#index = index;
  }

  /** What was restored or calculated; undefined: nothing was. */
  get held(): HeldCalculation | undefined {
    return this.#held;
  }

  /** Where else is kept what was made of a calculation. */
  get files(): DerivedFiles | undefined {
    return this.#heads.files;
  }

  /** Of chunks that were judged by what is held. */
  judgements(effectiveNow: bigint): KeptJudgements | undefined {
    const { files } = this;
    return files && this.#held && new KeptJudgements(files, this.#held, effectiveNow);
  }

  /** True: the empty state of the question now has what the first two phases would have found. */
  restore(question: CalculatedQuestion): boolean {
    const { files } = this.#heads;
    if (!files || !isEmptyInMemory(question.state)) return false;
    const identity = (this.#identity = this.identityOf(question));
    if (identity === undefined) return false;
    const name = derivedFileName(identity, KEPT_STATE);
    const kept = files.load(name, (bytes) => decodeState(bytes, identity));
    const { effectiveNow } = question.point;
    if (!kept || effectiveNow <= BigInt(kept.facts.above) || effectiveNow > BigInt(kept.facts.upTo))
      return false;
    const { warnings, cache } = kept.facts;
    question.state.moveTo(new MemoryState(kept.tables));
    question.outcome.warnings.push(...warnings);
    question.outcome.hashUsersCache = cache ?? undefined;
    this.#held = { identity, upTo: BigInt(kept.facts.upTo) };
    return true;
  }

  /** What the first two phases found, unless log or index changed meanwhile. `warnings`: those that they gave. */
  keep(question: CalculatedQuestion, warnings: readonly ScavengeWarning[]): void {
    const { files } = this.#heads;
    const { storage } = question.state;
    const identity = this.#identity;
    if (!files || identity === undefined || !(storage instanceof MemoryState)) return;
    const { tables } = storage;
    if (this.identityOf(question) !== identity) return;
    const times = timesOf(tables);
    const span = sameFor(question.point.effectiveNow, tables.originals.maxAges(MOST_AGES), times);
    this.#held = { identity, upTo: span.upTo };
    if (tables.originals.bytes + tables.metastreams.bytes > LARGEST_KEPT_BYTES) return;
    const cache = question.outcome.hashUsersCache ?? null;
    files.save(derivedFileName(identity, KEPT_STATE), () =>
      encodeState(tables, { identity, span, times, warnings, cache })
    );
    files.keepNewest(KEPT_STATE, MOST_KEPT);
  }

  /** Of all that a calculation would be made of; undefined: log or index have changed, or nothing tells them. */
  identityOf({ state, point, isPointInLog, keepMetadataFrom }: QuestionFacts): string | undefined {
    const { logIdentity } = this.#heads;
    if (logIdentity === undefined) return undefined;
    const { fileSystem, directory } = this.#index;
    const files = entriesIn(fileSystem, directory).map(({ name }) => {
      const facts = fileSystem.describe(fileSystem.join(directory, name));
      return [name, facts?.size, facts?.modifiedMs];
    });
    return JSON.stringify([
      logIdentity,
      files.sort(([a], [b]) => (String(a) < String(b) ? -1 : 1)),
      [point.number, point.position, isPointInLog, keepMetadataFrom ?? null, state.hashUsersCacheCapacity]
    ]);
  }
}

/** A question of which nothing is known yet. */
function isEmptyInMemory({ storage, checkpoint }: ScavengeState): boolean {
  if (!(storage instanceof MemoryState)) return false;
  const { originals, metastreams, hashUsers, weights } = storage.tables;
  const isEmpty = originals.count + metastreams.count + hashUsers.count === 0 && weights.lastChunk < 0;
  return isEmpty && checkpoint === undefined;
}

interface StateFacts {
  identity: string;
  span: { above: bigint; upTo: bigint };
  times: Facts['times'];
  warnings: readonly ScavengeWarning[];
  cache: Facts['cache'];
}

function bytesOfColumn({ BYTES_PER_ELEMENT }: SignedColumn): SignedBytes {
  return BYTES_PER_ELEMENT as SignedBytes;
}

function timesOf({ timeRanges }: MemoryTables): Facts['times'] {
  const times: Facts['times'] = [];
  for (let chunk = 0; chunk <= timeRanges.lastChunk; chunk++) {
    const range = timeRanges.get(chunk);
    if (range) times.push([chunk, String(range.min), String(range.max)]);
  }
  return times;
}

function encodeState(
  tables: MemoryTables,
  { identity, span, times, warnings, cache }: StateFacts
): readonly Uint8Array[] {
  const { originals, metastreams, weights, collisions } = tables;
  const ofOriginals = originals.image;
  const ofMetastreams = metastreams.image;
  const facts: Facts = {
    above: String(span.above),
    upTo: String(span.upTo),
    weights: weights.all(),
    times,
    collisions: collisions.all(),
    originalNames: ofOriginals.names,
    metastreamNames: ofMetastreams.names,
    originalColumns: ofOriginals.columns.map(bytesOfColumn),
    metastreamColumns: ofMetastreams.columns.map(bytesOfColumn),
    warnings: [...warnings],
    cache
  };
  const columnsOf = ({ rows, flags, columns }: StreamsImage) => [rows.high, rows.low, flags, ...columns];
  const columns = [...columnsOf(ofOriginals), ...columnsOf(ofMetastreams)];
  return columnPieces({ form: FORM, identity, facts }, columns);
}

function decodeState(
  bytes: Uint8Array<ArrayBuffer>,
  identity: string
): { tables: MemoryTables; facts: Facts } | undefined {
  const decoded = decodeColumns<Facts>(bytes, { form: FORM, identity });
  if (!decoded) return undefined;
  const { facts, next } = decoded;
  const image = (names: string[], columns: SignedBytes[]) => ({
    rows: { high: next(Uint32Array), low: next(Uint32Array) },
    flags: next(Uint8Array),
    columns: columns.map((bytes) => next(signedArray(bytes))),
    names
  });
  const tables = new MemoryTables();
  tables.originals.image = image(facts.originalNames, facts.originalColumns);
  tables.metastreams.image = image(facts.metastreamNames, facts.metastreamColumns);
  for (const [chunk, weight] of facts.weights) tables.weights.add(chunk, weight);
  for (const [chunk, min, max] of facts.times) tables.timeRanges.put(chunk, BigInt(min), BigInt(max));
  for (const name of facts.collisions) tables.collisions.add(name);
  return { tables, facts };
}

/** Times for which every comparison of a cut-off with the times of a chunk comes out as at `now`. `ages`: seconds. */
function sameFor(now: bigint, ages: readonly number[] | undefined, times: Facts['times']) {
  if (!ages) return { above: now - 1n, upTo: now };
  let above = -1n;
  let upTo = 1n << 63n;
  for (const age of ages) {
    const ticks = BigInt(age) * TICKS_PER_SECOND;
    // A cut-off is never before the year 1.
    const moments = [ticks, ...times.flatMap(([, min, max]) => [BigInt(min) + ticks, BigInt(max) + ticks])];
    for (const moment of moments) {
      if (moment < now) above = moment > above ? moment : above;
      else upTo = moment < upTo ? moment : upTo;
    }
  }
  return { above, upTo };
}
