import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { appendLine, readLines } from '../../../src-core/storage/append-line.ts';
import { readWholeFile, type FileSystem } from '../../../src-core/storage/file-system.ts';
import { NodeFileSystem } from '../../../src-core/storage/node-file-system.ts';
import { replaceFile } from '../../../src-core/storage/replace-file.ts';
import { enumerateCuts, type CutSubject } from '../../support/cut-enumeration.ts';
import { enumerateFailures } from '../../support/failure-enumeration.ts';
import { MemoryFileSystem } from '../../support/memory-file-system.ts';

const LINES = ['first', 'second'];
const MOST = 1e6;

function start(text: string | undefined): MemoryFileSystem {
  const fileSystem = new MemoryFileSystem();
  fileSystem.makeDirectory('/home');
  if (text === undefined) return fileSystem;
  const bytes = new TextEncoder().encode(text);
  const file = fileSystem.open('/home/lines', 'createNew');
  file.write(bytes, 0, bytes.length, 0);
  file.close();
  return fileSystem;
}

const append = (fileSystem: FileSystem, line: string, isSoleWriter: boolean): void =>
  appendLine(fileSystem, { directory: '/home', name: 'lines', line, isSoleWriter, mode: 0o600 });
/** What a reader makes of it: lines that can be decoded. */
const known = (fileSystem: FileSystem): string[] =>
  readLines(fileSystem, '/home/lines', MOST).filter((line) => /^\w+$/.test(line) && line !== 'to');

function appending(text: string | undefined, isSoleWriter: boolean): CutSubject<string[]> {
  return {
    prepare: () => start(text),
    // Again after a cut: what was added already is not added twice.
    act: async (fileSystem) => {
      for (const line of LINES) if (!known(fileSystem).includes(line)) append(fileSystem, line, isSoleWriter);
      await Promise.resolve();
    },
    contentOf: known,
    look: (fileSystem, { before }) => {
      const found = known(fileSystem);
      expect(found.slice(0, before.length)).toEqual(before);
      expect(LINES.slice(0, found.length - before.length)).toEqual(found.slice(before.length));
    }
  };
}

describe.each([true, false])('a line that is appended (one writer: %s)', (isSoleWriter) => {
  it.each([undefined, '', 'old\n', 'old\nto'])(
    'is whole or not there after a cut, behind %j',
    async (text) => {
      const report = await enumerateCuts(appending(text, isSoleWriter));
      expect(report.cutCalls).toBe(report.calls);
    }
  );

  it.each([undefined, 'old\nto'])('leaves the lines before it when a call fails, behind %j', async (text) => {
    const report = await enumerateFailures(appending(text, isSoleWriter));
    expect(report.endedWell).toBe(0);
  });

  it('makes good a torn one', () => {
    const fileSystem = start('old\nto');
    append(fileSystem, 'new', isSoleWriter);
    const text = new TextDecoder().decode(readWholeFile(fileSystem, '/home/lines'));
    expect(text).toBe(isSoleWriter ? 'old\nnew\n' : 'old\nto\nnew\n');
  });

  it('is kept from others in a file that is made for it', () => {
    const fileSystem = start(undefined);
    append(fileSystem, 'new', isSoleWriter);
    expect(fileSystem.describe('/home/lines')?.mode).toBe(0o600);
  });
});

describe('a file of lines', () => {
  it('is cut back where the disk is full, so that nothing torn is left', () => {
    const fileSystem = start('old\n');
    fileSystem.capacityBytes = 10;
    expect(() => append(fileSystem, 'a line that is too long', true)).toThrow('ENOSPC');
    expect(fileSystem.describe('/home/lines')?.size).toBe(4);
    fileSystem.capacityBytes = 1000;
    append(fileSystem, 'new', true);
    expect(readLines(fileSystem, '/home/lines', MOST)).toEqual(['old', 'new']);
  });

  it('has no line before its first line break, and is read up to a bound', () => {
    expect(readLines(start('to'), '/home/lines', MOST)).toEqual([]);
    expect(readLines(start(undefined), '/home/lines', MOST)).toEqual([]);
    expect(() => readLines(start('a long line\n'), '/home/lines', 5)).toThrow('at most 5');
  });

  it('finds the last whole line far before a long torn one', () => {
    const fileSystem = start(`old\n${'x'.repeat(200_000)}`);
    append(fileSystem, 'new', true);
    expect(readLines(fileSystem, '/home/lines', MOST)).toEqual(['old', 'new']);
  });
});

