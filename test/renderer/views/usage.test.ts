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
      },
      {
        threshold: 900,
        chunks: 1,
        chunksJudged: 1,
        recordsDiscarded: 4,
        bytesFreed: 2000,
        spaceSaved: { log: 1800, index: 200, total: 2000 },
        scratchBytes: 5000,
        estimatedMs: null
      }
    ],
    rate: { source: 'history', bytesPerSecond: 50_000_000 }
  }
};

async function counted() {
  const opened = await openWindow((fake) => {
    fake.answers['usageWithin'] = (request) =>
      request['stream'] === null
        ? { total: survey.total, items: [item('order-1', 8000, 2000)], itemCount: 1 }
        : { total: survey.total, items: [item('Placed', 8000, 2000)], itemCount: 1 };
  });
  const { fake, show } = opened;
  await show('Usage');
  await waitFor(() => expect(fake.work).toMatchObject([{ name: 'surveyUsage', nodeId: 'node-1' }]));
  fake.change('work-1', { writerCheckpoint: inspection.checkpoints.writer });
  fake.finish('work-1', survey);
  await screen.findByRole('grid', { name: 'Items by size' });
  return opened;
}

test('counts by itself, shows the sum and what can go, and sums up by what is chosen', async () => {
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

test('goes from categories down to streams and their event types, and back by the path', async () => {
  const { fake, user } = await counted();
  await user.click(await screen.findByRole('option', { name: /^order / }));
  expect(await screen.findByRole('option', { name: /^order-1 / })).toBeTruthy();
  expect(fake.callsOf('usageWithin')).toMatchObject([{ category: 'order', stream: null, by: 'stream' }]);
  await user.click(screen.getByRole('option', { name: /^order-1 / }));
  expect(await screen.findByRole('option', { name: /^Placed / })).toBeTruthy();
  expect(fake.callsOf('usageWithin').at(-1)).toMatchObject({ stream: 'order-1', by: 'type' });
  const path = within(screen.getByRole('navigation', { name: 'Where this is' }));
  expect(path.getByText('order-1').getAttribute('aria-current')).toBe('location');
  await user.click(path.getByRole('button', { name: 'All' }));
  expect(await screen.findByRole('option', { name: /^cart / })).toBeTruthy();
  const map = within(screen.getByRole('listbox', { name: 'Map of space usage' }));
  expect(map.getByRole('option', { selected: true }).getAttribute('aria-label')).toMatch(/^order /);
});

test('keys lead down and up, and the menu key opens what can be done', async () => {
  const { user } = await counted();
  const map = await screen.findByRole('listbox', { name: 'Map of space usage' });
  map.focus();
  await user.keyboard('{Home}{Enter}');
  expect(await screen.findByRole('option', { name: /^order-1 / })).toBeTruthy();
  screen.getByRole('listbox', { name: 'Map of space usage' }).focus();
  await user.keyboard('{Backspace}');
  expect(await screen.findByRole('option', { name: /^cart / })).toBeTruthy();
  await user.click(screen.getByRole('button', { name: 'Actions for order' }));
  const menu = within(await screen.findByRole('menu'));
  expect(menu.getByRole('menuitem', { name: /Why kept/ }).getAttribute('aria-disabled')).toBe('true');
  await user.click(menu.getByRole('menuitem', { name: 'Erasure report' }));
  await waitFor(() =>
    expect(screen.getByRole('textbox', { name: /Categories/ })).toHaveProperty('value', 'order')
  );
});

test('a threshold of the curve is taken over for the next scavenge', async () => {
  const { user } = await counted();
  await user.click(screen.getByRole('tab', { name: 'Thresholds compared' }));
  const points = within(
    await screen.findByRole('radiogroup', { name: 'Thresholds by what they would free' })
  );
  expect(points.getAllByRole('radio').map((point) => point.getAttribute('aria-label'))).toEqual([
    'Threshold 0: 2.34 KiB, 2 chunks',
    'Threshold 900: 1.95 KiB, 1 chunk'
  ]);
  await user.click(points.getByRole('radio', { name: /^Threshold 900/ }));
  await user.click(screen.getByRole('button', { name: 'Use in Scavenge' }));
  expect(localStorage.getItem('winnow.threshold.node-1')).toBe('900');
  localStorage.removeItem('winnow.threshold.node-1');
});

test('says what a rule would remove, of the rule that stands there', async () => {
  const { fake, user } = await counted();
  fake.answers['readUsage'] = ({ whatIf }) => ({
    whatIf: (whatIf as object[]).map((rule) => ({
      ...rule,
      streams: 1,
      bytes: 8000,
      discardableBytes: 2000,
      likelyBytes: 6000,
      leastBytes: 6000,
      mostBytes: 6000
    }))
  });
  await user.click(screen.getByRole('tab', { name: 'What if' }));
  await user.click(await screen.findByRole('button', { name: 'Work it out' }));
  expect(await screen.findByText('Removable then: 5.86 KiB, now: 1.95 KiB.')).toBeTruthy();
  expect(fake.callsOf('readUsage')).toMatchObject([
    { whatIf: [{ category: 'order', maxAgeSeconds: 30 * 86_400, maxCount: null }] }
  ]);
  await user.selectOptions(screen.getByRole('combobox', { name: 'Category' }), 'cart');
  expect(screen.queryByText(/would be removable/)).toBeNull();
});

test('says how fast the log grows and when the disk is full, asked once for both parts that show it', async () => {
  const { fake, user } = await counted();
  const rates = { bytesPerDay: 3072, lastingPerDay: 2048, expiringPerDay: 1024, removablePerDay: 0 };
  fake.answers['forecastGrowth'] = () => ({
    unknown: null,
    freeBytes: 40_000,
    indexFreeBytes: null,
    growth: {
      from: '2025-12-02T00:00:00.0000000Z',
      to: '2026-01-01T00:00:00.0000000Z',
      days: 30,
      writtenPerDay: 4096,
      logPerDay: 4000,
      ...rates,
      expiringDays: 12,
      categories: [
        { category: 'order', ...rates },
        { category: '(others)', ...rates, bytesPerDay: 9999 }
      ],
      categoryCount: 2
    },
    freedNowBytes: 500,
    full: {
      withoutScavenges: { days: 9.8, at: '2026-01-10T19:00:00.0000000Z' },
      withScavenges: null
    },
    curve: Array.from({ length: 90 }, (_, day) => ({
      day: '2026-01-01',
      without: 4096 * (day + 1),
      with: 2048 * day - 400
    })),
    warnings: []
  });
  expect(fake.callsOf('forecastGrowth')).toEqual([]);
  await user.click(screen.getByRole('tab', { name: 'Expiry calendar' }));
  expect(await screen.findByText('about 10 Jan 2026')).toBeTruthy();
  expect(screen.getByText('not within a hundred years')).toBeTruthy();
  await user.click(screen.getByRole('button', { name: 'How this is worked out' }));
  const picture = await screen.findByRole('img', {
    name: /without scavenges: about 10 Jan 2026; with regular ones: not/
  });
  expect(picture).toBeTruthy();
  expect(screen.getByText('The red line: 39.1 KiB, what is free now.')).toBeTruthy();
  const rows = within(screen.getByRole('grid', { name: 'Growth by category' })).getAllByRole('row');
  expect(rows.map((row) => row.textContent.split(' ')[0])).toEqual(['order', '(others)']);
  expect(fake.callsOf('forecastGrowth')).toHaveLength(1);
});

test('says what projections cost, by projection and by category', async () => {
  const { fake, user } = await counted();
  const link = { records: 30, bytes: 3000, indexBytes: 720, deadRecords: 2, deadBytes: 200 };
  const category = {
    records: 30,
    bytes: 9000,
    indexBytes: 720,
    linkRecords: 30,
    linkBytes: 3000,
    linkIndexBytes: 720
  };
  fake.answers['priceProjections'] = () => ({
    own: { records: 30, bytes: 9000, indexBytes: 720, bytesPerDay: 2048 },
    sources: [{ source: '$ce-', projection: '$by_category', streams: 1, ...link, bytesPerDay: null }],
    amplification: { bytes: 1.333, entries: 2 },
    categories: [
      { ...category, category: 'order', amplification: 1.383, links: [{ source: '$ce-', ...link }] },
      {
        ...category,
        category: 'quiet',
        linkRecords: 0,
        linkBytes: 0,
        linkIndexBytes: 0,
        amplification: 1,
        links: []
      }
    ],
    categoryCount: 2,
    savings: [{ measure: 'switchOff', source: '$ce-', bytesPerDay: null, bytes: 3720 }],
    days: 12.2,
    point: null,
    warnings: []
  });
  expect(fake.callsOf('priceProjections')).toEqual([]);
  await user.click(screen.getByRole('tab', { name: 'Projections' }));
  const sources = await screen.findByRole('table', { name: 'What projections wrote' });
  expect(
    within(sources).getByRole('row', { name: /^\$by_category \(\$ce-\) 30 .* 2 not known$/ })
  ).toBeTruthy();
  expect(screen.getByText(/the log has 1\.33; .* the index has 2\.00/)).toBeTruthy();
  const rows = within(screen.getByRole('grid', { name: 'Links by category' })).getAllByRole('row');
  expect(rows.map((row) => row.textContent.replace(/\s+/g, ' '))).toEqual([
    expect.stringMatching(/order.*3\.63 KiB.*1\.38/)
  ]);
  expect(screen.getByRole('row', { name: /^Without \$ce- not known 3\.63 KiB$/ })).toBeTruthy();
});

test('saves the items as a file, and copies them', async () => {
  const { fake, user } = await counted();
  fake.answers['exportUsage'] = () => ({ text: 'name,records\r\n' });
  await user.click(screen.getByRole('button', { name: 'Export' }));
  await user.click(await screen.findByRole('menuitem', { name: 'Save as CSV…' }));
  expect(await screen.findByText('Saved as rows.csv.')).toBeTruthy();
  expect(fake.requestsOf('openSavedFile')).toEqual([{ name: 'usage-by-category', form: 'csv' }]);
  expect(fake.requestsOf('writeSavedFile')).toEqual([{ id: 'file-1', text: 'name,records\r\n' }]);
  expect(fake.requestsOf('endSavedFile')).toEqual([{ id: 'file-1', isComplete: true }]);
  await user.click(screen.getByRole('button', { name: 'Export' }));
  await user.click(await screen.findByRole('menuitem', { name: 'Copy as JSON' }));
  await waitFor(() => expect(fake.requestsOf('copyText')).toEqual([{ text: 'name,records\r\n' }]));
  expect(fake.callsOf('exportUsage')).toMatchObject([{ by: 'category', format: 'csv' }, { format: 'json' }]);
});
