/**
 * A lock is one on the file that has the name: who held it before may have moved that file away, or removed it, between
 * the moment at which it was opened here and that at which it is locked.
 */
import fs from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { NodeFileSystem } from '../../../src-core/storage/node-file-system.ts';
import { ownPlatform } from '../../../src-core/storage/node-locks.ts';

let directory = '';
const lockFile = () => path.join(directory, 'writer.chk');
beforeEach(() => {
  directory = fs.mkdtempSync(path.join(tmpdir(), 'winnow-replaced-lock-'));
  fs.writeFileSync(lockFile(), 'old');
});
afterEach(() => fs.rmSync(directory, { recursive: true, force: true }));

/** Whatever `before` does is done just before each call that locks, with the number of the call. */
function lockAfter(before: (call: number) => void): (() => void) | undefined {
  let call = 0;
  const flock: typeof ownPlatform.flock = (descriptor, operation) => {
    before(++call);
    return ownPlatform.flock(descriptor, operation);
  };
  return new NodeFileSystem({ ...ownPlatform, flock }).tryLock(lockFile());
}

function replace(): void {
  fs.writeFileSync(`${lockFile()}.new`, 'new');
  fs.renameSync(`${lockFile()}.new`, lockFile());
}

describe.skipIf(process.platform === 'win32')('a lock', () => {
  it('is on the file that took the place of the one that was opened', () => {
    const release = lockAfter((call) => call === 1 && replace());
    expect(release).toBeDefined();
    expect(new NodeFileSystem().tryLock(lockFile())).toBeUndefined();
    release!();
    new NodeFileSystem().tryLock(lockFile())!();
  });

  it('is another process’s where the one that took its place is locked', () => {
    let held: (() => void) | undefined;
    const release = lockAfter((call) => {
      if (call > 1) return;
      replace();
      held = new NodeFileSystem().tryLock(lockFile());
    });
    expect(release).toBeUndefined();
    held!();
  });

  it('is another process’s where the file was removed, and where it changes again and again', () => {
    expect(lockAfter(() => fs.rmSync(lockFile(), { force: true }))).toBeUndefined();
    fs.writeFileSync(lockFile(), 'old');
    expect(lockAfter(replace)).toBeUndefined();
    // None of those that were tried stays locked.
    new NodeFileSystem().tryLock(lockFile())!();
  });
});
