/**
 * Random logs, scavenged in random ways and undone, against the naive model that an undo gives the bytes of before: with one
 * thread or two, merging or not, stopped after any phase and resumed with or without the option, several scavenges in a row.
 * Then the same where a server has appended meanwhile: every record of before is there again, every later one still is, and
 * log and index agree.
 */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { openDatabase } from '../../../src-core/database/database.ts';
import { EventAppender } from '../../../src-core/database/event-appender.ts';
import { uncontrolled } from '../../../src-core/database/operation-control.ts';
import { LogWriter } from '../../../src-core/log/log-writer.ts';
import { readableKept } from '../../../src-core/replaced/kept-folders.ts';
import { undoScavenge } from '../../../src-core/replaced/run-undo.ts';
import { runScavenge } from '../../../src-core/scavenge/run-scavenge.ts';
import type { ScavengeRequest } from '../../../src-core/scavenge/scavenge-request.ts';
import { writeSampleDatabase } from '../../../src-core/sample/write-sample-database.ts';
import { NodeFileSystem } from '../../../src-core/storage/node-file-system.ts';
import { ticksFromIso } from '../../../src-core/units/ticks.ts';
import { verifyDatabase } from '../../../src-core/verify/verify-database.ts';
import { startRewriteWorkers } from '../../../src-main/threads/start-rewrite-workers.ts';
import { guidsFrom } from '../../support/crash-database.ts';
import { contentOf, withDatabase } from '../../support/database-content.ts';
import { directoryTree } from '../../support/directory-tree.ts';
import { Prng } from '../../support/prng.ts';
import {
  scavengeEnvironment,
  scavengeRequest,
  temporaryDirectory
} from '../../support/scavenge-environment.ts';
import { seedCount } from '../../support/seeds.ts';

const EXACT_SEEDS = seedCount(12);
const JOINED_SEEDS = seedCount(12);
const DAY_MS = 86_400_000;
const TIMES = ['2026-01-01T00:00:00Z', '2026-03-01T00:00:00Z', '2027-01-01T00:00:00Z'];

const fileSystem = new NodeFileSystem();
const root = temporaryDirectory();
afterAll(() => rmSync(root, { recursive: true, force: true }));

const placeOf = (dataDirectory: string) => ({
  fileSystem,
  dataDirectory,
  indexDirectory: join(dataDirectory, 'index')
});
const undo = (dataDirectory: string) =>
  undoScavenge(placeOf(dataDirectory), { control: uncontrolled(), assumeStopped: false });

async function write(random: Prng, name: string): Promise<string> {
  const dataDirectory = join(root, name);
  await writeSampleDatabase({
    fileSystem,
    dataDirectory,
    sizeBytes: random.between({ low: 100_000, high: 500_000 }),
    chunkSizeBytes: 65_536,
    seed: random.below(1000),
    now: ticksFromIso('2025-12-31T00:00:00Z')!,
    control: uncontrolled()
  });
  return dataDirectory;
}

/** One scavenge, whole or in two parts; the second may leave the option out. */
async function scavenge(random: Prng, dataDirectory: string, now: string): Promise<void> {
  const threads = random.pick([1, 2]);
  const request: Partial<ScavengeRequest> = {
    scavengePoint: 'new',
    singleNode: true,
    now,
    keepReplacedMs: 7 * DAY_MS,
    merge: random.chance(0.5),
    threshold: random.pick([-1, 0, 0, 20]),
    alwaysKeepScavenged: random.chance(0.3),
    threads
  };
  const run = (change: Partial<ScavengeRequest>) =>
    runScavenge(
      scavengeRequest(dataDirectory, { ...request, ...change }),
      scavengeEnvironment({
        workers: { start: startRewriteWorkers, processorCount: threads },
        ...(random.chance(0.5) ? { hostName: 'node-a' } : {})
      })
    );
  const stopAfter = random.pick([
    'nothing',
    'accumulation',
    'calculation',
    'chunkExecution',
    'chunkMerging',
    'indexExecution'
  ] as const);
  await run(stopAfter === 'nothing' ? {} : { stopAfter });
  if (stopAfter === 'nothing') return;
  const rest = random.chance(0.5) ? { keepReplacedMs: undefined } : {};
  await run({ scavengePoint: 'existing', ...rest });
}

