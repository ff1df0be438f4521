/**
 * A scavenge of a real database on a machine that loses power at a chosen call. The run works in memory; what the
 * disk would hold afterwards is then put in the place of the real directory. The state is SQLite's and real; it may
 * be set back to an earlier moment of the run, as a power cut may do with its last commits.
 */
import type { CheckpointStage } from '../../src-core/units/scavenge-terms.ts';
import { copyFileSync, existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { runScavenge } from '../../src-core/scavenge/run-scavenge.ts';
import type { ScavengeCheckpoint } from '../../src-core/scavenge/state/scavenge-checkpoint.ts';
import type {
  ScavengeEnvironment,
  ScavengeReportData,
  ScavengeRequest
} from '../../src-core/scavenge/scavenge-request.ts';
import type { FileSystem } from '../../src-core/storage/file-system.ts';
import { NodeFileSystem } from '../../src-core/storage/node-file-system.ts';
import { copyTree } from '../support/copy-tree.ts';
import { FaultyFileSystem, PowerCut } from '../support/faulty-file-system.ts';
import { MemoryFileSystem } from '../support/memory-file-system.ts';
import type { Prng } from '../support/prng.ts';
import { scavengeEnvironment } from '../support/scavenge-environment.ts';
import { SplitFileSystem } from '../support/split-file-system.ts';

const STATE = join('index', 'scavenging');
const LATEST_CALL = 220;
/** Phases that replace files begin with all of the state on the disk: it cannot fall back behind their beginning. */
const FLUSHED_BEFORE: ReadonlySet<CheckpointStage> = new Set([
  'executingChunks',
  'mergingChunks',
  'executingIndex'
]);
const real = new NodeFileSystem();

export interface PowerCutRun {
  request: ScavengeRequest;
  environment: Partial<ScavengeEnvironment>;
  random: Prng;
  /** An existing directory for a copy of the state. */
  scratch: string;
}

/** The report of a run that came to its end before the cut, undefined when it was cut. */
export async function runUntilPowerCut(options: PowerCutRun): Promise<ScavengeReportData | undefined> {
  const { request, random, scratch } = options;
  const { dataDirectory } = request;
  const home = request.winnowHome ?? scratch;
  const memory = new MemoryFileSystem();
  copyTree({ fileSystem: real, path: dataDirectory }, { fileSystem: memory, path: dataDirectory });
  // The state beside it is given to the owner of the index directory, which must be this user here as well.
  const owner = real.describe(dataDirectory)!;
  const index = join(dataDirectory, 'index');
  if (memory.describe(index)) memory.changeOwner(index, owner.uid, owner.gid);
  memory.changeOwner(dataDirectory, owner.uid, owner.gid);
  const faulty = new FaultyFileSystem(memory, { cutAt: 1 + random.below(LATEST_CALL) });
  const withState = new SplitFileSystem(faulty, real, join(dataDirectory, STATE));
  const fileSystem = new SplitFileSystem(withState, real, home);
  const moment = new StateMoment(join(dataDirectory, STATE), join(scratch, 'moment'), random);
  try {
    const trace = { checkpointing: ({ stage }: ScavengeCheckpoint) => moment.pass(stage) };
    const environment = scavengeEnvironment({ ...options.environment, fileSystem, trace });
    const report = await runScavenge(request, environment);
    replaceDirectory(dataDirectory, memory);
    return report;
  } catch (error) {
    if (!(error instanceof PowerCut)) {
      replaceDirectory(dataDirectory, memory); // what the run had changed when it was refused
      throw error;
    }
    if (request.scavengePoint !== 'detached') moment.restore();
    replaceDirectory(dataDirectory, faulty.survivors(random.next()));
    return undefined;
  }
}

/** One moment of the state during a run, chosen at random; none before the state was flushed for the last time. */
class StateMoment {
  #stage: CheckpointStage | undefined;
  readonly #directory: string;
  readonly #copy: string;
  readonly #random: Prng;

  constructor(directory: string, copy: string, random: Prng) {
    this.#directory = directory;
    this.#copy = copy;
    this.#random = random;
    rmSync(copy, { recursive: true, force: true });
  }

  pass(stage: CheckpointStage): void {
    const isFlushed = FLUSHED_BEFORE.has(stage) && stage !== this.#stage;
    this.#stage = stage;
    if (!isFlushed && this.#random.chance(0.9)) return;
    replaceFiles(this.#directory, this.#copy);
  }

  restore(): void {
    if (existsSync(this.#copy)) replaceFiles(this.#copy, this.#directory);
    rmSync(this.#copy, { recursive: true, force: true });
  }
}

function replaceFiles(from: string, to: string): void {
  rmSync(to, { recursive: true, force: true });
  mkdirSync(to, { recursive: true });
  for (const name of ['scavenging.db', 'scavenging.db-wal']) {
    if (existsSync(join(from, name))) copyFileSync(join(from, name), join(to, name));
  }
}

/** The state stays: it never left the disk. */
function replaceDirectory(dataDirectory: string, survivors: FileSystem): void {
  const index = join(dataDirectory, 'index');
  const isState = (path: string) => path === join(dataDirectory, STATE);
  for (const directory of [index, dataDirectory]) {
    if (!existsSync(directory)) continue;
    for (const name of readdirSync(directory)) {
      const path = join(directory, name);
      if (path !== index && !isState(path)) rmSync(path, { recursive: true, force: true });
    }
  }
  for (const directory of [dataDirectory, index]) {
    for (const { name } of survivors.list(directory) ?? []) {
      const path = join(directory, name);
      if (path === index || isState(path)) continue;
      real.makeDirectory(directory);
      copyTree({ fileSystem: survivors, path }, { fileSystem: real, path });
    }
  }
}
