/**
 * Random histories accumulated and calculated from the log, name by name, and from digests without names: all tables end alike,
 * however much is taken into account at once, and the same is said of metadata.
 */
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { ChunkDigests } from '../../../src-core/digest/chunk-digests.ts';
import { PreparedHeads } from '../../../src-core/digest/prepared-heads.ts';
import { hashStream } from '../../../src-core/index/stream-hash.ts';
import { MeasuringChunkOutput } from '../../../src-core/scavenge/output/measuring-chunk-output.ts';
import { IndexTableOutput } from '../../../src-core/scavenge/output/table-output.ts';
import type { ScavengePoint } from '../../../src-core/scavenge/points/scavenge-point.ts';
import { RunControl } from '../../../src-core/scavenge/run-control.ts';
import { runScavenge } from '../../../src-core/scavenge/run-scavenge.ts';
import { ScavengeOutcome } from '../../../src-core/scavenge/scavenge-result.ts';
import { openSession } from '../../../src-core/scavenge/scavenge-session.ts';
import { runScavenger } from '../../../src-core/scavenge/scavenger.ts';
import { MemoryState } from '../../../src-core/scavenge/state/memory/memory-state.ts';
import { readIntoMemory } from '../../../src-core/scavenge/state/memory/read-into-memory.ts';
import { ScavengeState } from '../../../src-core/scavenge/state/scavenge-state.ts';
import { StateStore } from '../../../src-core/scavenge/state/state-store.ts';
import { WAITING_LIMITS } from '../../../src-core/scavenge/state/waiting/waiting-limits.ts';
import { NodeFileSystem } from '../../../src-core/storage/node-file-system.ts';
import type { Ticks } from '../../../src-core/units/ticks.ts';
import { RandomLog } from '../../campaign/random-log.ts';
import { contentOf } from '../../support/memory-content.ts';
import { Prng } from '../../support/prng.ts';
import {
  scavengeEnvironment,
  scavengeRequest,
  temporaryDirectory
} from '../../support/scavenge-environment.ts';
import { seedCount } from '../../support/seeds.ts';

const SEEDS = seedCount(30);
const HOUR_TICKS = 36_000_000_000n;
const directory = temporaryDirectory();
const fileSystem = new NodeFileSystem();
afterAll(() => rmSync(directory, { recursive: true }));

interface Question {
  dataDirectory: string;
  effectiveNow: Ticks;
  isPointInLog: boolean;
  keepsDigests: boolean;
  /** None: the log is read, name by name. */
  hashed?: number;
}

async function decided({ dataDirectory, effectiveNow, isPointInLog, keepsDigests, hashed }: Question) {
  const { newGuid, operation } = scavengeEnvironment();
  const control = new RunControl({ operation });
  const kept = keepsDigests ? { directory: join(dataDirectory, '..', 'digests'), memoryBytes: 1 } : {};
  const digests = new ChunkDigests({ fileSystem, newGuid, threads: 1, ...kept });
  const heads = hashed === undefined ? undefined : new PreparedHeads({ digests, fileSystem, operation });
  const session = await openSession({
    fileSystem,
    location: { dataDirectory },
    hasher: hashStream,
    control,
    heads
  });
  const { database, index } = session;
  const { log } = database;
  const completed = log.chunks.filter(({ isActive, isCompleted }) => !isActive && isCompleted);
  const newest = completed.at(-1)?.endPosition ?? 0;
  let position = newest;
  const cursor = log.cursor(0, newest);
  while (isPointInLog && cursor.next()) ({ position } = cursor.record);
  cursor.close();
  const point: ScavengePoint = { number: 0, position, effectiveNow, threshold: 0 };
  const output = { fileSystem, directory: dataDirectory, log, control, newGuid, alwaysKeepScavenged: true };
  // What moves to a file comes back from there.
  const files: StateStore[] = [];
  const openFile = () => {
    files.push(StateStore.open({ path: ':memory:' }));
    return files.at(-1)!;
  };
  const store = new MemoryState(undefined, hashed === 3 ? { bytes: 26_000, openFile } : undefined);
  const state = new ScavengeState({ store, hasher: hashStream });
  const outcome = new ScavengeOutcome();
  try {
    await runScavenger(
      {
        fileSystem,
        directories: [],
        log,
        index,
        state,
        chunkOutput: new MeasuringChunkOutput(output),
        tableOutput: () => new IndexTableOutput({ fileSystem, index, newGuid, isDryRun: true }),
        control,
        outcome,
        options: {
          ...{ merge: false, ignoreHardDeletes: false, alwaysKeepScavenged: true, threads: 1 },
          stopAfter: 'calculation'
        },
        isPointInLog,
        waiting: { ...WAITING_LIMITS, hashed: hashed ?? 0 }
      },
      { kind: 'fresh', point, previous: null }
    );
    const { users: _, ...content } = contentOf(files.length > 0 ? readIntoMemory(files.at(-1)!) : store);
    return { content, warnings: outcome.warnings, isApart: outcome.hashUsersCache === undefined };
  } catch (error) {
    return { failed: String(error) };
  } finally {
    session.close();
    for (const file of files) file.close();
  }
}

it('what is accumulated without names is what names lead to', async () => {
  let apart = 0;
  let streams = 0;
  let warnings = 0;
  for (let seed = 1; seed <= SEEDS; seed++) {
    const random = new Prng(seed);
    const dataDirectory = join(directory, String(seed), 'db');
    mkdirSync(dataDirectory, { recursive: true });
    const log = new RandomLog({ dataDirectory, random: new Prng(random.next()), hasher: hashStream });
    log.grow({ steps: 60 + random.below(300) });
    if (random.chance(0.6)) await log.growIndex();
    if (random.chance(0.3)) {
      await runScavenge(
        scavengeRequest(dataDirectory, { singleNode: true }),
        scavengeEnvironment({ hasher: hashStream })
      );
      log.grow({ steps: 60 + random.below(100) });
    }
    const question = {
      dataDirectory,
      effectiveNow: (log.now + BigInt(random.below(200)) * HOUR_TICKS) as Ticks,
      isPointInLog: random.chance(0.5),
      keepsDigests: random.chance(0.5)
    };
    const byNames = await decided(question);
    for (const hashed of [1, 3, 10, WAITING_LIMITS.hashed]) {
      const { isApart, ...byHashes } = await decided({ ...question, hashed });
      const { isApart: _, ...expected } = byNames;
      expect(byHashes, `seed ${seed}, ${hashed} at once`).toEqual(expected);
      if (isApart === true) apart++;
    }
    streams += byNames.content?.originals.length ?? 0;
    warnings += byNames.warnings?.length ?? 0;
    rmSync(join(directory, String(seed)), { recursive: true });
  }
  expect(apart).toBeGreaterThan(SEEDS);
  expect(streams).toBeGreaterThan(SEEDS);
  console.log(
    `${SEEDS} logs: ${apart} of ${SEEDS * 4} without names, ${streams} streams, ${warnings} warnings`
  );
});
