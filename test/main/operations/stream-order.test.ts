import { expect, it } from 'vitest';
import { OperationControl } from '../../../src-core/index.ts';
import { StreamColumns } from '../../../src-main/operations/streams/stream-columns.ts';
import { orderedStreams } from '../../../src-main/operations/streams/stream-order.ts';
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

function columnsOf(count: number): StreamColumns {
  const prng = new Prng(7);
  const columns = new StreamColumns();
  for (let index = 0; index < count; index++) {
    const at = columns.at(`stream-${prng.below(1_000_000)}-${index}`);
    columns.add(at, prng.below(5), prng.below(1000));
  }
  return columns;
}

it.each(['name', 'bytes', 'events'] as const)('many streams by %s, with turns for others', async (sort) => {
  const columns = columnsOf(20_000);
  for (const descending of [false, true]) {
    const { control, turns } = alwaysDue();
    const order = await orderedStreams(columns, { sort, descending, isWanted: () => true }, control);
    const value = (at: number): string | number =>
      sort === 'name' ? columns.name(at) : sort === 'bytes' ? columns.bytes(at) : columns.eventCount(at);
    expect(new Set(order).size).toBe(20_000);
    for (let index = 1; index < order.length; index++) {
      const [before, after] = [order[index - 1] ?? 0, order[index] ?? 0];
      const [first, second] = descending ? [after, before] : [before, after];
      const isInOrder =
        value(first) < value(second) ||
        (value(first) === value(second) && columns.name(before) < columns.name(after));
      if (!isInOrder) expect.fail(`${before} and ${after} at ${index}`);
    }
    expect(turns()).toBeGreaterThan(10);
  }
});

it('a stop is heard while streams are sorted', async () => {
  const stop = new AbortController();
  const { control } = alwaysDue(stop.signal);
  const columns = columnsOf(10_000);
  stop.abort();
  const ordered = orderedStreams(columns, { sort: 'name', descending: false, isWanted: () => true }, control);
  await expect(ordered).rejects.toThrow();
});
