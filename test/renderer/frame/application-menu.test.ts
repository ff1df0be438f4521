import { screen, waitFor } from '@testing-library/svelte';
import type { MenuItemConstructorOptions } from 'electron';
import { expect, test } from 'vitest';
import { menuTemplate } from '../../../src-main/window/menu-template.ts';
import { openWindow } from '../render-app.ts';

const parts = { isPackaged: true, recent: [{ id: 'node-1', name: 'R&D' }], run: () => undefined };

function itemsOf(template: readonly MenuItemConstructorOptions[]): MenuItemConstructorOptions[] {
  return template.flatMap((item) =>
    Array.isArray(item.submenu) ? [item, ...itemsOf(item.submenu)] : [item]
  );
}

test.each(['linux', 'darwin', 'win32'] as const)(
  'every item on %s is a command of the page',
  async (platform) => {
    const { fake } = await openWindow();
    await waitFor(() => expect(fake.requestsOf('tellObstacles')).not.toEqual([]));
    const named = itemsOf(menuTemplate({ ...parts, platform })).flatMap(({ id }) => id ?? []);
    expect(named.length).toBeGreaterThan(30);
    // A command that does not exist would do nothing when it is chosen: the page names none such to the test.
    const known = new Set<string>();
    const { commandsOf } = await import('../../../src-renderer/state/commands/commands.ts');
    const { Workbench } = await import('../../../src-renderer/state/workbench.svelte.ts');
    const workbench = new Workbench();
    workbench.nodes.take(fake.nodes);
    for (const { id } of commandsOf(workbench)) known.add(id);
    expect(named.filter((id) => !known.has(id))).toEqual([]);
  }
);

test('shows as impossible what the page says, and a name with its ampersand', () => {
  const obstructed = new Set(['backup']);
  const items = itemsOf(menuTemplate({ ...parts, platform: 'linux', obstructed }));
  expect(items.find(({ id }) => id === 'backup')?.enabled).toBe(false);
  expect(items.find(({ id }) => id === 'plan')?.enabled).toBe(true);
  expect(items.find(({ id }) => id === 'node.node-1')?.label).toBe('R&&D');
});

test('what cannot be done without a node is told to the menu, and said when it is chosen all the same', async () => {
  const { fake } = await openWindow((prepared) => {
    prepared.openNodeId = null;
  });
  await waitFor(() => {
    const [told] = fake.requestsOf('tellObstacles') as { commands: string[] }[];
    expect(told?.commands).toEqual(
      expect.arrayContaining(['plan', 'verify', 'view.chunks', 'clusters.rename'])
    );
    expect(told?.commands).not.toContain('openDirectory');
  });
  fake.send({ kind: 'command', id: 'verify' });
  expect(await screen.findByText('Open a node first.')).toBeTruthy();
  expect(fake.work).toEqual([]);
});

test('carries out what is chosen in the menu', async () => {
  const { fake } = await openWindow();
  fake.send({ kind: 'command', id: 'settings' });
  expect(await screen.findByRole('heading', { name: 'Settings' })).toBeTruthy();
  fake.send({ kind: 'command', id: 'view.chunks' });
  expect(await screen.findByRole('tab', { name: 'Chunks', selected: true })).toBeTruthy();
});
