import { screen, waitFor, within } from '@testing-library/svelte';
import { afterEach, describe, expect, test } from 'vitest';
import { explained } from '../../../src-renderer/state/explained.svelte.ts';
import type {
  ChunkExplanation,
  EventExplanation,
  ExplainReport,
  StreamExplanation
} from '../../../src-main/contract/operations/explain-reports.ts';
import type { WorkSnapshot } from '../../../src-main/contract/verbs/workbench-contract.ts';
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
    { rule: 'afterScavengePoint', says: 'passes', text: 'It is before scavenge point 0.' },
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
  because: 'Chunk 0 has weight 12, above the threshold of 0: 6 of its records are removed.',
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

async function openChunk(): Promise<OpenWindow> {
  const opened = await openWindow();
  await opened.show('Chunks');
  const file = await screen.findByText('completed', { selector: '[title="chunk-000000.000000"]' });
  await opened.user.click(file);
  return opened;
}

/** The question that is on its way, as the engine got it. */
async function question({ fake }: OpenWindow): Promise<WorkSnapshot> {
  return waitFor(() => {
    const asked = fake.work.find(({ name, state }) => name === 'explain' && state === 'running');
    if (!asked) throw new Error('nothing was asked yet');
    return asked;
  });
}

/** Answers what was asked, and tells what that was. */
async function answer(opened: OpenWindow, report: ExplainReport): Promise<Record<string, unknown>> {
  const { id, request } = await question(opened);
  opened.fake.finish(id, report);
  return request;
}

const panel = () => screen.findByRole('complementary', { name: 'Explain' });

afterEach(() => explained.close());

describe('the explain panel', () => {
  test('says of a chunk whether it is rewritten, and which rules its records meet', async () => {
    const page = await openChunk();
    await page.user.click(await screen.findByRole('button', { name: 'Why kept?' }));
    const opened = within(await panel());
    expect(await answer(page, chunk)).toEqual({ chunk: 0 });
    expect(await opened.findByText(/6 of its records are removed/)).toBeTruthy();
    expect(opened.getByText('Rewritten by this scavenge')).toBeTruthy();
    const table = within(opened.getByRole('table', { name: 'Records by rule' }));
    expect(table.getByRole('row', { name: 'Maximum age removed 6 600 B' })).toBeTruthy();
    await waitFor(() => expect(page.fake.work).toEqual([]));
  });

  test('is reached by keyboard from a record, shows the chain of rules, and gives the focus back', async () => {
    const page = await openChunk();
    const { user } = page;
    await user.click(await screen.findByRole('button', { name: 'Show the records' }));
    await user.click(await screen.findByText('order-3'));
    const button = await screen.findByRole('button', { name: 'Why kept?' });
    button.focus();
    await user.keyboard('{Enter}');
    const opened = within(await panel());
    expect(await answer(page, event)).toHaveProperty('position');
    expect(await opened.findByRole('heading', { name: 'Event 4 of order-3' })).toBeTruthy();
    const chain = within(opened.getByRole('list', { name: 'Rules, in the order they apply' }));
    expect(
      chain.getAllByRole('listitem').map((item) => item.textContent.replace(/\s+/g, ' ').trim())
    ).toEqual([
      'Scavenge point does not apply It is before scavenge point 0.',
      `Maximum age keeps ${because}`
    ]);
    await waitFor(() => expect(document.activeElement?.tagName).toBe('H2'));
    await user.keyboard('{Escape}');
    await waitFor(() => expect(screen.queryByRole('complementary', { name: 'Explain' })).toBeNull());
    expect(document.activeElement).toBe(button);
  });

  test('leads from an event to its stream, and from a range to an event', async () => {
    const page = await openChunk();
    const { user } = page;
    await user.click(await screen.findByRole('button', { name: 'Show the records' }));
    await user.click(await screen.findByText('order-3'));
    await user.click(await screen.findByRole('button', { name: 'Why kept?' }));
    const opened = within(await panel());
    await answer(page, event);
    await user.click(await opened.findByRole('button', { name: 'Show the whole stream' }));
    expect(await answer(page, stream)).toEqual({ stream: 'order-3' });
    await user.click(await opened.findByRole('button', { name: 'Explain event 4 – 7' }));
    expect(await answer(page, event)).toEqual({ stream: 'order-3', eventNumber: 4 });
    await opened.findByRole('heading', { name: 'Event 4 of order-3' });
  });

  test('shows a refusal with its remedy, and asks again', async () => {
    const page = await openChunk();
    const { user, fake } = page;
    await user.click(await screen.findByRole('button', { name: 'Why kept?' }));
    const opened = within(await panel());
    const { id } = await question(page);
    const message = 'The index cannot be used.';
    const error = { code: 'IndexCorrupt', message, remedy: 'Rebuild it.', details: {} };
    fake.change(id, { state: 'failed', endedMs: Date.now(), error });
    expect(await opened.findByText('Rebuild it.')).toBeTruthy();
    await user.click(opened.getByRole('button', { name: 'Explain again' }));
    await answer(page, chunk);
    expect(await opened.findByText(/6 of its records are removed/)).toBeTruthy();
  });

  test('shows how far the answer is, and stops asking when it is closed', async () => {
    const page = await openChunk();
    await page.user.click(await screen.findByRole('button', { name: 'Why kept?' }));
    const opened = within(await panel());
    expect(await opened.findByRole('progressbar')).toBeTruthy();
    const { id } = await question(page);
    await page.user.click(opened.getByRole('button', { name: 'Close the explanation' }));
    await waitFor(() => expect(page.fake.requestsOf('stopWork')).toEqual([{ id }]));
  });
});
