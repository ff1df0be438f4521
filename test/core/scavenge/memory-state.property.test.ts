/** Random histories accumulated and calculated over a state in a file and one in memory: all tables end alike. */
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { hashStream } from '../../../src-core/index/stream-hash.ts';
import type { StreamHandle } from '../../../src-core/scavenge/decisions/stream-handle.ts';
import { MeasuringChunkOutput } from '../../../src-core/scavenge/output/measuring-chunk-output.ts';
import { IndexTableOutput } from '../../../src-core/scavenge/output/table-output.ts';
import type { ScavengePoint } from '../../../src-core/scavenge/points/scavenge-point.ts';
import { RunControl } from '../../../src-core/scavenge/run-control.ts';
import { ScavengeOutcome } from '../../../src-core/scavenge/scavenge-result.ts';
import { openSession, type ScavengeSession } from '../../../src-core/scavenge/scavenge-session.ts';
import { runScavenger } from '../../../src-core/scavenge/scavenger.ts';
import { listActive } from '../../../src-core/scavenge/state/list-active.ts';
import { MemoryState } from '../../../src-core/scavenge/state/memory/memory-state.ts';
import { readIntoMemory } from '../../../src-core/scavenge/state/memory/read-into-memory.ts';
import { ScavengeState } from '../../../src-core/scavenge/state/scavenge-state.ts';
import { StateStore } from '../../../src-core/scavenge/state/state-store.ts';
import type { WaitingLimits } from '../../../src-core/scavenge/state/waiting/waiting-limits.ts';
import type { StateStorage } from '../../../src-core/scavenge/state/state-tables.ts';
import { NodeFileSystem } from '../../../src-core/storage/node-file-system.ts';
import type { Ticks } from '../../../src-core/units/ticks.ts';
import { RandomLog } from '../../campaign/random-log.ts';
import { weakHasher } from '../../campaign/weak-hash.ts';
import { contentOf } from '../../support/memory-content.ts';
import { Prng } from '../../support/prng.ts';
import { scavengeEnvironment, temporaryDirectory } from '../../support/scavenge-environment.ts';
import { seedCount } from '../../support/seeds.ts';

const SEEDS = seedCount(20);
const ROUNDS = 3;
const HOUR_TICKS = 36_000_000_000n;
/** Nothing waits for longer than for a few of its kind. */
const NARROW: WaitingLimits = { metadata: 3, tombstones: 2, users: 5, doubted: 3, hashed: 3, seenSlots: 16 };
const directory = temporaryDirectory();
const fileSystem = new NodeFileSystem();
afterAll(() => rmSync(directory, { recursive: true }));

/** All that pages of some size hold, one behind the other. */
function joined<T extends { handle: StreamHandle }>(after: (handle: StreamHandle | null) => T[]): T[] {
  const found: T[] = [];
  for (let page = after(null); page.length > 0; page = after(page.at(-1)!.handle)) found.push(...page);
  return found;
}

/** What both are asked in the order of their streams. */
function pagesOf({ originals, claims }: ScavengeState, limit: number) {
  return [
    joined((after) => listActive(originals, after, limit)),
    joined((after) => claims.originals(true).after(after, limit)),
    joined((after) => claims.originals(false).after(after, limit)),
    joined((after) => claims.metastreams.after(after, limit))
  ];
}

interface Decide {
  session: ScavengeSession;
  store: StateStorage;
  hasher: typeof hashStream;
  point: ScavengePoint;
  doneChunk: number | null;
  batchSize: number;
  waiting?: WaitingLimits;
}

async function decide(question: Decide): Promise<void> {
  const { session, store, hasher, point, doneChunk, batchSize, waiting } = question;
  const { database, index } = session;
  const { newGuid, operation } = scavengeEnvironment();
  const control = new RunControl({ operation });
  const { log, dataDirectory } = database;
  const alwaysKeepScavenged = true;
  const output = { fileSystem, directory: dataDirectory, log, control, newGuid, alwaysKeepScavenged };
  await runScavenger(
    {
      fileSystem,
      directories: [],
      log,
      index,
      state: new ScavengeState({ store, hasher }),
      chunkOutput: new MeasuringChunkOutput(output),
      tableOutput: () => new IndexTableOutput({ fileSystem, index, newGuid, isDryRun: true }),
      control,
      outcome: new ScavengeOutcome(),
      options: {
        merge: false,
        ignoreHardDeletes: false,
        alwaysKeepScavenged,
        threads: 1,
        stopAfter: 'calculation',
        calculationBatchSize: batchSize
      },
      isPointInLog: false,
      waiting
    },
    { kind: 'resume', checkpoint: { stage: 'accumulating', scavengePoint: point, doneChunk } }
  );
}

