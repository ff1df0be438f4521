import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { EngineError } from '../../../src-core/errors.ts';
import { lockDirectory } from '../../../src-core/storage/directory-lock.ts';
import { NodeFileSystem } from '../../../src-core/storage/node-file-system.ts';

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

  it('is refused while another one of us writes', async () => {
    await hold('--exclusive');
    expect(() => lockDirectory({ fileSystem, dataDirectory: directory })).toThrow(/in use/);
  });
});
