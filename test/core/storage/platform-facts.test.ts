/** What differs by system, decided for systems that are only pretended here. */
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { NodeFileSystem } from '../../../src-core/storage/node-file-system.ts';
import { ownPlatform } from '../../../src-core/storage/node-locks.ts';
import {
  isNameForEverySystem,
  pipeAddress,
  platformFacts
} from '../../../src-core/storage/platform-facts.ts';

let directory: string;
beforeEach(() => {
  directory = fs.mkdtempSync(path.join(os.tmpdir(), 'winnow-platform-'));
});
afterEach(() => fs.rmSync(directory, { recursive: true, force: true }));

describe('what differs by system', () => {
  it('is decided as a whole, for each of the three', () => {
    expect(platformFacts('linux')).toEqual({
      name: 'linux',
      library: 'libc.so.6',
      hasNoticedLocks: true,
      listsLocks: true,
      givesPagesBack: true,
      hasOwners: true,
      flushesDirectories: true,
      hasSocketFiles: true,
      tellsSharedVolumes: true,
      priorityBehindWindow: 5
    });
    expect(platformFacts('darwin')).toEqual({
      name: 'darwin',
      library: 'libSystem.B.dylib',
      hasNoticedLocks: true,
      listsLocks: false,
      givesPagesBack: false,
      hasOwners: true,
      flushesDirectories: true,
      hasSocketFiles: true,
      tellsSharedVolumes: false,
      priorityBehindWindow: 5
    });
    expect(platformFacts('win32')).toMatchObject({
      hasNoticedLocks: false,
      listsLocks: false,
      givesPagesBack: false,
      hasOwners: false,
      flushesDirectories: false,
      hasSocketFiles: false,
      tellsSharedVolumes: false,
      priorityBehindWindow: 10
    });
  });

  it('keeps a file system on Windows from owners and from flushing directories, which would fail there', () => {
    const windows = new NodeFileSystem({ ...ownPlatform, facts: platformFacts('win32') });
    const nowhere = path.join(directory, 'not-there');
    expect(() => windows.changeOwner(nowhere, 1, 1)).not.toThrow();
    expect(() => windows.syncDirectory(nowhere)).not.toThrow();
    const linux = new NodeFileSystem({ ...ownPlatform, facts: platformFacts('linux') });
    expect(() => linux.changeOwner(nowhere, 1, 1)).toThrow();
    expect(() => linux.syncDirectory(nowhere)).toThrow();
  });

  it('gives a pipe the address that only Windows has', () => {
    expect(pipeAddress('winnow-1')).toBe(String.raw`\\.\pipe\winnow-1`);
  });
});

describe('a name for every system', () => {
  it.each(['live', 'a.b', 'console', 'com', 'com10', 'nullable', '.hidden', 'lpt', 'größe'])(
    'is %s',
    (name) => {
      expect(isNameForEverySystem(name)).toBe(true);
    }
  );

  it.each([
    '',
    '.',
    '..',
    'CON',
    'nul',
    'Aux.txt',
    'com1',
    'LPT9.log',
    'CONIN$',
    'live.',
    'live ',
    'a:b',
    'a/b',
    'a\\b',
    'C:'
  ])('is not "%s"', (name) => {
    expect(isNameForEverySystem(name)).toBe(false);
  });
});
