/**
 * A scavenge that ignores hard deletes frees the names of deleted streams. What an earlier or later scavenge remembers
 * of the old stream must never be held against the new one.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openDatabase } from '../../../src-core/database/database.ts';
import { EventAppender } from '../../../src-core/database/event-appender.ts';
import { uncontrolled } from '../../../src-core/database/operation-control.ts';
import { readStreamForward } from '../../../src-core/index/read-stream.ts';
import { LogWriter } from '../../../src-core/log/log-writer.ts';
import { Random } from '../../../src-core/sample/random.ts';
import { runScavenge } from '../../../src-core/scavenge/run-scavenge.ts';
import type { ScavengeRequest } from '../../../src-core/scavenge/scavenge-request.ts';
import { NodeFileSystem } from '../../../src-core/storage/node-file-system.ts';
import { ticksFromIso } from '../../../src-core/units/ticks.ts';
import { filesOf } from '../../support/database-content.ts';
import { scavengeEnvironment, scavengeRequest } from '../../support/scavenge-environment.ts';

const fileSystem = new NodeFileSystem();
const NOW = '2026-01-01T00:00:00Z';
const now = () => ticksFromIso(NOW)!;
const random = new Random(3);
const newGuid = () => random.guid();
const event = (bytes: number) => ({ eventType: 'e', data: Buffer.alloc(bytes, 0x61), isJson: false });
let home: string;
let directory: string;

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'winnow-reborn-'));
  directory = join(home, 'db');
  fileSystem.makeDirectory(directory);
  const writer = LogWriter.create({ fileSystem, directory, chunkSizeBytes: 16384, newGuid });
  const events = new EventAppender({ writer, lastEventNumber: () => -1, now, newGuid });
  // A chunk with one small record to let go: its new file takes as many pages as the old one.
  events.append('counted', [event(100)]);
  events.append('filling', [event(7000)]);
  writer.completeChunk();
  // And one that becomes much smaller.
  events.setMetadata('counted', '{"$maxCount":1}');
  events.append('counted', [event(100)]);
  events.setMetadata('reborn', '{"$maxCount":2}');
  events.append('reborn', [event(3000), event(3000), event(3000)]);
  events.hardDelete('reborn');
  writer.close();
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

function scavenge(change: Partial<ScavengeRequest>) {
  const request = { now: NOW, winnowHome: join(home, 'winnow'), ...change };
  return runScavenge(scavengeRequest(directory, request), scavengeEnvironment());
}

async function append(write: (events: EventAppender) => void): Promise<void> {
  const database = openDatabase({ fileSystem, dataDirectory: directory });
  const index = await database.openIndex(uncontrolled());
  const writer = LogWriter.open({ fileSystem, directory, newGuid }, database.chunkSet);
  const lastEventNumber = (stream: string) => index.lastEventNumber(stream);
  write(new EventAppender({ writer, lastEventNumber, now, newGuid }));
  writer.close();
  database.close();
}

async function numbersOf(stream: string): Promise<number[]> {
  const database = openDatabase({ fileSystem, dataDirectory: directory });
  const index = await database.openIndex(uncontrolled());
  const { events } = readStreamForward(index, { stream, from: 0, count: 10, now: now() });
  database.close();
  return events.map(({ number }) => number);
}

/** The stream again, with other metadata than it had. */
const writeAgain = () =>
  append((events) => {
    events.setMetadata('reborn', '{"$maxCount":50}');
    events.append('reborn', [event(10), event(10), event(10), event(10)]);
  });

it('keeps the new stream where the scavenge had to keep a chunk because it would not have been smaller', async () => {
  const ignoring = {
    scavengePoint: 'new',
    alwaysKeepScavenged: false,
    unsafeIgnoreHardDeletes: true
  } as const;
  const report = await scavenge(ignoring);
  expect(report.chunks.map(({ decision }) => decision)).toContain('keptLarger');
  await writeAgain();
  await scavenge({ scavengePoint: 'new', threshold: -1 });
  expect(await numbersOf('reborn')).toEqual([0, 1, 2, 3]);
});

