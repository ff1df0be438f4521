import { screen, waitFor, within } from '@testing-library/svelte';
import { describe, expect, test } from 'vitest';
import { freedByMinute, rescueSteps } from '../../../src-renderer/state/scavenge/rescue-curve.ts';
import { plan } from '../fake-database.ts';
import { openWindow, type OpenWindow } from '../render-app.ts';

async function openRescue(): Promise<OpenWindow> {
  const opened = await openWindow();
  await opened.show('Rescue');
  await screen.findByRole('heading', { name: 'Free a full disk' });
  return opened;
}

describe('a rescue', () => {
  test('runs exactly the plan that was seen and confirmed, and shows it beside its result', async () => {
    const { fake, user } = await openRescue();
    await user.type(screen.getByLabelText('Always leave free'), '1');
    await user.click(screen.getByRole('button', { name: 'Make the plan' }));
    await waitFor(() => expect(fake.work).toHaveLength(1));
    expect(fake.requestsOf('startWork')[0]).toMatchObject({
      name: 'planRescue',
      nodeId: 'node-1',
      request: { scavengePoint: 'auto', reserveBytes: 1024 * 1024 }
    });
    fake.finish(fake.work[0]!.id, { ...plan, estimatedMs: 120_000 });
    const table = await screen.findByRole('grid', { name: /^The plan, chunk by chunk/ });
    expect((await within(table).findAllByRole('row'))[0]?.textContent).toContain('684 KiB');
    await user.click(await screen.findByRole('button', { name: 'Remove 977 KiB from orders…' }));
    const dialog = await screen.findByRole('alertdialog');
    await user.click(within(dialog).getByRole('button', { name: 'Remove 977 KiB from orders' }));
    await waitFor(() =>
      expect(fake.requestsOf('startWork')[1]).toMatchObject({ name: 'runRescue', planId: plan.planId })
    );
    fake.finish(fake.work.at(-1)!.id, plan);
    expect(await screen.findByText('The rescue is complete.')).toBeTruthy();
    const compared = screen.getByRole('table', { name: 'Expected and actual' });
    expect(within(compared).getByRole('row', { name: /^Freed on disk .* as planned/ })).toBeTruthy();
  });

  test('keeps the state of its run in a directory that was chosen', async () => {
    const { fake, user } = await openRescue();
    await user.click(screen.getByText('More options'));
    await user.click(screen.getByRole('button', { name: 'Choose…' }));
    await screen.findByRole('button', { name: 'Back to the data of Winnow' });
    expect(fake.requestsOf('choosePath')).toEqual([{ purpose: 'rescueScratch' }]);
    await user.click(screen.getByRole('button', { name: 'Make the plan' }));
    await waitFor(() => expect(fake.work).toHaveLength(1));
    expect(fake.requestsOf('startWork')[0]).toMatchObject({
      request: { scratchPlace: expect.any(String) as string }
    });
  });

  test('cannot be started from a plan whose options were changed since', async () => {
    const { fake, user } = await openRescue();
    await user.click(screen.getByRole('button', { name: 'Make the plan' }));
    await waitFor(() => expect(fake.work).toHaveLength(1));
    fake.finish(fake.work[0]!.id, plan);
    await user.click(await screen.findByRole('button', { name: 'Back to the options' }));
    await user.type(screen.getByLabelText('Use at most'), '3');
    await user.click(screen.getByRole('button', { name: 'Plan' }));
    expect(screen.getByText('The options have changed since this plan was made.')).toBeTruthy();
    expect(screen.getByRole<HTMLButtonElement>('button', { name: /^Remove/ }).disabled).toBe(true);
  });
});

test('what is freed grows in the order of the plan, and is told for the end of each minute', () => {
  const steps = rescueSteps(plan);
  expect(steps.map(({ freedSoFar }) => freedSoFar)).toEqual([700_000, 1_000_000]);
  expect(steps[0]!.gain).toBeGreaterThan(steps[1]!.gain);
  expect(steps.at(-1)!.doneAt).toBe(1);
  expect(freedByMinute(steps, 120_000)).toEqual([
    { minute: 1, freedBytes: 0 },
    { minute: 2, freedBytes: 1_000_000 }
  ]);
});
