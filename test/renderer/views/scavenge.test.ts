import { screen, waitFor, within } from '@testing-library/svelte';
import { describe, expect, test } from 'vitest';
import type { WorkSnapshot } from '../../../src-main/contract/verbs/workbench-contract.ts';
import { stationsOf } from '../../../src-renderer/views/scavenge/stations.ts';
import { chunkSquares } from '../../../src-renderer/state/scavenge/run-progress.ts';
import { shownStep } from '../../../src-renderer/state/scavenge/scavenge-step.ts';
import { inspection, node, notResumedInspections, plan, unfinishedInspection } from '../fake-database.ts';
import type { FakeWorkbench } from '../fake-workbench.ts';
import { openWindow, type OpenWindow } from '../render-app.ts';

async function openScavenge(prepare?: (fake: FakeWorkbench) => void): Promise<OpenWindow> {
  const opened = await openWindow(prepare);
  await opened.show('Scavenge');
  await screen.findByRole('heading', { name: 'Options' });
  return opened;
}

async function makePlan({ fake, user }: OpenWindow): Promise<void> {
  await user.click(screen.getByRole('button', { name: /^Make the plan/ }));
  await waitFor(() => expect(fake.work).toHaveLength(1));
  fake.finish(fake.work[0]!.id, plan);
  await screen.findByRole('region', { name: 'Plan' });
}

/** By the line of stations. */
async function goTo({ user }: OpenWindow, step: string): Promise<void> {
  const steps = screen.getByRole('navigation', { name: 'Steps of the scavenge' });
  await user.click(within(steps).getByRole('button', { name: step }));
}

