/** Which paths of a page are taken, and what a page sees of a folder: against trees of links and hostile paths. */
import fs from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AllowedFolders, isInside } from '../../../../src-main/http/ui/allowed-folders.ts';
import { FileTurns, MOST_AT_ONCE } from '../../../../src-main/http/ui/file-turns.ts';
import { listFolder } from '../../../../src-main/http/ui/list-folder.ts';
import type { FolderListing } from '../../../../src-main/contract/verbs/folder-contract.ts';
import { Prng } from '../../../support/prng.ts';
import { temporaryDirectory } from '../../../support/scavenge-environment.ts';

const never = new AbortController().signal;
let top: string;
let allowed: string;
let folders: AllowedFolders;

beforeAll(() => {
  top = fs.realpathSync(temporaryDirectory());
  allowed = path.join(top, 'allowed');
  for (const folder of ['allowed/a/b', 'allowed/empty', 'allowed/.hidden', 'allowed-not', 'secret/inner']) {
    fs.mkdirSync(path.join(top, folder), { recursive: true });
  }
  fs.writeFileSync(path.join(allowed, 'notes.txt'), 'x');
  fs.writeFileSync(path.join(allowed, 'backup.key'), 'x');
  fs.writeFileSync(path.join(allowed, 'a', 'writer.chk'), 'x');
  const links = {
    out: '../secret',
    outAbsolute: path.join(top, 'secret'),
    outFile: '/etc/passwd',
    in: 'a/b',
    nowhere: 'gone',
    nowhereOutside: '../secret/gone',
    round: 'round',
    up: '..'
  };
  for (const [name, target] of Object.entries(links)) fs.symlinkSync(target, path.join(allowed, name));
  fs.symlinkSync(allowed, path.join(top, 'way-in'));
  folders = new AllowedFolders(() => [allowed]);
});
afterAll(() => fs.rmSync(top, { recursive: true, force: true }));

const list = (asked: string | null, extensions: string[] = [], showsHidden = false): Promise<FolderListing> =>
  listFolder(folders, { path: asked, extensions, showsHidden }, never);

describe('a path from a page', () => {
  it('is taken in an allowed folder, with its links followed', async () => {
    expect(await folders.admit(allowed)).toBe(allowed);
    expect(await folders.admit(`${allowed}/a/../a/./b/`)).toBe(path.join(allowed, 'a', 'b'));
    expect(await folders.admit(path.join(allowed, 'in'))).toBe(path.join(allowed, 'a', 'b'));
  });

  it.each([
    '/etc',
    '/',
    '{allowed}/..',
    '{allowed}/../secret',
    '{allowed}/a/../../secret',
    '{allowed}-not',
    '{allowed}/out',
    '{allowed}/out/inner',
    '{allowed}/outAbsolute',
    '{allowed}/outFile',
    '{allowed}/up',
    '{allowed}/up/secret',
    '{allowed}/in/../../../secret',
    '{allowed}/nowhereOutside',
    '{allowed}/nowhere',
    '{allowed}/round',
    '{allowed}/gone',
    '',
    '.',
    'a',
    '{allowed}/a\0',
    '{allowed}\0/../../etc',
    '{allowed}/\ud800'
  ])('%j is refused', async (asked) => {
    await expect(folders.admit(asked.replace('{allowed}', allowed))).rejects.toMatchObject({
      code: 'InvalidRequest',
      details: { field: 'path' }
    });
  });

  it('is refused when it is longer than a file system takes', async () => {
    await expect(folders.admit(`${allowed}/${'x'.repeat(256)}`)).rejects.toThrow(/not a path/);
    await expect(folders.admit(`${allowed}/${'x/'.repeat(2048)}`)).rejects.toThrow(/not a path/);
  });

  it('may name a new folder in one that is there, and no link that leads nowhere', async () => {
    const wanted = path.join(allowed, 'in', 'new');
    expect(await folders.admit(wanted, { mayBeNew: true })).toBe(path.join(allowed, 'a', 'b', 'new'));
    for (const asked of ['nowhere', 'nowhereOutside', 'out/new', 'gone/new', '../new']) {
      await expect(folders.admit(`${allowed}/${asked}`, { mayBeNew: true })).rejects.toThrow();
    }
  });

  it('is compared by whole names', () => {
    expect(isInside('/a', '/ab')).toBe(false);
    expect(isInside('/a', '/a/..b')).toBe(true);
    expect(isInside('/', '/a')).toBe(true);
  });

  it('never leads outside, whatever it is made of', async () => {
    const prng = new Prng(11);
    const names = ['..', '.', '', 'a', 'b', 'out', 'in', 'up', 'outAbsolute', 'secret', 'inner', 'empty'];
    let taken = 0;
    for (let round = 0; round < 2000; round++) {
      const parts = Array.from({ length: prng.below(7) }, () =>
        prng.pick([...names, 'allowed', 'way-in', 'new'])
      );
      const from = prng.pick([allowed, allowed, allowed, top, path.join(top, 'way-in'), '/']);
      const asked = [from, ...parts].join(prng.chance(0.9) ? '/' : '//');
      const admitted = await folders.admit(asked, { mayBeNew: prng.chance(0.5) }).catch(() => undefined);
      if (admitted === undefined) continue;
      taken++;
      const real = fs.existsSync(admitted) ? fs.realpathSync(admitted) : admitted;
      expect(isInside(allowed, real), `seed 11: ${asked} led to ${real}`).toBe(true);
    }
    expect(taken).toBeGreaterThan(100);
  });
});

