import { expect, test, vi } from 'vitest';
import { EventRows } from '../../../src-renderer/state/event-rows.svelte.ts';
import { eventsPage } from '../fake-database.ts';

const event = (eventNumber: number) => ({ ...eventsPage.rows[0]!, eventNumber });

test('reads on as the end of what was read comes into sight, over gaps of scavenged events', async () => {
  const read = vi.fn(async (from: number) =>
    from === 0
      ? { ...eventsPage, rows: [event(0), event(7)], isEndOfStream: false, nextFrom: 8 }
      : { ...eventsPage, rows: [event(9)], isEndOfStream: true, nextFrom: 10 }
  );
  const rows = new EventRows(read);
  await rows.restart(0, 9);
  expect(rows.rowAt(1)?.eventNumber).toBe(7);
  await vi.waitFor(() => expect(rows.count).toBe(3));
  rows.rowAt(2);
  await Promise.resolve();
  expect(read.mock.calls.map(([from]) => from)).toEqual([0, 8]);
});

test('reads nothing of a stream that has no event to read', async () => {
  const read = vi.fn();
  const rows = new EventRows(read);
  await rows.restart(null, '9223372036854775807');
  expect(read).not.toHaveBeenCalled();
});

test('shows why events cannot be read', async () => {
  const rows = new EventRows(() => Promise.reject(new Error('gone')));
  await rows.restart(0, 1);
  expect([rows.count, rows.error?.message]).toEqual([0, 'gone']);
});