it('a state in memory ends as one in a file does, also when it was read from one, moves to one, or nothing may wait', async () => {
  let streams = 0;
  let collisions = 0;
  let moves = 0;
  for (let seed = 1; seed <= SEEDS; seed++) {
    const random = new Prng(seed);
    const home = join(directory, String(seed));
    const dataDirectory = join(home, 'db');
    mkdirSync(dataDirectory, { recursive: true });
    const hasher = random.chance(0.5) ? weakHasher : hashStream;
    const log = new RandomLog({ dataDirectory, random: new Prng(random.next()), hasher });
    const file = StateStore.open({ path: join(home, 'state.db') });
    const narrow = StateStore.open({ path: join(home, 'narrow.db'), waiting: NARROW });
    let memory = new MemoryState();
    let doneChunk: number | null = null;
    const moved: StateStore[] = [];
    const openFile = () => {
      moved.push(StateStore.open({ path: ':memory:' }));
      return moved.at(-1)!;
    };
    for (let round = 0; round < ROUNDS; round++) {
      log.grow({ steps: 30 + random.below(150) });
      if (random.chance(0.6)) await log.growIndex();
      const control = new RunControl({ operation: scavengeEnvironment().operation });
      const session = await openSession({ fileSystem, location: { dataDirectory }, hasher, control });
      const { chunks, chunkSizeBytes } = session.database.log;
      const completed = chunks.filter(({ isActive, isCompleted }) => !isActive && isCompleted);
      const position = completed.at(-1)?.endPosition ?? 0;
      const effectiveNow = (log.now + BigInt(random.below(200)) * HOUR_TICKS) as Ticks;
      const point: ScavengePoint = { number: round, position, effectiveNow, threshold: 0 };
      const batchSize = random.pick([1, 3, 32768]);
      const question = { session, hasher, point, doneChunk, batchSize };
      const where = `seed ${seed}, round ${round}`;
      if (random.chance(0.5)) memory = readIntoMemory(file);
      const outgrowing = readIntoMemory(file, { bytes: random.pick([0, 26_000, 30_000]), openFile });
      const ends = await Promise.allSettled([
        ...[file, memory, outgrowing].map((store) => decide({ ...question, store })),
        decide({ ...question, store: narrow, waiting: NARROW })
      ]);
      session.close();
      const reasons = ends.map((end) => (end.status === 'rejected' ? String(end.reason) : ''));
      expect(reasons.slice(1), where).toEqual([reasons[0], reasons[0], reasons[0]]);
      if (reasons[0] !== '') break; // a record that no scavenge can pass
      expect(contentOf(memory), where).toEqual(contentOf(readIntoMemory(file)));
      expect(contentOf(readIntoMemory(narrow)), where).toEqual(contentOf(memory));
      const end = moved.at(-1) ?? outgrowing;
      expect(contentOf(end instanceof MemoryState ? end : readIntoMemory(end)), where).toEqual(
        contentOf(memory)
      );
      moves += moved.length;
      for (const store of moved.splice(0)) store.close();
      const limit = 1 + random.below(5);
      const [inFile, inMemory] = [file, memory].map((store) => new ScavengeState({ store, hasher }));
      expect(pagesOf(inMemory!, limit), where).toEqual(pagesOf(inFile!, limit));
      expect(inMemory!.collisions.names, where).toEqual(inFile!.collisions.names);
      streams += memory.tables.originals.count;
      collisions += inMemory!.collisions.names.length;
      doneChunk = position / chunkSizeBytes - 1;
      if (doneChunk < 0) doneChunk = null;
    }
    file.close();
    narrow.close();
    rmSync(home, { recursive: true });
  }
  expect(streams).toBeGreaterThan(SEEDS);
  expect(moves).toBeGreaterThan(SEEDS / 4);
  expect(collisions).toBeGreaterThan(SEEDS);
});
