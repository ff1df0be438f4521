import { beforeEach, describe, expect, test } from 'vitest';
import { callNode } from '../../../src-renderer/api/engine-client.ts';
import { Database } from '../../../src-renderer/state/database.svelte.ts';
import { EventRows } from '../../../src-renderer/state/event-rows.svelte.ts';
import { FoundRecords } from '../../../src-renderer/state/found-records.svelte.ts';
import { PagedRows } from '../../../src-renderer/state/paged-rows.svelte.ts';
import { Timeline } from '../../../src-renderer/state/timeline.svelte.ts';
import { node } from '../fake-database.ts';
import { FakeWorkbench } from '../fake-workbench.ts';

let fake: FakeWorkbench;

beforeEach(() => {
  fake = new FakeWorkbench().install();
});

const callIds = (): (string | undefined)[] =>
  fake.requestsOf('call').map((request) => (request as { callId?: string }).callId);

/** What is asked here is answered by its stop only, as the engine's end of a stopped question is a failure. */
function never(signals: AbortSignal[]) {
  return (...asked: unknown[]): Promise<never> => {
    const signal = asked.at(-1) as AbortSignal;
    signals.push(signal);
    return new Promise((_resolve, reject) =>
      signal.addEventListener('abort', () => reject(new Error('stopped')))
    );
  };
}
const areStopped = (signals: AbortSignal[]): boolean[] => signals.map(({ aborted }) => aborted);

describe('a question about a node', () => {
  test('is stopped by its own id, and rejects as what asked it wanted', async () => {
    const [stop, other] = [new AbortController(), new AbortController()];
    const asked = callNode(node.id, 'listChunks', {}, stop.signal);
    const kept = callNode(node.id, 'listChunks', {}, other.signal);
    stop.abort();
    await expect(asked).rejects.toMatchObject({ name: 'AbortError' });
    await expect(kept).resolves.toBeDefined();
    const [first, second] = callIds();
    expect(first).not.toBe(second);
    expect(fake.stopped).toEqual([first]);
  });

  test('that was answered is stopped no more', async () => {
    const stop = new AbortController();
    await callNode(node.id, 'listChunks', {}, stop.signal);
    stop.abort();
    expect(fake.stopped).toEqual([]);
  });

  test('that is not wanted any more is not asked', async () => {
    await expect(callNode(node.id, 'listChunks', {}, AbortSignal.abort())).rejects.toMatchObject({
      name: 'AbortError'
    });
    expect(fake.asked).toEqual([]);
  });
});

describe('questions whose answers are no longer wanted are stopped, and are no errors:', () => {
  test('of a list that was replaced, and of one that has gone from sight', async () => {
    const signals: AbortSignal[] = [];
    const rows = new PagedRows<number>(never(signals));
    const first = rows.restart();
    const second = rows.restart();
    await first;
    expect(areStopped(signals)).toEqual([true, false]);
    rows.stop();
    await second;
    expect(areStopped(signals)).toEqual([true, true]);
    expect([rows.error, rows.rowAt(900)]).toEqual([null, undefined]);
    expect(signals).toHaveLength(2);
  });

  test('of a page of a list that comes into sight while the list is being replaced', async () => {
    const signals: AbortSignal[] = [];
    const page = { rows: [1], offset: 0, total: 1000 };
    const rows = new PagedRows<number>(() => Promise.resolve(page));
    await rows.restart((offset, limit, signal) =>
      offset === 0 ? Promise.resolve(page) : never(signals)(offset, limit, signal)
    );
    rows.rowAt(500);
    rows.stop();
    await Promise.resolve();
    expect(areStopped(signals)).toEqual([true]);
    await rows.restart(() => Promise.resolve(page));
    expect([rows.error, rows.rowAt(0)]).toEqual([null, 1]);
  });

  test('of a filter that was replaced, and of a search that was stopped', async () => {
    const signals: AbortSignal[] = [];
    const records = new FoundRecords();
    const first = records.start(never(signals));
    const second = records.start(never(signals));
    await first;
    expect(areStopped(signals)).toEqual([true, false]);
    records.stop();
    await second;
    expect(areStopped(signals)).toEqual([true, true]);
    expect([records.error, records.isSearching]).toEqual([null, false]);
    void records.continueSearch();
    expect(areStopped(signals)).toEqual([true, true, false]);
  });

  test('of the events of a stream that was replaced, and of one that is shown no more', async () => {
    const signals: AbortSignal[] = [];
    const events = new EventRows(never(signals));
    const first = events.restart(0, 9);
    const second = events.restart(0, 9);
    await first;
    expect(areStopped(signals)).toEqual([true, false]);
    events.stop();
    await second;
    expect(areStopped(signals)).toEqual([true, true]);
    expect([events.error, events.isLoading]).toEqual([null, false]);
  });

  test('of a node that is shown no more', async () => {
    const database = new Database();
    void database.show(node.id);
    const asked = callIds();
    expect(asked).toHaveLength(2);
    await database.show(null);
    expect(fake.stopped).toEqual(asked);
    expect(database.error).toBeNull();
  });

  test('of a timeline that is shown no more', async () => {
    const timeline = new Timeline();
    const read = timeline.read(node.id);
    timeline.stop();
    await read;
    expect(fake.stopped).toEqual(callIds());
    expect(timeline.times.size).toBe(0);
  });
});
