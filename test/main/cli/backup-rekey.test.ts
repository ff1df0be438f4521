/** `winnow backup rekey` as an operator uses it: real keys, a real target, and what each key opens before and after. */
import fs from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { temporaryDirectory } from '../../support/scavenge-environment.ts';
import { expectValid } from './published-schema.ts';
import { jsonOf, runWinnow, type Finished } from './run-winnow.ts';

let root: string;
let target: string;
let team: string;

const at = (name: string): string => path.join(root, name);
const winnow = (...words: string[]): Promise<Finished> =>
  runWinnow(words, { environment: { WINNOW_HOME: at('home') } });
const rekey = (...words: string[]) =>
  winnow('backup', 'rekey', target, '--new-keys', team, '--key-file', at('old.key'), '--json', ...words);
const idsOf = async (): Promise<string[]> =>
  (jsonOf(await winnow('backup', 'list', target, '--json')) as { backups: { id: string }[] }).backups.map(
    ({ id }) => id
  );

async function opensWith(key: string): Promise<boolean> {
  const to = at(`restored-${key}`);
  const { exitCode } = await winnow('restore', target, '--to', to, '--key-file', at(key), '--yes', '--json');
  if (exitCode === 0) expect((await winnow('verify', to, '--quick', '--json')).exitCode).toBe(0);
  else expect(exitCode).toBe(14);
  fs.rmSync(to, { recursive: true, force: true });
  return exitCode === 0;
}

beforeAll(async () => {
  root = temporaryDirectory();
  target = at('backups');
  team = at('team.pub');
  const keys: string[] = [];
  for (const name of ['old.key', 'anna.key', 'ben.key']) {
    const made = jsonOf(await winnow('backup', 'key', at(name), '--json')) as { publicKey: string };
    if (name !== 'old.key') keys.push(made.publicKey);
  }
  fs.writeFileSync(team, `# who may restore\n${keys.join('\n')}\n`);
  await winnow('sample', at('db'), '--size', '1MiB', '--chunk-size', '256KiB', '--yes', '--json');
  const create = ['backup', 'create', at('db'), '--to', target, '--compress', '--yes', '--json'];
  for (let night = 0; night < 2; night++) await winnow(...create, '--key-file', at('old.key'));
});
afterAll(() => fs.rmSync(root, { recursive: true, force: true }));

it('plans, and changes nothing without the old key or after a damaged byte', async () => {
  const ids = await idsOf();
  expect(ids).toHaveLength(2);
  const planned = await rekey('--dry-run');
  expectValid('backup-rekey', jsonOf(planned));
  expect(jsonOf(planned)).toMatchObject({ dryRun: true, result: 'planned', due: ids, rekeyed: [] });
  const without = await winnow('backup', 'rekey', target, '--new-keys', team, '--yes', '--json');
  expect(without.exitCode).toBe(14);
  const chunk = path.join(target, ids[0]!, 'data', 'chunk-000000.000000.zst.age');
  const bytes = fs.readFileSync(chunk);
  fs.writeFileSync(chunk, bytes.with(bytes.length - 40, bytes.at(-40)! ^ 1));
  expect((await rekey('--yes')).exitCode).toBe(12);
  fs.writeFileSync(chunk, bytes);
  expect(await idsOf()).toEqual(ids);
});

it('has the backups opened by each of the new keys and no longer by the old one', async () => {
  expect(await opensWith('old.key')).toBe(true);
  const ids = await idsOf();
  const done = await rekey('--yes');
  expectValid('backup-rekey', jsonOf(done));
  const { rekeyed } = jsonOf(done) as { rekeyed: { of: string; shared: number }[] };
  expect(rekeyed.map(({ of }) => of)).toEqual(ids);
  expect(rekeyed[1]!.shared).toBeGreaterThan(0);
  expect(await opensWith('old.key')).toBe(false);
  expect(await opensWith('anna.key')).toBe(true);
  expect(await opensWith('ben.key')).toBe(true);
  expect(await idsOf()).toHaveLength(2);
  const again = await winnow(
    'backup',
    'rekey',
    target,
    '--new-keys',
    team,
    '--key-file',
    at('ben.key'),
    '--yes',
    '--json'
  );
  expect(jsonOf(again)).toMatchObject({ result: 'exists', due: [], rekeyed: [] });
}, 240_000);

it('takes new backups for all keys of a file, which share files with those', async () => {
  const create = ['backup', 'create', at('db'), '--to', target, '--compress', '--yes', '--json'];
  const made = jsonOf(await winnow(...create, '--key-file', team)) as {
    backups: { mode: string; bytesCopied: number; bytes: number }[];
  };
  expect(made.backups[0]).toMatchObject({ mode: 'differential' });
  expect(made.backups[0]!.bytesCopied).toBeLessThan(made.backups[0]!.bytes / 2);
  expect(await opensWith('anna.key')).toBe(true);
});

it('removes what a removal that was cut left behind, also with no backup to encrypt', async () => {
  const left = path.join(target, '20200101T000000Z-0000', 'data', 'chunk-000000.000000.age');
  fs.mkdirSync(path.dirname(left), { recursive: true });
  fs.writeFileSync(left, 'for the old key');
  const done = await winnow(
    'backup',
    'rekey',
    target,
    '--new-keys',
    team,
    '--key-file',
    at('ben.key'),
    '--yes',
    '--json'
  );
  expect(jsonOf(done)).toMatchObject({ result: 'exists', rekeyed: [] });
  expect(fs.existsSync(left)).toBe(false);
}, 60_000);