/** What a server leaves that has run: an epoch, events in new and in old streams. */
async function append(random: Prng, dataDirectory: string): Promise<void> {
  const newGuid = guidsFrom(random.below(1_000_000));
  await withDatabase(dataDirectory, (database, index) => {
    const writer = LogWriter.open({ fileSystem, directory: dataDirectory, newGuid }, database.chunkSet);
    const appender = new EventAppender({
      writer,
      newGuid,
      now: () => ticksFromIso('2026-02-01T00:00:00Z')!,
      lastEventNumber: (stream) => index.lastEventNumber(stream)
    });
    appender.writeEpoch({ number: 40, epochId: newGuid(), leaderInstanceId: newGuid() });
    const streams = ['new-1', 'new-2', 'account-1', 'order-1'];
    for (let count = random.between({ low: 1, high: 900 }); count > 0; count--)
      appender.append(random.pick(streams), [
        { eventType: 'happened', data: Buffer.alloc(random.below(300), 'x') }
      ]);
    writer.close();
  });
}

async function damagesOf(dataDirectory: string): Promise<string[]> {
  return withDatabase(dataDirectory, async (database) => {
    const { findings } = await verifyDatabase({ database, quick: false, control: uncontrolled() });
    return findings.filter(({ severity }) => severity === 'damage').map(({ message }) => message);
  });
}

const recordsOf = async (dataDirectory: string): Promise<string[]> =>
  (await contentOf(dataDirectory)).records;
const seeds = (count: number) => Array.from({ length: count }, (_, seed) => seed);

describe('a random log', () => {
  it.each(seeds(EXACT_SEEDS))('is what it was after each undo, seed %d', async (seed) => {
    const random = new Prng(seed);
    const dataDirectory = await write(random, `exact-${seed}`);
    const before: Record<string, string>[] = [];
    const withoutKept = (tree: Record<string, string>) =>
      Object.fromEntries(Object.entries(tree).filter(([name]) => !name.startsWith('winnow-replaced')));
    const rounds = random.between({ low: 1, high: TIMES.length });
    for (const now of TIMES.slice(0, rounds)) {
      before.push(withoutKept(directoryTree(dataDirectory)));
      await scavenge(random, dataDirectory, now);
      expect(readableKept(placeOf(dataDirectory))).toHaveLength(before.length);
    }
    for (const tree of before.reverse()) {
      expect((await undo(dataDirectory)).kind).toBe('exact');
      expect(withoutKept(directoryTree(dataDirectory))).toEqual(tree);
      expect(await damagesOf(dataDirectory)).toEqual([]);
    }
    expect(fileSystem.describe(join(dataDirectory, 'winnow-replaced'))).toBeUndefined();
  });

  it.each(seeds(JOINED_SEEDS))('is joined with what a server appended, seed %d', async (seed) => {
    const random = new Prng(1000 + seed);
    const dataDirectory = await write(random, `joined-${seed}`);
    const old = await recordsOf(dataDirectory);
    await scavenge(random, dataDirectory, TIMES[0]!);
    const end = openDatabase({ fileSystem, dataDirectory }).log.end;
    await append(random, dataDirectory);
    const isLater = (record: string) => Number(record.split(' ')[0]) >= end;
    const later = (await recordsOf(dataDirectory)).filter(isLater);
    // A later scavenge of which nothing is kept rewrites what came after, and may merge it with what was before.
    const isScavengedAgain = random.chance(0.4);
    if (isScavengedAgain) {
      await runScavenge(
        scavengeRequest(dataDirectory, {
          scavengePoint: 'new',
          singleNode: true,
          now: TIMES[2]!,
          merge: random.chance(0.5)
        }),
        scavengeEnvironment()
      );
    }
    let outcome;
    try {
      outcome = await undo(dataDirectory);
    } catch (error) {
      // All of it was merged into one file: then nothing was changed, and it says so.
      expect(error).toMatchObject({ code: 'LogCorrupt', details: { reason: 'cannotJoin' } });
      expect(isScavengedAgain).toBe(true);
      expect(await damagesOf(dataDirectory)).toEqual([]);
      return;
    }
    expect(outcome.kind).toBe('joined');
    const now = await recordsOf(dataDirectory);
    const { notPutBack } = outcome.plan!;
    const isPutBack = (record: string): boolean => {
      const chunk = Math.floor(Number(record.split(' ')[0]) / 65_536);
      return notPutBack.every(({ from, to }) => chunk < from || chunk > to);
    };
    expect(new Set(now)).toEqual(new Set([...now, ...old.filter(isPutBack)]));
    if (!isScavengedAgain) {
      expect(notPutBack).toEqual([]);
      expect(now.filter(isLater)).toEqual(later);
    }
    expect(await damagesOf(dataDirectory)).toEqual([]);
    // And it is scavenged again, from what it says now.
    await runScavenge(
      scavengeRequest(dataDirectory, { scavengePoint: 'new', singleNode: true, now: TIMES[2]! }),
      scavengeEnvironment()
    );
    expect(await damagesOf(dataDirectory)).toEqual([]);
  });
});
