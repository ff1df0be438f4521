import { screen, waitFor, within } from '@testing-library/svelte';
import { describe, expect, test } from 'vitest';
import { plan } from '../fake-database.ts';
import { openWindow, type OpenWindow } from '../render-app.ts';

async function openRescue(): Promise<OpenWindow> {
  const opened = await openWindow();
  await opened.show('Rescue');
  await screen.findByRole('heading', { name: 'Free a full disk' });
  return opened;
}

describe('a rescue', () => {
  test('runs exactly the plan that was seen and confirmed', async () => {
    const { fake, user } = await openRescue();
    await user.click(screen.getByRole('button', { name: 'Make the plan' }));
    await waitFor(() => expect(fake.work).toHaveLength(1));
    expect(fake.requestsOf('startWork')[0]).toMatchObject({ name: 'planRescue', nodeId: 'node-1' });
    fake.finish(fake.work[0]!.id, plan);
    await user.click(await screen.findByRole('button', { name: 'Remove 977 KiB from orders…' }));
    const dialog = await screen.findByRole('alertdialog');
    await user.click(within(dialog).getByRole('button', { name: 'Remove 977 KiB from orders' }));
    await waitFor(() =>
      expect(fake.requestsOf('startWork')[1]).toMatchObject({ name: 'runRescue', planId: plan.planId })
    );
  });
});
