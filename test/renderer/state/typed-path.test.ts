import { expect, test } from 'vitest';
import {
  commonBeginning,
  splitTyped,
  withEnd,
  withoutEnd
} from '../../../src-renderer/state/folders/typed-path.ts';
import { folderFit } from '../../../src-renderer/state/folders/folder-fit.ts';

test('what is typed is a folder and the beginning of a name', () => {
  expect(splitTyped('/srv/ba', '/')).toEqual({ folder: '/srv/', begun: 'ba' });
  expect(splitTyped('/srv/', '/')).toEqual({ folder: '/srv/', begun: '' });
  expect(splitTyped('ba', '/')).toEqual({ folder: null, begun: 'ba' });
  expect(splitTyped('C:\\data/ba', '\\')).toEqual({ folder: 'C:\\data/', begun: 'ba' });
  expect(splitTyped('/a\\b', '/')).toEqual({ folder: '/', begun: 'a\\b' });
});

test('the separator at the end comes and goes, but not that of a root', () => {
  expect(withoutEnd('/srv/', '/')).toBe('/srv');
  expect(withoutEnd('/', '/')).toBe('/');
  expect(withoutEnd('C:\\', '\\')).toBe('C:\\');
  expect(withEnd('/', '/')).toBe('/');
  expect(withEnd('/srv', '/')).toBe('/srv/');
});

test('names have their beginning in common', () => {
  expect(commonBeginning(['node-1', 'node-10', 'node-2'])).toBe('node-');
  expect(commonBeginning(['a', 'b'])).toBe('');
  expect(commonBeginning([])).toBe('');
});

test('an unknown or an empty folder fits everything; an index fits nowhere else', () => {
  for (const purpose of ['backupTarget', 'backups', 'restoreTo', 'index', 'scratch'] as const) {
    expect(folderFit(purpose, 'empty')).toEqual({ isPossible: true, words: '' });
    expect(folderFit(purpose, null).isPossible).toBe(true);
  }
  expect(folderFit('restoreTo', 'index').isPossible).toBe(false);
  expect(folderFit('restoreTo', 'database').isPossible).toBe(true);
  expect(folderFit('scratch', 'other').isPossible).toBe(false);
});
