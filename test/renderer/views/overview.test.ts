import { screen, waitFor } from '@testing-library/svelte';
import { beforeEach, describe, expect, test } from 'vitest';
import { timesByChunk } from '../../../src-renderer/state/chunk-times.ts';
import { piecesOf } from '../../../src-renderer/views/overview/log-pieces.ts';
import {
  dateMarks,
  pieceAtShare,
  shareOf,
  stretchesOf
} from '../../../src-renderer/views/overview/log-scale.ts';
import { groupMarks, type LogMark } from '../../../src-renderer/views/overview/log-marks.ts';
import { remedyOf } from '../../../src-renderer/views/overview/warning-remedy.ts';
import {
  brokenChunksReport,
  chunksReport,
  inspection,
  notResumedInspections,
  plan,
  unfinishedInspection
} from '../fake-database.ts';
import { openWindow } from '../render-app.ts';

beforeEach(() => localStorage.clear());

describe('the bar of the log', () => {
  const pieces = piecesOf(chunksReport.chunks, undefined);
  const day = (number: number): string => `2026-01-${String(number).padStart(2, '0')}T00:00:00.0000000Z`;
  /** The first chunk took a month, the others a day each. */
  const times = timesByChunk([
    { chunkStart: 0, first: day(1), last: day(28) },
    { chunkStart: 1, first: day(28), last: day(29) },
    { chunkStart: 2, first: day(29), last: day(30) },
    { chunkStart: 4, first: day(30), last: day(31) }
  ]);
  const lastOf = (piece: { firstChunk: number }): number => piece.firstChunk;

  test('keeps what no file can serve apart, however many chunks a piece stands for', () => {
    const [first] = chunksReport.chunks;
    const chunks = Array.from({ length: 2400 }, (_, number) => ({
      ...first!,
      chunkStart: number,
      chunkEnd: number
    }));
    const [gap] = brokenChunksReport.gaps;
    const log = chunks.with(1205, { ...gap!, chunkStart: 1205, chunkEnd: 1205 } as never);
    const cut = piecesOf(log, undefined);
    expect(cut.length).toBeLessThan(250);
    expect(cut.filter((piece) => piece.gap)).toMatchObject([
      { firstChunk: 1205, lastChunk: 1205, live: 0, unknown: 0 }
    ]);
    cut.slice(1).forEach((piece, at) => expect(piece.firstChunk).toBe(cut[at]!.lastChunk + 1));
  });

  test('by position gives each chunk the width of its log', () => {
    const stretches = stretchesOf(pieces, times, { axis: 'position', lastOf });
    expect(stretches.map(({ to }) => to)).toEqual([0.2, 0.4, 0.8, 1]);
    expect(shareOf(pieces[1]!.start, pieces, stretches)).toBeCloseTo(0.2);
    expect(dateMarks(stretches, 'position')).toHaveLength(4);
  });

  test('by time gives each chunk the width of the time it took', () => {
    const stretches = stretchesOf(pieces, times, { axis: 'time', lastOf });
    expect(stretches.map(({ to }) => Math.round(to * 30))).toEqual([27, 28, 29, 30]);
    expect(pieceAtShare(stretches, 0.5)).toBe(0);
    expect(pieceAtShare(stretches, 0.99)).toBe(3);
    const marks = dateMarks(stretches, 'time');
    expect(marks.map(({ at }) => at)).toEqual([0, 1, 2, 3, 4, 5, 6].map((mark) => mark / 6));
    expect(marks.at(-1)?.ms).toBe(Date.UTC(2026, 0, 31));
  });

  test('goes by position where no time is known, and never backward where clocks were set back', () => {
    const none = stretchesOf(pieces, timesByChunk([]), { axis: 'time', lastOf });
    expect(none.map(({ to }) => to)).toEqual([0.2, 0.4, 0.8, 1]);
    const jumping = timesByChunk([
      { chunkStart: 0, first: day(10), last: day(20) },
      { chunkStart: 1, first: day(5), last: day(6) },
      { chunkStart: 2, first: day(25), last: day(26) }
    ]);
    const stretches = stretchesOf(pieces, jumping, { axis: 'time', lastOf });
    for (const [index, stretch] of stretches.entries()) {
      expect(stretch.to).toBeGreaterThanOrEqual(stretch.from);
      expect(stretch.from).toBe(index === 0 ? 0 : stretches[index - 1]!.to);
    }
  });

  test('is walked through by keyboard, tells dates and sizes, and leads to the chunk', async () => {
    const { user } = await openWindow();
    const bar = await screen.findByRole('button', { name: 'The log, from its start to its end' });
    bar.focus();
    await user.keyboard('{ArrowRight}{ArrowRight}');
    expect(
      await screen.findByText(/Chunk 1 · 2 Jan 2026.* · 1.00 MiB not yet known to be live or removable/)
    ).toBeTruthy();
    await user.keyboard('{Enter}');
    expect(await screen.findByRole('heading', { name: 'Chunk 1' })).toBeTruthy();
  });

  test('marks epochs and scavenge points, which lead to their records', async () => {
    const { user } = await openWindow();
    await user.click(await screen.findByRole('button', { name: 'Epoch 3 at 4,194,304' }));
    expect(await screen.findByRole('heading', { name: 'Records of chunk 4' })).toBeTruthy();
  });
});

