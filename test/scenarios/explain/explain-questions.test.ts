/**
 * What people ask about scavenging, each in their words: a database in that state, and the answer they get. Where a
 * scavenge is run afterwards, it does what the answer said.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openDatabase } from '../../../src-core/database/database.ts';
import { EventAppender } from '../../../src-core/database/event-appender.ts';
import { explain } from '../../../src-core/insight/explain/explain.ts';
import type {
  ExplainedChunk,
  ExplainedEvent,
  ExplainedStream,
  ExplainQuestion
} from '../../../src-core/insight/explain/explanation.ts';
import { LogWriter } from '../../../src-core/log/log-writer.ts';
import { Random } from '../../../src-core/sample/random.ts';
import { runScavenge } from '../../../src-core/scavenge/run-scavenge.ts';
import type { ScavengeRequest } from '../../../src-core/scavenge/scavenge-request.ts';
import { NodeFileSystem } from '../../../src-core/storage/node-file-system.ts';
import { DELETED_STREAM_EVENT_NUMBER } from '../../../src-core/units/event-number.ts';
import { ticksFromIso, ticksToIso } from '../../../src-core/units/ticks.ts';
import { scavengeEnvironment, scavengeRequest } from '../../support/scavenge-environment.ts';

const fileSystem = new NodeFileSystem();
const DAY_TICKS = 864_000_000_000n;
const FIRST_DAY = ticksFromIso('2026-01-01T00:00:00Z')!;

let home: string;
let directory: string;
let writer: LogWriter;
let events: EventAppender;
/** Days since the first of January 2026 at which is written. */
let day = 0;

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'winnow-questions-'));
  directory = join(home, 'db');
  fileSystem.makeDirectory(directory);
  day = 0;
  const random = new Random(7);
  const newGuid = () => random.guid();
  writer = LogWriter.create({ fileSystem, directory, chunkSizeBytes: 16384, newGuid });
  const now = () => FIRST_DAY + BigInt(day) * DAY_TICKS;
  events = new EventAppender({ writer, lastEventNumber: () => -1, now, newGuid });
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

const event = (bytes = 100) => ({ eventType: 'e', data: Buffer.alloc(bytes, 0x61), isJson: false });
const onDay = (number: number) => ticksToIso(FIRST_DAY + BigInt(number) * DAY_TICKS);

/** One event a day. */
function appendDaily(stream: string, days: number): void {
  for (let count = 0; count < days; count++) {
    events.append(stream, [event()]);
    day++;
  }
}

function requestOf(change: Partial<ScavengeRequest>): ScavengeRequest {
  return scavengeRequest(directory, {
    scavengePoint: 'auto',
    now: onDay(day),
    alwaysKeepScavenged: false,
    merge: false,
    winnowHome: join(home, 'winnow'),
    scratchDirectory: join(home, 'scratch'),
    ...change
  });
}

const ask = (question: ExplainQuestion, change: Partial<ScavengeRequest> = {}) =>
  explain(question, requestOf(change), scavengeEnvironment());

async function askEvent(stream: string, eventNumber: number, change: Partial<ScavengeRequest> = {}) {
  return (await ask({ kind: 'event', stream, eventNumber }, change)) as ExplainedEvent;
}
async function askStream(stream: string, change: Partial<ScavengeRequest> = {}) {
  return (await ask({ kind: 'stream', stream }, change)) as ExplainedStream;
}
async function askChunk(chunk: number, change: Partial<ScavengeRequest> = {}) {
  return (await ask({ kind: 'chunk', chunk }, change)) as ExplainedChunk;
}

function positionsInLog(): number[] {
  const database = openDatabase({ fileSystem, dataDirectory: directory });
  const positions: number[] = [];
  for (const cursor = database.log.cursor(); cursor.next();) positions.push(cursor.record.position);
  database.close();
  return positions;
}

