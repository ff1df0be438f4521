import { screen, waitFor, within } from '@testing-library/svelte';
import { afterEach, describe, expect, test } from 'vitest';
import { explained } from '../../../src-renderer/state/explained.svelte.ts';
import type {
  ChunkExplanation,
  EventExplanation,
  StreamExplanation
} from '../../../src-main/operations/explain-reports.ts';
import { Refusal } from '../fake-workbench.ts';
import { openWindow, type OpenWindow } from '../render-app.ts';

const scavenge: EventExplanation['scavenge'] = {
  placement: 'detached',
  resumed: false,
  point: { number: 0, position: 90_000, effectiveNow: '2026-05-01T00:00:00.0000000Z', threshold: 0 }
};
const because = '$maxAge of 30 days keeps it until 2026-06-01.';
const words = {
  verdict: 'keep',
  rule: 'maxAge',
  until: '2026-06-01T00:00:00.0000000Z',
  because,
  change: 'A scavenge point written after 2026-06-01.'
} as const;
const event: EventExplanation = {
  kind: 'event',
  stream: 'order-3',
  eventNumber: 4,
  position: 600,
  chunk: 0,
  ...words,
  chain: [
    { rule: 'afterScavengePoint', says: 'passes', text: 'It lies before scavenge point 0.' },
    { rule: 'maxAge', says: 'keeps', text: because }
  ],
  scavenge
};
const stream: StreamExplanation = {
  kind: 'stream',
  stream: 'order-3',
  rules: null,
  rulesAtPoint: { maxCount: null, maxAgeSeconds: null, truncateBefore: null },
  lastEvent: 7,
  ranges: [
    { from: 0, to: 3, ...words, verdict: 'discard', until: null, because: 'Older than the maximum age.' },
    { from: 4, to: 7, ...words }
  ],
  unnumberedRecords: 2,
  scavenge
};
const chunk: ChunkExplanation = {
  kind: 'chunk',
  chunk: 0,
  weight: 12,
  verdict: 'rewrite',
  rule: 'maxAge',
  because: 'Chunk 0 has weight 12, above the threshold of 0: 6 of its records go.',
  change: null,
  byRule: [
    { rule: 'noRule', verdict: 'keep', records: 90, bytes: 9000 },
    { rule: 'maxAge', verdict: 'discard', records: 6, bytes: 600 }
  ],
  chunkStart: 0,
  chunkEnd: 0,
  file: 'chunk-000000.000000',
  scavenge
};

function answerOf(request: Record<string, unknown>): unknown {
  if (request['chunk'] !== undefined) return chunk;
  return request['position'] !== undefined || request['eventNumber'] !== undefined ? event : stream;
}

async function openChunk(answer = answerOf): Promise<OpenWindow> {
  const opened = await openWindow((fake) => {
    fake.answers['explain'] = answer;
  });
  await opened.show('Chunks');
  const file = await screen.findByText('completed', { selector: '[title="chunk-000000.000000"]' });
  await opened.user.click(file);
  return opened;
}

const panel = () => screen.findByRole('complementary', { name: 'Explain' });

afterEach(() => explained.close());

describe('the explain panel', () => {
  test('says of a chunk whether it is rewritten, and which rules its records meet', async () => {
    const { user, fake } = await openChunk();
    await user.click(await screen.findByRole('button', { name: 'Why kept?' }));
    const opened = within(await panel());
    expect(await opened.findByText(/6 of its records go/)).toBeTruthy();
    expect(opened.getByText('Is rewritten by this scavenge')).toBeTruthy();
    const table = within(opened.getByRole('table', { name: 'Records by rule' }));
    expect(table.getByRole('row', { name: 'Maximum age goes 6 600 B' })).toBeTruthy();
    expect(fake.callsOf('explain')).toEqual([{ chunk: 0 }]);
  });

  test('is reached by keyboard from a record, shows the chain of rules, and gives the focus back', async () => {
    const { user, fake } = await openChunk();
    await user.click(await screen.findByRole('button', { name: 'Show the records' }));
    await user.click(await screen.findByText('order-3'));
    const button = await screen.findByRole('button', { name: 'Why kept?' });
    button.focus();
    await user.keyboard('{Enter}');
    const opened = within(await panel());
    expect(await opened.findByRole('heading', { name: 'Event 4 of order-3' })).toBeTruthy();
    const chain = within(opened.getByRole('list', { name: 'Rules, in the order they are asked' }));
    expect(
      chain.getAllByRole('listitem').map((item) => item.textContent.replace(/\s+/g, ' ').trim())
    ).toEqual(['Scavenge point passes on It lies before scavenge point 0.', `Maximum age keeps ${because}`]);
    expect(fake.callsOf('explain')[0]).toHaveProperty('position');
    await waitFor(() => expect(document.activeElement?.tagName).toBe('H2'));
    await user.keyboard('{Escape}');
    await waitFor(() => expect(screen.queryByRole('complementary', { name: 'Explain' })).toBeNull());
    expect(document.activeElement).toBe(button);
  });

  test('leads from an event to its stream, and from a range to an event', async () => {
    const { user, fake } = await openChunk();
    await user.click(await screen.findByRole('button', { name: 'Show the records' }));
    await user.click(await screen.findByText('order-3'));
    await user.click(await screen.findByRole('button', { name: 'Why kept?' }));
    const opened = within(await panel());
    await user.click(await opened.findByRole('button', { name: 'The whole stream' }));
    await user.click(await opened.findByRole('button', { name: 'Explain event 4 – 7' }));
    await opened.findByRole('heading', { name: 'Event 4 of order-3' });
    expect(fake.callsOf('explain').slice(1)).toEqual([
      { stream: 'order-3' },
      { stream: 'order-3', eventNumber: 4 }
    ]);
  });

  test('shows a refusal with its remedy, and asks again', async () => {
    let isRefused = true;
    const { user } = await openChunk((request) => {
      if (isRefused) throw new Refusal('IndexCorrupt', 'The index cannot be used.', 'Rebuild it.');
      return answerOf(request);
    });
    await user.click(await screen.findByRole('button', { name: 'Why kept?' }));
    const opened = within(await panel());
    expect(await opened.findByText('Rebuild it.')).toBeTruthy();
    isRefused = false;
    await user.click(opened.getByRole('button', { name: 'Ask again' }));
    expect(await opened.findByText(/6 of its records go/)).toBeTruthy();
  });
});
