/** What the system answers seldom: calls that it does not know, that are interrupted, that take nothing, that fail. */
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { EngineError } from '../../../src-core/errors.ts';
import { ByteRate } from '../../../src-core/storage/byte-rate.ts';
import { isFailedFlush, isWithoutLocks } from '../../../src-core/storage/file-system.ts';
import { ownDisk, usableMemoryBytes } from '../../../src-core/storage/node-disk.ts';
import { NodeFileSystem } from '../../../src-core/storage/node-file-system.ts';
import { ownPlatform } from '../../../src-core/storage/node-locks.ts';
import { readRegularFile } from '../../../src-core/storage/node-regular-file.ts';
import { platformFacts } from '../../../src-core/storage/platform-facts.ts';

const node = new NodeFileSystem();
let directory: string;
let file: string;
beforeEach(() => {
  directory = fs.mkdtempSync(path.join(os.tmpdir(), 'winnow-refusing-'));
  file = path.join(directory, 'file');
  fs.writeFileSync(file, 'content');
});
afterEach(() => {
  vi.restoreAllMocks();
  fs.rmSync(directory, { recursive: true, force: true });
});

const answer = (code: string): Error => Object.assign(new Error(`${code}: said the system`), { code });

function throwing(code: string): () => never {
  return () => {
    throw answer(code);
  };
}

function thrownBy(action: () => unknown): EngineError {
  try {
    action();
  } catch (error) {
    expect(error).toBeInstanceOf(EngineError);
    return error as EngineError;
  }
  throw new Error('nothing was thrown');
}

describe('a call that was interrupted is made again', () => {
  test('reading', () => {
    const open = node.open(file, 'read');
    vi.spyOn(fs, 'readSync').mockImplementationOnce(throwing('EINTR'));
    const bytes = new Uint8Array(7);
    expect(open.read(bytes, 0, 7, 0)).toBe(7);
    open.close();
    expect(Buffer.from(bytes).toString()).toBe('content');
  });

  test('reading the whole of a small file', () => {
    vi.spyOn(fs, 'readSync').mockImplementationOnce(throwing('EINTR'));
    expect(readRegularFile(file, 100).toString()).toBe('content');
  });

  test('writing', () => {
    const open = node.open(file, 'readWrite');
    vi.spyOn(fs, 'writeSync').mockImplementationOnce(throwing('EINTR'));
    open.write(Buffer.from('CON'), 0, 3, 0);
    open.close();
    expect(fs.readFileSync(file, 'utf8')).toBe('CONtent');
  });
});

test('the whole of a small file that cannot be read ends with the error of the system', () => {
  vi.spyOn(fs, 'readSync').mockImplementation(throwing('EIO'));
  expect(() => readRegularFile(file, 100)).toThrow('EIO: said the system');
});

describe('a file', () => {
  test('of which the system takes no byte and gives no error is not written for ever', () => {
    const open = node.open(file, 'readWrite');
    vi.spyOn(fs, 'writeSync').mockReturnValue(0);
    const error = thrownBy(() => open.write(Buffer.from('x'), 0, 1, 0));
    open.close();
    expect(error).toMatchObject({ code: 'StorageFailed', details: { file, osCode: 'EIO' } });
    expect(error.message).toBe(`Could not write ${file}: nothing was written.`);
  });

  test('that cannot be read or written ends with its name and the word of the system', () => {
    const open = node.open(file, 'readWrite');
    vi.spyOn(fs, 'readSync').mockImplementation(throwing('EIO'));
    vi.spyOn(fs, 'writeSync').mockImplementation(throwing('ENOSPC'));
    expect(thrownBy(() => open.read(new Uint8Array(1), 0, 1, 0)).details).toEqual({ file, osCode: 'EIO' });
    const error = thrownBy(() => open.write(Buffer.from('x'), 0, 1, 0));
    expect(error.remedy).toMatch(/^Free space on this volume/);
    expect(thrownBy(() => readRegularFileAs(file)).details['osCode']).toBe('EIO');
    open.close();
  });

  test('that cannot be flushed ends with an error that nothing passes over', () => {
    const open = node.open(file, 'readWrite');
    vi.spyOn(fs, 'fsyncSync').mockImplementation(throwing('EIO'));
    const error = thrownBy(() => open.sync());
    open.close();
    expect(error.details).toEqual({ file, osCode: 'EIO', call: 'flush' });
    expect(isFailedFlush(error)).toBe(true);
  });

  test('that is closed is not read, also where another one has its number by now', () => {
    const open = node.open(file, 'read');
    open.close();
    const other = node.open(file, 'read');
    const error = thrownBy(() => open.read(new Uint8Array(1), 0, 1, 0));
    other.close();
    expect(error).toMatchObject({ code: 'StorageFailed', details: { file, osCode: 'unknown' } });
    expect(error.message).toBe(`Could not read ${file}: the file is closed.`);
  });

  test.runIf(process.platform !== 'win32')('that is a device is refused by name', () => {
    const error = thrownBy(() => node.open('/dev/null', 'read'));
    expect(error.message).toBe('/dev/null is a device, not a regular file.');
  });

  test('of no kind that has a name is refused too', () => {
    const stat = Object.assign(Object.create(fs.statSync('/dev/null')) as fs.Stats, {
      isCharacterDevice: () => false
    });
    vi.spyOn(fs, 'fstatSync').mockReturnValueOnce(stat);
    expect(thrownBy(() => node.open(file, 'read')).details).toMatchObject({ found: 'not a file' });
  });
});