describe('"maxAge is set but the disk stays full"', () => {
  it('names the active chunk, and that $maxAge lets the event go once the chunk is completed', async () => {
    events.setMetadata('orders', '{"$maxAge":86400}');
    appendDaily('orders', 5);
    writer.close();
    const answer = await askEvent('orders', 0);
    expect(answer).toMatchObject({
      verdict: 'keep',
      rule: 'activeChunk',
      because: 'Chunk 0 is the active chunk, which no scavenge rewrites.'
    });
    expect(answer.change).toContain('$maxAge of 1 day discards it since 2026-01-02.');
    const withNewPoint = await askEvent('orders', 0, { singleNode: true, alwaysKeepScavenged: true });
    expect(withNewPoint).toMatchObject({ verdict: 'discard', rule: 'maxAge' });
  });

  it('names the time until which an event is young enough', async () => {
    events.setMetadata('orders', '{"$maxAge":2592000}');
    appendDaily('orders', 3);
    writer.completeChunk();
    events.append('orders', [event()]);
    writer.close();
    expect(await askEvent('orders', 1)).toMatchObject({
      verdict: 'keep',
      rule: 'maxAge',
      until: FIRST_DAY + 31n * DAY_TICKS,
      because: '$maxAge of 30 days keeps it until 2026-02-01.',
      change: 'A scavenge point written after 2026-02-01.'
    });
    const now = ticksToIso(FIRST_DAY + 31n * DAY_TICKS + 1n);
    const later = await askEvent('orders', 1, { now, alwaysKeepScavenged: true });
    expect(later.verdict).toBe('discard');
    const { ranges } = await askStream('orders');
    expect(ranges.map(({ from, to, rule }) => [from, to, rule])).toEqual([
      [0, 1, 'maxAge'],
      [2, 2, 'lastEvent'],
      [3, 3, 'activeChunk']
    ]);
    expect(ranges[0]?.because).toBe(
      '$maxAge of 30 days keeps them: the first until 2026-01-31, the last until 2026-02-01.'
    );
  });

  it('tells of metadata that were set behind the scavenge point', async () => {
    appendDaily('orders', 5);
    events.writeScavengePoint(0);
    events.setMetadata('orders', '{"$maxAge":86400}');
    writer.close();
    const answer = await askEvent('orders', 0);
    expect(answer.scavenge.placement).toBe('existing');
    expect(answer).toMatchObject({ verdict: 'keep', rule: 'noRule' });
    expect(answer.change).toContain(
      'the metadata was changed to $maxAge 1 day, which counts only for a later point'
    );
  });
});

describe('"old chunks are not removed"', () => {
  it('says that no rule lets anything of the chunk go', async () => {
    appendDaily('kept', 5);
    writer.completeChunk();
    writer.close();
    expect(await askChunk(0)).toMatchObject({
      verdict: 'skip',
      weight: 0,
      rule: 'noRule',
      because: 'Chunk 0 has weight 0: no rule discards any of it.',
      byRule: [{ rule: 'noRule', verdict: 'keep', records: 5 }]
    });
  });

  it('names weight and threshold', async () => {
    events.append('truncated', [event(3000), event(3000), event(3000)]);
    events.setMetadata('truncated', '{"$tb":1}');
    writer.completeChunk();
    writer.close();
    const threshold = 10;
    expect(await askEvent('truncated', 0, { threshold })).toMatchObject({
      verdict: 'keep',
      rule: 'belowThreshold',
      because:
        'Chunk 0 has weight 2, below the threshold of 10, so it is not rewritten, ' +
        'although $tb of 1 discards the events before number 1.',
      change: 'A threshold of 2 or less ("--threshold"); or more discardable records in the chunk.'
    });
    expect(await askChunk(0, { threshold })).toMatchObject({
      verdict: 'skip',
      weight: 2,
      rule: 'belowThreshold',
      because:
        'Chunk 0 has weight 2, below the threshold of 10, so it is not rewritten; 1 of its records could go.'
    });
    expect(await askChunk(0, { threshold: 2 })).toMatchObject({ verdict: 'rewrite', rule: 'truncateBefore' });
  });
});

