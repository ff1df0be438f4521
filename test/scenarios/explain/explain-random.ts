/**
 * One random history, asked and then carried out: for every record of the log the explanation is compared with what
 * the executed scavenge has left, with the plan's numbers, and with the naive model of the campaign.
 */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { openDatabase } from '../../../src-core/database/database.ts';
import { ChunkDigests } from '../../../src-core/digest/chunk-digests.ts';
import { EngineError } from '../../../src-core/errors.ts';
import { explain } from '../../../src-core/insight/explain/explain.ts';
import { explainRecords } from '../../../src-core/insight/explain/explain-records.ts';
import { explainChunk } from '../../../src-core/insight/explain/explain-chunk.ts';
import { explainStream } from '../../../src-core/insight/explain/explain-stream.ts';
import type { ExplainedChunk } from '../../../src-core/insight/explain/explanation.ts';
import {
  openPlannedScavenge,
  type PlannedScavenge
} from '../../../src-core/insight/explain/planned-scavenge.ts';
import { reasonOfLimit, type Reason } from '../../../src-core/insight/explain/discard-reason.ts';
import { RecordExplainer, type Decided } from '../../../src-core/insight/explain/record-explainer.ts';
import { isDiscardedBy, LIMITS } from '../../../src-core/insight/explain/record-ruling.ts';
import { cutoffOf } from '../../../src-core/scavenge/decisions/should-discard.ts';
import { breakDownRemoval } from '../../../src-core/insight/removal/break-down-removal.ts';
import { RemovalTally } from '../../../src-core/insight/removal/removal-tally.ts';
import type { Removal } from '../../../src-core/insight/removal/removal.ts';
import { FRAME_LENGTH } from '../../../src-core/records/log-record.ts';
import { hashStream } from '../../../src-core/index/stream-hash.ts';
import { planScavenge, runScavenge } from '../../../src-core/scavenge/run-scavenge.ts';
import type { ScavengeReportData, ScavengeRequest } from '../../../src-core/scavenge/scavenge-request.ts';
import { NodeFileSystem } from '../../../src-core/storage/node-file-system.ts';
import { ticksFromIso, ticksToIso, type Ticks } from '../../../src-core/units/ticks.ts';
import { RandomLog } from '../../campaign/random-log.ts';
import { weakHasher } from '../../campaign/weak-hash.ts';
import { Prng } from '../../support/prng.ts';
import { scavengeEnvironment, scavengeRequest } from '../../support/scavenge-environment.ts';

/** What was compared; rules counted by name and verdict. */
export interface Checked {
  histories: number;
  scavenges: number;
  refused: number;
  records: number;
  chunks: number;
  streams: number;
  /** Plans that counted what they remove while they judged. */
  tallies: number;
  byRule: Map<string, number>;
}

export function nothingChecked(): Checked {
  return {
    histories: 0,
    scavenges: 0,
    refused: 0,
    records: 0,
    chunks: 0,
    streams: 0,
    tallies: 0,
    byRule: new Map()
  };
}

export interface Answer {
  isKept: boolean;
  text: string;
}

export interface Answers {
  /** By position. */
  records: Map<number, Answer>;
  /** Records that go, by first number of the physical chunk. */
  discardedIn: Map<number, number>;
  /** Records and bytes that go, by stream and rule. */
  removed: Map<string, { records: number; bytes: number }>;
  /** What is told of each physical chunk, by its first number. */
  chunks: Map<number, ExplainedChunk>;
  faults: string[];
}

/** Each is a walk over the whole log. */
const MOST_STREAMS = 60;
const fileSystem = new NodeFileSystem();
const PLACEMENTS = ['existing', 'new', 'new', 'auto', 'detached'] as const;

