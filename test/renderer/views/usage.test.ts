import { screen, waitFor, within } from '@testing-library/svelte';
import { expect, test } from 'vitest';
import type { UsageItemRow, UsageSurvey } from '../../../src-main/contract/verbs/workbench-contract.ts';
import { inspection } from '../fake-database.ts';
import { openWindow } from '../render-app.ts';

const item = (name: string, bytes: number, discardableBytes: number): UsageItemRow => ({
  name,
  records: 10,
  bytes,
  indexBytes: 240,
  discardableRecords: 5,
  discardableBytes,
  firstChunk: 0,
  lastChunk: 3
});
const survey: UsageSurvey = {
  total: { records: 20, bytes: 10_000, indexBytes: 480, discardableRecords: 5, discardableBytes: 2500 },
  point: { position: 4096, effectiveNow: '2026-01-01T00:00:00.0000000Z' },
  spaceSaved: { log: 2000, index: 400, total: 2400 },
  savings: [
    { cause: 'records', bytes: 2500 },
    { cause: 'positionMaps', bytes: -500 },
    { cause: 'index', bytes: 400 }
  ],
  files: { logBytes: 12_000, indexBytes: 500 },
  unfreeable: [
    { cause: 'tombstones', records: 3, bytes: 300 },
    { cause: 'padding', records: null, bytes: 4000 }
  ],
  calendar: [
    { day: '2026-01-01', records: 0, bytes: 0, sumBytes: 0 },
    { day: '2026-01-02', records: 7, bytes: 700, sumBytes: 700 }
  ],
  chunksRead: 4,
  chunksKnown: 0,
  warnings: [],
  stream: { items: [item('order-1', 8000, 2000), item('cart-1', 2000, 500)], itemCount: 2 },
  category: { items: [item('order', 8000, 2000), item('cart', 2000, 500)], itemCount: 2 },
  type: { items: [item('Placed', 10_000, 2500)], itemCount: 1 },
  link: { items: [item('(no links)', 10_000, 2500)], itemCount: 1 },
  thresholds: {
    rows: [
      {
        threshold: 0,
        chunks: 2,
        chunksJudged: 3,
        recordsDiscarded: 5,
        bytesFreed: 2400,
        spaceSaved: { log: 2000, index: 400, total: 2400 },
        scratchBytes: 9000,
        estimatedMs: 1500
      }
    ],
    rate: { source: 'history', bytesPerSecond: 50_000_000 }
  }
};

async function counted() {
  const opened = await openWindow();
  const { fake, user, show } = opened;
  await show('Usage');
  await user.click(await screen.findByRole('button', { name: 'Count usage' }));
  await waitFor(() => expect(fake.work).toMatchObject([{ name: 'surveyUsage', nodeId: 'node-1' }]));
  fake.change('work-1', { writerCheckpoint: inspection.checkpoints.writer });
  fake.finish('work-1', survey);
  await screen.findByRole('grid', { name: 'Items by size' });
  return opened;
}

test('counts when asked, shows the sum and what can go, and sums up by what is chosen', async () => {
  const { user } = await counted();
  expect(screen.getByText('2.44 KiB removable (25 %)')).toBeTruthy();
  expect(document.querySelector('.since')).toBeNull();
  await user.selectOptions(screen.getByRole('combobox', { name: 'Group by' }), 'Event type');
  expect(await screen.findByRole('listbox', { name: 'Map of space usage' })).toBeTruthy();
  expect(screen.getByRole('grid', { name: 'Items by size' }).getAttribute('aria-rowcount')).toBe('1');
});

test('shows what a scavenge would free, causes, thresholds and days one at a time', async () => {
  const { user } = await counted();
  expect(screen.getByText(/A scavenge would free 2.34 KiB of files\./)).toBeTruthy();
  const steps = within(screen.getByRole('table', { name: 'What a scavenge would free' }));
  expect(steps.getAllByRole('row').map((row) => row.textContent)).toEqual([
    'From records to filesSize',
    'Removable records2.44 KiB',
    'Position maps that rewritten chunks need−500 B',
    'Entries of index tables400 B',
    'A scavenge would free2.34 KiB'
  ]);
  await user.click(screen.getByRole('tab', { name: 'What no scavenge frees' }));
  const causes = within(await screen.findByRole('table', { name: 'What no scavenge frees' }));
  expect(causes.getAllByRole('row').map((row) => row.textContent)).toEqual([
    'CauseRecordsSize',
    'Padding of chunk files3.91 KiB',
    'Tombstones of deleted streams3300 B'
  ]);
  await user.click(screen.getByRole('tab', { name: 'Thresholds compared' }));
  expect(await screen.findByText('Times at the rate of the last scavenges: 47.7 MiB a second.')).toBeTruthy();
  await user.click(screen.getByRole('tab', { name: 'Expiry calendar' }));
  const days = within(await screen.findByRole('table', { name: 'Expiry calendar' }));
  expect(days.getByRole('row', { name: /2026-01-02/ }).textContent).toContain('700 B');
});

test('copies the items as text', async () => {
  const { fake, user } = await counted();
  fake.answers['exportUsage'] = () => ({ text: 'name,records\r\n' });
  await user.click(screen.getByRole('button', { name: 'CSV' }));
  await waitFor(() => expect(fake.requestsOf('copyText')).toEqual([{ text: 'name,records\r\n' }]));
  expect(fake.callsOf('exportUsage')).toMatchObject([{ by: 'stream', format: 'csv' }]);
  expect(await screen.findByText('Copied as CSV.')).toBeTruthy();
});