describe('a file that is replaced', () => {
  const name = { directory: '/home', name: 'lines', temporaryName: 'lines.tmp' };

  it('keeps its owner and mode, which it has before a byte is written', () => {
    const fileSystem = start('old\n');
    fileSystem.changeMode('/home/lines', 0o640);
    fileSystem.changeOwner('/home/lines', 7, 8);
    replaceFile(fileSystem, { ...name, bytes: new Uint8Array(3) });
    expect(fileSystem.describe('/home/lines')).toMatchObject({ mode: 0o640, uid: 7, gid: 8, size: 3 });
  });

  it('takes the place of what a killed process left beside it', () => {
    const fileSystem = start('old\n');
    fileSystem.open('/home/lines.tmp', 'createNew').close();
    replaceFile(fileSystem, { ...name, bytes: new Uint8Array(3) });
    expect(fileSystem.list('/home')!.map((entry) => entry.name)).toEqual(['lines']);
  });

  it.each(['open', 'changeOwner', 'changeMode', 'rename'] as const)(
    'stays, with nothing beside it, when this fails: %s',
    (call) => {
      const fileSystem = start('old\n');
      fileSystem[call] = () => {
        throw new Error('refused');
      };
      expect(() => replaceFile(fileSystem, { ...name, bytes: new Uint8Array(3) })).toThrow('refused');
      expect(fileSystem.list('/home')!.map((entry) => entry.name)).toEqual(['lines']);
      expect(fileSystem.describe('/home/lines')?.size).toBe(4);
    }
  );
});

describe('on the real file system', () => {
  let directory: string;
  beforeEach(() => {
    directory = mkdtempSync(path.join(tmpdir(), 'winnow-lines-'));
  });
  afterEach(() => rmSync(directory, { recursive: true, force: true }));

  it('no line of another process is lost, however they fall together', async () => {
    const script =
      `const { appendLine } = await import(process.argv[1]); const { NodeFileSystem } = await import(process.argv[2]);` +
      `for (let i = 0; i < 300; i++) appendLine(new NodeFileSystem(), { directory: process.argv[3], name: 'lines', ` +
      `line: process.argv[4] + i, isSoleWriter: false });`;
    const source = (name: string): string => path.resolve('src-core/storage', name);
    const run = (mark: string) =>
      once(
        spawn(
          process.execPath,
          [
            '--input-type=module',
            '-e',
            script,
            source('append-line.ts'),
            source('node-file-system.ts'),
            directory,
            mark
          ],
          { stdio: 'inherit' }
        ),
        'close'
      );
    await Promise.all([run('a'), run('b')]);
    const found = readLines(new NodeFileSystem(), path.join(directory, 'lines'), MOST).filter(
      (line) => line !== ''
    );
    for (const mark of ['a', 'b']) {
      const wanted = Array.from({ length: 300 }, (_, i) => `${mark}${i}`);
      expect(found.filter((line) => line.startsWith(mark))).toEqual(wanted);
    }
  });

  it.runIf(process.platform === 'linux')('a device is no file of lines', () => {
    execFileSync('ln', ['-s', '/dev/full', path.join(directory, 'lines')]);
    const place = { directory, name: 'lines', line: 'new', isSoleWriter: true };
    expect(() => appendLine(new NodeFileSystem(), place)).toThrow('is a device, not a regular file');
  });

  it('a torn line is cut, and the mode kept', () => {
    const file = path.join(directory, 'lines');
    writeFileSync(file, 'old\n', { mode: 0o640 });
    appendFileSync(file, '{"torn":');
    appendLine(new NodeFileSystem(), {
      directory,
      name: 'lines',
      line: 'new',
      isSoleWriter: true,
      mode: 0o600
    });
    expect(readFileSync(file, 'utf8')).toBe('old\nnew\n');
    expect(statSync(file).mode & 0o777).toBe(0o640);
  });
});
