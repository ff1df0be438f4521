import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { showDirectory } from '../../../src-main/window/show-directory.ts';

const directory = mkdtempSync(path.join(tmpdir(), 'winnow-show-'));
afterAll(() => rmSync(directory, { recursive: true }));

it('a file manager of which the system says nothing more was opened', async () => {
  const asked: string[] = [];
  const openPath = (place: string): Promise<string> => {
    asked.push(place);
    return new Promise(() => undefined);
  };
  await expect(showDirectory({ openPath }, directory, 5)).resolves.toBeUndefined();
  expect(asked).toEqual([directory]);
});

it('tells why the system could not open it', async () => {
  const openPath = (): Promise<string> => Promise.resolve('no program for it');
  await expect(showDirectory({ openPath }, directory)).rejects.toMatchObject({
    code: 'DatabaseNotFound',
    message: `The file manager could not open ${directory}: no program for it`
  });
});

it('does not hand a file to the system', async () => {
  const file = path.join(directory, 'file');
  writeFileSync(file, '');
  const openPath = (): Promise<string> => Promise.reject(new Error('opened'));
  await expect(showDirectory({ openPath }, file)).rejects.toMatchObject({ code: 'DatabaseNotFound' });
});