describe('"I deleted the stream, why is the event still in $all"', () => {
  it('says that the last event of a soft-deleted stream stays', async () => {
    events.append('gone', [event(3000), event(3000), event()]);
    events.softDelete('gone');
    writer.completeChunk();
    writer.close();
    const { ranges } = await askStream('gone');
    expect(ranges).toMatchObject([
      { from: 0, to: 1, verdict: 'discard', rule: 'softDelete' },
      { from: 2, to: 2, verdict: 'keep', rule: 'lastEvent' }
    ]);
    expect(ranges[1]?.because).toContain('which stays although the stream was soft-deleted');
    await runScavenge(requestOf({ scavengePoint: 'detached' }), scavengeEnvironment());
    expect(await askEvent('gone', 0)).toMatchObject({ verdict: 'alreadyGone', rule: 'softDelete' });
    expect((await askEvent('gone', 2)).verdict).toBe('keep');
  });

  it('says that the events of a hard-deleted stream go with the next scavenge', async () => {
    events.append('gone', [event(), event(3000)]);
    writer.completeChunk();
    events.hardDelete('gone');
    writer.close();
    // The tombstone lies in the active chunk: to a detached scavenge it does not exist yet.
    const before = await askEvent('gone', 0);
    expect(before).toMatchObject({ verdict: 'keep', rule: 'noRule' });
    expect(before.change).toContain('hard-deleted after the scavenge point');
    expect(await askEvent('gone', 0, { singleNode: true, alwaysKeepScavenged: true })).toMatchObject({
      verdict: 'discard',
      rule: 'hardDelete',
      because: 'The stream was hard-deleted: everything except the tombstone is removed.'
    });
  });
});

describe('"why does the tombstone stay"', () => {
  it('says what it is for, and what alone removes it', async () => {
    events.append('gone', [event(3000)]);
    events.hardDelete('gone');
    writer.completeChunk();
    writer.close();
    expect(await askEvent('gone', DELETED_STREAM_EVENT_NUMBER)).toMatchObject({
      verdict: 'keep',
      rule: 'tombstone',
      because:
        'It is the tombstone of the stream: it stays, so that the stream stays deleted and its name reserved.',
      change: 'Only a scavenge that ignores hard deletes ("--unsafe-ignore-hard-deletes") removes tombstones.'
    });
    const unsafe = { unsafeIgnoreHardDeletes: true, alwaysKeepScavenged: true };
    expect(await askEvent('gone', DELETED_STREAM_EVENT_NUMBER, unsafe)).toMatchObject({
      verdict: 'discard',
      rule: 'hardDelete'
    });
  });
});

describe('"the scavenge says it saved space, but chunk files grew"', () => {
  it('says that the file would not be smaller, and what removes the records all the same', async () => {
    events.append('cut', [event(10), event(10)]);
    events.setMetadata('cut', '{"$tb":1}');
    for (let count = 0; count < 90; count++) events.append('filling', [event(30)]);
    writer.completeChunk();
    writer.close();
    const answer = await askEvent('cut', 0);
    expect(answer).toMatchObject({ verdict: 'keep', rule: 'keptLarger' });
    expect(answer.because).toMatch(
      /^Chunk 0 stays as it is because its new file would not be smaller \(\d+ bytes instead of \d+\), although \$tb of 1 /
    );
    expect(answer.change).toContain('--always-keep-scavenged');
    expect(await askChunk(0)).toMatchObject({ verdict: 'skip', rule: 'keptLarger', weight: 2 });
    const always = { alwaysKeepScavenged: true };
    expect(await askChunk(0, always)).toMatchObject({ verdict: 'rewrite', rule: 'truncateBefore' });
    expect(await askEvent('cut', 0, always)).toMatchObject({ verdict: 'discard', rule: 'truncateBefore' });
    const { position } = answer;
    await runScavenge(requestOf({ scavengePoint: 'detached' }), scavengeEnvironment());
    expect(positionsInLog()).toContain(position);
    await runScavenge(requestOf({ scavengePoint: 'detached', ...always }), scavengeEnvironment());
    expect(positionsInLog()).not.toContain(position);
  });
});

