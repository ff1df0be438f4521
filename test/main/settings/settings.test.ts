import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { WindowSettings } from '../../../src-main/settings/window-settings.ts';
import { winnowHome } from '../../../src-main/settings/winnow-home.ts';

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(path.join(tmpdir(), 'winnow-settings-'));
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

describe('our own home', () => {
  test('is where WINNOW_HOME says', () => {
    expect(winnowHome({ WINNOW_HOME: '/srv/winnow', HOME: '/home/a' }, 'linux')).toBe('/srv/winnow');
  });

  test("is the platform's user data folder otherwise", () => {
    expect(winnowHome({ HOME: '/home/a' }, 'linux')).toBe('/home/a/.local/share/winnow');
    expect(winnowHome({ HOME: '/home/a', XDG_DATA_HOME: '/data' }, 'linux')).toBe('/data/winnow');
    expect(winnowHome({ HOME: '/Users/a', WINNOW_HOME: '' }, 'darwin')).toBe(
      '/Users/a/Library/Application Support/Winnow'
    );
  });
});

describe('the appearance', () => {
  test('is remembered', () => {
    new WindowSettings(directory).change({ theme: 'dark', isMaximized: true });
    expect(new WindowSettings(directory).values).toMatchObject({
      theme: 'dark',
      isMaximized: true,
      bounds: null
    });
  });

  test('falls back to the defaults when the file is damaged', () => {
    writeFileSync(path.join(directory, 'window.json'), '{"theme":"pink"}');
    expect(new WindowSettings(directory).values.theme).toBe('system');
  });

  test('that cannot be written does not stop the window', () => {
    const settings = new WindowSettings(path.join(directory, 'file'));
    writeFileSync(path.join(directory, 'file'), '');
    settings.change({ theme: 'light' });
    expect(settings.values.theme).toBe('light');
  });
});
