/**
 * A run that resumes another: with the seal that the other left it does not compare the state with the log again, and does
 * not search the log again; what it leaves is what one run leaves. A state or a log that changed meanwhile breaks the seal.
 */
import { readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { OperationControl } from '../../../src-core/database/operation-control.ts';
import { Random } from '../../../src-core/sample/random.ts';
import type { KeptProgress } from '../../../src-core/scavenge/run-progress.ts';
import { planScavenge, runScavenge } from '../../../src-core/scavenge/run-scavenge.ts';
import type { ScavengeEnvironment, ScavengeRequest } from '../../../src-core/scavenge/scavenge-request.ts';
import type { OpenFile, OpenMode } from '../../../src-core/storage/file-system.ts';
import { NodeFileSystem } from '../../../src-core/storage/node-file-system.ts';
import { PassThroughFile, PassThroughFileSystem } from '../../../src-core/storage/pass-through.ts';
import { contentOf, type DatabaseContent } from '../../support/database-content.ts';
import { scavengeEnvironment, scavengeRequest } from '../../support/scavenge-environment.ts';
import { ScavengeSamples } from '../../support/scavenge-sample.ts';
import { seedList } from '../../support/seeds.ts';

const samples = new ScavengeSamples();
let original = '';
let uncut: DatabaseContent;

beforeAll(async () => {
  const size = { sizeBytes: 600_000, chunkSizeBytes: 65536, seed: 11 };
  original = await samples.write(size, { withPoint: true });
  rmSync(join(original, 'index', 'scavenging'), { recursive: true });
  const directory = samples.copy(original);
  await runScavenge(scavengeRequest(directory), scavengeEnvironment());
  uncut = await contentOf(directory);
});
afterAll(() => samples.removeAll());

/** Between runs, as WINNOW_HOME. */
class Store {
  kept: KeptProgress | undefined;
  read = () => this.kept;
  write = (kept: KeptProgress) => {
    this.kept = kept;
  };
}

/** Counts the bytes that are read of chunks. */
class CountingFiles extends PassThroughFileSystem {
  chunkBytes = 0;

  constructor() {
    super(new NodeFileSystem());
  }

  override open(path: string, mode: OpenMode): OpenFile {
    const file = super.open(path, mode);
    return path.includes('chunk-') ? new CountedFile(file, (count) => (this.chunkBytes += count)) : file;
  }
}

class CountedFile extends PassThroughFile {
  readonly #count: (bytes: number) => void;

  constructor(inner: OpenFile, count: (bytes: number) => void) {
    super(inner);
    this.#count = count;
  }

  override read(target: Uint8Array, targetOffset: number, length: number, position: number): number {
    const count = super.read(target, targetOffset, length, position);
    this.#count(count);
    return count;
  }
}

interface Run {
  result: 'success' | 'stopped';
  resumed: boolean;
  /** Of chunks, before its work began. */
  readFirst: number;
}

/** Stopped at its turn `turns`. */
async function run(
  directory: string,
  store: Store | undefined,
  change: Partial<ScavengeRequest> = {},
  turns = Infinity
): Promise<Run> {
  const fileSystem = new CountingFiles();
  const stop = new AbortController();
  let [readFirst, now, turn] = [0, 0, 0];
  const operation = new OperationControl({
    signal: stop.signal,
    elapsedMs: () => (now += 1000),
    yieldTurn: async () => {
      if (++turn >= turns) stop.abort();
      await Promise.resolve();
    }
  });
  const environment: ScavengeEnvironment = scavengeEnvironment({
    fileSystem,
    operation,
    ...(store ? { progress: store } : {}),
    onStart: () => (readFirst = fileSystem.chunkBytes)
  });
  const { result, resumed } = await runScavenge(scavengeRequest(directory, change), environment);
  return { result, resumed, readFirst };
}

const stateOf = (directory: string) => join(directory, 'index', 'scavenging', 'scavenging.db');
const PHASES = ['beginning', 'accumulation', 'calculation', 'chunkExecution', 'indexExecution'] as const;

function change(directory: string, sql: string): void {
  const state = new DatabaseSync(stateOf(directory));
  state.exec(sql);
  state.close();
}

describe('a run that resumes one that was stopped', () => {
  it.each(['calculation', 'chunkExecution'] as const)(
    'after %s reads less of the log before its work than without a seal, and leaves what one run leaves',
    async (stopAfter) => {
      const [sealed, unsealed] = [samples.copy(original), samples.copy(original)];
      const store = new Store();
      await run(sealed, store, { stopAfter });
      await run(unsealed, undefined, { stopAfter });
      expect(store.kept?.seal).not.toBeNull();
      const [quick, slow] = [await run(sealed, store), await run(unsealed, undefined)];
      expect(quick).toMatchObject({ result: 'success', resumed: true });
      expect(quick.readFirst).toBeLessThan(slow.readFirst);
      expect(await contentOf(sealed)).toEqual(uncut);
      expect(await contentOf(unsealed)).toEqual(uncut);
      expect(store.kept?.seal).toBeNull();
    }
  );

  it.each(PHASES)('after %s is planned as it then runs', async (stopAfter) => {
    const directory = samples.copy(original);
    const store = new Store();
    await run(directory, store, { stopAfter });
    const before = { ...store.kept };
    const scratchDirectory = samples.directory();
    const environment = { progress: store, digests: undefined };
    const plan = await planScavenge(
      scavengeRequest(directory, { scratchDirectory }),
      scavengeEnvironment(environment)
    );
    expect(store.kept).toEqual(before);
    const report = await runScavenge(scavengeRequest(directory), scavengeEnvironment(environment));
    expect(report.spaceSavedBytes).toBe(plan.spaceSavedBytes);
    expect(report.recordsDiscarded).toBe(plan.recordsDiscarded);
    expect(report.chunkCount).toEqual(plan.chunkCount);
    expect(await contentOf(directory)).toEqual(uncut);
  });

  it.each(seedList(6))('is stopped anywhere, again and again, seed %i', async (seed) => {
    const random = new Random(seed);
    const detached = seed % 2 === 0;
    const directory = samples.copy(original);
    const winnowHome = samples.directory();
    const asked: Partial<ScavengeRequest> = detached ? { scavengePoint: 'detached', winnowHome } : {};
    const reference = samples.copy(original);
    await run(reference, undefined, { ...asked, winnowHome: samples.directory() });
    const store = new Store();
    let last: Run | undefined;
    for (let stops = 0; last?.result !== 'success'; stops++) {
      expect(stops).toBeLessThan(60);
      last = await run(directory, store, asked, 1 + random.below(10 + stops * 8));
      if (random.chance(0.3)) store.kept = undefined; // killed before it could say so, or another home
    }
    expect(await contentOf(directory)).toEqual(await contentOf(reference));
  });

  it.each(PHASES.slice(1, 4))('after %s refuses a state that was forged meanwhile', async (stopAfter) => {
    const directory = samples.copy(original);
    const store = new Store();
    await run(directory, store, { stopAfter });
    change(directory, 'UPDATE OriginalStreamDatas SET isTombstoned = 1');
    await expect(run(directory, store)).rejects.toMatchObject({ details: { reason: 'stateInvalid' } });
  });

  it('seals no lie: one that was told before a run that only calculated is met by the next one', async () => {
    const directory = samples.copy(original);
    const store = new Store();
    await run(directory, store, { stopAfter: 'accumulation' });
    // Of the one stream only, so that a sample may miss it.
    change(
      directory,
      `UPDATE OriginalStreamDatas SET maxCount = 1 WHERE key IN (SELECT key FROM HashUsers WHERE value NOT LIKE '$%')`
    );
    const calculated = await run(directory, store, { stopAfter: 'calculation' }).catch(() => undefined);
    if (calculated) expect(store.kept?.seal).toBeNull();
    await expect(run(directory, store)).rejects.toMatchObject({ details: { reason: 'stateInvalid' } });
  });

  it('compares again when a file of the log is another one', async () => {
    const [touched, left] = [samples.copy(original), samples.copy(original)];
    const runs: Run[] = [];
    for (const directory of [touched, left]) {
      const store = new Store();
      await run(directory, store, { stopAfter: 'calculation' });
      if (directory === touched) utimesSync(join(directory, 'chunk-000001.000000'), 1, 1);
      runs.push(await run(directory, store, { stopAfter: 'chunkExecution' }));
    }
    // What holds is compared where the first file is about to be replaced, and then counts as what was found out.
    expect(runs.map(({ resumed }) => resumed)).toEqual([true, true]);
    const store = new Store();
    const directory = samples.copy(original);
    await run(directory, store, { stopAfter: 'chunkExecution' });
    const other = { ...store.kept! };
    const seal = other.seal;
    utimesSync(join(directory, 'chunk-000001.000001'), 1, 1);
    const again = await run(directory, store, { stopAfter: 'beginning' });
    expect(again.resumed).toBe(true);
    expect(store.kept?.seal).not.toBe(seal);
    store.kept = other;
    const [slow, quick] = [again, await run(directory, new Store(), { stopAfter: 'beginning' })];
    expect(slow.readFirst).toBe(quick.readFirst);
  });

  it('checks again what another choice of hard deletes asks for', async () => {
    const directory = samples.copy(original);
    const store = new Store();
    await run(directory, store, { stopAfter: 'chunkExecution', unsafeIgnoreHardDeletes: true });
    await expect(run(directory, store)).rejects.toMatchObject({
      details: { field: 'unsafeIgnoreHardDeletes' }
    });
  });
});

describe('the search for records that stop a scavenge', () => {
  it('goes on where the run before it was stopped in it', async () => {
    const directory = samples.copy(original);
    const store = new Store();
    const chunks: (number | undefined)[] = [];
    for (let night = 0; night < 3; night++) {
      const { resumed } = await run(directory, store, {}, 2 + night * 2).catch(() => ({ resumed: false }));
      expect(resumed).toBe(false);
      chunks.push(store.kept?.searched?.chunks);
    }
    const first = await run(samples.copy(original), undefined, { stopAfter: 'beginning' });
    const last = await run(directory, store, { stopAfter: 'beginning' });
    expect(last.readFirst, JSON.stringify(chunks)).toBeLessThan(first.readFirst);
  });

  it('begins again when a file that was searched is another one', async () => {
    const directory = samples.copy(original);
    const store = new Store();
    await run(directory, store, { scavengePoint: 'detached', winnowHome: samples.directory() }, 8);
    const searched = store.kept?.searched;
    expect(searched?.chunks).toBeGreaterThan(0);
    const path = join(directory, 'chunk-000000.000000');
    writeFileSync(path, readFileSync(path));
    utimesSync(path, 1, 1);
    const fresh = await run(samples.copy(original), new Store(), { stopAfter: 'beginning' });
    const again = await run(directory, store, { stopAfter: 'beginning' });
    expect(again.readFirst).toBe(fresh.readFirst);
  });
});
