/** What every target of backups does, whatever it is made of. Each kind runs all of it in a test of its own. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { BackupTarget, ByteRange } from '../../../../src-core/index.ts';

export interface ContractSubject {
  target: BackupTarget;
  /** Removes the base of the target while it is open. */
  takeAway(): Promise<void>;
  close(): Promise<void>;
}

const MIB = 1024 * 1024;
const ID = '20260101T000000Z-abcd';

export async function* content(...blocks: (Uint8Array | string)[]): AsyncIterable<Uint8Array> {
  await Promise.resolve();
  for (const block of blocks) yield typeof block === 'string' ? Buffer.from(block) : block;
}

/** Blocks of bytes that differ from each other, `mib` of them. */
export async function* largeContent(mib: number, then?: () => Promise<void>): AsyncIterable<Uint8Array> {
  for (let i = 0; i < mib; i++) yield Buffer.alloc(MIB, `block ${i} `);
  await then?.();
}

export async function textOf(target: BackupTarget, name: string, range?: ByteRange): Promise<string> {
  return (await bytesOf(target, name, range)).toString();
}

export async function bytesOf(target: BackupTarget, name: string, range?: ByteRange): Promise<Buffer> {
  const blocks: Uint8Array[] = [];
  for await (const block of target.read(name, range)) blocks.push(block);
  return Buffer.concat(blocks);
}

