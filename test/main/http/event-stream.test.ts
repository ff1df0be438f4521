/** One reader of events, and how many there may be. */
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it } from 'vitest';
import { EventSeats, MOST_STREAMS, MOST_STREAMS_OF_USER } from '../../../src-main/http/event-seats.ts';
import { EventStream, MOST_EVENT_BYTES } from '../../../src-main/http/event-stream.ts';

it('an event that cannot be written is left out; those before and after it arrive', async () => {
  const leftOut: string[] = [];
  const round: Record<string, unknown> = {};
  round['again'] = round;
  const server = http.createServer((_request, response) => {
    const stream = new EventStream(response, {
      headers: {},
      mostBufferedBytes: 1024 * 1024,
      heartbeatMs: 60_000,
      onLeftOut: (reason) => leftOut.push(reason),
      onClose: () => undefined
    });
    stream.send('first', 1);
    stream.send('round', round);
    stream.send('long', 'x'.repeat(MOST_EVENT_BYTES));
    stream.send('last', 2);
    stream.end('over');
    stream.send('late', 3);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const answer = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  expect(await answer.text()).toBe(
    'event: first\ndata: 1\n\nevent: last\ndata: 2\n\nevent: over\ndata: null\n\n'
  );
  expect(leftOut).toEqual([expect.stringContaining('round: '), expect.stringContaining('long: ')]);
  server.close();
});

it('seats are bounded for each user and for all, and are given back once', () => {
  const seats = new EventSeats();
  const own = Array.from({ length: MOST_STREAMS_OF_USER }, () => seats.take('joe'));
  expect(own.every((leave) => leave !== undefined)).toBe(true);
  expect(seats.take('joe')).toBeUndefined();
  expect(seats.take('ops')).toBeDefined();
  own[0]?.();
  own[0]?.();
  expect(seats.take('joe')).toBeDefined();
  expect(seats.take('joe')).toBeUndefined();
  for (let taken = MOST_STREAMS_OF_USER + 1; taken < MOST_STREAMS; taken++) {
    expect(seats.take(`user ${taken}`)).toBeDefined();
  }
  expect(seats.take('one more')).toBeUndefined();
});
