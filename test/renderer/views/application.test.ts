/** Settings, activity and about: places of the application, reached without a node and from one. */
import { screen, waitFor, within } from '@testing-library/svelte';
import { afterEach, expect, test } from 'vitest';
import { formatBytes } from '../../../src-renderer/format/bytes.ts';
import { formatCount } from '../../../src-renderer/format/count.ts';
import { setNumberStyle } from '../../../src-renderer/format/number-style.svelte.ts';
import { applicationAddress, applicationPlaceOf } from '../../../src-renderer/state/application-place.ts';
import { servedTo } from '../served-to.ts';
import { nodeWithBackups } from '../fake-backups.ts';
import { openWindow } from '../render-app.ts';

afterEach(() => setNumberStyle('comma'));

test('settings open from the title line and by Ctrl and comma, and the tabs of the node lead back', async () => {
  const { user, show } = await openWindow();
  await user.keyboard('{Control>},{/Control}');
  await screen.findByRole('heading', { level: 1, name: 'Settings' });
  await show('Chunks');
  await waitFor(() => expect(screen.queryByRole('heading', { level: 1, name: 'Settings' })).toBeNull());
  await user.click(screen.getByRole('button', { name: 'Settings' }));
  await screen.findByRole('heading', { level: 1, name: 'Settings' });
});

test('a backup target that was removed comes back', async () => {
  const { fake, user } = await openWindow((prepared) => {
    prepared.nodes = [nodeWithBackups];
  });
  await user.keyboard('{Control>},{/Control}');
  await user.click(await screen.findByRole('button', { name: 'Backup targets' }));
  await user.hover(await screen.findByText(nodeWithBackups.backupTarget!));
  await user.click(await screen.findByRole('button', { name: 'More actions' }));
  await user.click(await screen.findByRole('menuitem', { name: 'Remove' }));
  await waitFor(() => expect(screen.queryByText(nodeWithBackups.backupTarget!)).toBeNull());
  await user.click(await screen.findByRole('button', { name: 'Undo' }));
  expect(await screen.findByText(nodeWithBackups.backupTarget!)).toBeTruthy();
  expect(fake.requestsOf('recallBackupTarget')).toEqual([{ nodeId: nodeWithBackups.id }]);
});

test('settings of a node show value, source, default and meaning, and can be searched', async () => {
  const { user, fake } = await openWindow();
  await user.click(screen.getByRole('button', { name: 'Settings' }));
  await user.click(await screen.findByRole('button', { name: 'Node settings' }));
  const row = await screen.findByRole('row', { name: /ClusterSize/ });
  expect(within(row).getByText('3')).toBeDefined();
  expect(row.textContent).toContain('kurrentdb.conf:2');
  expect(row.textContent).toContain('Full members of the cluster.');
  expect(screen.getByText(/is deprecated/)).toBeDefined();
  await user.click(screen.getByRole('checkbox', { name: 'Only settings that are set' }));
  expect(screen.queryByRole('row', { name: /ScavengeHistoryMaxAge/ })).toBeNull();
  expect(fake.requestsOf('listSettings')).toEqual([{ nodeId: fake.nodes[0]!.id }]);
});

test('numbers are written as a person wants them, everywhere and at once', async () => {
  const { user, fake } = await openWindow();
  await user.click(screen.getByRole('button', { name: 'Settings' }));
  await user.selectOptions(await screen.findByRole('combobox', { name: 'Numbers' }), 'point');
  await waitFor(() => expect(formatCount(1_234_567)).toBe('1.234.567'));
  expect(formatBytes(13_400_000_000)).toBe('12,5 GiB');
  expect(fake.requestsOf('changePreferences')).toEqual([{ numbers: 'point' }]);
});

test('the size of the page is changed by keys and by buttons', async () => {
  const { user, fake } = await openWindow();
  await user.keyboard('{Control>}+{/Control}');
  await user.click(screen.getByRole('button', { name: 'Settings' }));
  await screen.findByText('110 %');
  await user.click(screen.getByRole('button', { name: 'Smaller' }));
  await screen.findByText('100 %');
  expect(fake.requestsOf('zoom')).toEqual([{ step: 'in' }, { step: 'out' }]);
});

test('motion is reduced when the user says so', async () => {
  const { user } = await openWindow();
  await user.click(screen.getByRole('button', { name: 'Settings' }));
  await user.click(await screen.findByRole('checkbox', { name: 'Reduce motion' }));
  await waitFor(() => expect(document.documentElement.dataset['motion']).toBe('none'));
});

