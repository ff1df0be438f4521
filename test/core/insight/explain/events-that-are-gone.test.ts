/** What is said of an event whose record is not in the log any more, by what its stream and the index still tell. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { AskedLog, event } from './asked-log.ts';

let asked: AskedLog;

beforeEach(() => {
  asked = new AskedLog();
});
afterEach(() => asked.remove());

test('of a stream that was hard-deleted is gone for that', async () => {
  asked.events.append('gone', [event(), event(3000)]);
  asked.events.hardDelete('gone');
  asked.finish();
  await asked.scavenge();
  expect(await asked.event('gone', 1)).toMatchObject({
    verdict: 'alreadyGone',
    rule: 'hardDelete',
    position: null,
    chunk: null,
    because: 'It is gone: The stream was hard-deleted: everything except the tombstone is removed.'
  });
});

test('whose index entry is still there is told with the place where it was', async () => {
  asked.events.append('filling', [event()]);
  const { position } = asked.events.append('cut', [event(3000), event()]);
  asked.events.setMetadata('cut', '{"$tb":1}');
  asked.finish();
  await asked.writeIndex();
  await asked.scavenge({ scavengePoint: 'new', singleNode: true, stopAfter: 'chunkExecution' });
  expect(await asked.event('cut', 0)).toMatchObject({
    verdict: 'alreadyGone',
    rule: 'truncateBefore',
    position,
    chunk: 0
  });
});

test('that no rule in force discards any more is told so, alone and in a range', async () => {
  asked.events.append('once', [event(3000), event(3000), event()]);
  asked.events.setMetadata('once', '{"$tb":2}');
  asked.finish();
  await asked.scavenge();
  asked.reopen();
  asked.events.setMetadata('once', '{}');
  asked.finish();
  expect(await asked.event('once', 0)).toMatchObject({
    verdict: 'alreadyGone',
    rule: 'noRule',
    because:
      'It is not in the log, and no rule in force says why: an earlier rule discarded it, or the number was never used.'
  });
  const { ranges } = await asked.stream('once');
  expect(ranges[0]).toMatchObject({
    from: 0,
    to: 1,
    verdict: 'alreadyGone',
    because:
      'They are not in the log, and no rule in force says why: an earlier rule discarded them, or the number was never used.'
  });
});

test('of a stream that no record names is refused as such', async () => {
  asked.events.append('there', [event()]);
  asked.finish();
  await expect(asked.event('nothing', 0)).rejects.toMatchObject({
    code: 'StreamNotFound',
    message: 'There is no stream "nothing" in this log.',
    remedy: 'See "winnow streams" for the streams of this database.'
  });
});

test('beyond a tombstone there is no event', async () => {
  asked.events.append('gone', [event()]);
  asked.events.hardDelete('gone');
  asked.finish();
  await expect(asked.event('gone', Number.MAX_VALUE)).rejects.toMatchObject({ code: 'StreamNotFound' });
});

test('whose stream the index cannot tell of, because its tombstone is gone, is told without a rule', async () => {
  asked.events.append('freed', [event(3000)]);
  asked.events.append('other', [event()]);
  asked.events.hardDelete('freed');
  asked.finish();
  await asked.writeIndex();
  const unsafe = { unsafeIgnoreHardDeletes: true, alwaysKeepScavenged: true };
  await asked.scavenge({
    ...unsafe,
    scavengePoint: 'new',
    singleNode: true,
    stopAfter: 'chunkExecution'
  });
  expect(await asked.event('freed', 0, unsafe)).toMatchObject({ verdict: 'alreadyGone', rule: 'noRule' });
  await expect(asked.stream('freed', unsafe)).rejects.toMatchObject({ code: 'StreamNotFound' });
  asked.reopen();
  asked.events = asked.appender(() => -1);
  const { position } = asked.events.setMetadata('freed', '{"$maxCount":1}');
  asked.writer.close();
  // Nothing is said of rules that count later: the index cannot tell them.
  expect(await asked.ask({ kind: 'position', position }, unsafe)).toMatchObject({
    stream: '$$freed',
    verdict: 'keep',
    rule: 'activeChunk',
    change:
      'The chunk is completed when it is full or a new scavenge point is written; a scavenge after that judges it.'
  });
  asked.reopen();
  asked.events = asked.appender(() => -1);
  asked.events.append('freed', [event()]);
  asked.writer.close();
  const { ranges, lastEvent } = await asked.stream('freed', unsafe);
  expect(lastEvent).toBe(0);
  expect(ranges).toMatchObject([{ from: 0, to: 0, verdict: 'keep', rule: 'activeChunk' }]);
});