describe('a scavenge', () => {
  test('by the clock is one click away', async () => {
    const { user } = await openScavenge();
    await user.click(screen.getByRole('button', { name: 'Schedule…' }));
    expect(await screen.findByRole('heading', { name: 'No schedule yet' })).toBeTruthy();
  });

  test('writes nothing before its plan was seen and confirmed with the consequence in words', async () => {
    const opened = await openScavenge();
    await makePlan(opened);
    const { fake, user } = opened;
    expect(screen.getByText('Would free 977 KiB (928 KiB log + 48.8 KiB index)')).toBeTruthy();
    await user.click(screen.getByRole('button', { name: 'Remove 977 KiB from orders…' }));
    const dialog = await screen.findByRole('alertdialog');
    expect(within(dialog).getByText(/removes 30 records from 2 chunks/)).toBeTruthy();
    await waitFor(() => expect(document.activeElement?.textContent).toBe('Cancel'));
    expect(fake.requestsOf('startWork')).toHaveLength(1);
    await user.click(within(dialog).getByRole('button', { name: 'Remove 977 KiB from orders' }));
    await waitFor(() => expect(fake.requestsOf('startWork')).toHaveLength(2));
    expect(fake.requestsOf('startWork')[1]).toMatchObject({
      name: 'runScavenge',
      nodeId: 'node-1',
      planId: plan.planId,
      request: { scavengePoint: 'auto', threshold: 0 }
    });
  });

  test('shows its phases live, what is safe already, and can be stopped', async () => {
    const opened = await openScavenge();
    await makePlan(opened);
    const { fake, user } = opened;
    const started = await window.workbench.startWork({ name: 'runScavenge', nodeId: 'node-1', request: {} });
    if (!started.ok) throw new Error('not started');
    fake.change(started.value.id, {
      progress: {
        operation: 'runScavenge',
        dataDirectory: '',
        phase: 'chunkExecution',
        done: 2,
        total: 4,
        unit: 'chunks',
        savedBytes: 700_000,
        elapsedMs: 5000,
        message: null
      },
      ratePerSecond: 2,
      remainingMs: 60_000,
      phases: [{ phase: 'accumulation', startedMs: 0, endedMs: 1500 }]
    });
    const run = await screen.findByRole('region', { name: 'Run' });
    expect(await within(run).findByText('684 KiB freed and safe on disk')).toBeTruthy();
    expect(within(run).getByText('2 / 4 chunks')).toBeTruthy();
    // Of the phase and of the whole run, which was expected to be shorter and cannot be.
    expect(within(run).getAllByText('about 1 min left')).toHaveLength(2);
    expect(within(run).getByText('1.5 s')).toBeTruthy();
    await user.click(within(run).getByRole('button', { name: 'Stop' }));
    expect(fake.requestsOf('stopWork')).toEqual([{ id: started.value.id }]);
  });

  test('ends with a report and an offer to verify', async () => {
    const opened = await openScavenge();
    const { fake, user } = opened;
    const started = await window.workbench.startWork({ name: 'runScavenge', nodeId: 'node-1', request: {} });
    if (!started.ok) throw new Error('not started');
    fake.finish(started.value.id, plan);
    expect(await screen.findByText('The scavenge is complete.')).toBeTruthy();
    expect(screen.getByText('977 KiB freed, 30 records removed.')).toBeTruthy();
    expect(screen.getByText('3.4 s')).toBeTruthy();
    await user.click(screen.getByRole('button', { name: 'Verify now' }));
    await waitFor(() =>
      expect(fake.requestsOf('startWork').at(-1)).toMatchObject({ name: 'verifyDatabase' })
    );
  });

  test('names many warnings of one kind without losing any', async () => {
    const opened = await openScavenge();
    const warnings = Array.from({ length: 5 }, (_, index) => ({
      code: 'keptLarger',
      message: `Chunk ${index} stays.`,
      remedy: 'Nothing to do.'
    }));
    await opened.user.click(screen.getByRole('button', { name: 'Make the plan' }));
    await waitFor(() => expect(opened.fake.work).toHaveLength(1));
    opened.fake.finish(opened.fake.work[0]!.id, { ...plan, warnings });
    expect(
      await screen.findByText(/^5 chunks stay as they are: their new files would not be smaller/)
    ).toBeTruthy();
    expect(screen.getByText('Chunk 0 stays.')).toBeTruthy();
    expect(screen.getByText('Chunk 4 stays.')).toBeTruthy();
  });

  test('that would free nothing says so on its button, and offers to write no point', async () => {
    const opened = await openScavenge();
    const { fake, user } = opened;
    await user.click(screen.getByRole('button', { name: 'Make the plan' }));
    await waitFor(() => expect(fake.work).toHaveLength(1));
    fake.finish(fake.work[0]!.id, {
      ...plan,
      recordsDiscarded: 0,
      indexEntriesDiscarded: 0,
      spaceSavedBytes: 0,
      warnings: [{ code: 'nothingToFree', message: 'Nothing goes.', remedy: '' }]
    });
    expect(await screen.findByText('This scavenge would free nothing.')).toBeTruthy();
    expect(screen.getByRole('button', { name: 'Only write a scavenge point…' })).toBeTruthy();
    await user.click(screen.getByRole('button', { name: 'Do not write a point' }));
    expect(fake.requestsOf('forgetWork')).toEqual([{ id: 'work-1' }]);
    await waitFor(() => expect(screen.queryByText('This scavenge would free nothing.')).toBeNull());
    expect(fake.requestsOf('startWork')).toHaveLength(1);
  });

  test('names the space that the engine asks for, and is refused without it', async () => {
    const opened = await openScavenge((fake) => {
      fake.answers['inspectDatabase'] = () => ({ ...inspection, freeBytes: 1_500_000 });
    });
    await makePlan(opened);
    expect(screen.getByText(/needs 1\.91 MiB of 1\.43 MiB free meanwhile · one thread/)).toBeTruthy();
    expect(screen.getByRole<HTMLButtonElement>('button', { name: /^Remove/ }).disabled).toBe(true);
  });

  test('of a member goes to the point that its log has, when the choice is left to us', async () => {
    const { fake, user } = await openScavenge((prepared) => {
      prepared.nodes = [{ ...node, isSingleNode: false }];
    });
    await user.click(screen.getByRole('button', { name: 'Make the plan' }));
    await waitFor(() =>
      expect(fake.requestsOf('startWork')).toMatchObject([{ request: { scavengePoint: 'existing' } }])
    );
  });

  test('shows those before it, with their time and what they freed', async () => {
    const { fake } = await openScavenge();
    const table = await screen.findByRole('grid', { name: 'Scavenge history' });
    const [last, killed] = within(table).getAllByRole('row');
    expect(last?.textContent).toContain('3.1 s');
    expect(last?.textContent).toContain('7.65 MiB');
    expect(last?.textContent).toContain('done, interrupted once');
    expect(killed?.textContent).toContain('interrupted');
    expect(killed?.textContent).toContain('127.0.0.1:2113');
    expect(fake.callsOf('listHistory')).toEqual([{}]);
  });

  test('says that there was none before', async () => {
    await openScavenge((fake) => {
      fake.answers['listHistory'] = () => ({ runs: [] });
    });
    expect(await screen.findByText(/^No scavenge of this database is recorded/)).toBeTruthy();
  });

  test('is refused while the options differ from those of the plan', async () => {
    const opened = await openScavenge();
    await makePlan(opened);
    await goTo(opened, 'Options');
    await opened.user.click(screen.getByLabelText('Merge small neighbouring chunks into one file'));
    await goTo(opened, 'Plan');
    expect(screen.getByText('The options have changed since this plan was made.')).toBeTruthy();
    expect(screen.getByRole<HTMLButtonElement>('button', { name: /^Remove/ }).disabled).toBe(true);
  });

  test('is refused once the log has grown since the plan', async () => {
    const opened = await openScavenge();
    await makePlan(opened);
    opened.fake.answers['inspectDatabase'] = () => ({
      ...inspection,
      checkpoints: { ...inspection.checkpoints, writer: 6 * 1024 * 1024 }
    });
    opened.fake.send({ kind: 'changed', nodeId: 'node-1', parts: ['checkpoints'] });
    expect(await screen.findByText('The log has changed since this plan was made.')).toBeTruthy();
    expect(screen.getByRole<HTMLButtonElement>('button', { name: /^Remove/ }).disabled).toBe(true);
  });

  test('is refused on a directory that a server holds', async () => {
    const opened = await openScavenge((fake) => {
      fake.answers['inspectDatabase'] = () => ({ ...inspection, inUse: { by: 'kurrentd', pid: 7 } });
    });
    await makePlan(opened);
    expect(screen.getByRole<HTMLButtonElement>('button', { name: /^Remove/ }).disabled).toBe(true);
  });

  test('asks once whether the node is the only one, and remembers the answer', async () => {
    const { fake, user } = await openScavenge((prepared) => {
      prepared.nodes = [{ ...node, isSingleNode: null }];
    });
    expect(screen.getByRole<HTMLButtonElement>('radio', { name: /^A new point/ }).disabled).toBe(true);
    await user.click(screen.getByRole('button', { name: 'A single node' }));
    expect(fake.requestsOf('changeNode')).toEqual([{ id: 'node-1', isSingleNode: true }]);
    await waitFor(() => expect(screen.queryByRole('button', { name: 'A member of a cluster' })).toBeNull());
    expect(screen.getByRole<HTMLButtonElement>('radio', { name: /^A new point/ }).disabled).toBe(false);
  });

  const unfinished = (prepared: FakeWorkbench): void => {
    prepared.answers['inspectDatabase'] = () => unfinishedInspection;
  };

  test.each(notResumedInspections)(
    'is not said to be resumed from a state with %s',
    async (_what, report) => {
      await openScavenge((prepared) => {
        prepared.answers['inspectDatabase'] = () => report;
      });
      expect(screen.queryByText('There is an unfinished scavenge')).toBeNull();
      expect(screen.queryByRole('button', { name: 'Resume scavenge' })).toBeNull();
    }
  );

  test('of a directory that a server holds can be planned, and is not offered to be resumed', async () => {
    const opened = await openScavenge((prepared) => {
      prepared.answers['inspectDatabase'] = () => ({
        ...unfinishedInspection,
        inUse: { by: 'kurrentd', pid: 7 }
      });
    });
    expect(screen.queryByText('There is an unfinished scavenge')).toBeNull();
    await makePlan(opened);
  });

  test('tells which point an unfinished one goes to', async () => {
    await openScavenge(unfinished);
    expect(await screen.findByText(/^A scavenge to point 0 was stopped or interrupted/)).toBeTruthy();
  });

  test('that somebody left unfinished is planned, and that plan is run', async () => {
    const { fake, user } = await openScavenge(unfinished);
    await user.click(await screen.findByRole('button', { name: 'Resume scavenge' }));
    const request = { scavengePoint: 'existing' };
    await waitFor(() =>
      expect(fake.requestsOf('startWork')).toMatchObject([{ name: 'planScavenge', request }])
    );
    fake.finish(fake.work[0]!.id, { ...plan, planId: 'plan-of-the-rest' });
    await waitFor(() =>
      expect(fake.requestsOf('startWork')[1]).toMatchObject({
        name: 'runScavenge',
        request,
        planId: 'plan-of-the-rest'
      })
    );
  });

  test('that was stopped here is resumed by what is left of its plan', async () => {
    const { fake, user } = await openScavenge(unfinished);
    const request = { scavengePoint: 'new', threshold: 7 };
    const started = await window.workbench.startWork({ name: 'runScavenge', nodeId: 'node-1', request });
    if (!started.ok) throw new Error('not started');
    fake.finish(started.value.id, { ...plan, result: 'stopped', planId: 'plan-of-the-rest' });
    fake.change(started.value.id, { state: 'stopped' });
    await user.click(await screen.findByRole('button', { name: 'Resume scavenge' }));
    await waitFor(() =>
      expect(fake.requestsOf('startWork').at(-1)).toMatchObject({
        name: 'runScavenge',
        request,
        planId: 'plan-of-the-rest'
      })
    );
  });

  test('says why it failed where it was started', async () => {
    const opened = await openScavenge();
    const { fake, user } = opened;
    await user.click(screen.getByRole('button', { name: 'Make the plan' }));
    await waitFor(() => expect(fake.work).toHaveLength(1));
    fake.change(fake.work[0]!.id, {
      state: 'failed',
      endedMs: 5,
      error: {
        code: 'LogCorrupt',
        message: 'Record at 100 is cut.',
        remedy: 'Verify.',
        details: { offset: 228 }
      }
    });
    expect(await screen.findByText('Record at 100 is cut.')).toBeTruthy();
  });
});

