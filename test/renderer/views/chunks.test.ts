import { screen, waitFor, within } from '@testing-library/svelte';
import { describe, expect, test } from 'vitest';
import { fieldAt } from '../../../src-renderer/views/records/field-at.ts';
import { brokenChunksReport, longChunksReport, plan, recordDescription } from '../fake-database.ts';
import { openWindow, type OpenWindow } from '../render-app.ts';

async function openChunks(): Promise<OpenWindow> {
  const opened = await openWindow();
  await opened.show('Chunks');
  await screen.findByRole('listbox', { name: 'Chunk map' });
  return opened;
}

describe('chunks', () => {
  test('show one cell and one row for each file, a merged one as a range', async () => {
    await openChunks();
    const map = screen.getByRole('listbox', { name: 'Chunk map' });
    expect(within(map).getAllByRole('option')).toHaveLength(4);
    const table = await screen.findByRole('grid', { name: 'Chunks' });
    await waitFor(() => expect(within(table).getAllByRole('row')).toHaveLength(4));
    expect(within(table).getByText('2–3')).toBeTruthy();
    expect(within(table).getByText('merged')).toBeTruthy();
    expect(within(table).getByText('active')).toBeTruthy();
  });

  test('show a missing chunk in its place, in words too, and lead to its finding', async () => {
    const { user, show } = await openWindow((fake) => {
      fake.answers['listChunks'] = () => brokenChunksReport;
    });
    await show('Chunks');
    const map = await screen.findByRole('listbox', { name: 'Chunk map' });
    const cells = within(map).getAllByRole('option');
    expect(cells.map((cell) => cell.dataset['chunk'])).toEqual(['0', '1', '2', '4']);
    expect(cells[1]!.getAttribute('aria-label')).toMatch(/^Chunk 1 is missing/);
    const table = await screen.findByRole('grid', { name: 'Chunks' });
    await waitFor(() => expect(within(table).getByText('missing')).toBeTruthy());
    map.focus();
    await user.keyboard('{ArrowRight}{ArrowRight}');
    expect(await screen.findByRole('heading', { name: 'Chunk 1 is missing' })).toBeTruthy();
    await user.keyboard('{Enter}');
    const finding = await screen.findByRole('region', { name: 'Chunk 1 is missing' });
    expect(within(finding).getByText(/chunkMissing/)).toBeTruthy();
    expect(screen.getByRole('tab', { name: 'Check and repair', selected: true })).toBeTruthy();
  });

  test('draw five thousand as a few paths, with elements for a gap, the active and the selected one', async () => {
    const { user, show } = await openWindow((fake) => {
      fake.answers['listChunks'] = () => longChunksReport(5000);
    });
    await show('Chunks');
    const map = await screen.findByRole('listbox', { name: 'Chunk map' });
    const numbers = () =>
      within(map)
        .getAllByRole('option')
        .map((cell) => Number(cell.dataset['chunk']));
    expect(numbers()).toEqual([1, 4999]);
    expect(map.querySelectorAll('path').length).toBeLessThan(20);
    map.focus();
    await user.keyboard('{End}{ArrowLeft}');
    expect(await screen.findByRole('heading', { name: 'Chunk 4998' })).toBeTruthy();
    expect(numbers()).toEqual([1, 4998, 4999]);
    expect(within(map).getByRole('option', { selected: true }).getAttribute('aria-posinset')).toBe('4999');
    await user.keyboard('{Home}{ArrowRight}');
    expect(await screen.findByRole('heading', { name: 'Chunk 1 is missing' })).toBeTruthy();
  });

  test('without a plan call nothing live, and offer no order by what is removable', async () => {
    await openChunks();
    expect(screen.queryByText(/^live$|^removable$/)).toBeNull();
    expect(screen.getByText('not known yet')).toBeTruthy();
    expect(screen.queryByRole('button', { name: /Sort by Live/ })).toBeNull();
    expect(await screen.findAllByRole('img', { name: /not yet known to be live or removable/ })).toHaveLength(
      4
    );
  });

  test('show what a plan would remove as bars, with the numbers as their names', async () => {
    const { fake } = await openChunks();
    const work = await window.workbench.startWork({ name: 'planScavenge', nodeId: 'node-1', request: {} });
    if (work.ok) fake.finish(work.value.id, plan);
    expect(
      await screen.findByRole('img', { name: '340 KiB live, 684 KiB removable, 0 B already freed' })
    ).toBeTruthy();
  });

  test('are walked through by keyboard, and Enter opens the records', async () => {
    const { user, fake } = await openChunks();
    screen.getByRole('listbox', { name: 'Chunk map' }).focus();
    await user.keyboard('{ArrowRight}{ArrowRight}');
    expect(await screen.findByRole('heading', { name: 'Chunk 1' })).toBeTruthy();
    await user.keyboard('{Enter}');
    expect(await screen.findByText('Records of chunk 1')).toBeTruthy();
    expect(fake.callsOf('readChunkPage').at(-1)).toEqual({ chunk: 1, offset: 0, limit: 200 });
  });

  test('tell header and footer with their places', async () => {
    const { user } = await openChunks();
    await user.click(await screen.findByText('completed', { selector: '[title="chunk-000000.000000"]' }));
    expect(await screen.findByText('1,048,576 bytes')).toBeTruthy();
    expect(screen.getByText('0x00100000')).toBeTruthy();
    expect(screen.getByText('0644')).toBeTruthy();
  });

  test('lead to a record whose bytes are tied to its fields, and render its data as text', async () => {
    const { user } = await openChunks();
    await user.click(await screen.findByText('completed', { selector: '[title="chunk-000000.000000"]' }));
    await user.click(await screen.findByRole('button', { name: 'Show the records' }));
    await user.click(await screen.findByText('order-3'));
    const field = await screen.findByRole('button', { name: 'Stream' });
    await user.hover(field);
    await waitFor(() => {
      const lit = [...document.querySelectorAll('.cells .lit')].map((cell) => cell.textContent);
      expect(lit).toEqual(['25', '26', '27', '28', '29', '2a', '2b']);
    });
    expect(screen.getByText('"<b>bold</b>"')).toBeTruthy();
    expect(document.querySelector('b')).toBeNull();
  });
});

test('a byte belongs to the narrowest field around it', () => {
  const fields = [...recordDescription.fields, { name: 'Record', value: '', offset: 0, length: 64 }];
  expect(fieldAt(fields, 2)).toBe(0);
  expect(fieldAt(fields, 40)).toBe(1);
  expect(fieldAt(fields, 20)).toBe(3);
  expect(fieldAt(fields, 500)).toBeNull();
});
