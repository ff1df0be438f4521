/**
 * Starts prepared over logs of random content, with index tables that end anywhere, before and after scavenges: whatever was
 * there, log and index say the same afterwards as the model does, nothing is left to be prepared, and what comes later is
 * caught up with as well.
 */
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { uncontrolled } from '../../../src-core/database/operation-control.ts';
import { hashStream } from '../../../src-core/index/stream-hash.ts';
import { readCheckpoints, writeCheckpointFile } from '../../../src-core/log/checkpoint-file.ts';
import { runScavenge } from '../../../src-core/scavenge/run-scavenge.ts';
import { prepareStartup } from '../../../src-core/startup/prepare-startup.ts';
import { NodeFileSystem } from '../../../src-core/storage/node-file-system.ts';
import { ticksFromIso, ticksToIso, type Ticks } from '../../../src-core/units/ticks.ts';
import { faultsOf } from '../../campaign/check-database.ts';
import { RandomLog } from '../../campaign/random-log.ts';
import { entriesOf, withDatabase } from '../../support/database-content.ts';
import { Prng } from '../../support/prng.ts';
import {
  scavengeEnvironment,
  scavengeRequest,
  temporaryDirectory
} from '../../support/scavenge-environment.ts';
import { seedList } from '../../support/seeds.ts';

const ROUNDS = 3;
const fileSystem = new NodeFileSystem();
const control = uncontrolled();
const root = temporaryDirectory();
afterAll(() => rmSync(root, { recursive: true, force: true }));

/** Entries that no table holds. */
const waiting = (dataDirectory: string) =>
  withDatabase(dataDirectory, (_, index) => entriesOf(index.recent).length);

async function scavenge(log: RandomLog, random: Prng): Promise<void> {
  const { dataDirectory, now, hasher } = log;
  const request = { scavengePoint: 'new', now: ticksToIso(now), threshold: random.pick([0, -1, 5]) } as const;
  const { scavengePoint } = await runScavenge(
    scavengeRequest(dataDirectory, request),
    scavengeEnvironment({ hasher, now: () => now as Ticks })
  );
  log.learn();
  const { position, effectiveNow, threshold } = scavengePoint!;
  log.survivors.scavenge({
    ...{ position, threshold, effectiveNow: ticksFromIso(effectiveNow)! },
    ...{ ignoresHardDeletes: false, alwaysReplaces: false, isDetached: false }
  });
}

it.each(seedList(4))(
  'a prepared start has nothing left to read, and nothing is lost, seed %d',
  async (seed) => {
    const random = new Prng(seed);
    const dataDirectory = join(root, String(seed));
    mkdirSync(dataDirectory);
    const log = new RandomLog({ dataDirectory, random, hasher: hashStream });
    for (let round = 0; round < ROUNDS; round++) {
      log.grow({ steps: 1 + random.below(100) });
      if (random.chance(0.6)) await log.growIndex();
      if (random.chance(0.3)) await scavenge(log, random);
      if (random.chance(0.3)) log.grow({ steps: 1 + random.below(30) });
      const { writer } = readCheckpoints(fileSystem, dataDirectory);
      writeCheckpointFile(fileSystem, join(dataDirectory, 'chaser.chk'), writer!);
      const choice = { applyTruncation: random.chance(0.5), mergeTables: random.chance(0.5) };
      // A small filter: an own size for each.
      const serverArguments = random.chance(0.7) ? ['--stream-existence-filter-size=10000'] : [];
      const prepare = () =>
        prepareStartup({
          place: { fileSystem, dataDirectory },
          serverArguments,
          choice,
          control,
          newGuid: log.newGuid
        });
      const { steps } = await prepare();
      const where = `round ${round}: ${steps.map(({ code }) => code).join()}`;
      expect(await waiting(dataDirectory), where).toBe(0);
      expect(await faultsOf(log, 'real'), where).toEqual([]);
      expect((await prepare()).steps, where).toEqual([]);
    }
    rmSync(dataDirectory, { recursive: true });
  }
);
