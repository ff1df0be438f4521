/** Several processes change the same lists of a home at the same moment, and no change is lost. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { UserStore } from '../../../src-main/access/user-store.ts';
import { ClusterRegistry } from '../../../src-main/settings/cluster-registry.ts';
import { editAlone } from '../../../src-main/settings/edit-lock.ts';
import { NodeRegistry } from '../../../src-main/settings/node-registry.ts';

const CHILD = fileURLToPath(new URL('./edit-lock-child.ts', import.meta.url));
const EDITS = 40;
let home = '';
beforeEach(() => (home = mkdtempSync(path.join(tmpdir(), 'winnow-edit-lock-'))));
afterEach(() => rmSync(home, { recursive: true, force: true }));

it('what two processes add to the lists of nodes and clusters is all there', async () => {
  const names = ['one', 'two'];
  const children = names.map((name) =>
    spawn(process.execPath, ['--disable-warning=ExperimentalWarning', CHILD, home, name, String(EDITS)], {
      stdio: ['pipe', 'pipe', 'inherit']
    })
  );
  const ends = children.map((child) => once(child, 'exit'));
  await Promise.all(children.map((child) => once(child.stdout, 'data')));
  for (const child of children) child.stdin.write('go\n');
  expect((await Promise.all(ends)).map(([code]: unknown[]) => code)).toEqual([0, 0]);
  const expected = names.flatMap((name) => Array.from({ length: EDITS }, (_, number) => `${name} ${number}`));
  const nodes = new NodeRegistry(home, Date.now).list().map(({ name }) => name);
  expect(nodes.toSorted()).toEqual(expected.toSorted());
  const clusters = new ClusterRegistry(home).list().map(({ name }) => name.replace('-', ' '));
  expect(clusters.toSorted()).toEqual(expected.toSorted());
});

it('users that are added at the same time are all there, and one name only once', async () => {
  const store = new UserStore(path.join(home, 'users.json'));
  const other = new UserStore(path.join(home, 'users.json'));
  const added = await Promise.allSettled([
    store.add('ann', ['$ops'], 'a long password'),
    other.add('bob', [], 'a long password'),
    other.add('ann', ['$admins'], 'another password')
  ]);
  // Which of the two comes first is open.
  expect(added.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'fulfilled', 'rejected']);
  expect(added[1].status).toBe('fulfilled');
  expect(
    store
      .list()
      .map(({ name }) => name)
      .toSorted()
  ).toEqual(['ann', 'bob']);
});

it('an edit that fails lets the next one through, and a home that takes no file is no reason to wait', () => {
  const file = path.join(home, 'list.json');
  expect(() =>
    editAlone(file, () => {
      throw new Error('stop');
    })
  ).toThrow('stop');
  editAlone(file, () => writeFileSync(file, 'kept'));
  expect(readFileSync(file, 'utf8')).toBe('kept');
  const other = path.join(home, 'other');
  mkdirSync(path.join(other, 'list.json.lock'), { recursive: true });
  expect(editAlone(path.join(other, 'list.json'), () => 'done')).toBe('done');
  expect(existsSync(`${file}.lock`)).toBe(true);
});
