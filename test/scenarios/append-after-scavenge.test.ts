/** Appends by the server's rules, before and after scavenges: a tombstone closes its stream until it is gone. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openDatabase } from '../../src-core/database/database.ts';
import { EventAppender } from '../../src-core/database/event-appender.ts';
import { uncontrolled } from '../../src-core/database/operation-control.ts';
import { readStreamForward } from '../../src-core/index/read-stream.ts';
import { LogWriter } from '../../src-core/log/log-writer.ts';
import { Random } from '../../src-core/sample/random.ts';
import { runScavenge } from '../../src-core/scavenge/run-scavenge.ts';
import { NodeFileSystem } from '../../src-core/storage/node-file-system.ts';
import { ticksFromIso } from '../../src-core/units/ticks.ts';
import { scavengeEnvironment, scavengeRequest } from '../support/scavenge-environment.ts';

const fileSystem = new NodeFileSystem();
const now = ticksFromIso('2026-01-01T00:00:00Z')!;
const random = new Random(11);
const newGuid = () => random.guid();
const event = { eventType: 'e', data: Buffer.from('{}') };
let directory: string;

beforeEach(() => {
  directory = mkdtempSync(path.join(tmpdir(), 'winnow-append-'));
  const parts = { fileSystem, directory, chunkSizeBytes: 65536, newGuid };
  const writer = LogWriter.create(parts);
  const events = new EventAppender({ writer, lastEventNumber: () => -1, now: () => now, newGuid });
  events.append('closed', [event, event]);
  events.append('open', [event]);
  events.hardDelete('closed');
  writer.close();
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

/** Opens the database as it stands and appends to it. */
async function appending<T>(action: (events: EventAppender) => T): Promise<T> {
  const database = openDatabase({ fileSystem, dataDirectory: directory });
  const index = await database.openIndex(uncontrolled());
  const writer = LogWriter.open({ fileSystem, directory, newGuid }, database.chunkSet);
  try {
    const lastEventNumber = (stream: string) => index.lastEventNumber(stream);
    return action(new EventAppender({ writer, lastEventNumber, now: () => now, newGuid }));
  } finally {
    writer.close();
    database.close();
  }
}

async function read(stream: string) {
  const database = openDatabase({ fileSystem, dataDirectory: directory });
  try {
    const index = await database.openIndex(uncontrolled());
    const page = readStreamForward(index, { stream, from: 0, count: 10, now });
    return { result: page.result, numbers: page.events.map(({ number }) => number) };
  } finally {
    database.close();
  }
}

const scavenge = (unsafeIgnoreHardDeletes: boolean, scavengePoint: 'new' | 'detached' = 'new') =>
  runScavenge(
    scavengeRequest(directory, {
      scavengePoint,
      unsafeIgnoreHardDeletes,
      singleNode: true,
      winnowHome: `${directory}-home`
    }),
    scavengeEnvironment()
  );

describe('a hard-deleted stream', () => {
  it('refuses an append, and other streams continue their numbers', async () => {
    await expect(appending((events) => events.append('closed', [event]))).rejects.toMatchObject({
      code: 'StreamDeleted'
    });
    expect((await appending((events) => events.append('open', [event]))).firstEventNumber).toBe(1);
    expect(await read('open')).toEqual({ result: 'success', numbers: [0, 1] });
  });

  it('still refuses after a scavenge, which keeps its tombstone', async () => {
    await scavenge(false);
    await expect(appending((events) => events.append('closed', [event]))).rejects.toMatchObject({
      code: 'StreamDeleted'
    });
    expect((await read('closed')).result).toBe('streamDeleted');
  });

  it('accepts an append after a scavenge that ignored hard deletes, from number 0 on', async () => {
    await scavenge(true);
    expect((await read('closed')).result).toBe('noStream');
    expect((await appending((events) => events.append('closed', [event]))).firstEventNumber).toBe(0);
    expect(await read('closed')).toEqual({ result: 'success', numbers: [0] });
  });

  it('still refuses after such a scavenge while its tombstone lies in the active chunk', async () => {
    await appending((events) => {
      for (let i = 0; events.position < 65536 * 2; i++) events.append(`filler-${i}`, [event]);
      events.append('late', [event]);
      events.hardDelete('late');
    });
    const report = await scavenge(true, 'detached');
    expect(report.result).toBe('success');
    await expect(appending((events) => events.append('late', [event]))).rejects.toMatchObject({
      code: 'StreamDeleted'
    });
    expect((await appending((events) => events.append('closed', [event]))).firstEventNumber).toBe(0);
    rmSync(`${directory}-home`, { recursive: true, force: true });
  });
});
