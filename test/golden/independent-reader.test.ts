/** The second reader is held against the real servers' own answers before it judges anything. */
import { afterAll, describe, expect, it } from 'vitest';
import { expectedOf, removeUnpacked, unpackDatabase } from '../support/golden.ts';
import { filesIn, readLog } from '../support/independent/read-log.ts';
import { readStream, readStreams } from '../support/independent/read-streams.ts';

afterAll(removeUnpacked);

const STORIES = [
  ['plain', 'after'],
  ['rules', 'before'],
  ['rules', 'after-t0'],
  ['rules', 'after-nomerge'],
  ['rules', 'after-t-high'],
  ['rules', 'after-twice'],
  ['rules', 'after-ihd'],
  ['tables', 'before'],
  ['tables', 'after-scavenge'],
  ['transactions', 'before'],
  ['transactions', 'after-t0'],
  ['old-v0', 'before'],
  ['old-v0', 'after-t0']
] as const;

const ticksOf = (iso: string): bigint => 621_355_968_000_000_000n + BigInt(Date.parse(iso)) * 10_000n;

describe('a reader that shares nothing with the engine', () => {
  it.each(STORIES)('reads %s %s as the server does', (name, folder) => {
    const expected = expectedOf(name, folder);
    const log = readLog(filesIn(unpackDatabase({ name, folder })));
    const kinds = { Prepare: 'prepare', Commit: 'commit', System: 'system' } as const;
    expect(log.records.map(({ position, length, kind }) => [position, length, kind])).toEqual(
      expected.records
        .filter(({ pos }) => pos < log.writer)
        .map(({ pos, len, type }) => [pos, len, kinds[type]])
    );
    const streams = readStreams(log);
    const now = ticksOf(expected.observedAtUtc);
    for (const [stream, told] of Object.entries(expected.streams ?? {})) {
      // The server that was asked had written to it at its own start.
      if ('trimmedObserverWrites' in told) continue;
      const seen = readStream(streams, stream, now);
      expect({ stream, result: seen.result }).toEqual({ stream, result: told.result });
      if (told.result === 'Success')
        expect({ stream, ranges: rangesOf(seen.numbers) }).toEqual({ stream, ranges: told.readable });
    }
  });
});

function rangesOf(numbers: readonly bigint[]): [number, number][] {
  const ranges: [number, number][] = [];
  for (const number of numbers.map(Number)) {
    const last = ranges.at(-1);
    if (last && last[1] === number - 1) last[1] = number;
    else ranges.push([number, number]);
  }
  return ranges;
}