test('users are added and removed, a removal after a question', async () => {
  const { user, fake } = await openWindow();
  await user.click(screen.getByRole('button', { name: 'Settings' }));
  await user.click(await screen.findByRole('button', { name: 'Users' }));
  await user.type(await screen.findByRole('textbox', { name: 'User' }), 'alice');
  await user.selectOptions(screen.getByRole('combobox', { name: 'Role' }), 'admin');
  await user.type(screen.getByLabelText('Password'), 'a long password');
  await user.click(screen.getByRole('button', { name: 'Add user' }));
  await screen.findByRole('row', { name: /alice/ });
  expect(fake.requestsOf('addUser')).toEqual([{ name: 'alice', role: 'admin', password: 'a long password' }]);
  await user.click(screen.getByRole('button', { name: 'Remove ops' }));
  const dialog = await screen.findByRole('alertdialog');
  await user.click(within(dialog).getByRole('button', { name: 'Remove ops' }));
  await waitFor(() => expect(fake.requestsOf('removeUser')).toEqual([{ name: 'ops' }]));
});

test('activity lists what was done, and copies one without names unless they are wanted', async () => {
  const { user, fake } = await openWindow();
  await user.click(screen.getByRole('button', { name: 'Activity' }));
  const table = await screen.findByRole('grid', { name: 'Operations' });
  await user.click(await within(table).findByRole('row', { name: /Scavenge.*failed/ }));
  await screen.findByText('The disk is full.');
  expect(screen.getByText('Chunk 3 was rewritten.')).toBeDefined();
  await user.click(screen.getByRole('button', { name: 'Copy details' }));
  await waitFor(() => expect(fake.requestsOf('copyText')).toEqual([{ text: 'details without names' }]));
  await user.click(screen.getByRole('checkbox', { name: 'include stream names' }));
  await user.click(screen.getByRole('button', { name: /Copied|Copy details/ }));
  await waitFor(() => expect(fake.requestsOf('copyText')).toHaveLength(2));
  expect(fake.requestsOf('copyText')[1]).toEqual({ text: 'details with names' });
});

test('activity: a verification that found damage is not well done, and what was asked and found stands in words', async () => {
  const { user } = await openWindow();
  await user.click(screen.getByRole('button', { name: 'Activity' }));
  const table = await screen.findByRole('grid', { name: 'Operations' });
  const row = await within(table).findByRole('row', { name: /Verify.*found damage/ });
  expect(within(row).getByText('found damage').className).toContain('bad');
  await user.click(row);
  const detail = (await screen.findByText('Request')).parentElement!;
  for (const words of ['Quick', 'Unknown things', 'Chunks read', 'Bytes read', 'OK', 'Verdict of all']) {
    within(detail).getByText(words);
  }
  within(detail).getByText('1.43 MiB');
  within(detail).getByText('will not start');
  expect(detail.textContent).not.toMatch(/unknownThings|chunksRead|bytesRead|elapsedMs|false|willNotStart/);
});

test('activity is searched by what a person sees', async () => {
  const { user } = await openWindow();
  await user.click(screen.getByRole('button', { name: 'Activity' }));
  const table = await screen.findByRole('grid', { name: 'Operations' });
  await within(table).findByRole('row', { name: /Verify/ });
  await user.type(screen.getByRole('searchbox'), 'command line');
  await waitFor(() => expect(within(table).queryByRole('row', { name: /Verify/ })).toBeNull());
  expect(within(table).getByRole('row', { name: /Scavenge/ })).toBeDefined();
});

test('about shows versions, formats, libraries with their licences, and saves the bill of materials', async () => {
  const { user, fake } = await openWindow();
  await user.keyboard('{Control>}k{/Control}');
  await user.type(await screen.findByRole('combobox'), 'about winnow');
  await user.click(await screen.findByRole('option', { name: /About Winnow/ }));
  await screen.findByText('42.0.0');
  await user.click(screen.getByRole('button', { name: /zod/ }));
  await screen.findByText('MIT License');
  await user.click(screen.getByRole('button', { name: 'Save the bill of materials…' }));
  await screen.findByText('Saved as /home/winnow.cdx.json');
  expect(fake.requestsOf('readLicence')).toEqual([{ name: 'zod', version: '4.6.7' }]);
});

test('a page in a browser has them too, by the same keys', async () => {
  const { user } = await openWindow((fake) => {
    fake.capabilities = servedTo('ops');
  });
  await user.click(screen.getByRole('button', { name: 'Activity' }));
  expect(await screen.findByRole('heading', { level: 1, name: 'Activity' })).toBeTruthy();
  await user.keyboard('{Control>},{/Control}');
  expect(await screen.findByRole('heading', { level: 1, name: 'Settings' })).toBeTruthy();
});

test('each place has an address that leads back to it', () => {
  const place = { application: 'settings', nodeId: 'a/b', item: 'users', options: {} } as const;
  expect(applicationAddress(place)).toBe('winnow://a%2Fb/settings/users');
  expect(applicationPlaceOf('winnow://a%2Fb/settings/users')).toEqual(place);
  expect(applicationPlaceOf('winnow:///settings')).toEqual({ ...place, nodeId: null, item: null });
  const searched = { application: 'activity', nodeId: null, item: null, options: { search: 'a&b' } } as const;
  expect(applicationPlaceOf(applicationAddress(searched))).toEqual(searched);
  expect(applicationPlaceOf('winnow://node/chunks/12')).toBeUndefined();
  expect(applicationPlaceOf('winnow:///settings/%')).toBeUndefined();
});
