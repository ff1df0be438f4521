/** Which records are scavenge points, whether the newest one was reached, and which chunks have to be complete before one. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openDatabase } from '../../../src-core/database/database.ts';
import { EventAppender } from '../../../src-core/database/event-appender.ts';
import { uncontrolled } from '../../../src-core/database/operation-control.ts';
import { ChunkDigests } from '../../../src-core/digest/chunk-digests.ts';
import { hashStream } from '../../../src-core/index/stream-hash.ts';
import { openIndexDirectory } from '../../../src-core/index/stream-index.ts';
import type { LogReader } from '../../../src-core/log/log-reader.ts';
import { LogWriter } from '../../../src-core/log/log-writer.ts';
import { isNewestPointReached } from '../../../src-core/scavenge/points/newest-reached.ts';
import { requireCompletedBefore } from '../../../src-core/scavenge/points/open-chunk.ts';
import { readablePointOf, type ScavengePoint } from '../../../src-core/scavenge/points/scavenge-point.ts';
import { runScavenge } from '../../../src-core/scavenge/run-scavenge.ts';
import { stateDirectoryOf, statePathOf } from '../../../src-core/scavenge/state/state-file.ts';
import { NodeFileSystem } from '../../../src-core/storage/node-file-system.ts';
import { ticksFromIso } from '../../../src-core/units/ticks.ts';
import { appendedLog, someEvents } from '../../support/appended-log.ts';
import { guidsFrom } from '../../support/crash-database.ts';
import { scavengeEnvironment, scavengeRequest } from '../../support/scavenge-environment.ts';
import { SAMPLE_TIME, ScavengeSamples } from '../../support/scavenge-sample.ts';

function pointsOf(log: LogReader): ScavengePoint[] {
  const points: ScavengePoint[] = [];
  for (const cursor = log.cursor(); cursor.next();) {
    const point = readablePointOf(cursor.record);
    if (point) points.push(point);
  }
  return points;
}

it('a point is an event of its type in its stream, with data that can be read; others are passed over', () => {
  const positions: number[] = [];
  const { log } = appendedLog((after) => {
    const appender = after(-1);
    const named = (stream: string, eventType: string, data: string) =>
      appender.append(stream, [{ eventType, data: Buffer.from(data) }]);
    named('$scavengePoints', 'happened', '{"threshold":1}');
    positions.push(named('$scavengePoints', '$scavengePoint', '{"threshold":2}').position);
    named('$scavengePoints', '$scavengePoint', 'letters');
    named('orders', '$scavengePoint', '{"threshold":3}');
    positions.push(appender.writeScavengePoint(4).position);
  });
  expect(pointsOf(log)).toMatchObject([
    { number: 1, position: positions[0], threshold: 2 },
    { number: 3, position: positions[1], threshold: 4 }
  ]);
});

describe('a chunk that begins before the point and is not complete', () => {
  const { log } = appendedLog((after) => {
    const appender = after(-1);
    for (let i = 0; i < 6; i++) appender.append('s', someEvents(1, 15_000));
  });
  const open = log.chunks.at(-1)!;

  it.each([
    [true, /set the unfinished run aside \("--scavenge-point new --start-afresh"\)/],
    [false, /^Write a new scavenge point \("--scavenge-point new"\): that completes the chunk\.$/]
  ])('is refused, with the way out for a run that has begun: %s', (isBegun, remedy) => {
    expect(log.chunks.length).toBeGreaterThan(1);
    expect(() => requireCompletedBefore(log, open.startPosition + 1, { isBegun })).toThrow(
      expect.objectContaining({
        code: 'LogCorrupt',
        message: `${open.fileName} is before the scavenge point but not completed, so it cannot be scavenged.`,
        remedy: expect.stringMatching(remedy) as string,
        details: { file: open.fileName, position: open.startPosition }
      })
    );
  });

  it('is of no matter to a point at its begin, nor is one that is complete', () => {
    for (const position of [0, 1, open.startPosition])
      expect(() => requireCompletedBefore(log, position, { isBegun: true })).not.toThrow();
  });
});

describe.each([false, true])('the newest point where digests are known: %s', (isKnown) => {
  const samples = new ScavengeSamples();
  const fileSystem = new NodeFileSystem();
  let original = '';
  let dataDirectory = '';
  beforeAll(async () => {
    const size = { sizeBytes: 200_000, chunkSizeBytes: 65_536, seed: 12 };
    original = await samples.write(size, { withPoint: false });
    const request = { scavengePoint: 'new', threshold: -1, now: SAMPLE_TIME } as const;
    await runScavenge(scavengeRequest(original, request), scavengeEnvironment());
  });
  afterAll(() => samples.removeAll());
  beforeEach(() => (dataDirectory = samples.copy(original)));

  async function isReached(): Promise<boolean> {
    const database = openDatabase({ fileSystem, dataDirectory });
    const { log, indexDirectory } = database;
    const directory = openIndexDirectory({ fileSystem, directory: indexDirectory, log });
    const digests = new ChunkDigests({ fileSystem, newGuid: guidsFrom(5), threads: 1 });
    if (isKnown) await digests.prepare(log.chunks, uncontrolled());
    const statePath = statePathOf(fileSystem, stateDirectoryOf(fileSystem, indexDirectory));
    try {
      const breathe = () => Promise.resolve();
      return await isNewestPointReached({
        database,
        directory,
        hasher: hashStream,
        statePath,
        digests,
        breathe
      });
    } finally {
      directory.close();
      database.close();
    }
  }

  function append(write: (appender: EventAppender) => void): void {
    const newGuid = guidsFrom(77);
    const database = openDatabase({ fileSystem, dataDirectory });
    const writer = LogWriter.open({ fileSystem, directory: dataDirectory, newGuid }, database.chunkSet);
    const now = () => ticksFromIso(SAMPLE_TIME)!;
    write(new EventAppender({ writer, newGuid, now, lastEventNumber: () => 0 }));
    writer.close();
    database.close();
  }

  it('is the one that a scavenge reached, as long as none follows', async () => {
    expect(await isReached()).toBe(true);
    append((appender) => void appender.append('later', someEvents(3)));
    expect(await isReached()).toBe(true);
    append((appender) => void appender.writeScavengePoint(0));
    expect(await isReached()).toBe(false);
  });

  it('is not certain where anything else was written to its stream', async () => {
    append((appender) => void appender.append('$scavengePoints', someEvents(1)));
    expect(await isReached()).toBe(false);
  });
});
