/**
 * Operations that pause after each record come to what those come to that never pause, also with others at work between: what a
 * pause lets in must not change what was looked at before it.
 */
import fs from 'node:fs';
import path from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { openDatabase } from '../../src-core/database/database.ts';
import { OperationControl } from '../../src-core/database/operation-control.ts';
import { ChunkDigests } from '../../src-core/digest/chunk-digests.ts';
import { EngineError } from '../../src-core/errors.ts';
import { hashStream } from '../../src-core/index/stream-hash.ts';
import { examineStart } from '../../src-core/insight/doctor/examine-start.ts';
import { readUsage } from '../../src-core/insight/usage/read-usage.ts';
import { sumUsage } from '../../src-core/insight/usage/usage-items.ts';
import { rebuildIndex } from '../../src-core/repair/rebuild-index.ts';
import { runRepair } from '../../src-core/repair/run-repair.ts';
import { planScavenge, runScavenge } from '../../src-core/scavenge/run-scavenge.ts';
import { NodeFileSystem } from '../../src-core/storage/node-file-system.ts';
import { ticksToIso } from '../../src-core/units/ticks.ts';
import { verifyDatabase } from '../../src-core/verify/verify-database.ts';
import { comparableReport } from '../campaign/comparable-report.ts';
import { RandomLog } from '../campaign/random-log.ts';
import { guidsFrom } from '../support/crash-database.ts';
import { Prng } from '../support/prng.ts';
import { treeOf } from '../support/restore-fixture.ts';
import { scavengeEnvironment, scavengeRequest, temporaryDirectory } from '../support/scavenge-environment.ts';
import { seedList } from '../support/seeds.ts';

const SEEDS = seedList(6);
const fileSystem = new NodeFileSystem();
const directories: string[] = [];
afterEach(() => {
  for (const directory of directories.splice(0)) fs.rmSync(directory, { recursive: true, force: true });
});

/** Never due, or due whenever it is asked; `turns` counts the pauses. */
function controlOf(pauses: boolean, turns: { count: number }): OperationControl {
  return new OperationControl({
    elapsedMs: () => 0,
    yieldTurn: () => {
      turns.count++;
      return new Promise((resolve) => setImmediate(resolve));
    },
    ...(pauses && { rate: { owes: true, takeRest: () => 0 } })
  });
}

interface World {
  seed: number;
  dataDirectory: string;
  now: bigint;
}

function worldOf(seed: number): World {
  const home = temporaryDirectory();
  directories.push(home);
  const dataDirectory = path.join(home, 'db');
  fs.mkdirSync(dataDirectory);
  const log = new RandomLog({ dataDirectory, random: new Prng(seed), hasher: hashStream });
  log.grow({ steps: 120 });
  return { seed, dataDirectory, now: log.now };
}

/** All that is asked and done, one after the other, with what it came to. */
async function lifeOf(world: World, pauses: boolean, turns: { count: number }): Promise<unknown[]> {
  const { seed, now } = world;
  const dataDirectory = `${world.dataDirectory}-${pauses ? 'pausing' : 'hasty'}`;
  fs.cpSync(world.dataDirectory, dataDirectory, { recursive: true });
  const control = controlOf(pauses, turns);
  const newGuid = guidsFrom(seed);
  const environment = scavengeEnvironment({ operation: control, newGuid });
  const request = scavengeRequest(dataDirectory, {
    scavengePoint: 'new',
    singleNode: true,
    now: ticksToIso(now),
    winnowHome: `${dataDirectory}-home`,
    scratchDirectory: path.dirname(dataDirectory)
  });
  const place = { fileSystem, dataDirectory };
  const verify = async (): Promise<unknown> => {
    const database = openDatabase(place);
    try {
      return await verifyDatabase({ database, quick: false, control });
    } finally {
      database.close();
    }
  };
  const usage = async (): Promise<unknown> => {
    const digests = new ChunkDigests({ fileSystem, newGuid, threads: 1 });
    const read = await readUsage({
      fileSystem,
      dataDirectory,
      effectiveNow: now,
      digests,
      operation: control,
      newGuid
    });
    try {
      return [await sumUsage(read, 'stream', 1000), await sumUsage(read, 'type', 1000), read.counts.chunks];
    } finally {
      read.close();
    }
  };
  const start = async (): Promise<unknown> => {
    const { findings, prediction } = await examineStart({ place, isThorough: true, control });
    return [findings, prediction];
  };
  const repair = () =>
    runRepair({
      place,
      verify: (database) => verifyDatabase({ database, quick: false, control }),
      rebuildIndex: async (where) => {
        await rebuildIndex({ ...where, control, newGuid });
      },
      acceptLoss: false,
      only: [],
      dryRun: true,
      assumeStopped: false,
      stamp: '20261121T050000Z',
      newGuid,
      control
    });
  const files = () => Promise.resolve(withoutTimes(treeOf(fileSystem, dataDirectory)));
  const steps: (() => Promise<unknown>)[] = [
    verify,
    usage,
    start,
    repair,
    async () => comparableReport(await planScavenge(request, environment)),
    async () => comparableReport(await runScavenge(request, environment)),
    files,
    () => rebuildIndex({ ...place, control, newGuid }),
    files,
    verify,
    usage
  ];
  const results: unknown[] = [];
  for (const step of steps) results.push(await step().catch(refusal));
  return results.map((result) => named(result, dataDirectory));
}

/** What the engine refuses is a result too: some logs hold records that no scavenge can pass. */
function refusal(error: unknown): unknown {
  if (!(error instanceof EngineError)) throw error;
  return [error.code, error.message];
}

/** Places that differ by name only. */
function named(result: unknown, dataDirectory: string): unknown {
  return JSON.parse(
    JSON.stringify(result, (_, value: unknown) =>
      typeof value === 'bigint' ? String(value) : value
    ).replaceAll(dataDirectory, 'DB')
  );
}

/** SQLite writes its own change counters. */
function withoutTimes(tree: Record<string, string>): [string, string][] {
  return Object.entries(tree).filter(([name]) => !name.includes('scavenging.db'));
}

it('comes to the same, alone or two at a time', async () => {
  const hasty = { count: 0 };
  const pausing = { count: 0 };
  const worlds = SEEDS.map(worldOf);
  const wanted: unknown[] = [];
  for (const world of worlds) wanted.push(await lifeOf(world, false, hasty));
  const found = await Promise.all(worlds.map((world) => lifeOf(world, true, pausing)));
  for (const [i, world] of worlds.entries()) expect(found[i], `seed ${world.seed}`).toEqual(wanted[i]);
  expect(pausing.count).toBeGreaterThan(hasty.count + SEEDS.length * 1000);
});
