/** Opens the whole window over a fake main process, ready for a test to look and act. */
import { render, screen, waitFor } from '@testing-library/svelte';
import userEvent from '@testing-library/user-event';
import App from '../../src-renderer/App.svelte';
import { FakeWorkbench } from './fake-workbench.ts';

export interface OpenWindow {
  fake: FakeWorkbench;
  user: ReturnType<typeof userEvent.setup>;
  /** Goes to a view by its tab. */
  show: (view: string) => Promise<void>;
}

export async function openWindow(
  prepare: (fake: FakeWorkbench) => void = () => undefined
): Promise<OpenWindow> {
  const fake = new FakeWorkbench();
  prepare(fake);
  fake.install();
  delete document.documentElement.dataset['ready'];
  render(App);
  await waitFor(() => {
    if (document.documentElement.dataset['ready'] !== 'true') throw new Error('not ready yet');
  });
  const user = userEvent.setup();
  return {
    fake,
    user,
    show: async (view) => {
      if (view !== 'Schedule') return user.click(await screen.findByRole('tab', { name: view }));
      // In no list of views: it belongs to a cluster, and of a node is reached by its own command.
      await user.keyboard('{Control>}k{/Control}');
      return user.click(await screen.findByText('Schedule of this node…'));
    }
  };
}
