import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { once } from 'node:events';
import os, { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { EngineError } from '../../../src-core/errors.ts';
import { lockDirectory } from '../../../src-core/storage/directory-lock.ts';
import { isWithoutLocks } from '../../../src-core/storage/file-system.ts';
import { NodeFileSystem } from '../../../src-core/storage/node-file-system.ts';
import { ownPlatform, type LockPlatform } from '../../../src-core/storage/node-locks.ts';
import { platformFacts } from '../../../src-core/storage/platform-facts.ts';

const fileSystem = new NodeFileSystem();
let directory: string;
let child: ChildProcess | undefined;

beforeEach(() => {
  directory = mkdtempSync(path.join(tmpdir(), 'winnow-lock-'));
  writeFileSync(path.join(directory, 'writer.chk'), Buffer.alloc(8));
});
afterEach(() => {
  child?.kill('SIGKILL');
  child = undefined;
  rmSync(directory, { recursive: true, force: true });
});

/** Another process that holds a lock on writer.chk: shared, as a running server does, or exclusive, as we do. */
async function hold(kind: '--shared' | '--exclusive'): Promise<void> {
  child = spawn(
    'flock',
    ['--no-fork', kind, path.join(directory, 'writer.chk'), 'sh', '-c', 'echo held; exec sleep 60'],
    {
      stdio: ['ignore', 'pipe', 'inherit']
    }
  );
  await new Promise((resolve) => child!.stdout!.once('data', resolve));
}

describe.skipIf(process.platform === 'win32')('the lock of a directory', () => {
  it('is taken and given back', () => {
    const release = lockDirectory({ fileSystem, dataDirectory: directory });
    expect(fileSystem.lockHolder(path.join(directory, 'writer.chk'))?.pid).toBe(process.pid);
    release();
    expect(fileSystem.lockHolder(path.join(directory, 'writer.chk'))).toBeUndefined();
    lockDirectory({ fileSystem, dataDirectory: directory })();
  });

  it('is refused while a server holds its shared locks, naming the process', async () => {
    await hold('--shared');
    let error: unknown;
    try {
      lockDirectory({ fileSystem, dataDirectory: directory });
    } catch (caught) {
      error = caught;
    }
    expect(error).toBeInstanceOf(EngineError);
    expect((error as EngineError).code).toBe('DatabaseInUse');
    expect((error as EngineError).details['pid']).toBe(child!.pid);
    expect((error as EngineError).message).toMatch(/in use by (flock|sleep|sh) \(process \d+\)/);
  });

  it.runIf(process.platform === 'linux').each([
    ['cli.js', 'winnow'],
    ['server.mjs', 'node']
  ])('is refused with a name that says something where Node runs %s: %s', async (script, name) => {
    const file = path.join(directory, script);
    writeFileSync(file, 'console.log("held"); setTimeout(() => undefined, 60_000);');
    child = spawn(
      'flock',
      ['--no-fork', path.join(directory, 'writer.chk'), process.execPath, '--no-warnings', file],
      { stdio: ['ignore', 'pipe', 'inherit'] }
    );
    await once(child.stdout!, 'data');
    expect(() => lockDirectory({ fileSystem, dataDirectory: directory })).toThrow(
      `${directory} is in use by ${name} (process ${child.pid}).`
    );
  });

  it('is refused while another one of us writes', async () => {
    await hold('--exclusive');
    expect(() => lockDirectory({ fileSystem, dataDirectory: directory })).toThrow(/in use/);
  });
});

/** Runs `lock-holder.mjs`, does `work` once it is ready, and gives what it says at its end. */
async function besideHolder(
  kind: 'loop' | 'record',
  file: string,
  work: () => Promise<void>
): Promise<string> {
  const script = fileURLToPath(new URL('../../support/lock-holder.mjs', import.meta.url));
  const holder = spawn(process.execPath, [script, kind, file], { stdio: ['pipe', 'pipe', 'inherit'] });
  child = holder;
  let said = '';
  holder.stdout.setEncoding('utf8').on('data', (text: string) => (said += text));
  await once(holder.stdout, 'data');
  try {
    await work();
  } finally {
    holder.stdin.end();
  }
  await once(holder, 'close');
  return said.replace('ready\n', '');
}

describe.skipIf(process.platform === 'win32')('looking for a lock', () => {
  const writer = () => path.join(directory, 'writer.chk');

  it.each(['linux', 'darwin'] as const)('never refuses a server that starts meanwhile (%s)', async (name) => {
    if (name === 'linux' && process.platform !== 'linux') return;
    const looking = new NodeFileSystem({ ...ownPlatform, facts: platformFacts(name) });
    const said = await besideHolder('loop', writer(), async () => {
      for (let look = 0; look < 5000; look++) {
        looking.lockHolder(writer());
        if (look % 100 === 0) await new Promise((resolve) => setImmediate(resolve));
      }
    });
    const { tried, refused } = JSON.parse(said) as { tried: number; refused: number };
    expect(tried).toBeGreaterThan(0);
    expect(refused).toBe(0);
  });

  it.each(['linux', 'darwin', 'freebsd'] as const)(
    'takes no exclusive lock, not for a moment (%s)',
    (name) => {
      const asked: number[] = [];
      const flock: LockPlatform['flock'] = (descriptor, operation) => {
        asked.push(operation);
        return ownPlatform.flock(descriptor, operation);
      };
      expect(new NodeFileSystem({ facts: platformFacts(name), flock }).lockHolder(writer())).toBeUndefined();
      expect(asked.filter((operation) => (operation & 2) !== 0)).toEqual([]);
    }
  );

  it.each(['--shared', '--exclusive'] as const)('sees who holds one: %s', async (kind) => {
    if (process.platform !== 'linux') return;
    await hold(kind);
    expect(fileSystem.lockHolder(writer())?.pid).toBe(child!.pid);
  });

  it('sees an exclusive one where the system has no list of locks', async () => {
    await hold('--exclusive');
    const looking = new NodeFileSystem({ ...ownPlatform, facts: platformFacts('darwin') });
    expect(looking.lockHolder(writer())).toEqual({ by: 'unknown', pid: null });
  });

  it.runIf(process.platform === 'linux')('sees what another machine holds on a share', async () => {
    await besideHolder('record', writer(), async () => {
      expect(fileSystem.lockHolder(writer())).toEqual({ by: 'unknown', pid: null });
    });
    expect(fileSystem.lockHolder(writer())).toBeUndefined();
  });
});

describe('where locks cannot be seen', () => {
  const NO_LOCKS = os.constants.errno.ENOLCK;
  const refusing: LockPlatform = { facts: platformFacts('linux'), flock: () => NO_LOCKS };
  const lock = (platform: LockPlatform, assumeStopped: boolean) => () =>
    lockDirectory({ fileSystem: new NodeFileSystem(platform), dataDirectory: directory, assumeStopped });

  it.skipIf(process.platform === 'win32')(
    'a write is refused as that, unless the server is said to be stopped',
    () => {
      const error = thrownBy(lock(refusing, false));
      expect(error).toMatchObject({
        code: 'StorageFailed',
        details: { reason: 'locksUnseen', osCode: 'ENOLCK' }
      });
      expect(error.message).toMatch(/^Locks are not visible here/);
      expect(error.remedy).toContain('--assume-stopped');
      expect(lock(refusing, true)).not.toThrow();
      expect(isWithoutLocks(error)).toBe(true);
    }
  );

  it.skipIf(process.platform === 'win32')('a lock that is seen counts, whatever is said', async () => {
    await hold('--exclusive');
    expect(thrownBy(lock(ownPlatform, true)).code).toBe('DatabaseInUse');
    expect(thrownBy(lock({ ...ownPlatform, facts: platformFacts('darwin') }, true)).code).toBe(
      'DatabaseInUse'
    );
  });

  it('nothing is written on Windows, whatever is said', () => {
    const windows: LockPlatform = { facts: platformFacts('win32'), flock: () => 0 };
    for (const assumeStopped of [false, true]) {
      const error = thrownBy(lock(windows, assumeStopped));
      expect(error).toMatchObject({ code: 'StorageFailed', details: { reason: 'noLocks' } });
      expect(error.message).toMatch(/^Winnow writes nothing on Windows: it cannot lock .*writer\.chk/);
    }
    expect(new NodeFileSystem(windows).lockHolder(path.join(directory, 'writer.chk'))).toBeUndefined();
  });

  it('a directory without the file that a server locks is refused, unless the server is said to be stopped', () => {
    rmSync(path.join(directory, 'writer.chk'));
    expect(thrownBy(lock(ownPlatform, false)).message).toMatch(/^There is no writer\.chk/);
    expect(lock(ownPlatform, true)).not.toThrow();
  });
});

function thrownBy(action: () => unknown): EngineError {
  try {
    action();
  } catch (error) {
    if (error instanceof EngineError) return error;
    throw error;
  }
  throw new Error('nothing was thrown');
}