test('figures tell what has changed since the last visit', async () => {
  const visit = {
    timeMs: Date.now() - 2 * 86_400_000,
    data: 1_000_000,
    index: 0,
    free: 0,
    chunks: 3,
    entries: 1500
  };
  localStorage.setItem('winnow.visit.node-1', JSON.stringify({ current: visit, previous: null }));
  await openWindow();
  expect(await screen.findByText('1 merged, +1 since 2 days ago', { exact: false })).toBeTruthy();
  expect(screen.getByText('−300 since 2 days ago')).toBeTruthy();
  expect(screen.getByText('+3.05 MiB since 2 days ago')).toBeTruthy();
});

describe('what a scavenge would free', () => {
  test('is remembered with its date when the window is opened again', async () => {
    const first = await openWindow();
    await first.user.click(await screen.findByRole('button', { name: 'Compute the plan' }));
    const started = first.fake.asked.findLast(({ verb }) => verb === 'startWork');
    expect(started).toBeTruthy();
    const work = first.fake.work.at(-1);
    if (work) first.fake.finish(work.id, plan);
    await screen.findByText(/^A scavenge would free/);
    await waitFor(() => expect(localStorage.getItem('winnow.wouldFree.node-1')).not.toBeNull());
    document.body.innerHTML = '';
    await openWindow();
    expect(await screen.findByText(/^A scavenge would free/)).toBeTruthy();
    expect(screen.getByText(/^Computed/)).toBeTruthy();
    expect(screen.queryByRole('button', { name: 'Show the plan' })).toBeNull();
  });
});

describe('an unfinished scavenge', () => {
  test('is announced with its point, and leads to where it is resumed', async () => {
    const { user } = await openWindow((prepared) => {
      prepared.answers['inspectDatabase'] = () => unfinishedInspection;
    });
    expect(await screen.findByText(/^A scavenge to point 0 was stopped or interrupted/)).toBeTruthy();
    await user.click(screen.getByRole('button', { name: 'Resume scavenge' }));
    expect(await screen.findByRole('tab', { name: 'Scavenge', selected: true })).toBeTruthy();
  });

  test.each(notResumedInspections)('is not announced for a state with %s', async (_what, report) => {
    await openWindow((prepared) => {
      prepared.answers['inspectDatabase'] = () => report;
    });
    await screen.findByRole('button', { name: 'Compute the plan' });
    expect(screen.queryByText('There is an unfinished scavenge')).toBeNull();
  });
});

describe('a warning', () => {
  const warning = (code: string) => ({ code, message: `${code}.`, remedy: 'Do something.' });

  test('has its remedy beside it, one click away', async () => {
    const { user, fake } = await openWindow((prepared) => {
      prepared.answers['inspectDatabase'] = () => ({
        ...inspection,
        warnings: [warning('chunkHeaderInvalid'), warning('somethingElse')]
      });
    });
    await user.click(await screen.findByRole('button', { name: 'Verify this database' }));
    expect(fake.asked.findLast(({ verb }) => verb === 'startWork')?.request).toMatchObject({
      name: 'verifyDatabase'
    });
    expect(await screen.findByRole('tab', { name: 'Check and repair', selected: true })).toBeTruthy();
  });

  test.each([
    ['tableMissing', 'rebuild'],
    ['chunkMissing', 'verify'],
    ['writerCheckpointBeyondEnd', 'verify'],
    ['statisticsPileUp', 'plan'],
    ['encrypted', undefined]
  ])('%s is answered by %s', (code, kind) => {
    expect(remedyOf(warning(code))).toBe(kind);
  });
});

test('marks that would share the room of a pointer become one, which stands at the first of them', () => {
  const epoch = (number: number, at: number): LogMark => ({ kind: 'epoch', number, position: number, at });
  const groups = groupMarks([epoch(3, 0.5), epoch(1, 0), epoch(2, 0.019), epoch(4, 0.52)], 0.02);
  expect(groups.map(({ at, marks }) => [at, marks.map(({ number }) => number)])).toEqual([
    [0, [1, 2]],
    [0.5, [3]],
    [0.52, [4]]
  ]);
});