export function testTargetContract(kind: string, open: () => Promise<ContractSubject>): void {
  describe(`${kind} as a target of backups`, () => {
    let subject: ContractSubject;
    let target: BackupTarget;
    beforeEach(async () => {
      subject = await open();
      ({ target } = subject);
    });
    afterEach(() => subject.close());

    it('holds nothing at first', async () => {
      expect(await target.folders()).toEqual([]);
      expect(await target.list('')).toEqual([]);
      expect(await target.describe(`${ID}/manifest.json`)).toBeUndefined();
    });

    it('gives back what was written, also under odd names, also nothing at all', async () => {
      const names = [
        `${ID}/data/chunk-000000.000000`,
        `${ID}/data/with space + (1)=#?.bin`,
        `${ID}/data/größe-日本-🎉`,
        `${ID}/index/stream-existence/streamExistenceFilter.dat`,
        `${ID}/100%25.txt`
      ];
      for (const name of names) await target.write(name, content('of ', name));
      await target.write(`${ID}/empty`, content());
      for (const name of names) expect(await textOf(target, name)).toBe(`of ${name}`);
      expect(await textOf(target, `${ID}/empty`)).toBe('');
      const sizes = [...names, `${ID}/empty`].map((name) => ({
        name,
        size: name === `${ID}/empty` ? 0 : Buffer.byteLength(`of ${name}`)
      }));
      expect(await target.list(`${ID}/`)).toEqual(sizes.sort((a, b) => (a.name < b.name ? -1 : 1)));
      expect(await target.describe(names[2]!)).toEqual(sizes.find(({ name }) => name === names[2]));
    });

    it('lists by the beginning of names, and the folders right below', async () => {
      for (const name of ['b/x', 'a/x', 'a/data/1', 'a/data/2', 'a/index/1', 'ab/1'])
        await target.write(name, content(name));
      const names = async (prefix: string) => (await target.list(prefix)).map(({ name }) => name);
      expect(await names('')).toEqual(['a/data/1', 'a/data/2', 'a/index/1', 'a/x', 'ab/1', 'b/x']);
      expect(await names('a/')).toEqual(['a/data/1', 'a/data/2', 'a/index/1', 'a/x']);
      expect(await names('a/data/')).toEqual(['a/data/1', 'a/data/2']);
      expect(await names('a/da')).toEqual(['a/data/1', 'a/data/2']);
      expect(await names('c/')).toEqual([]);
      expect(await target.folders()).toEqual(['a', 'ab', 'b']);
    });

    it('reads ranges, which end with the object', async () => {
      await target.write('a/b', content('0123', '456789'));
      expect(await textOf(target, 'a/b', { offset: 3 })).toBe('3456789');
      expect(await textOf(target, 'a/b', { offset: 3, length: 4 })).toBe('3456');
      expect(await textOf(target, 'a/b', { length: 2 })).toBe('01');
      expect(await textOf(target, 'a/b', { offset: 8, length: 100 })).toBe('89');
      expect(await textOf(target, 'a/b', { offset: 100 })).toBe('');
      expect(await textOf(target, 'a/b', { offset: 2, length: 0 })).toBe('');
    });

    it('replaces an object as a whole', async () => {
      await target.write('a/b', content('long content of before'));
      await target.write('a/b', content('short'));
      expect(await textOf(target, 'a/b')).toBe('short');
    });

    it('holds objects larger than one request of a store may be', async () => {
      await target.write('a/large', largeContent(85));
      expect(await target.describe('a/large')).toEqual({ name: 'a/large', size: 85 * MIB });
      const expected: Uint8Array[] = [];
      for await (const block of largeContent(85)) expected.push(block);
      expect((await bytesOf(target, 'a/large')).equals(Buffer.concat(expected))).toBe(true);
      const across = await bytesOf(target, 'a/large', { offset: 40 * MIB - 4, length: 12 });
      expect(across.equals(Buffer.concat(expected).subarray(40 * MIB - 4, 40 * MIB + 8))).toBe(true);
    });

    it.each([
      ['small', 1],
      ['large', 45]
    ])(
      'leaves nothing of a %s object whose content failed midway, and keeps the one before',
      async (_, mib) => {
        const failure = new Error('the source failed');
        const failing = () => largeContent(mib, () => Promise.reject(failure));
        await expect(target.write('a/new', failing())).rejects.toThrow('the source failed');
        expect(await target.describe('a/new')).toBeUndefined();
        expect((await target.list('')).filter(({ name }) => name === 'a/new')).toEqual([]);
        await target.write('a/old', content('as before'));
        await expect(target.write('a/old', failing())).rejects.toThrow('the source failed');
        expect(await textOf(target, 'a/old')).toBe('as before');
        await target.write('a/new', content('now'));
        expect(await textOf(target, 'a/new')).toBe('now');
      }
    );

    it('hears of the end of a reader who has had enough', async () => {
      await target.write('a/b', largeContent(3));
      for await (const block of target.read('a/b')) {
        expect(block.length).toBeGreaterThan(0);
        break;
      }
      await target.remove('a/b');
      expect(await target.list('')).toEqual([]);
    });

    it('removes objects, and those that are not there', async () => {
      await target.write('a/b', content('x'));
      await target.remove('a/b');
      await target.remove('a/b');
      expect(await target.describe('a/b')).toBeUndefined();
      expect(await target.folders()).toEqual([]);
    });

    it('keeps a second writer out while the first is at work', async () => {
      const release = await target.lock!();
      await target.write('a/b', content('x'));
      await expect(target.lock!()).rejects.toMatchObject({ code: 'DatabaseInUse' });
      await release();
      await (
        await target.lock!()
      )();
      expect(await textOf(target, 'a/b')).toBe('x');
    });

    it('says which object is missing when it is read', async () => {
      await target.write('a/b', content('x'));
      const expected = { code: 'StorageFailed', message: expect.stringContaining('a/c') as string };
      await expect(textOf(target, 'a/c')).rejects.toMatchObject(expected);
    });

    it('names object and target when it is gone', async () => {
      await target.write('a/b', content('x'));
      await subject.takeAway();
      const attempts: [string, () => Promise<unknown>][] = [
        ['a/b', () => textOf(target, 'a/b')],
        ['a/new', () => target.write('a/new', content('y'))]
      ];
      for (const [object, attempt] of attempts) {
        const thrown: unknown = await attempt().catch((error: unknown) => error);
        expect(thrown).toMatchObject({ code: 'StorageFailed', details: { file: object } });
        expect((thrown as Error).message).toContain(target.description);
      }
    });
  });
}
