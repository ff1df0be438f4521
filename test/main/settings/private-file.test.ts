import {
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readWholeFile, type FileSystem, type StoredEvent } from '../../../src-core/index.ts';
import { CoordinatorFile } from '../../../src-main/cluster/coordinator-store.ts';
import { readJsonFile, writeJsonFile } from '../../../src-main/settings/json-file.ts';
import { createPrivateFile, writePrivateFile } from '../../../src-main/settings/private-file.ts';
import { saveFile } from '../../../src-main/settings/saved-file.ts';
import { z } from 'zod';
import { enumerateCuts, type CutSubject } from '../../support/cut-enumeration.ts';
import { enumerateFailures } from '../../support/failure-enumeration.ts';
import { PowerCut } from '../../support/faulty-file-system.ts';
import { MemoryFileSystem } from '../../support/memory-file-system.ts';

let home: string;
beforeEach(() => {
  home = mkdtempSync(path.join(tmpdir(), 'winnow-private-'));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

describe.skipIf(process.platform === 'win32')('a file of our own', () => {
  it('is for its owner alone, with every directory made for it', () => {
    const file = path.join(home, 'a', 'b', 'users.json');
    writeJsonFile(file, { users: [] });
    expect(statSync(file).mode & 0o777).toBe(0o600);
    for (const made of ['a', 'a/b']) expect(statSync(path.join(home, made)).mode & 0o777).toBe(0o700);
    expect(readdirSync(path.dirname(file))).toEqual(['users.json']);
  });

  it('keeps the mode that somebody gave it, unless it is a secret', () => {
    const file = path.join(home, 'users.json');
    writeFileSync(file, '{}', { mode: 0o640 });
    writeJsonFile(file, { users: [] });
    expect(statSync(file).mode & 0o777).toBe(0o640);
    writePrivateFile({ file, content: 'secret', isSecret: true });
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  it('is rid of what a killed process left beside it, and of nothing else', () => {
    const names = ['users.json.12.tmp', 'users.json.13.tmp', 'users.json.old.tmp', 'other.json.12.tmp'];
    const longAgo = new Date(Date.now() - 60 * 60_000);
    for (const name of names) writeFileSync(path.join(home, name), '{');
    for (const name of names) if (!name.includes('.13.')) utimesSync(path.join(home, name), longAgo, longAgo);
    writeJsonFile(path.join(home, 'users.json'), { users: [] });
    expect(readdirSync(home).sort()).toEqual(['users.json', ...names.slice(1)].sort());
  });

  it('that is too large to be ours counts as absent', () => {
    const file = path.join(home, 'a.json');
    writeFileSync(file, `{"a":"${'x'.repeat(33 * 1024 * 1024)}"}`);
    expect(readJsonFile(file, z.object({ a: z.string() }))).toBeUndefined();
  });

  it('that must be new is never written over', () => {
    const file = path.join(home, 'key');
    createPrivateFile(file, 'one');
    expect(() => createPrivateFile(file, 'two')).toThrow('exists already');
    expect(readFileSync(file, 'utf8')).toBe('one');
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });
});

describe('a file that must be new', () => {
  const FILE = '/keys/backup.key';
  const SECRET = 'AGE-SECRET-KEY-1 and more than a sector of it '.repeat(40);
  const held = (fileSystem: FileSystem, file: string): string | undefined => {
    const found = readWholeFile(fileSystem, file);
    return found && new TextDecoder().decode(found);
  };
  const creating: CutSubject<string | undefined> = {
    prepare: () => {
      const fileSystem = new MemoryFileSystem();
      fileSystem.makeDirectory('/keys');
      return fileSystem;
    },
    act: (fileSystem) => Promise.resolve().then(() => createPrivateFile(FILE, SECRET, fileSystem)),
    // What a second attempt finds complete it leaves alone, and says so.
    resume: async (fileSystem) => {
      if (held(fileSystem, FILE) === undefined) return creating.act(fileSystem, () => undefined);
      await expect(creating.act(fileSystem, () => undefined)).rejects.toThrow('exists already');
    },
    contentOf: (fileSystem) => held(fileSystem, FILE),
    look: (fileSystem) => {
      expect([undefined, SECRET]).toContain(held(fileSystem, FILE));
      // Nobody else may read a byte of it at any moment, under whatever name.
      for (const { name } of fileSystem.list('/keys') ?? []) {
        const file = `/keys/${name}`;
        if (held(fileSystem, file) === '') continue;
        expect(fileSystem.describe(file)?.mode).toBe(0o600);
      }
    }
  };

  it('is complete or absent after a cut at any call, for its owner alone', async () => {
    const report = await enumerateCuts(creating, { ways: ['before', 'half', 'lost'] });
    expect(report.cutCalls).toBe(report.calls);
    expect(report.calls).toBeGreaterThanOrEqual(7);
  });

  it('is absent when any call fails, and it is said', async () => {
    const report = await enumerateFailures(creating);
    expect(Object.keys(report.refused)).toEqual(['StorageFailed']);
  });

  it('does not replace one that appears meanwhile, with second names and without', () => {
    for (const hasLinks of [true, false]) {
      const fileSystem = creating.prepare() as MemoryFileSystem;
      if (!hasLinks) fileSystem.link = () => false;
      const open = fileSystem.open.bind(fileSystem);
      fileSystem.open = (file, mode) => {
        const opened = open(file, mode);
        if (file !== FILE) open(FILE, 'createNew').close();
        return opened;
      };
      expect(() => createPrivateFile(FILE, SECRET, fileSystem)).toThrow();
      expect(held(fileSystem, FILE)).toBe('');
      expect(fileSystem.list('/keys')).toHaveLength(1);
    }
  });

  it('is made where there are no second names', () => {
    const fileSystem = creating.prepare() as MemoryFileSystem;
    fileSystem.link = () => false;
    createPrivateFile(FILE, SECRET, fileSystem);
    expect(held(fileSystem, FILE)).toBe(SECRET);
  });
});

describe.skipIf(process.platform === 'win32')('a document that is saved', () => {
  it('goes through a link to where it leads, and no further than a file', () => {
    const file = path.join(home, 'report.html');
    writeFileSync(file, 'old');
    symlinkSync(file, path.join(home, 'link'));
    saveFile(path.join(home, 'link'), 'new', 'Choose another place.');
    expect(readFileSync(file, 'utf8')).toBe('new');
    expect(() => saveFile('/dev/null', 'new', 'Choose another place.')).toThrow('/dev/null is a device');
    expect(statSync('/dev/null').isFile()).toBe(false);
    expect(readdirSync(home).sort()).toEqual(['link', 'report.html']);
  });
});

describe('the events of a coordinator', () => {
  const FILE = '/home/cluster/events.jsonl';
  const event = (number: number): StoredEvent => ({ type: `$event-${number}`, data: { number } });
  const numbers = (fileSystem: FileSystem): string[] =>
    new CoordinatorFile(FILE, fileSystem).read().map(({ type }) => type);

  /** Two are there, a third is stored. */
  const storing: CutSubject<string[]> = {
    prepare: () => {
      const fileSystem = new MemoryFileSystem();
      fileSystem.makeDirectory('/home/cluster');
      const bytes = new TextEncoder().encode(`${JSON.stringify(event(1))}\n{"type":"$ev`);
      const file = fileSystem.open(FILE, 'createNew');
      file.write(bytes, 0, bytes.length, 0);
      file.close();
      return fileSystem;
    },
    act: async (fileSystem) => {
      try {
        const store = new CoordinatorFile(FILE, fileSystem);
        if (!numbers(fileSystem).includes('$event-2')) await store.append(event(2));
        await store.probe();
      } catch (error) {
        // The store's error says what could not be stored; that the power went is its cause.
        throw error instanceof Error && error.cause instanceof PowerCut ? error.cause : error;
      }
    },
    contentOf: numbers,
    look: (fileSystem) => {
      const found = numbers(fileSystem);
      expect(['$event-1', '$event-1 $event-2']).toContain(found.join(' '));
    }
  };

  it('are all there or all but the last after a cut at any call', async () => {
    const report = await enumerateCuts(storing);
    expect(report.cutCalls).toBe(report.calls);
  });

  it('are all there or all but the last when any call fails, and it is said', async () => {
    const report = await enumerateFailures(storing);
    expect(report.endedWell).toBe(0);
    expect(Object.keys(report.refused)).toEqual(['StorageFailed']);
  });

  it('are stored after one whose file was left with a torn line', async () => {
    const fileSystem = await storing.prepare();
    await new CoordinatorFile(FILE, fileSystem).append(event(2));
    expect(numbers(fileSystem)).toEqual(['$event-1', '$event-2']);
  });
});
