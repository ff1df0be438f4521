/** The texts of the history's events, held against those that servers wrote. */
import { describe, expect, it } from 'vitest';
import type { NewEvent } from '../../../../src-core/database/event-appender.ts';
import {
  chunksCompletedEvent,
  completedEvent,
  decodeHistoryPayload,
  decodeLink,
  historyMetadata,
  indexCompletedEvent,
  isHistoryMetadata,
  isWinnowNode,
  linkEvent,
  mergeCompletedEvent,
  startedEvent,
  winnowNodeOf
} from '../../../../src-core/scavenge/history/history-events.ts';
import { maxChunkScavengedOf, type OutcomeRow } from '../../../../src-core/scavenge/history/row-events.ts';
import {
  decodeTimeTaken,
  encodeTimeTaken,
  timeTakenFromMs
} from '../../../../src-core/scavenge/history/time-taken.ts';
import type { ChunkDecision } from '../../../../src-core/units/scavenge-terms.ts';

const run = { scavengeId: '4d3fa17b-de04-49e1-8416-6ee95b05d402', nodeEndpoint: '127.0.0.1:2113' };
const textOf = ({ data }: NewEvent) => Buffer.from(data).toString('utf8');
const bytes = (text: string) => Buffer.from(text, 'utf8');

describe('durations', () => {
  it.each([
    [0, '00:00:00'],
    [1, '00:00:00.0000001'],
    [6_531_706, '00:00:00.6531706'],
    [24_765_587_210, '00:41:16.5587210'],
    [863_999_999_999, '23:59:59.9999999'],
    [864_000_000_000, '1.00:00:00'],
    [11_096_405_000_000, '12.20:14:00.5000000']
  ])('of %d ticks are written as %s and read back', (ticks, text) => {
    expect(encodeTimeTaken(ticks)).toBe(text);
    expect(decodeTimeTaken(text)).toBe(ticks);
  });

  it('come from milliseconds rounded to ticks, never below zero', () => {
    expect(timeTakenFromMs(653.17064)).toBe(6_531_706);
    expect(timeTakenFromMs(-0.001)).toBe(0);
  });

  it.each(['', '1:00', '00:00:00.12345678', 'long'])('are not read from "%s"', (text) => {
    expect(decodeTimeTaken(text)).toBeUndefined();
  });
});

