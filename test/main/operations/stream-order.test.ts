import { expect, it } from 'vitest';
import { OperationControl, uncontrolled } from '../../../src-core/index.ts';
import { orderedByNumber } from '../../../src-main/operations/streams/number-order.ts';
import { StreamColumns } from '../../../src-main/operations/streams/stream-columns.ts';
import { StreamList } from '../../../src-main/operations/streams/stream-list.ts';
import { orderedStreams } from '../../../src-main/operations/streams/stream-order.ts';
import { StreamRows } from '../../../src-main/operations/streams/stream-rows.ts';
import { Prng } from '../../support/prng.ts';

/** Always due: each place that could give others a turn does. */
function alwaysDue(signal?: AbortSignal): { control: OperationControl; turns: () => number } {
  let nowMs = 0;
  let turns = 0;
  const control = new OperationControl({
    signal,
    elapsedMs: () => (nowMs += 100),
    yieldTurn: () => {
      turns += 1;
      return Promise.resolve();
    }
  });
  return { control, turns: () => turns };
}

/** In the order of their names, in parts of some thousands. */
function streamsOf(count: number): StreamList {
  const prng = new Prng(7);
  const columns = new StreamColumns();
  const names = Array.from(
    { length: count },
    (_, index) => `stream-${prng.below(1_000_000)}-${index}`
  ).sort();
  for (const name of names) columns.add(columns.at(name), prng.below(5), prng.below(2 ** 40));
  const parts: StreamRows[] = [];
  for (let from = 0; from < count; from += 7000) {
    const order = Uint32Array.from({ length: Math.min(7000, count - from) }, (_, at) => from + at);
    parts.push(StreamRows.of(columns, order));
  }
  return new StreamList(parts);
}

it.each(['name', 'bytes', 'events'] as const)('many streams by %s, with turns for others', async (sort) => {
  const streams = streamsOf(20_000);
  for (const descending of [false, true]) {
    const { control, turns } = alwaysDue();
    const order = await orderedStreams(streams, { sort, descending }, control);
    const value = (at: number): string | number =>
      sort === 'name' ? streams.name(at) : sort === 'bytes' ? streams.bytes(at) : streams.eventCount(at);
    expect(new Set(order).size).toBe(20_000);
    for (let index = 1; index < order.length; index++) {
      const [before, after] = [order[index - 1] ?? 0, order[index] ?? 0];
      const [first, second] = descending ? [after, before] : [before, after];
      const isInOrder =
        value(first) < value(second) ||
        (value(first) === value(second) && streams.name(before) < streams.name(after));
      if (!isInOrder) expect.fail(`${before} and ${after} at ${index}`);
    }
    if (sort !== 'name') expect(turns()).toBeGreaterThan(0);
  }
});

it('a stop is heard while streams are sorted', async () => {
  const stop = new AbortController();
  const { control } = alwaysDue(stop.signal);
  const streams = streamsOf(10_000);
  stop.abort();
  const ordered = orderedStreams(streams, { sort: 'bytes', descending: false }, control);
  await expect(ordered).rejects.toThrow();
});

it.each([
  ['stream-5', /^stream-5/],
  ['stream-51', /^stream-51/],
  ['stream-500000-', /^stream-500000-/],
  ['', /^/],
  ['$$', /^\$\$/],
  ['zebra', /^zebra/]
] as const)('only streams that start with "%s"', async (prefix, pattern) => {
  const streams = streamsOf(20_000);
  const all = Array.from({ length: streams.count }, (_, at) => streams.name(at));
  const order = await orderedStreams(streams, { sort: 'name', descending: false, prefix }, uncontrolled());
  expect(Array.from(order, (at) => streams.name(at))).toEqual(
    all.filter((name) => name.startsWith(prefix) && pattern.test(name))
  );
});

it('numbers that are equal leave streams in the order of their names, also the largest first', async () => {
  const places = Uint32Array.from([4, 0, 3, 1, 2]);
  const numberOf = (place: number): number => [2 ** 52, 7, 2 ** 52, 0, 7][place]!;
  const rising = await orderedByNumber(places.slice(), { numberOf, descending: false }, uncontrolled());
  expect([...rising]).toEqual([3, 4, 1, 0, 2]);
  const falling = await orderedByNumber(places.slice(), { numberOf, descending: true }, uncontrolled());
  expect([...falling]).toEqual([0, 2, 4, 1, 3]);
});
