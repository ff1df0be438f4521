import { screen, waitFor, within } from '@testing-library/svelte';
import { describe, expect, test } from 'vitest';
import type { ErasureReport } from '../../../src-main/contract/verbs/workbench-contract.ts';
import { Refusal } from '../fake-workbench.ts';
import { openWindow } from '../render-app.ts';

const report: ErasureReport = {
  dataDirectory: '/data',
  indexDirectory: '/data/index',
  backupTargets: [],
  takenAt: '2026-01-31T05:00:00.0000000Z',
  endedAt: '2026-01-31T05:00:01.0000000Z',
  toolVersion: '0.1.0',
  streams: [
    {
      stream: 'person-1',
      asked: 'stream',
      erased: false,
      dataErased: true,
      names: [],
      places: [
        {
          kind: 'log',
          what: 'tombstone',
          file: 'chunk-000001.000000',
          records: 1,
          firstOffset: 4096,
          remedy: 'A tombstone keeps the name.'
        }
      ]
    }
  ],
  notExamined: [{ place: 'kurrent.ddb', why: 'It is compressed.' }],
  notes: [{ place: 'bloom filters', why: 'They hold no names.' }],
  complete: false,
  files: [{ file: 'chunk-000001.000000', sha256: 'ab'.repeat(32), bytes: 8192 }],
  recheck: null
};

async function openReport() {
  const opened = await openWindow();
  await opened.show('Erasure');
  await opened.user.type(await screen.findByRole('textbox', { name: /^Streams/ }), 'person-1{enter}a b');
  await opened.user.type(screen.getByRole('textbox', { name: /^Categories/ }), 'order, basket');
  await opened.user.click(screen.getByRole('button', { name: 'Check' }));
  await waitFor(() => expect(opened.fake.work).toHaveLength(1));
  return opened;
}

describe('the view Erasure', () => {
  test('asks for names as they were written, and lists places with their remedies', async () => {
    const { fake } = await openReport();
    expect(fake.work[0]).toMatchObject({
      name: 'reportErasure',
      request: { streams: ['person-1', 'a b'], categories: ['order', 'basket'], eventIds: [] }
    });
    fake.finish('work-1', report);
    await screen.findByText('No data is left, but names or references are.');
    const places = screen.getByRole('region', { name: 'Stream person-1' });
    const grid = within(places).getByRole('grid', { name: 'Places of Stream person-1' });
    expect(within(grid).getByText('A tombstone keeps the name.')).toBeTruthy();
    expect(within(places).getByText('data erased, name left')).toBeTruthy();
    const open = screen.getByRole('region', { name: 'Not examined' });
    expect(within(open).getByText('kurrent.ddb')).toBeTruthy();
  });

  test('says nothing of a result that nobody asked for', async () => {
    const { fake } = await openReport();
    fake.resultRefusal = new Refusal('RemoteNodeFailed', 'The service did not answer.', 'Start it again.');
    fake.change('work-1', { request: { unasked: true } });
    fake.finish('work-1', report);
    await waitFor(() => expect(fake.requestsOf('workResult')).toContainEqual({ id: 'work-1' }));
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(screen.queryByText(/could not be fetched/)).toBeNull();
  });

  test('says why a report did not arrive, and fetches it again', async () => {
    const { fake, user } = await openReport();
    fake.resultRefusal = new Refusal('RemoteNodeFailed', 'The service did not answer.', 'Start it again.');
    fake.finish('work-1', report);
    const told = await screen.findByText(
      'The result of "reportErasure" could not be fetched: The service did not answer.'
    );
    const panel = within(told.closest('section')!);
    expect(panel.getByText('Start it again.')).toBeTruthy();
    await user.click(panel.getByRole('button', { name: 'Dismiss' }));
    expect(screen.queryByText(/could not be fetched/)).toBeNull();
    fake.finish('work-1', report);
    await screen.findByText(/could not be fetched/);
    fake.resultRefusal = undefined;
    await user.click(screen.getByRole('button', { name: 'Try again' }));
    await screen.findByText('No data is left, but names or references are.');
    expect(screen.queryByText(/could not be fetched/)).toBeNull();
  });

  test('calls nothing erased as long as something was not examined', async () => {
    const { fake } = await openReport();
    const gone = { ...report.streams[0]!, erased: true, places: [] };
    fake.finish('work-1', { ...report, streams: [gone] });
    await screen.findByText('Nothing was found, but not everything could be checked.');
    expect(screen.getByText('nothing found')).toBeTruthy();
    expect(screen.queryByText('Nothing is left.')).toBeNull();
  });

  test('saves the report where the main process was told to, and holds the files against it later', async () => {
    const { fake, user } = await openReport();
    fake.finish('work-1', report);
    await user.click(await screen.findByRole('button', { name: 'Save as HTML…' }));
    await screen.findByText('Saved as /reports/erasure-report.html.');
    expect(fake.requestsOf('saveErasure')).toEqual([{ id: 'work-1', form: 'html' }]);
    await user.click(screen.getByRole('button', { name: 'Check again and compare' }));
    await waitFor(() => expect(fake.work).toHaveLength(2));
    expect(fake.work[1]!.request).toMatchObject({
      streams: ['person-1', 'a b'],
      recheck: {
        takenAt: report.takenAt,
        files: [{ file: 'chunk-000001.000000', sha256: 'ab'.repeat(32) }]
      }
    });
  });
});