it('keeps the new stream where an earlier scavenge remembers the old one and a detached one would free it', async () => {
  await scavenge({ scavengePoint: 'new' });
  const before = filesOf(directory);
  const detached = scavenge({ scavengePoint: 'detached', unsafeIgnoreHardDeletes: true });
  await expect(detached).rejects.toMatchObject({ code: 'InvalidRequest', message: /remembers .*deleted/ });
  expect(filesOf(directory)).toEqual(before);
  const report = await scavenge({ scavengePoint: 'new', unsafeIgnoreHardDeletes: true });
  expect(report.result).toBe('success');
  await writeAgain();
  await scavenge({ scavengePoint: 'new', threshold: -1 });
  expect(await numbersOf('reborn')).toEqual([0, 1, 2, 3]);
});

it('keeps the new stream behind a detached scavenge that freed it, where nothing is remembered', async () => {
  await append((events) => events.writeScavengePoint(0));
  await scavenge({ scavengePoint: 'detached', unsafeIgnoreHardDeletes: true });
  await writeAgain();
  await scavenge({ scavengePoint: 'new', threshold: -1 });
  expect(await numbersOf('reborn')).toEqual([0, 1, 2, 3]);
});

it('does not ignore hard deletes in a resumed scavenge that passed chunks of a deleted stream already', async () => {
  await scavenge({ scavengePoint: 'new', stopAfter: 'chunkExecution', threshold: 1_000_000 });
  const before = filesOf(directory, (name) => !name.includes('scavenging'));
  const resumed = scavenge({ scavengePoint: 'new', unsafeIgnoreHardDeletes: true });
  await expect(resumed).rejects.toMatchObject({
    code: 'InvalidRequest',
    details: { field: 'unsafeIgnoreHardDeletes' }
  });
  expect(filesOf(directory, (name) => !name.includes('scavenging'))).toEqual(before);
  await scavenge({ scavengePoint: 'existing' });
  const whole = await scavenge({ scavengePoint: 'new', unsafeIgnoreHardDeletes: true });
  expect(whole.result).toBe('success');
  await writeAgain();
  await scavenge({ scavengePoint: 'new', threshold: -1 });
  expect(await numbersOf('reborn')).toEqual([0, 1, 2, 3]);
});

it('resumes with hard deletes ignored once a tombstone is gone, and not otherwise', async () => {
  const ignoring = { scavengePoint: 'new', unsafeIgnoreHardDeletes: true } as const;
  expect((await scavenge({ ...ignoring, stopAfter: 'chunkExecution' })).result).toBe('stopped');
  const before = filesOf(directory, (name) => !name.includes('scavenging'));
  await expect(scavenge({ scavengePoint: 'existing' })).rejects.toMatchObject({
    code: 'InvalidRequest',
    details: { field: 'unsafeIgnoreHardDeletes' }
  });
  expect(filesOf(directory, (name) => !name.includes('scavenging'))).toEqual(before);
  expect((await scavenge(ignoring)).result).toBe('success');
  await writeAgain();
  await scavenge({ scavengePoint: 'new', threshold: -1 });
  expect(await numbersOf('reborn')).toEqual([0, 1, 2, 3]);
});

it('comes to its end when chunks that the run before kept have weight left', async () => {
  const ignoring = { scavengePoint: 'new', unsafeIgnoreHardDeletes: true } as const;
  const first = await scavenge({ ...ignoring, alwaysKeepScavenged: false, stopAfter: 'chunkExecution' });
  expect(first.chunks.map(({ decision }) => decision)).toContain('keptLarger');
  expect((await scavenge({ ...ignoring, alwaysKeepScavenged: true })).result).toBe('success');
  await writeAgain();
  await scavenge({ scavengePoint: 'new', threshold: -1 });
  expect(await numbersOf('reborn')).toEqual([0, 1, 2, 3]);
});