test('stations behind the current phase are done, those after it ahead', () => {
  const stations = stationsOf({
    id: '1',
    name: 'runScavenge',
    nodeId: null,
    title: '',
    state: 'running',
    startedMs: 0,
    endedMs: null,
    progress: {
      operation: '',
      dataDirectory: '',
      phase: 'calculation',
      done: 0,
      total: null,
      unit: 'streams',
      savedBytes: 0,
      elapsedMs: 0,
      message: null
    },
    ratePerSecond: null,
    remainingMs: null,
    phases: [
      { phase: 'beginning', startedMs: 0, endedMs: 10 },
      { phase: 'accumulation', startedMs: 10, endedMs: 40 },
      { phase: 'calculation', startedMs: 40, endedMs: null }
    ],
    log: [],
    error: null,
    request: {},
    writerCheckpoint: null,
    directory: null,
    backupTarget: null
  });
  expect(stations.map(({ state }) => state)).toEqual([
    'done',
    'done',
    'current',
    'ahead',
    'ahead',
    'ahead',
    'ahead'
  ]);
  expect(stations[1]?.elapsedMs).toBe(30);
});

const work: Omit<WorkSnapshot, 'state' | 'endedMs' | 'progress' | 'phases'> = {
  id: '1',
  name: 'runScavenge',
  nodeId: null,
  title: '',
  startedMs: 0,
  ratePerSecond: null,
  remainingMs: null,
  log: [],
  error: null,
  request: {},
  writerCheckpoint: null,
  directory: null,
  backupTarget: null
};
const progressOf = (done: number, total: number) => ({
  operation: '',
  dataDirectory: '',
  phase: 'chunkExecution',
  done,
  total,
  unit: 'chunks' as const,
  savedBytes: 0,
  elapsedMs: 0,
  message: null
});