/** Through the port: an error of the system has a name there. */
function readRegularFileAs(name: string): void {
  const open = node.open(name, 'read');
  try {
    open.read(new Uint8Array(1), 0, 1, 0);
  } finally {
    open.close();
  }
}

describe.runIf(process.platform === 'linux')('flushing a directory', () => {
  test.each(['EINVAL', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS'])(
    'is nothing where the system knows none: %s',
    (code) => {
      vi.spyOn(fs, 'fsyncSync').mockImplementation(throwing(code));
      expect(() => node.syncDirectory(directory)).not.toThrow();
    }
  );

  test.each(['EIO', undefined])('that fails is a failure: %s', (code) => {
    vi.spyOn(fs, 'fsyncSync').mockImplementation(() => {
      throw code === undefined ? new Error('no word') : answer(code);
    });
    const error = thrownBy(() => node.syncDirectory(directory));
    expect(error.details).toEqual({ file: directory, osCode: code ?? 'unknown', call: 'flush' });
  });
});

describe('a second name and a clone', () => {
  const CALLS = [
    { what: 'link', call: 'linkSync' },
    { what: 'clone', call: 'copyFileSync' }
  ] as const;
  const make = (what: 'link' | 'clone', to: string): boolean => node[what](file, to);

  test.each(CALLS)('are none where the volume has none ($what)', ({ what, call }) => {
    vi.spyOn(fs, call).mockImplementation(throwing('ENOTSUP'));
    expect(make(what, `${file}-2`)).toBe(false);
    expect(fs.existsSync(`${file}-2`)).toBe(false);
  });

  test.each(CALLS)('take no name that is taken ($what)', ({ what }) => {
    fs.writeFileSync(`${file}-2`, 'other');
    const error = thrownBy(() => make(what, `${file}-2`));
    expect(error.details).toEqual({ file: `${file}-2`, osCode: 'EEXIST' });
    expect(error.remedy).toBe('A file with that name already exists. Move it away.');
    expect(fs.readFileSync(`${file}-2`, 'utf8')).toBe('other');
  });

  test.each(CALLS)('fail with the word of the system, or none ($what)', ({ what, call }) => {
    const spy = vi.spyOn(fs, call).mockImplementation(throwing('EACCES'));
    const error = thrownBy(() => make(what, `${file}-2`));
    expect(error.remedy).toContain(`permission to write in ${directory}`);
    spy.mockImplementation(() => {
      throw new Error('no word');
    });
    expect(thrownBy(() => make(what, `${file}-2`)).details['osCode']).toBe('unknown');
  });

  test('leave no empty file where the attempt has made one, and no other file is removed', () => {
    const spy = vi.spyOn(fs, 'copyFileSync').mockImplementation((_from, to) => {
      fs.writeFileSync(to, '');
      throw answer('EXDEV');
    });
    expect(node.clone(file, `${file}-2`)).toBe(false);
    expect(fs.existsSync(`${file}-2`)).toBe(false);
    spy.mockImplementation((_from, to) => {
      fs.writeFileSync(to, 'of somebody else');
      throw answer('EXDEV');
    });
    expect(node.clone(file, `${file}-2`)).toBe(false);
    expect(fs.existsSync(`${file}-2`)).toBe(true);
  });
});

test('a directory that another process makes at the same moment is there', () => {
  const make = fs.mkdirSync.bind(fs);
  vi.spyOn(fs, 'mkdirSync').mockImplementationOnce((name, options) => {
    make(name, options);
    throw answer('EEXIST');
  });
  node.makeDirectory(path.join(directory, 'made'));
  expect(fs.statSync(path.join(directory, 'made')).isDirectory()).toBe(true);
});

describe.runIf(process.platform === 'linux')('who holds a lock', () => {
  const { EWOULDBLOCK, EAGAIN, ENOLCK } = os.constants.errno;

  test('is nobody where there is no file', () => {
    expect(node.lockHolder(path.join(directory, 'none'))).toBeUndefined();
  });

  test.each([
    ['nobody, where a shared lock is given', 0, undefined],
    ['somebody, where it would have to wait', EWOULDBLOCK, { by: 'unknown', pid: null }],
    ['somebody, where it is to be tried again', EAGAIN, { by: 'unknown', pid: null }],
    ['not known, and so nobody, where there are no locks', ENOLCK, undefined]
  ])('is %s', (_what, failure, holder) => {
    const facts = platformFacts('darwin');
    expect(new NodeFileSystem({ facts, flock: () => failure }).lockHolder(file)).toEqual(holder);
  });

  test.each([
    ['the list of locks', '/proc/locks'],
    ['what the system knows of an open file', '/proc/self/fdinfo'],
    ['the list of mounts', '/proc/self/mountinfo']
  ])('is asked for by a shared lock where %s cannot be read', (_what, name) => {
    const read = fs.readFileSync.bind(fs);
    vi.spyOn(fs, 'readFileSync').mockImplementation(((from: string, options: BufferEncoding) => {
      if (from.startsWith(name)) throw answer('ENOENT');
      return read(from, options);
    }) as typeof fs.readFileSync);
    const looking = new NodeFileSystem({ ...ownPlatform, flock: () => EWOULDBLOCK });
    expect(looking.lockHolder(file)).toEqual({ by: 'unknown', pid: null });
  });

  test('is asked for by a shared lock where the mount of the file is not listed', () => {
    const read = fs.readFileSync.bind(fs);
    vi.spyOn(fs, 'readFileSync').mockImplementation(((from: string, options: BufferEncoding) =>
      from === '/proc/self/mountinfo' ? '' : read(from, options)) as typeof fs.readFileSync);
    const looking = new NodeFileSystem({ ...ownPlatform, flock: () => EWOULDBLOCK });
    expect(looking.lockHolder(file)).toEqual({ by: 'unknown', pid: null });
  });
});

test.each([
  [new TypeError('our own mistake'), false],
  [locksError('locksUnseen'), true],
  [locksError('noLocks'), true],
  [locksError('notARegularFile'), false]
])('%s says that there are no locks: %s', (error, isSo) => expect(isWithoutLocks(error)).toBe(isSo));

function locksError(reason: string): EngineError {
  return new EngineError({ code: 'StorageFailed', message: 'No.', remedy: 'No.', details: { reason } });
}

test('bytes that another thread counts at the same moment are paid for as well', () => {
  const paidUntil = new SharedArrayBuffer(8);
  const bytes = 100 * 1024 * 1024;
  const rate = new ByteRate({ bytesPerSecond: bytes, paidUntil }, () => 0);
  const exchange = Atomics.compareExchange.bind(Atomics);
  vi.spyOn(Atomics, 'compareExchange').mockImplementationOnce((array, index, expected, value) => {
    // The other one: a second.
    new BigInt64Array(paidUntil)[0] = 1_000_000n;
    return exchange(array, index, expected, value);
  });
  rate.count(bytes);
  expect(rate.owes).toBe(true);
  expect(rate.takeRest()).toBe(2000);
});

describe('memory', () => {
  const GIB = 2 ** 30;

  test.each([
    ['all of the machine where no limit is known', 0, os.totalmem()],
    ['all of the machine where the kernel names the number for none', 2 ** 63, os.totalmem()],
    ['what the process may take', GIB / 4, GIB / 4],
    ['no more than the machine has', os.totalmem() * 2, os.totalmem()]
  ])('that can be used is %s', (_what, limit, expected) => {
    vi.spyOn(process, 'constrainedMemory').mockReturnValue(limit);
    expect(usableMemoryBytes()).toBe(expected);
  });

  test.each([
    [GIB / 4, GIB / 8, true],
    [GIB / 4, GIB / 64, false]
  ])('of a process that may take %d bytes and has %d left lies idle: %s', (limit, left, isIdle) => {
    vi.spyOn(process, 'constrainedMemory').mockReturnValue(limit);
    vi.spyOn(process, 'availableMemory').mockReturnValue(left);
    expect(ownDisk.hasIdleMemory()).toBe(isIdle);
  });

  test.each([
    ['much', `MemFree: ${Math.round(os.totalmem() / 2048)} kB\n`, true],
    ['little', 'MemFree: 1000 kB\n', false],
    ['not said', 'MemTotal: 1000 kB\n', false]
  ])('of a machine where %s is free lies idle accordingly', (_what, text, isIdle) => {
    vi.spyOn(process, 'constrainedMemory').mockReturnValue(0);
    vi.spyOn(fs, 'readFileSync').mockReturnValue(text);
    expect(ownDisk.hasIdleMemory()).toBe(isIdle);
  });

  test('lies idle nowhere that the system does not tell', () => {
    vi.spyOn(process, 'constrainedMemory').mockReturnValue(0);
    vi.spyOn(fs, 'readFileSync').mockImplementation(throwing('ENOENT'));
    expect(ownDisk.hasIdleMemory()).toBe(false);
  });
});

test.runIf(process.platform === 'linux')(
  'pages are given back of the same file only, which keeps its bytes',
  () => {
    const { ino: inode } = fs.statSync(file);
    const opened = vi.spyOn(fs, 'openSync');
    const closed = vi.spyOn(fs, 'closeSync');
    for (const one of [inode, inode + 1])
      ownDisk.giveBack({ path: file, inode: one }, [{ from: 0, length: 4096 }]);
    ownDisk.giveBack({ path: `${file}-gone`, inode }, [{ from: 0, length: 4096 }]);
    expect(closed.mock.calls.length).toBe(opened.mock.results.filter(({ type }) => type === 'return').length);
    vi.restoreAllMocks();
    expect(fs.readFileSync(file, 'utf8')).toBe('content');
  }
);
