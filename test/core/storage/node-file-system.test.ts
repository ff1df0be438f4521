/** What only the real file system does. */
import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { EngineError } from '../../../src-core/errors.ts';
import { connectState } from '../../../src-core/scavenge/state/connect-state.ts';
import type { OpenMode } from '../../../src-core/storage/file-system.ts';
import { NodeFileSystem } from '../../../src-core/storage/node-file-system.ts';
import { readRegularFile, requireRegularDatabase } from '../../../src-core/storage/node-regular-file.ts';
import { IRREGULAR_KINDS, putIrregular } from '../../support/irregular-file.ts';

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(path.join(tmpdir(), 'winnow-node-'));
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

function thrownBy(action: () => unknown): EngineError {
  try {
    action();
  } catch (error) {
    expect(error).toBeInstanceOf(EngineError);
    return error as EngineError;
  }
  throw new Error('nothing was thrown');
}

it.runIf(process.platform === 'linux')('ends with a failure where the system takes no directory', () => {
  const make = (): void => new NodeFileSystem().makeDirectory('/proc/nowhere/at/all');
  expect(make).toThrow(EngineError);
  expect(make).toThrow(/create/);
});

describe.runIf(process.platform === 'linux')('what is no regular file', () => {
  const MODES: readonly OpenMode[] = ['read', 'readWrite'];

  it.each(IRREGULAR_KINDS)('is refused by name: %s', async (kind) => {
    const file = path.join(directory, 'chunk-000000.000000');
    const found = await putIrregular(file, kind);
    for (const mode of MODES) {
      const error = thrownBy(() => new NodeFileSystem().open(file, mode));
      expect(error.code).toBe('StorageFailed');
      expect(error.message).toBe(`${file} is ${found}, not a regular file.`);
      expect(error.details).toMatchObject({ file, reason: 'notARegularFile', found });
    }
    expect(thrownBy(() => new NodeFileSystem().tryLock(file)).message).toContain(`is ${found}`);
    expect(thrownBy(() => readRegularFile(file, 100)).message).toContain(`is ${found}`);
    expect(thrownBy(() => requireRegularDatabase(file)).message).toContain(`is ${found}`);
  });

  it('is not there, and no fault, below a file that stands where a directory should', () => {
    const file = path.join(directory, 'a-file');
    writeFileSync(file, 'x');
    expect(() => requireRegularDatabase(path.join(file, 'scavenging', 'scavenging.db'))).not.toThrow();
  });

  it('that the system does not let us look at is told with its name', () => {
    const name = path.join(directory, 'x'.repeat(300));
    expect(() => requireRegularDatabase(name)).toThrow(`Could not inspect ${name}: ENAMETOOLONG`);
  });

  it('is refused where SQLite would make the file that a link to nothing names', () => {
    const file = path.join(directory, 'scavenging.db');
    symlinkSync(path.join(directory, 'elsewhere'), `${file}-journal`);
    expect(() => requireRegularDatabase(file)).toThrow(`${file}-journal is a link to nothing`);
    symlinkSync(path.join(directory, 'elsewhere'), file);
    expect(() => requireRegularDatabase(file)).toThrow(`${file} is a link to nothing`);
    expect(() => connectState(file)).toThrow(EngineError);
    expect(readdirSync(directory)).not.toContain('elsewhere');
  });

  it('is named where links lead in a circle', () => {
    const file = path.join(directory, 'writer.chk');
    symlinkSync('writer.chk', file);
    const error = thrownBy(() => new NodeFileSystem().describe(file));
    expect(error).toMatchObject({ code: 'StorageFailed', details: { file, osCode: 'ELOOP' } });
    expect(error.remedy).toContain('Symbolic links lead to each other');
  });

  it('is refused beside a database of SQLite too', async () => {
    const file = path.join(directory, 'scavenging.db');
    writeFileSync(file, '');
    expect(() => requireRegularDatabase(file)).not.toThrow();
    await putIrregular(`${file}-wal`, 'a named pipe');
    expect(() => requireRegularDatabase(file)).toThrow(`${file}-wal is a named pipe`);
  });
});

describe('a path that is too long', () => {
  it('is named with what to do: by the system', () => {
    const error = thrownBy(() => new NodeFileSystem().describe(path.join(directory, 'x'.repeat(300))));
    expect(error).toMatchObject({ code: 'StorageFailed', details: { osCode: 'ENAMETOOLONG' } });
    expect(error.remedy).toContain('Use a shorter one');
  });

  it('is named with what to do: by SQLite, which takes 504 bytes', () => {
    const below = path.join(directory, 'd'.repeat(200), 'd'.repeat(200));
    mkdirSync(below, { recursive: true });
    const named = (bytes: number): string => path.join(below, 'f'.repeat(bytes - below.length - 1));
    connectState(named(504)).close();
    const error = thrownBy(() => connectState(named(505)));
    expect(error).toMatchObject({ code: 'StorageFailed', details: { reason: 'pathTooLong', found: 505 } });
  });
});

describe('the whole of a file', () => {
  it('is read up to a bound, and no further', () => {
    const file = path.join(directory, 'a');
    writeFileSync(file, 'twelve bytes');
    expect(readRegularFile(file, 12).toString()).toBe('twelve bytes');
    const error = thrownBy(() => readRegularFile(file, 11));
    expect(error.details).toMatchObject({ file, reason: 'tooLarge', expected: 11, found: 12 });
  });

  it.runIf(process.platform === 'linux')('is read although the system says it is empty', () => {
    expect(readRegularFile('/proc/self/stat', 10_000).length).toBeGreaterThan(10);
    expect(() => readRegularFile('/proc/self/stat', 10)).toThrow('at most 10');
  });
});