describe('what a page sees', () => {
  it('begins with the allowed folders, each once and none inside another', async () => {
    const several = new AllowedFolders(() => [
      path.join(allowed, 'a'),
      allowed,
      `${allowed}/`,
      path.join(top, 'way-in'),
      path.join(top, 'gone')
    ]);
    const { path: at, entries } = await listFolder(
      several,
      { path: null, extensions: [], showsHidden: false },
      never
    );
    expect(at).toBeNull();
    expect(entries.map(({ path: found, obstacle }) => [found, obstacle])).toEqual([
      [allowed, null],
      [path.join(top, 'gone'), 'missing']
    ]);
  });

  it('is the folders with what each one is, and says which links lead outside', async () => {
    const { entries, kind, trail } = await list(allowed);
    expect(kind).toBe('other');
    expect(trail).toEqual([{ name: allowed, path: allowed }]);
    expect(entries.map(({ name, kind: is, obstacle }) => `${name} ${is ?? obstacle ?? ''}`)).toEqual([
      'a database',
      'empty empty',
      'in empty',
      'nowhere missing',
      'nowhereOutside missing',
      'out outside',
      'outAbsolute outside',
      'outFile outside',
      'round unreadable',
      'up outside'
    ]);
  });

  it('is files of the kinds that were asked for, and hidden folders when asked for', async () => {
    const { entries } = await list(allowed, ['key'], true);
    const names = entries.map(({ name }) => name);
    expect(names).toContain('.hidden');
    expect(entries.filter(({ isFolder }) => !isFolder).map(({ name }) => name)).toEqual(['backup.key']);
  });

  it('is nothing outside, and the refusal names the way to allow more', async () => {
    await expect(list(path.join(top, 'secret'))).rejects.toMatchObject({
      message: `${path.join(top, 'secret')} is outside the folders that this service allows.`,
      remedy: `Choose one in ${allowed}; "winnow serve --allow-path DIR" allows more.`
    });
  });

  it('tells names that are no text, backups and an index', async () => {
    const folder = path.join(allowed, 'kinds');
    const make = (name: string | Buffer): void => {
      fs.mkdirSync(Buffer.concat([Buffer.from(`${folder}/`), Buffer.from(name)]), { recursive: true });
    };
    fs.mkdirSync(folder);
    make(Buffer.from([0x66, 0xff, 0xfe]));
    make('target/20261121T050000Z-4f2a/data');
    fs.writeFileSync(path.join(folder, 'target/20261121T050000Z-4f2a/manifest.json'), '{}');
    make('index');
    fs.writeFileSync(path.join(folder, 'index', 'indexmap'), '');
    const { entries } = await list(folder);
    expect(entries.map(({ kind, obstacle }) => kind ?? obstacle)).toEqual(['badName', 'index', 'backups']);
    const inside = await list(path.join(folder, 'target'));
    expect(inside.entries.map(({ kind }) => kind)).toEqual(['backup']);
    fs.rmSync(folder, { recursive: true });
  });

  it('is a folder that may not be read, as such', async () => {
    const folder = path.join(allowed, 'locked');
    fs.mkdirSync(folder, { mode: 0 });
    const { entries } = await list(allowed);
    const isRoot = process.getuid?.() === 0;
    expect(entries.find(({ name }) => name === 'locked')?.obstacle).toBe(isRoot ? null : 'unreadable');
    if (!isRoot) expect((await list(folder)).obstacle).toBe('unreadable');
    fs.rmdirSync(folder);
  });

  it('is at most ten thousand names', async () => {
    const folder = path.join(allowed, 'many');
    for (let i = 0; i < 10_050; i++) fs.mkdirSync(path.join(folder, `d${i}`), { recursive: true });
    const { entries, isCut } = await list(folder);
    expect([entries.length, isCut]).toEqual([10_000, true]);
    expect(entries.slice(0, 3).map(({ name }) => name)).toEqual(['d0', 'd1', 'd2']);
    expect(entries.filter(({ kind }) => kind === 'empty')).toHaveLength(1000);
    fs.rmSync(folder, { recursive: true });
  });

  it('survives a folder that changes while it is looked at', async () => {
    const folder = path.join(allowed, 'busy');
    fs.mkdirSync(folder);
    let isOver = false;
    const change = (async () => {
      for (let i = 0; !isOver; i = (i + 1) % 50) {
        const name = path.join(folder, String(i));
        await fs.promises.rm(name, { recursive: true, force: true });
        if (i % 3 === 0) await fs.promises.mkdir(name, { recursive: true });
        else if (i % 3 === 1) await fs.promises.symlink('../../secret', name);
        else await fs.promises.symlink('../a', name);
      }
    })();
    for (let round = 0; round < 30; round++) {
      for (const entry of (await list(folder)).entries) {
        expect(entry.kind === null || ['empty', 'database'].includes(entry.kind)).toBe(true);
      }
    }
    isOver = true;
    await change;
    fs.rmSync(folder, { recursive: true });
  });
});

describe('a file system that does not answer', () => {
  it('is given up, holds two turns at most, and is waited for no longer by those that come after', async () => {
    const turns = new FileTurns(20);
    let underWay = 0;
    const release = Promise.withResolvers<void>();
    const hang = (): Promise<void> => {
      underWay++;
      return release.promise;
    };
    const asked = Array.from({ length: 5 }, () => turns.run(hang));
    for (const answer of asked) await expect(answer).rejects.toMatchObject({ code: 'StorageFailed' });
    expect(underWay).toBe(MOST_AT_ONCE);
    release.resolve();
    expect(await turns.run(() => Promise.resolve('well'))).toBe('well');
    expect(underWay).toBe(MOST_AT_ONCE);
  });
});
