/**
 * One case of the campaign, determined by seed and number: a random log, scavenged one to three times with random
 * options, each run interrupted at random and resumed until it ends, with more writes in between. What the naive
 * model keeps must be there, what it removes must not, and one more scavenge must change no byte.
 */
import { chownSync, copyFileSync, lstatSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { EngineError } from '../../src-core/errors.ts';
import { planScavenge, runScavenge } from '../../src-core/scavenge/run-scavenge.ts';
import { decodeScavengeCheckpoint } from '../../src-core/scavenge/state/scavenge-checkpoint.ts';
import type {
  ScavengeEnvironment,
  ScavengeReportData,
  ScavengeRequest
} from '../../src-core/scavenge/scavenge-request.ts';
import { TICKS_PER_SECOND, ticksFromIso, ticksToIso, type Ticks } from '../../src-core/units/ticks.ts';
import { filesOf } from '../support/database-content.ts';
import { Prng } from '../support/prng.ts';
import { scavengeEnvironment, scavengeRequest } from '../support/scavenge-environment.ts';
import { sealingTogether } from '../support/sealing-together.ts';
import { faultsOf } from './check-database.ts';
import { runChild } from './child-run.ts';
import { comparableReport } from './comparable-report.ts';
import { runUntilPowerCut } from './power-cut.ts';
import { QuotaFileSystem } from './quota-file-system.ts';
import { RandomLog } from './random-log.ts';
import { SmallDisk } from './small-disk.ts';
import { hasherOf, type HasherName } from './weak-hash.ts';

export type Interruption = 'stop' | 'powerCut' | 'quota' | 'kill' | 'fullDisk';

export interface CaseName {
  seed: number;
  number: number;
  /** Kinds that may happen, the more often the more often named. */
  interruptions: readonly Interruption[];
  /** The built command line; without it child processes run from the sources. */
  commandLine?: string | undefined;
}

export interface CaseResult {
  steps: string[];
  /** Empty when all is as it must be. */
  faults: string[];
  runs: number;
  kills: number;
  fullDisks: number;
}

const MAX_INTERRUPTIONS = 4;
const MAX_QUOTA_BYTES = 200_000;
/** Nobody of this number exists where this runs. */
const FOREIGN_OWNER = { uid: 41_234, gid: 41_235 };

export async function runCase(name: CaseName): Promise<CaseResult> {
  const home = mkdtempSync(join(tmpdir(), 'winnow-campaign-'));
  const campaign = new CampaignCase(name, home);
  try {
    await campaign.run();
  } catch (error) {
    campaign.result.faults.push(error instanceof Error ? (error.stack ?? error.message) : String(error));
  } finally {
    campaign.close();
    rmSync(home, { recursive: true, force: true });
  }
  return campaign.result;
}

class CampaignCase {
  readonly result: CaseResult = { steps: [], faults: [], runs: 0, kills: 0, fullDisks: 0 };
  readonly #name: CaseName;
  /** Of the present round: what an interruption does to one must not change what the next one is. */
  #random: Prng;
  readonly #home: string;
  readonly #hasher: HasherName;
  readonly #log: RandomLog;
  readonly #disk: SmallDisk | undefined;
  /** The files belong to somebody else, and so must the new ones. */
  readonly #isForeign: boolean;

  constructor(name: CaseName, home: string) {
    this.#name = name;
    this.#home = home;
    const random = (this.#random = new Prng(name.seed * 1_000_003 + name.number));
    this.#hasher = random.chance(0.4) ? 'weak' : 'real';
    const wantsDisk = name.interruptions.includes('fullDisk') && random.chance(0.3);
    this.#disk = wantsDisk ? SmallDisk.mount(join(home, 'disk')) : undefined;
    this.#isForeign = process.getuid?.() === 0 && random.chance(0.25);
    const dataDirectory = join(home, this.#disk ? 'disk/db' : 'db');
    mkdirSync(dataDirectory);
    this.#log = new RandomLog({
      dataDirectory,
      random: new Prng(random.next()),
      hasher: hasherOf(this.#hasher)
    });
    this.#say(`${this.#hasher} hash${this.#isForeign ? ', files of another user' : ''}`);
  }

  async run(): Promise<void> {
    const rounds = Array.from({ length: 1 + this.#random.below(3) }, () => this.#random.next());
    for (const seed of rounds) {
      if (this.result.faults.length > 0) break;
      const random = (this.#random = new Prng(seed));
      this.#log.grow({ steps: 20 + random.below(180) });
      if (random.chance(0.6)) await this.#log.growIndex();
      if (random.chance(0.3)) await this.#log.growIndex();
      if (random.chance(0.3)) this.#log.writePoint();
      this.#giveAway();
      await this.#scavenge();
    }
  }

  close(): void {
    this.#disk?.unmount();
  }

  #say(step: string): void {
    this.result.steps.push(step);
  }

  /** One scavenge, however many runs that takes. */
  async #scavenge(): Promise<void> {
    const request = this.#randomRequest();
    let alwaysReplaces = request.alwaysKeepScavenged;
    const earlier = request.startAfresh ? undefined : this.#reachedPoint();
    let report: ScavengeReportData | undefined;
    let planned: ScavengeReportData | EngineError | undefined;
    for (let left = this.#random.below(MAX_INTERRUPTIONS + 1); ; left--) {
      this.result.runs++;
      if (left <= 0 && this.#random.chance(0.4)) planned = await this.#planOrRefusal(request);
      try {
        report = left > 0 ? await this.#interrupted(request) : await this.#uninterrupted(request);
      } catch (error) {
        if (!isKeptRefusal(error)) throw error;
        if (planned) this.#compare(planned, error);
        planned = undefined;
        // Records of a deleted stream would have stayed without its tombstone: asked for again as the remedy says.
        request.alwaysKeepScavenged = true;
        continue;
      }
      // State can be set aside once; what is resumed afterwards is this scavenge's own.
      request.startAfresh = false;
      delete request.pageSize;
      request.alwaysKeepScavenged = this.#random.chance(0.8);
      if (request.unsafeIgnoreHardDeletes) request.alwaysKeepScavenged = true;
      if (report?.result === 'success') break;
      alwaysReplaces &&= request.alwaysKeepScavenged;
    }
    if (planned) this.#compare(planned, report);
    this.#log.learn();
    const point = request.scavengePoint === 'detached' ? pointOf(report) : this.#reachedPoint();
    const ignoresHardDeletes = request.unsafeIgnoreHardDeletes;
    const isDetached = request.scavengePoint === 'detached';
    if (point && point.position !== earlier?.position)
      this.#log.survivors.scavenge({ ...point, alwaysReplaces, ignoresHardDeletes, isDetached });
    await this.#check();
  }

  #randomRequest(): ScavengeRequest {
    const random = this.#random;
    const winnowHome = join(this.#home, 'winnow');
    const placement = random.pick(['existing', 'new', 'new', 'auto', 'detached'] as const);
    const request = scavengeRequest(this.#log.dataDirectory, {
      scavengePoint: placement,
      winnowHome,
      threshold: random.pick([0, 0, -1, 4, 30]),
      merge: random.chance(0.6),
      threads: this.#hasher === 'real' && random.chance(0.3) ? 3 : 1,
      alwaysKeepScavenged: random.chance(0.8),
      unsafeIgnoreHardDeletes: placement !== 'detached' && random.chance(0.2),
      startAfresh: random.chance(0.1),
      singleNode: placement === 'auto' || random.chance(0.2),
      now: ticksToIso(this.#log.now + BigInt(1 + random.below(400 * 3600)) * TICKS_PER_SECOND)
    });
    if (request.startAfresh && random.chance(0.5)) request.pageSize = random.pick([512, 4, 16384, 65536]);
    const { scavengePoint, threshold, threads, merge, alwaysKeepScavenged, startAfresh } = request;
    this.#say(
      `${scavengePoint}, threshold ${threshold}, ${threads} threads${merge ? '' : ', no merge'}` +
        (alwaysKeepScavenged ? '' : ', keeps larger') +
        (request.unsafeIgnoreHardDeletes ? ', ignores hard deletes' : '') +
        (startAfresh ? ', afresh' : '')
    );
    return request;
  }

  #environment({ threads }: Pick<ScavengeRequest, 'threads'> = { threads: 1 }): Partial<ScavengeEnvironment> {
    const workers = { start: sealingTogether(() => undefined), processorCount: 3 };
    return {
      ...(threads > 1 ? { workers } : {}),
      hasher: this.#log.hasher,
      now: () => this.#later,
      calculationBatchSize: 1 + this.#random.below(6),
      hostName: 'campaign'
    };
  }

  /** Time of what a run writes into the log, behind that of any point. */
  get #later(): Ticks {
    return (this.#log.now + 1000n * 3600n * TICKS_PER_SECOND) as Ticks;
  }

  async #uninterrupted(request: ScavengeRequest): Promise<ScavengeReportData> {
    return runScavenge(request, scavengeEnvironment(this.#environment(request)));
  }

  async #planOrRefusal(request: ScavengeRequest): Promise<ScavengeReportData | EngineError> {
    try {
      return await this.#plan(request);
    } catch (error) {
      if (!isKeptRefusal(error)) throw error;
      return error;
    }
  }

  async #plan(request: ScavengeRequest): Promise<ScavengeReportData> {
    const before = filesOf(this.#log.dataDirectory);
    const scratchDirectory = join(this.#home, 'scratch');
    const planned = await planScavenge(
      { ...request, scratchDirectory },
      scavengeEnvironment(this.#environment(request))
    );
    if (JSON.stringify(filesOf(this.#log.dataDirectory)) !== JSON.stringify(before)) {
      this.result.faults.push('the plan changed a file');
    }
    return planned;
  }

  #compare(planned: ScavengeReportData | EngineError, report: ScavengeReportData | EngineError): void {
    const textOf = (one: ScavengeReportData) => {
      const { leftInActiveChunk, ...rest } = comparableReport(one);
      // Readers give a stream up among too many colliding entries, and the run leaves fewer of them than the plan sees.
      return JSON.stringify(this.#hasher === 'weak' ? rest : { ...rest, leftInActiveChunk }, null, 1);
    };
    const [expected, found] = [planned, report].map((one) =>
      one instanceof EngineError ? one.message : textOf(one)
    );
    if (expected === found) return;
    const lines = expected!.split('\n');
    const at = found!.split('\n').findIndex((line, i) => line !== lines[i]);
    this.result.faults.push(`the plan said ${lines[at]}, the run did ${found!.split('\n')[at]}`);
  }

  /** The report of a run that ended all the same. */
  async #interrupted(request: ScavengeRequest): Promise<ScavengeReportData | undefined> {
    const { interruptions } = this.#name;
    const random = this.#random;
    const possible = interruptions.filter(
      (kind) => (kind !== 'powerCut' || !this.#isForeign) && (kind !== 'fullDisk' || this.#disk !== undefined)
    );
    const kind = possible.length === 0 ? 'stop' : random.pick(possible);
    this.#say(`  ${kind}`);
    switch (kind) {
      case 'stop':
        return this.#stop(request);
      case 'powerCut':
        this.result.kills++;
        return runUntilPowerCut({
          request: { ...request, threads: 1 },
          environment: this.#environment(),
          random,
          scratch: this.#home
        });
      case 'quota':
        return this.#fill(request);
      case 'kill':
        return this.#kill(request);
      case 'fullDisk':
        return this.#fillDisk(request);
    }
  }

  async #stop(request: ScavengeRequest): Promise<ScavengeReportData> {
    const stop = new AbortController();
    let left = this.#random.below(300);
    const pass = () => {
      if (left-- === 0) stop.abort();
    };
    const trace = {
      entry: pass,
      executingRecordOf: pass,
      executingIndexEntryOf: pass,
      calculatingStream: pass
    };
    const environment = { ...this.#environment(), trace, signal: stop.signal };
    return runScavenge({ ...request, threads: 1 }, scavengeEnvironment(environment));
  }

  async #fill(request: ScavengeRequest): Promise<ScavengeReportData | undefined> {
    const fileSystem = new QuotaFileSystem(this.#random.below(MAX_QUOTA_BYTES));
    try {
      const environment = { ...this.#environment(), fileSystem };
      return await runScavenge({ ...request, threads: 1 }, scavengeEnvironment(environment));
    } catch (error) {
      if (!(error instanceof EngineError) || error.code !== 'StorageFailed') throw error;
      this.result.fullDisks++;
      return undefined;
    }
  }

  #childRun(request: ScavengeRequest) {
    const commandLine =
      this.#hasher === 'real' && this.#random.chance(0.5) ? this.#name.commandLine : undefined;
    return { request, hasher: this.#hasher, now: this.#later, commandLine };
  }

  async #kill(request: ScavengeRequest): Promise<ScavengeReportData | undefined> {
    // Most of the time a child takes is its start; the work of these databases is short.
    const end = await runChild({ ...this.#childRun(request), killAfterMs: 150 + this.#random.below(1000) });
    if (end.isKilled) this.result.kills++;
    return end.isKilled ? undefined : end.report;
  }

  async #fillDisk(request: ScavengeRequest): Promise<ScavengeReportData | undefined> {
    const disk = this.#disk!;
    const delayMs = this.#random.below(900);
    const before = this.#random.chance(0.2);
    const onStart = () => setTimeout(() => disk.fill(), delayMs);
    let timer: NodeJS.Timeout | undefined;
    try {
      if (before) disk.fill();
      const end = await runChild({ ...this.#childRun(request), onStart: () => (timer = onStart()) });
      return end.isKilled ? undefined : end.report;
    } catch (error) {
      if (!(error instanceof EngineError) || error.code !== 'StorageFailed') throw error;
      this.result.fullDisks++;
      return undefined;
    } finally {
      clearTimeout(timer);
      disk.empty();
    }
  }

  /** Of the finished scavenge that the stored state names. */
  #reachedPoint() {
    const path = join(this.#log.dataDirectory, 'index/scavenging/scavenging.db');
    if (!lstatSync(path, { throwIfNoEntry: false })) return undefined;
    // A copy: to open the file itself, even to read, would leave a journal beside it.
    const copy = join(this.#home, 'state-to-read.db');
    copyFileSync(path, copy);
    const state = new DatabaseSync(copy);
    try {
      const text = state.prepare('SELECT value FROM Checkpoint').get()?.['value'];
      if (text === undefined) return undefined;
      const checkpoint = decodeScavengeCheckpoint(String(text));
      if (checkpoint?.stage !== 'done') this.result.faults.push(`the state ends at ${checkpoint?.stage}`);
      return checkpoint?.scavengePoint;
    } finally {
      state.close();
    }
  }

  async #check(): Promise<void> {
    const { faults } = this.result;
    const { dataDirectory } = this.#log;
    faults.push(...(await faultsOf(this.#log, this.#hasher)));
    const before = filesOf(dataDirectory);
    const left = Object.keys(before).filter((name) => /\.tmp$|-wal$|-shm$/.test(name));
    if (left.length > 0) faults.push(`left behind: ${left.join(', ')}`);
    faults.push(...this.#ownershipFaults());
    // A point that was written but passed over by a newer one's run is no more to be reached; others may be.
    const again = scavengeRequest(dataDirectory, { winnowHome: join(this.#home, 'winnow') });
    const plan = await this.#plan(again);
    if (plan.scavengePoint !== null) return;
    await this.#uninterrupted(again);
    const after = filesOf(dataDirectory);
    const changed = Object.keys({ ...before, ...after }).filter((name) => before[name] !== after[name]);
    if (changed.length > 0) faults.push(`one scavenge more changed ${changed.join(', ')}`);
  }

  #giveAway(): void {
    if (!this.#isForeign) return;
    const { uid, gid } = FOREIGN_OWNER;
    for (const path of this.#paths()) chownSync(path, uid, gid);
  }

  #ownershipFaults(): string[] {
    if (!this.#isForeign) return [];
    return this.#paths()
      .filter((path) => {
        const { uid, gid } = lstatSync(path);
        return uid !== FOREIGN_OWNER.uid || gid !== FOREIGN_OWNER.gid;
      })
      .map((path) => `${path} does not belong to the owner of the database`);
  }

  #paths(): string[] {
    const { dataDirectory } = this.#log;
    const names = readdirSync(dataDirectory, { recursive: true, encoding: 'utf8' });
    return [dataDirectory, ...names.map((name) => join(dataDirectory, name))];
  }
}

function isKeptRefusal(error: unknown): error is EngineError {
  return error instanceof EngineError && error.details['field'] === 'alwaysKeepScavenged';
}

function pointOf({ scavengePoint }: ScavengeReportData) {
  if (!scavengePoint) return undefined;
  const { position, effectiveNow, threshold } = scavengePoint;
  return { position, effectiveNow: ticksFromIso(effectiveNow)!, threshold };
}