test('a run that was stopped waits at its phase; its chunks are those that were left', () => {
  const stopped = { ...work, state: 'stopped' as const, endedMs: 50, phases: [], progress: progressOf(1, 3) };
  expect(stationsOf(stopped)[3]?.state).toBe('current');
  expect(chunkSquares(plan, stopped).map(({ state }) => state)).toEqual(['done', 'ahead', 'stays']);
  const resumed = {
    ...work,
    state: 'running' as const,
    endedMs: null,
    phases: [],
    progress: progressOf(0, 2)
  };
  expect(chunkSquares(plan, resumed).map(({ state }) => state)).toEqual(['done', 'current', 'stays']);
});

describe('the steps of a scavenge', () => {
  const none = { hasPlan: false, isPlanning: false, isRunning: false, hasResult: false };

  test('follow the work, and stay where the address says while there is something to see', () => {
    expect(shownStep(undefined, none)).toBe('options');
    expect(shownStep(undefined, { ...none, hasPlan: true })).toBe('plan');
    expect(shownStep(undefined, { ...none, hasPlan: true, isRunning: true })).toBe('run');
    expect(shownStep('options', { ...none, hasPlan: true, isRunning: true })).toBe('options');
    expect(shownStep('run', { ...none, hasPlan: true, hasResult: true })).toBe('result');
    expect(shownStep('nonsense', none)).toBe('options');
  });

  test('a plan shows what goes by rule, with sums that end at the bytes that are freed', async () => {
    const opened = await openScavenge();
    const { fake, user } = opened;
    await user.click(screen.getByRole('button', { name: 'Make the plan' }));
    await waitFor(() => expect(fake.work).toHaveLength(1));
    expect(fake.requestsOf('startWork')[0]).toMatchObject({ request: { breakdown: true } });
    const items = { items: [], itemCount: 0 };
    const byRule = [
      { rule: 'maxAge' as const, records: 20, bytes: 800_000, streams: 2 },
      { rule: 'maxCount' as const, records: 10, bytes: 100_000, streams: 1 }
    ];
    const removed = { records: 30, bytes: 900_000, byRule, byCategory: items, byStream: items };
    fake.finish(fake.work[0]!.id, { ...plan, removed });
    const table = await screen.findByRole('grid', { name: 'By rule' });
    expect(await within(table).findByRole('row', { name: /^Maximum age 2 20 781 KiB/ })).toBeTruthy();
    const sums = screen.getByRole('table', { name: 'Sum' });
    expect(within(sums).getByRole('row', { name: /^Records removed 30 records 879 KiB/ })).toBeTruthy();
    expect(within(sums).getByRole('row', { name: /^Freed on disk 977 KiB/ })).toBeTruthy();
  });

  test('a pause stops the run in an orderly way, and what is left of it is resumed', async () => {
    const opened = await openScavenge();
    await makePlan(opened);
    const { fake, user } = opened;
    const started = await window.workbench.startWork({ name: 'runScavenge', nodeId: 'node-1', request: {} });
    if (!started.ok) throw new Error('not started');
    await user.click(await screen.findByRole('button', { name: 'Pause' }));
    expect(fake.requestsOf('stopWork')).toEqual([{ id: started.value.id }]);
    fake.finish(started.value.id, { ...plan, result: 'stopped', planId: 'plan-of-the-rest' });
    fake.change(started.value.id, { state: 'stopped' });
    expect(await screen.findByRole('heading', { name: 'Paused' })).toBeTruthy();
    await user.click(screen.getByRole('button', { name: 'Resume scavenge' }));
    await waitFor(() =>
      expect(fake.requestsOf('startWork').at(-1)).toMatchObject({
        name: 'runScavenge',
        planId: 'plan-of-the-rest'
      })
    );
  });
});
