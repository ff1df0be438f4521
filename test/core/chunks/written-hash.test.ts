/** A file that another thread hashes while it is written has the hash of all its bytes. */
import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hashWhileWritten, WrittenProgress } from '../../../src-core/chunks/written-hash.ts';
import { EngineError } from '../../../src-core/errors.ts';
import { NodeFileSystem } from '../../../src-core/storage/node-file-system.ts';
import { startRewriteWorkers } from '../../../src-main/threads/start-rewrite-workers.ts';

const MIB = 1024 * 1024;
const fileSystem = new NodeFileSystem();
let directory = '';
beforeAll(() => {
  directory = mkdtempSync(path.join(tmpdir(), 'winnow-written-'));
});
afterAll(() => rmSync(directory, { recursive: true, force: true }));

const setup = {
  statePath: '',
  cacheSizeBytes: undefined,
  pointPosition: 0,
  effectiveNow: 0n,
  ignoreHardDeletes: false
};

function someBytes(length: number): Buffer {
  const bytes = Buffer.alloc(length);
  for (let i = 0; i < length; i += 7) bytes[i] = (i * 31) & 0xff;
  return bytes;
}

function md5Of(bytes: Buffer): string {
  return createHash('md5').update(bytes).digest('hex');
}

describe('a file hashed while it is written', () => {
  const lengths = [1, MIB - 1, MIB, MIB + 1, 5 * MIB + 123];

  it.each(lengths.flatMap((length) => [1, 2].map((count) => ({ length, count }))))(
    'has its hash after $length bytes with $count threads, also in several pieces, one file after the other',
    async ({ length, count }) => {
      const workers = startRewriteWorkers({ count, setup, signal: undefined });
      if (!workers.follow) return; // a machine with one processor has no thread for it
      try {
        for (const pieceBytes of [length, 700_000]) {
          const bytes = someBytes(length);
          const file = path.join(directory, `${length}-${pieceBytes}-${count}`);
          const open = fileSystem.open(file, 'createNew');
          const followed = workers.follow(file);
          for (let at = 0; at < length; at += pieceBytes) {
            const part = Math.min(pieceBytes, length - at);
            open.write(bytes, at, part, at);
            followed.wrote(at + part);
            await new Promise((resolve) => setImmediate(resolve));
          }
          expect(await followed.digest(length)).toBe(md5Of(bytes));
          open.close();
        }
      } finally {
        await workers.close();
      }
    }
  );

  it('that is given up lets the thread go on to the next', async () => {
    const workers = startRewriteWorkers({ count: 1, setup, signal: undefined });
    if (!workers.follow) return; // a machine with one processor has no thread for it
    try {
      const file = path.join(directory, 'given-up');
      const open = fileSystem.open(file, 'createNew');
      open.write(someBytes(MIB), 0, MIB, 0);
      workers.follow(file).abandon();
      const followed = workers.follow(file);
      followed.wrote(MIB);
      expect(await followed.digest(MIB)).toBe(md5Of(someBytes(MIB)));
      open.close();
    } finally {
      await workers.close();
    }
  });

  it.each<[what: string, end: (progress: WrittenProgress) => void, hash: string]>([
    ['is written to its end', (progress) => progress.end(MIB + 5), md5Of(someBytes(MIB + 5))],
    ['is given up at last', (progress) => progress.giveUp(), '']
  ])('that %s has what belongs to it', (_what, end, hash) => {
    const file = path.join(directory, `ended-${hash}`);
    const open = fileSystem.open(file, 'createNew');
    open.write(someBytes(MIB + 5), 0, MIB + 5, 0);
    open.close();
    const progress = new WrittenProgress();
    progress.wrote(MIB + 5);
    end(progress);
    expect(hashWhileWritten(fileSystem, { path: file, shared: progress.shared })).toBe(hash);
  });

  it('that grows while it is hashed is read on', () => {
    const bytes = someBytes(MIB + 5);
    const file = path.join(directory, 'grown');
    const written = fileSystem.open(file, 'createNew');
    written.write(bytes, 0, bytes.length, 0);
    written.close();
    const progress = new WrittenProgress();
    progress.wrote(MIB);
    // The rest is told after the reader has asked how far the writer is, before it waits.
    const open: NodeFileSystem['open'] = (opened, mode) => {
      const inner = fileSystem.open(opened, mode);
      return {
        path: opened,
        size: () => inner.size(),
        write: (...parts) => inner.write(...parts),
        truncate: (size) => inner.truncate(size),
        sync: () => inner.sync(),
        close: () => inner.close(),
        read: (...parts) => {
          progress.end(bytes.length);
          return inner.read(...parts);
        }
      };
    };
    expect(hashWhileWritten({ open }, { path: file, shared: progress.shared })).toBe(md5Of(bytes));
  });

  it('that another program cuts short is told, with the place', () => {
    const file = path.join(directory, 'cut');
    const open = fileSystem.open(file, 'createNew');
    open.write(someBytes(1000), 0, 1000, 0);
    open.close();
    const progress = new WrittenProgress();
    progress.end(2000);
    const hashed = (): string => hashWhileWritten(fileSystem, { path: file, shared: progress.shared });
    expect(hashed).toThrow(EngineError);
    expect(hashed).toThrow(`${file} ends at offset 1000, and more was written to it.`);
  });
});