/** Faults of the history of this seed, empty when explanation, plan, run and model agree. */
export async function checkHistory(seed: number, checked: Checked): Promise<string[]> {
  const home = mkdtempSync(join(tmpdir(), 'winnow-explain-'));
  try {
    return await new History(seed, home, checked).check();
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}

/** Everything that can be asked of a planned scavenge; answers that contradict each other are faults. */
export async function askAll(planned: PlannedScavenge, checked: Checked): Promise<Answers> {
  const explainer = new RecordExplainer(planned);
  const question = { planned, explainer };
  const answers: Answers = {
    records: new Map(),
    discardedIn: new Map(),
    removed: new Map(),
    chunks: new Map(),
    faults: []
  };
  const { log } = planned.session.database;
  const streams = new Map<string, Map<number, boolean>>();
  const cursor = log.cursor();
  while (cursor.next()) {
    const decided = await explainer.decide(cursor.record);
    const { facts, isKept, ruling } = decided;
    const { verdict, rule, because } = explainer.explain(decided);
    const chain = explainer.chain(decided);
    const text = `${verdict} ${rule}: ${because}`;
    answers.records.set(facts.position, { isKept, text });
    const counted = `${rule} ${verdict}`;
    checked.byRule.set(counted, (checked.byRule.get(counted) ?? 0) + 1);
    const start = cursor.chunk.startNumber;
    if (!isKept) {
      answers.discardedIn.set(start, (answers.discardedIn.get(start) ?? 0) + 1);
      const key = `${facts.stream} ${rule}`;
      const sum = answers.removed.get(key) ?? { records: 0, bytes: 0 };
      const bytes = sum.bytes + cursor.record.length + FRAME_LENGTH;
      answers.removed.set(key, { records: sum.records + 1, bytes });
      if (ruling.reason !== reasonByDecision(decided, planned)) {
        answers.faults.push(`${facts.position} goes by ${ruling.reason}`);
      }
    }
    if (chain.length === 0 || !because.endsWith('.')) answers.faults.push(`no words for ${facts.position}`);
    if (cursor.record.isSelfCommitted) {
      const numbers = streams.get(facts.stream) ?? new Map<number, boolean>();
      streams.set(facts.stream, numbers.set(facts.eventNumber, isKept));
    }
  }
  cursor.close();
  for (const chunk of log.chunks) {
    const explained = await explainChunk(question, chunk.startNumber);
    const { byRule } = explained;
    answers.chunks.set(chunk.startNumber, explained);
    const told = byRule.reduce((sum, { records }) => sum + records, 0);
    const there = [...answers.records.keys()].filter(
      (position) => position >= chunk.startPosition && position < chunk.endPosition
    ).length;
    if (told !== there)
      answers.faults.push(`chunk ${chunk.startNumber}: ${told} of ${there} records by rule`);
  }
  for (const [stream, numbers] of [...streams].slice(0, MOST_STREAMS)) {
    const { ranges } = await explainStream(question, stream);
    for (const [number, isKept] of numbers) {
      const range = ranges.find(({ from, to }) => from <= number && number <= to);
      if (!range || (range.verdict === 'keep') !== isKept) {
        answers.faults.push(`event ${number} of ${stream} is in ${JSON.stringify(range?.because)}`);
      }
    }
    checked.streams++;
  }
  return answers;
}

/** Chunks of which the plan lets another number of records go. */
export function differencesFromPlan({ chunks }: ScavengeReportData, { discardedIn }: Answers): string[] {
  return chunks.flatMap(({ chunkStart, decision, recordsDiscarded }) => {
    const told = discardedIn.get(chunkStart) ?? 0;
    if (decision === 'merged' || told === recordsDiscarded) return [];
    return [`chunk ${chunkStart}: the plan lets ${recordsDiscarded} records go, explanations ${told}`];
  });
}

/** The rule of a record that goes, by asking the scavenger's decision about each limit for itself. */
function reasonByDecision({ facts, ruling }: Decided, { decisions }: PlannedScavenge): Reason {
  const { rules, reason } = ruling;
  if (!rules || !decisions || rules.isTombstoned || rules.isMetastream) return reason;
  const now = decisions.point.effectiveNow;
  const cutoff = cutoffOf(now, rules.maxAgeSeconds, { isSet: false, high: 0, low: 0 });
  const limit = LIMITS.find((one) => isDiscardedBy(one, facts, rules, cutoff));
  return limit ? reasonOfLimit(limit, rules) : 'givenUpEarlier';
}

/** Streams and rules of which the sums of the plan say something else than the explanations of all records. */
export function differencesFromSums(removal: Removal | undefined, { removed }: Answers): string[] {
  const told = new Map<string, string>();
  for (const { name, byRule } of removal?.byStream.items ?? []) {
    for (const { rule, records, bytes } of byRule) told.set(`${name} ${rule}`, `${records} ${bytes}`);
  }
  const keys = new Set([...told.keys(), ...removed.keys()]);
  const faults = [...keys].flatMap((key) => {
    const explained = removed.get(key);
    const wanted = explained && `${explained.records} ${explained.bytes}`;
    return wanted === told.get(key) ? [] : [`${key}: the sums say ${told.get(key)}, explanations ${wanted}`];
  });
  for (const sums of [removal?.byRule, removal?.byCategory.items, removal?.byStream.items]) {
    const records = sums?.reduce((sum, one) => sum + one.records, 0);
    const bytes = sums?.reduce((sum, one) => sum + one.bytes, 0);
    if (records !== removal?.records || bytes !== removal?.bytes) faults.push('the sums are not the total');
  }
  return faults;
}

class History {
  readonly #random: Prng;
  readonly #home: string;
  readonly #log: RandomLog;
  readonly #checked: Checked;
  readonly #faults: string[] = [];

  constructor(seed: number, home: string, checked: Checked) {
    this.#random = new Prng(seed);
    this.#home = home;
    this.#checked = checked;
    const dataDirectory = join(home, 'db');
    mkdirSync(dataDirectory);
    const hasher = this.#random.chance(0.3) ? weakHasher : hashStream;
    this.#log = new RandomLog({ dataDirectory, random: new Prng(this.#random.next()), hasher });
  }

  async check(): Promise<string[]> {
    const random = this.#random;
    this.#checked.histories++;
    for (let round = 1 + random.below(3); round > 0 && this.#faults.length === 0; round--) {
      this.#log.grow({ steps: 20 + random.below(100) });
      if (random.chance(0.6)) await this.#log.growIndex();
      if (random.chance(0.3)) this.#log.writePoint();
      if (!(await this.#scavenge())) break;
    }
    return this.#faults;
  }

  /** False: it was refused, and the history ends. */
  async #scavenge(): Promise<boolean> {
    const random = this.#random;
    const scavengePoint = random.pick(PLACEMENTS);
    const request = scavengeRequest(this.#log.dataDirectory, {
      winnowHome: join(this.#home, 'winnow'),
      scratchDirectory: join(this.#home, 'scratch'),
      singleNode: true,
      scavengePoint,
      threshold: random.pick([0, 0, -1, 4, 12]),
      merge: random.chance(0.6),
      alwaysKeepScavenged: random.chance(0.6),
      unsafeIgnoreHardDeletes: scavengePoint !== 'detached' && random.chance(0.2),
      now: ticksToIso(this.#log.now + BigInt(1 + random.below(300)) * 36_000_000_000n)
    });
    if (random.chance(0.4)) {
      const stopAfter = random.pick(['accumulation', 'calculation', 'chunkExecution'] as const);
      if ((await this.#run({ ...request, stopAfter })) === undefined) return false;
      this.#log.learn();
    }
    const before = this.#positions();
    const answers = await this.#ask(request);
    if (answers) {
      await this.#compareWithPage(request, answers);
      await this.#compareWithKnown(request, answers);
    }
    const planned = await this.#attempt(() => planScavenge(request, this.#environment()));
    const removal = planned && (await this.#breakDown(request, planned));
    const report = await this.#run(request);
    if (!answers || !planned || !report) {
      if (answers ?? planned ?? report) this.#fault('was refused by one of explain, plan and run only');
      this.#checked.refused++;
      return false;
    }
    this.#checked.scavenges++;
    this.#faults.push(...answers.faults);
    this.#compareWithRun(before, answers);
    this.#faults.push(...differencesFromPlan(planned, answers));
    this.#faults.push(...differencesFromSums(removal, answers));
    this.#checked.chunks += planned.chunks.length;
    this.#log.learn();
    const { scavengePoint: point } = report;
    if (!point) return true;
    this.#log.survivors.scavenge({
      ...point,
      effectiveNow: ticksFromIso(point.effectiveNow)!,
      alwaysReplaces: request.alwaysKeepScavenged,
      ignoresHardDeletes: request.unsafeIgnoreHardDeletes,
      isDetached: point.placement === 'detached'
    });
    this.#compareWithModel(before, answers);
    return true;
  }

  /** Of a chunk that is known the same is told as of one that is read. */
  async #compareWithKnown(request: ScavengeRequest, { chunks }: Answers): Promise<void> {
    const environment = this.#environment();
    const digests = new ChunkDigests({ fileSystem, newGuid: environment.newGuid, threads: 1 });
    const planned = await openPlannedScavenge(request, { ...environment, digests });
    try {
      const question = { planned, explainer: new RecordExplainer(planned) };
      for (const [chunk, read] of chunks) {
        const known = await explainChunk(question, chunk);
        if (isDeepStrictEqual(known, read)) continue;
        const [told, wanted] = [known, read].map(({ because, byRule }) => JSON.stringify([because, byRule]));
        this.#fault(`chunk ${chunk} is told as ${told} in place of ${wanted}`);
      }
    } finally {
      planned.close();
    }
  }

  /** A page of records is told the same as each of them alone; of a few all of it, with its own plan. */
  async #compareWithPage(request: ScavengeRequest, { records }: Answers): Promise<void> {
    const positions = [...records.keys()];
    const page = await explainRecords(positions, request, this.#environment());
    for (const { position, verdict, rule } of page.records) {
      const told = records.get(position)?.text ?? '';
      if (!told.startsWith(`${verdict} ${rule}: `)) this.#fault(`a page says ${verdict} ${rule}: ${told}`);
    }
    if (page.records.length !== positions.length) this.#fault('a page leaves records out');
    for (const place of [0, 1, 2].map((third) => Math.floor((third * page.records.length) / 3))) {
      const row = page.records[place];
      if (!row) continue;
      const alone = await explain({ kind: 'position', position: row.position }, request, this.#environment());
      if (alone.kind !== 'event') continue;
      const { verdict, rule, until, position } = alone;
      if (
        JSON.stringify([verdict, rule, String(until)]) !==
        JSON.stringify([row.verdict, row.rule, String(row.until)])
      ) {
        this.#fault(
          `alone, ${position} is told ${verdict} ${rule} ${until}; on a page ${row.verdict} ${row.rule}`
        );
      }
    }
  }

  #compareWithRun(before: readonly number[], { records }: Answers): void {
    const after = new Set(this.#positions());
    for (const position of before) {
      const answer = records.get(position);
      if (!answer) this.#fault(`position ${position} has no answer`);
      else if (answer.isKept !== after.has(position)) {
        this.#fault(`position ${position} is ${after.has(position) ? 'there' : 'gone'}: ${answer.text}`);
      }
    }
    this.#checked.records += before.length;
  }

  #compareWithModel(before: readonly number[], { records }: Answers): void {
    const there = new Set(before);
    for (const { position, fate, kind } of this.#log.survivors.records) {
      const answer = there.has(position) ? records.get(position) : undefined;
      if (!answer || fate === 'open') continue;
      if (answer.isKept !== (fate === 'stays')) {
        this.#fault(`the model says "${fate}" of the ${kind} at ${position}: ${answer.text}`);
      }
    }
  }

  /** undefined: refused. */
  async #ask(request: ScavengeRequest): Promise<Answers | undefined> {
    const planned = await this.#attempt(() => openPlannedScavenge(request, this.#environment()));
    if (!planned) return undefined;
    try {
      return await askAll(planned, this.#checked);
    } finally {
      planned.close();
    }
  }

  /**
   * A few streams at once, so that several passes are needed; with digests of the chunks and without. What a plan counts while it
   * judges is the same.
   */
  async #breakDown(request: ScavengeRequest, plan: ScavengeReportData): Promise<Removal | undefined> {
    const environment = this.#environment();
    const { newGuid } = environment;
    const top = 100_000;
    const known = { ...environment, digests: new ChunkDigests({ fileSystem, newGuid, threads: 1 }) };
    const asked = this.#random.chance(0.5) ? known : environment;
    const removal = await breakDownRemoval({ request, plan, top, mostNames: 5 }, asked);
    const tally = new RemovalTally({ top });
    const counted = tally.removalOf(await planScavenge(request, { ...known, tally }));
    // A table for so few streams has no room for all categories.
    const [told, wanted] = [counted, removal].map((of) => of && { ...of, byCategory: undefined });
    if (told && wanted && !isDeepStrictEqual(told, wanted))
      this.#fault(`a plan counts ${JSON.stringify(told)} in place of ${JSON.stringify(wanted)}`);
    if (counted) this.#checked.tallies++;
    return removal;
  }

  #run(request: ScavengeRequest): Promise<ScavengeReportData | undefined> {
    return this.#attempt(() => runScavenge(request, this.#environment()));
  }

  /** A scavenge may be refused; then all three are. */
  async #attempt<T>(action: () => Promise<T>): Promise<T | undefined> {
    try {
      return await action();
    } catch (error) {
      if (error instanceof EngineError && error.code === 'InvalidRequest') return undefined;
      throw error;
    }
  }

  #environment() {
    const { hasher, now } = this.#log;
    return scavengeEnvironment({ hasher, now: () => now as Ticks, calculationBatchSize: 3 });
  }

  #positions(): number[] {
    const database = openDatabase({ fileSystem, dataDirectory: this.#log.dataDirectory });
    const positions: number[] = [];
    for (const cursor = database.log.cursor(); cursor.next();) positions.push(cursor.record.position);
    database.close();
    return positions;
  }

  #fault(text: string): void {
    this.#faults.push(text);
  }
}
