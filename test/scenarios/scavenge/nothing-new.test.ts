/** A scavenge toward an existing point, where the newest one was reached: told by few reads, and never wrongly. */
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openDatabase } from '../../../src-core/database/database.ts';
import { EventAppender } from '../../../src-core/database/event-appender.ts';
import { ChunkDigests } from '../../../src-core/digest/chunk-digests.ts';
import { LogWriter } from '../../../src-core/log/log-writer.ts';
import type { KeptProgress, ProgressStore } from '../../../src-core/scavenge/run-progress.ts';
import { planScavenge, runScavenge } from '../../../src-core/scavenge/run-scavenge.ts';
import { NodeFileSystem } from '../../../src-core/storage/node-file-system.ts';
import { CountingFileSystem } from '../../support/counting-file-system.ts';
import { filesOf } from '../../support/database-content.ts';
import {
  scavengeEnvironment,
  scavengeRequest,
  temporaryDirectory
} from '../../support/scavenge-environment.ts';
import { ScavengeSamples } from '../../support/scavenge-sample.ts';

const samples = new ScavengeSamples();
let scavenged = '';
let directory = '';
let home = '';

beforeAll(async () => {
  const size = { sizeBytes: 600_000, chunkSizeBytes: 65536, seed: 11 };
  scavenged = await samples.write(size, { withPoint: true });
  await runScavenge(scavengeRequest(scavenged), scavengeEnvironment());
});
afterAll(() => samples.removeAll());
beforeEach(() => {
  directory = samples.copy(scavenged);
  home = temporaryDirectory();
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

/** Of a node at rest: the chunk that is being written keeps its digest too. */
function digestsOf(): ChunkDigests {
  const { newGuid } = scavengeEnvironment();
  const clock = () => Date.now() + 86_400_000;
  return new ChunkDigests({ fileSystem: new NodeFileSystem(), newGuid, directory: home, threads: 1, clock });
}

async function prepareDigests(): Promise<void> {
  const database = openDatabase({ fileSystem: new NodeFileSystem(), dataDirectory: directory });
  await digestsOf().prepare(database.log.chunks, scavengeEnvironment().operation);
  database.close();
}

async function again(withDigests: boolean, progress?: ProgressStore) {
  const fileSystem = new CountingFileSystem(new NodeFileSystem());
  const digests = withDigests ? { digests: digestsOf() } : {};
  const environment = { fileSystem, ...digests, ...(progress ? { progress } : {}) };
  const request = scavengeRequest(directory, { scavengePoint: 'existing' });
  const { scavengeId: _, phases, ...report } = await runScavenge(request, scavengeEnvironment(environment));
  const read = [...fileSystem.bytesByPath].filter(([path]) => /chunk-\d+\.\d+$/.test(path));
  return {
    report: { ...report, phases: phases.map(({ phase }) => phase) },
    chunkBytesRead: read.reduce((sum, [, bytes]) => sum + bytes, 0)
  };
}

type Append = (appender: EventAppender) => void;

/** Continues the log in the chunk that is being written; a scavenge point completes it. */
function append(write: Append): void {
  const fileSystem = new NodeFileSystem();
  const { chunkSet } = openDatabase({ fileSystem, dataDirectory: directory });
  const { newGuid, now } = scavengeEnvironment();
  const writer = LogWriter.open({ fileSystem, directory, newGuid }, chunkSet);
  const lastEventNumber = (stream: string) => (stream === '$scavengePoints' ? 0 : -1);
  write(new EventAppender({ writer, newGuid, now, lastEventNumber }));
  writer.close();
}

const event = (data: string | Buffer) => ({ eventType: 'thing', data: Buffer.from(data) });
const aPoint: Append = (appender) => void appender.writeScavengePoint(0);
const anEvent: Append = (appender) => void appender.append('after', [event('{}')]);

describe.each([{ withDigests: false }, { withDigests: true }])(
  'a second scavenge with digests: $withDigests',
  ({ withDigests }) => {
    it('has nothing to do and changes nothing', async () => {
      if (withDigests) await prepareDigests();
      const before = filesOf(directory);
      const { report } = await again(withDigests);
      expect(report).toMatchObject({ result: 'success', scavengePoint: null, chunks: [], tables: [] });
      expect(report.bytesAfter).toBe(report.bytesBefore);
      expect(report.bytesBefore).toBeGreaterThan(0);
      expect(report.phases).toEqual(['beginning']);
      expect(filesOf(directory)).toEqual(before);
    });

    it.each([
      { where: 'at the end', writes: [aPoint] },
      { where: 'before the chunk that is being written', writes: [aPoint, anEvent] },
      { where: 'after an event in the same chunk', writes: [anEvent, aPoint] }
    ])('works to a point that was written since, $where', async ({ writes }) => {
      if (withDigests) await prepareDigests();
      for (const write of writes) append(write);
      expect((await again(withDigests)).report.scavengePoint?.number).toBe(1);
    });

    it('works to a new point of which the digest was made since', async () => {
      append(aPoint);
      append(anEvent);
      if (withDigests) await prepareDigests();
      expect((await again(withDigests)).report.scavengePoint?.number).toBe(1);
    });

    it('is not misled by an event that quotes the name of the stream', async () => {
      append((appender) => appender.append('quotes', [event(Buffer.from('\x0f$scavengePoints'))]));
      if (withDigests) await prepareDigests();
      expect((await again(withDigests)).report.scavengePoint).toBeNull();
    });
  }
);

describe('a second scavenge', () => {
  it('reads next to nothing of the log where digests are there', async () => {
    await prepareDigests();
    const logBytes = openDatabase({
      fileSystem: new NodeFileSystem(),
      dataDirectory: directory
    }).log.chunks.reduce((sum, { dataSize }) => sum + dataSize, 0);
    const { chunkBytesRead } = await again(true);
    expect(chunkBytesRead).toBeLessThan(logBytes / 4);
  });

  it('reads the log once at most where there are none', async () => {
    const logBytes = openDatabase({
      fileSystem: new NodeFileSystem(),
      dataDirectory: directory
    }).log.chunks.reduce((sum, { fileSize }) => sum + fileSize, 0);
    const { chunkBytesRead } = await again(false);
    expect(chunkBytesRead).toBeLessThan(logBytes * 1.2);
  });

  it('is planned as it runs', async () => {
    mkdirSync(join(home, 'scratch'));
    const request = scavengeRequest(directory, {
      scavengePoint: 'existing',
      scratchDirectory: join(home, 'scratch')
    });
    const { report } = await again(false);
    const plan = await planScavenge(request, scavengeEnvironment());
    const { phases, ...planned } = plan;
    expect({ ...planned, phases: phases.map(({ phase }) => phase) }).toEqual(report);
  });
});

describe('a second scavenge that knows which log the first one reached', () => {
  /** Between runs, as WINNOW_HOME. */
  function newStore(): ProgressStore & { kept: KeptProgress | undefined } {
    const store = {
      kept: undefined as KeptProgress | undefined,
      read: () => store.kept,
      write: (kept: KeptProgress) => void (store.kept = kept)
    };
    return store;
  }

  it('searches none of it', async () => {
    const store = newStore();
    append(aPoint);
    append(anEvent);
    expect((await again(false, store)).report.scavengePoint?.number).toBe(1);
    const { report, chunkBytesRead } = await again(false, store);
    expect(report).toMatchObject({ result: 'success', scavengePoint: null, chunks: [], tables: [] });
    expect(chunkBytesRead).toBeLessThan(64 * 1024);
    expect(report).toEqual((await again(false)).report);
  });

  it('learns it from a search, too', async () => {
    const store = newStore();
    const searched = await again(false, store);
    const known = await again(false, store);
    expect(known.report).toEqual(searched.report);
    expect(known.chunkBytesRead).toBeLessThan(searched.chunkBytesRead / 2);
  });

  it.each([
    { what: 'a point', writes: [aPoint], point: 1 },
    { what: 'an event and a point', writes: [anEvent, aPoint], point: 1 },
    { what: 'a point and an event', writes: [aPoint, anEvent], point: 1 },
    { what: 'an event', writes: [anEvent], point: undefined }
  ])('looks again once $what was appended', async ({ writes, point }) => {
    const store = newStore();
    await again(false, store);
    expect(store.kept?.reached?.point).toBe(0);
    for (const write of writes) append(write);
    expect((await again(false, store)).report.scavengePoint?.number).toBe(point);
    expect(store.kept?.reached?.point).toBe(point ?? 0);
    expect((await again(false, store)).report.scavengePoint).toBeNull();
  });

  it.each([
    { point: 0, log: 'another' },
    { point: 7, log: '' }
  ])('looks again where what is kept is of another log or another point: $point', async (forged) => {
    const store = newStore();
    append(aPoint);
    store.write({ seal: null, searched: null, reached: forged });
    expect((await again(false, store)).report.scavengePoint?.number).toBe(1);
  });
});