describe('an explanation', () => {
  it('shows the chain of rules with their values', async () => {
    events.setMetadata('both', '{"$maxCount":2,"$maxAge":864000}');
    events.append('both', [event(), event(), event(), event(3000)]);
    writer.completeChunk();
    writer.close();
    const { chain } = await askEvent('both', 1);
    expect(chain.map(({ rule, says }) => [rule, says])).toEqual([
      ['afterScavengePoint', 'passes'],
      ['hardDelete', 'passes'],
      ['lastEvent', 'passes'],
      ['maxAge', 'passes'],
      ['maxCount', 'discards'],
      ['keptLarger', 'keeps']
    ]);
  });

  it('tells of the metadata of a stream as of events', async () => {
    events.setMetadata('s', '{"$maxCount":2}');
    events.setMetadata('s', '{"$maxCount":3}');
    writer.completeChunk();
    writer.close();
    expect((await askStream('$$s', { alwaysKeepScavenged: true })).ranges).toMatchObject([
      { from: 0, to: 0, verdict: 'discard', rule: 'metadataSuperseded' },
      { from: 1, to: 1, verdict: 'keep', rule: 'lastEvent' }
    ]);
  });

  it('tells of parts of a transaction, committed or not', async () => {
    const committed = events.beginTransaction('t');
    events.writeInTransaction(committed, event());
    events.commitTransaction(committed);
    const open = events.beginTransaction('t');
    events.writeInTransaction(open, event());
    events.setMetadata('t', '{"$tb":9}');
    writer.completeChunk();
    writer.close();
    const members: ExplainedEvent[] = [];
    const { log } = openDatabase({ fileSystem, dataDirectory: directory });
    const cursor = log.cursor(0, log.end);
    const positions: number[] = [];
    while (cursor.next()) {
      const { record } = cursor;
      if (record.kind === 'prepare' && record.stream === 't' && record.hasData)
        positions.push(record.position);
    }
    cursor.close();
    for (const position of positions)
      members.push((await ask({ kind: 'position', position })) as ExplainedEvent);
    expect(members).toMatchObject([
      { eventNumber: 0, isUncommitted: false },
      { eventNumber: null, isUncommitted: true }
    ]);
    const { ranges, unnumberedRecords, lastEvent } = await askStream('t');
    expect(lastEvent).toBe(0);
    expect(ranges).toMatchObject([{ from: 0, to: 0, verdict: 'keep', rule: 'uncommittedTransaction' }]);
    expect(unnumberedRecords).toBeGreaterThan(0);
  });

  it('tells of numbers that are gone by the limit that each of them is beyond', async () => {
    events.append('s', [event(3000), event(3000), event(), event(), event(), event()]);
    events.setMetadata('s', '{"$maxCount":2,"$tb":2}');
    writer.completeChunk();
    writer.close();
    const always = { alwaysKeepScavenged: true };
    await runScavenge(requestOf({ scavengePoint: 'detached', ...always }), scavengeEnvironment());
    const { ranges } = await askStream('s', always);
    expect(ranges.map(({ from, to, verdict, rule }) => [from, to, verdict, rule])).toEqual([
      [0, 1, 'alreadyGone', 'truncateBefore'],
      [2, 3, 'alreadyGone', 'maxCount'],
      [4, 4, 'keep', 'maxCount'],
      [5, 5, 'keep', 'lastEvent']
    ]);
  });

  it('says that there is nothing to work to where only an existing point was asked for', async () => {
    events.append('s', [event()]);
    writer.completeChunk();
    writer.close();
    const answer = await askEvent('s', 0, { scavengePoint: 'existing' });
    expect(answer.scavenge.point).toBeNull();
    expect(answer).toMatchObject({
      verdict: 'keep',
      rule: 'afterScavengePoint',
      because: 'There is no unreached scavenge point, so this scavenge does nothing.'
    });
  });

  it('refuses streams and events that do not exist, with the last number there is', async () => {
    events.append('s', [event()]);
    writer.close();
    await expect(askEvent('s', 4)).rejects.toMatchObject({
      code: 'StreamNotFound',
      message: 'The stream "s" has no event 4; its last one is 0.'
    });
    await expect(askStream('nothing')).rejects.toMatchObject({ code: 'StreamNotFound' });
    await expect(ask({ kind: 'chunk', chunk: 9 })).rejects.toMatchObject({ code: 'InvalidRequest' });
    await expect(ask({ kind: 'position', position: 3 })).rejects.toMatchObject({
      code: expect.any(String) as string
    });
  });
});