describe('events', () => {
  it('have the text of the server’s', () => {
    const chunk = { chunkStart: 1, chunkEnd: 1, timeTaken: 81_672, spaceSavedBytes: 4096 };
    const merge = { chunkStart: 4, chunkEnd: 8, timeTaken: 24_494, spaceSavedBytes: 8192 };
    const table = { level: 2, order: 0, timeTaken: 57_558, entriesDeleted: 0, entriesKept: 2232 };
    const end = { timeTaken: 6_531_706, spaceSavedBytes: 4096, maxChunkScavenged: 1 };
    expect(textOf(startedEvent(run))).toBe(
      '{\n  "scavengeId": "4d3fa17b-de04-49e1-8416-6ee95b05d402",\n  "nodeEndpoint": "127.0.0.1:2113"\n}'
    );
    expect(textOf(chunksCompletedEvent(run, chunk))).toBe(
      '{\n  "scavengeId": "4d3fa17b-de04-49e1-8416-6ee95b05d402",\n  "chunkStartNumber": 1,\n  "chunkEndNumber": 1,\n' +
        '  "timeTaken": "00:00:00.0081672",\n  "wasScavenged": true,\n  "spaceSaved": 4096,\n' +
        '  "nodeEndpoint": "127.0.0.1:2113",\n  "errorMessage": ""\n}'
    );
    expect(textOf(mergeCompletedEvent(run, merge))).toBe(
      '{\n  "scavengeId": "4d3fa17b-de04-49e1-8416-6ee95b05d402",\n  "chunkStartNumber": 4,\n  "chunkEndNumber": 8,\n' +
        '  "timeTaken": "00:00:00.0024494",\n  "spaceSaved": 8192,\n  "wasMerged": true,\n' +
        '  "nodeEndpoint": "127.0.0.1:2113",\n  "errorMessage": ""\n}'
    );
    expect(textOf(indexCompletedEvent(run, { ...table, spaceSavedBytes: 0 }))).toBe(
      '{\n  "scavengeId": "4d3fa17b-de04-49e1-8416-6ee95b05d402",\n  "level": 2,\n  "index": 0,\n' +
        '  "timeTaken": "00:00:00.0057558",\n  "entriesDeleted": 0,\n  "entriesKept": 2232,\n  "spaceSaved": 0,\n' +
        '  "wasScavenged": false,\n  "nodeEndpoint": "127.0.0.1:2113",\n  "errorMessage": ""\n}'
    );
    expect(textOf(completedEvent(run, { ...end, result: 'Success', error: null }))).toBe(
      '{\n  "scavengeId": "4d3fa17b-de04-49e1-8416-6ee95b05d402",\n  "nodeEndpoint": "127.0.0.1:2113",\n' +
        '  "result": "Success",\n  "error": null,\n  "timeTaken": "00:00:00.6531706",\n  "spaceSaved": 4096,\n' +
        '  "maxChunkScavenged": 1\n}'
    );
  });

  it('are linked by number and stream, and links are no JSON', () => {
    const link = linkEvent(run.scavengeId, 14);
    expect(link).toMatchObject({ eventType: '$>', isJson: false });
    expect(textOf(link)).toBe('14@$scavenges-4d3fa17b-de04-49e1-8416-6ee95b05d402');
    expect(decodeLink('$>', link.data)).toBe(run.scavengeId);
  });

  it('that are something else lead to no run', () => {
    expect(decodeLink('$>', bytes('0@orders-1'))).toBeUndefined();
    expect(decodeLink('noted', bytes('0@$scavenges-a'))).toBeUndefined();
  });

  it.each(['', 'no JSON', 'null', '[1]', '{"result":7,"timeTaken":true,"spaceSaved":"much","error":null}'])(
    'whose text is "%s" say nothing',
    (text) => {
      expect(decodeHistoryPayload(bytes(text))).toEqual({});
    }
  );

  it('name a node that no server can take for itself', () => {
    expect(isWinnowNode(winnowNodeOf('db-1'))).toBe(true);
    expect(winnowNodeOf('db-1')).not.toMatch(/:\d+$/);
    expect(isWinnowNode('127.0.0.1:2113')).toBe(false);
  });
});

describe('metadata', () => {
  it('has the text of the server’s', () => {
    expect(historyMetadata(30)).toBe(
      '{"$maxAge":2592000,"$acl":{"$r":"$ops","$w":[],"$d":[],"$mr":[],"$mw":[]}}'
    );
  });

  it.each([
    [historyMetadata(30), true],
    ['{"$maxAge":2592000,"$acl":{"$r":["$ops"]}}', true],
    [historyMetadata(7), false],
    ['{"$maxAge":2592000}', false],
    ['{"$maxAge":2592000,"$acl":{"$r":"$all"}}', false],
    ['{"$maxAge":2592000,"$acl":null}', false],
    ['', false]
  ])('%s fits a retention of 30 days: %s', (text, fits) => {
    expect(isHistoryMetadata(bytes(text), 30)).toBe(fits);
  });
});

describe('the highest chunk that was scavenged', () => {
  const sums = { bytesBefore: 4096, bytesAfter: 1024, weight: 0, recordsDiscarded: 1 };
  const chunk = (chunkStart: number, chunkEnd: number, decision: ChunkDecision): OutcomeRow => ({
    ...sums,
    chunkStart,
    chunkEnd,
    decision
  });

  it('is the last of those that were rewritten or emptied; merged and skipped ones do not count', () => {
    expect(maxChunkScavengedOf([chunk(1, 2, 'rewritten'), chunk(3, 7, 'emptied')])).toBe(7);
    expect(maxChunkScavengedOf([chunk(3, 7, 'emptied'), chunk(1, 2, 'rewritten')])).toBe(7);
    expect(maxChunkScavengedOf([chunk(1, 2, 'rewritten'), chunk(8, 9, 'merged')])).toBe(2);
    expect(maxChunkScavengedOf([chunk(1, 2, 'rewritten'), chunk(8, 8, 'skipped')])).toBe(2);
  });

  it('is the first one where none was', () => {
    expect(maxChunkScavengedOf([chunk(4, 4, 'keptLarger')])).toBe(0);
    expect(maxChunkScavengedOf([])).toBe(0);
  });
});
