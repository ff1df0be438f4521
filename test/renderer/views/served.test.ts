import { render, screen, waitFor } from '@testing-library/svelte';
import userEvent from '@testing-library/user-event';
import { afterEach, describe, expect, test, vi } from 'vitest';
import App from '../../../src-renderer/App.svelte';
import { FakeNodeServer } from '../api/fake-node-server.ts';
import { node } from '../fake-database.ts';
import { openWindow } from '../render-app.ts';
import { servedTo } from '../served-to.ts';

// A loaded machine takes its time.
vi.setConfig({ testTimeout: 60_000 });

afterEach(() => {
  vi.unstubAllGlobals();
  location.hash = '';
});

describe('in a browser', () => {
  test('nothing that needs a dialog of the system is offered', async () => {
    const { show } = await openWindow((fake) => {
      fake.capabilities = servedTo('ops');
    });
    expect(await screen.findByRole('button', { name: 'Log out ops' })).toBeTruthy();
    expect(screen.getByRole('button', { name: 'Open…' })).toBeTruthy();
    await show('Backups');
    expect(await screen.findByRole('button', { name: 'Choose a directory…' })).toBeTruthy();
    expect(screen.queryByRole('button', { name: /store/i })).toBeNull();
    expect(screen.queryByText('read only')).toBeNull();
  });

  test('settings say in words what this user may not see, and size and notices are the browser’s', async () => {
    const { user } = await openWindow((fake) => {
      fake.capabilities = servedTo('joe', { writes: false });
    });
    await user.click(screen.getByRole('button', { name: 'Settings' }));
    expect(await screen.findByRole('group', { name: 'Theme' })).toBeTruthy();
    expect(screen.queryByRole('group', { name: 'Zoom' })).toBeNull();
    expect(screen.queryByRole('checkbox', { name: /Notify me/ })).toBeNull();
    for (const [section, words] of [
      ['Users', /^Only users with the role/],
      ['Node settings', /^This user needs the role/],
      ['Backup targets', /^This user needs the role/],
      ['Licence', /^Only users with the role .* choose the licence/]
    ] as const) {
      await user.click(screen.getByRole('button', { name: section }));
      expect(await screen.findByText(words)).toBeTruthy();
    }
  });

  test('the place stands in the address bar and is gone to again', async () => {
    const served = (fake: Parameters<NonNullable<Parameters<typeof openWindow>[0]>>[0]): void => {
      fake.capabilities = servedTo('ops');
    };
    location.hash = `#${node.id}/verify`;
    await openWindow(served);
    const isSelected = (name: string): boolean =>
      screen.getByRole('tab', { name }).getAttribute('aria-selected') === 'true';
    expect(isSelected('Check and repair')).toBe(true);
    location.hash = `#${node.id}/index`;
    window.dispatchEvent(new HashChangeEvent('hashchange'));
    await waitFor(() => expect(isSelected('Index')).toBe(true));
  });

  test('a user without a role is told so in the place of what writes', async () => {
    const { show } = await openWindow((fake) => {
      fake.nodes = [{ ...node, backupTarget: '/backups' }];
      fake.capabilities = servedTo('joe', { writes: false });
    });
    expect(await screen.findByText('read only')).toBeTruthy();
    await show('Backups');
    expect((await screen.findAllByText(/^This user needs the role/)).length).toBeGreaterThan(0);
    expect(screen.queryByRole('button', { name: /^Plan/ })).toBeNull();
  });

  test('nodes are opened in the folder chooser, clusters are an administrator’s, schedules an operator’s', async () => {
    const { show, user } = await openWindow((fake) => {
      fake.capabilities = servedTo('ops');
    });
    await user.click(await screen.findByRole('button', { name: 'Open…' }));
    expect(await screen.findByRole('button', { name: /^Open a data directory/ })).toBeTruthy();
    expect(screen.queryByRole('button', { name: /configuration/ })).toBeNull();
    expect(screen.queryByRole('button', { name: /cluster/i })).toBeNull();
    await user.click(screen.getAllByRole('button', { name: new RegExp(node.name) })[0]!);
    await show('Schedule');
    expect(await screen.findByRole('textbox', { name: 'CRON expression' })).toBeTruthy();
  });

  test('a reader sees a schedule and what it waits for, and nothing to change it with', async () => {
    const { show } = await openWindow((fake) => {
      fake.capabilities = servedTo('joe', { writes: false });
    });
    await show('Schedule');
    expect(await screen.findByRole('heading', { name: 'No schedule yet' })).toBeTruthy();
    expect(screen.queryByRole('textbox', { name: 'CRON expression' })).toBeNull();
    expect(
      screen.queryByRole('button', { name: /Save|evaluation|Choose a licence|Pause|Run now/ })
    ).toBeNull();
    expect(screen.queryByRole('button', { name: 'Open…' })).toBeNull();
  });

  test('the log-in comes first, tells what was wrong, and leads on', async () => {
    vi.stubGlobal('workbench', undefined);
    Reflect.deleteProperty(globalThis, 'workbench');
    const service = new FakeNodeServer().install();
    service.state = { ...service.state, openNodeId: null };
    render(App);
    const user = userEvent.setup();
    await user.type(await screen.findByRole('textbox', { name: 'User' }), 'ops');
    await user.type(screen.getByLabelText('Password'), 'wrong');
    await user.click(screen.getByRole('button', { name: 'Log in' }));
    expect(await screen.findByText('Wrong user or password.')).toBeTruthy();
    await user.type(screen.getByLabelText('Password'), 'right');
    await user.click(screen.getByRole('button', { name: 'Log in' }));
    expect(await screen.findByRole('heading', { name: 'Open a database' })).toBeTruthy();
    expect(screen.queryByRole('textbox', { name: 'User' })).toBeNull();
  });
});
