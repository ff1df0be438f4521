/** The folder chooser as somebody uses it: typing, keys, clicks; and what it says about each folder. */
import { render, screen, waitFor } from '@testing-library/svelte';
import userEvent from '@testing-library/user-event';
import { beforeEach, describe, expect, test } from 'vitest';
import type {
  FolderEntry,
  FolderKind,
  FolderListing
} from '../../../src-main/contract/verbs/folder-contract.ts';
import FolderDialog from '../../../src-renderer/frame/folders/FolderDialog.svelte';
import { FolderChooser } from '../../../src-renderer/state/folders/folder-chooser.svelte.ts';
import { FakeWorkbench, Refusal } from '../fake-workbench.ts';

const TREE: Record<string, [name: string, kind: FolderKind | 'outside'][]> = {
  '/srv': [
    ['backups', 'backups'],
    ['base', 'empty'],
    ['db', 'database'],
    ['link', 'outside']
  ],
  '/srv/backups': [],
  '/srv/base': [],
  '/srv/db': [['index', 'index']]
};

function entry(path: string, kind: FolderKind | 'outside', name = path.split('/').at(-1) ?? ''): FolderEntry {
  const isOutside = kind === 'outside';
  return {
    name,
    path,
    isFolder: true,
    kind: isOutside ? null : kind,
    obstacle: isOutside ? 'outside' : null
  };
}

function listing(path: string | null): FolderListing {
  const base = { obstacle: null, isCut: false, separator: '/' };
  if (path === null)
    return { ...base, path, trail: [], kind: null, entries: [entry('/srv', 'other', '/srv')] };
  const names = TREE[path];
  if (!names) throw new Refusal('InvalidRequest', `${path} is outside the folders that this service allows.`);
  const parent = path === '/srv' ? [] : [{ name: '/srv', path: '/srv' }];
  const kind = TREE['/srv']?.find(([name]) => path.endsWith(`/${name}`))?.[1] ?? 'other';
  return {
    ...base,
    path,
    trail: [...parent, { name: path === '/srv' ? path : path.slice(5), path }],
    kind: kind === 'outside' ? null : kind,
    entries: names.map(([name, is]) => entry(`${path}/${name}`, is))
  };
}

let fake: FakeWorkbench;
beforeEach(() => {
  fake = new FakeWorkbench();
  fake.folders = ({ path }) => listing(path);
  fake.install();
});

function open(mayBeNew = true) {
  const chooser = new FolderChooser();
  const answer = chooser.ask({ purpose: 'backupTarget', mayBeNew });
  render(FolderDialog, { chooser });
  return { answer, chooser, user: userEvent.setup() };
}

const field = (): HTMLInputElement => screen.getByRole('combobox', { name: /^Path on the machine/ });
const option = (name: RegExp): Promise<HTMLElement> => screen.findByRole('option', { name });
const choose = (): HTMLButtonElement => screen.getByRole('button', { name: 'Choose' });

describe('the folder chooser', () => {
  test('begins with the allowed folders; a double click goes in, and the trail leads back', async () => {
    const { user } = open();
    expect(choose().disabled).toBe(true);
    await user.dblClick(await option(/srv/));
    expect(await option(/db.*Database/)).toBeTruthy();
    expect(field().value).toBe('/srv/');
    await user.click(screen.getByRole('button', { name: 'Allowed folders' }));
    await waitFor(() => expect(screen.getAllByRole('option')).toHaveLength(1));
    expect(field().value).toBe('');
  });

  test('is used by keys alone', async () => {
    const { answer, user } = open();
    await option(/srv/);
    await waitFor(() => expect(document.activeElement).toBe(field()));
    await user.keyboard('{ArrowDown}{Enter}');
    await option(/backups/);
    await user.keyboard('{ArrowDown}{ArrowDown}');
    expect(field().getAttribute('aria-activedescendant')).toBe((await option(/^base/)).id);
    expect(field().value).toBe('/srv/base');
    await user.keyboard('{Control>}{Enter}{/Control}');
    expect(await answer).toBe('/srv/base');
  });

  test('completes what is typed as far as all names agree, and goes into the only one', async () => {
    const { user } = open();
    await option(/srv/);
    await user.type(field(), '/srv/');
    await option(/db/);
    await user.type(field(), 'ba');
    await waitFor(() => expect(screen.getAllByRole('option')).toHaveLength(2));
    await user.type(field(), 'c');
    await waitFor(() => expect(screen.getAllByRole('option')).toHaveLength(1));
    await user.keyboard('{Tab}');
    await waitFor(() => expect(field().value).toBe('/srv/backups/'));
    await user.keyboard('{Alt>}{ArrowUp}{/Alt}');
    await waitFor(() => expect(field().value).toBe('/srv/'));
  });

  test('says what a folder is where that matters, and refuses what does not fit', async () => {
    const { user } = open();
    await user.dblClick(await option(/srv/));
    await user.click(await option(/db/));
    expect(screen.getByText('This is a database. Backups go outside it.')).toBeTruthy();
    expect(choose().disabled).toBe(true);
    await user.click(await option(/backups/));
    expect(screen.getByText(/New ones join them/)).toBeTruthy();
    expect(choose().disabled).toBe(false);
    const link = await option(/link/);
    expect(link.textContent).toContain('Leads outside the allowed folders');
    await user.dblClick(link);
    expect(choose().disabled).toBe(true);
    expect(field().value).toBe('/srv/link');
  });

  test('takes a new folder only where there may be one, and says so', async () => {
    const { answer, user } = open();
    await option(/srv/);
    await user.type(field(), '/srv/new');
    expect(await screen.findByText(/“Choose” creates it/)).toBeTruthy();
    await user.click(choose());
    expect(await answer).toBe('/srv/new');
  });

  test('does not take a new folder where there has to be one', async () => {
    const { user } = open(false);
    await option(/srv/);
    await user.type(field(), '/srv/new');
    expect(await screen.findByText('This folder does not exist.')).toBeTruthy();
    expect(choose().disabled).toBe(true);
  });

  test('tells why a folder cannot be listed, and Escape answers with nothing', async () => {
    const { answer, user } = open();
    await option(/srv/);
    await user.type(field(), '/etc/');
    expect(await screen.findByText(/outside the folders/)).toBeTruthy();
    await user.keyboard('{Escape}');
    expect(await answer).toBeNull();
  });

  test('shows of ten thousand folders only those in sight', async () => {
    fake.folders = () => ({
      ...listing('/srv'),
      entries: Array.from({ length: 10_000 }, (_, i) => entry(`/srv/d${i}`, 'empty'))
    });
    const { user } = open();
    await option(/d0/);
    expect(screen.getAllByRole('option').length).toBeLessThan(60);
    expect(screen.getByText('10,000 folders')).toBeTruthy();
    await user.type(field(), '/srv/d9999');
    await waitFor(() => expect(screen.getAllByRole('option')).toHaveLength(1));
  });

  test('says how to allow folders where none is', async () => {
    fake.folders = () => ({ ...listing(null), entries: [] });
    open();
    expect(await screen.findByText(/--allow-path DIR/)).toBeTruthy();
  });
});
