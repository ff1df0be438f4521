/** A run that has too little space for the files it writes is refused before it changes anything. */
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { runScavenge } from '../../../src-core/scavenge/run-scavenge.ts';
import { NodeFileSystem } from '../../../src-core/storage/node-file-system.ts';
import { filesOf } from '../../support/database-content.ts';
import { removeUnpacked, unpackDatabase } from '../../support/golden.ts';
import { scavengeEnvironment, scavengeRequest } from '../../support/scavenge-environment.ts';

afterEach(removeUnpacked);

class SmallDisk extends NodeFileSystem {
  free: number;
  constructor(free: number) {
    super();
    this.free = free;
  }
  override freeBytes(): number {
    return this.free;
  }
}

it('is refused with the numbers, and leaves every file as it was', async () => {
  const directory = unpackDatabase({ name: 'current-a', folder: 'before' });
  const before = filesOf(directory);
  const fileSystem = new SmallDisk(300_000);
  const run = runScavenge(scavengeRequest(directory), scavengeEnvironment({ fileSystem }));
  await expect(run).rejects.toMatchObject({
    code: 'StorageFailed',
    message: /needs up to \d+ bytes beside the old files .*; 300000 are free/,
    details: { freeBytes: 300_000 }
  });
  expect(filesOf(directory)).toEqual(before);
});

it('is refused at a path that is too long for a state, before a point is in the log', async () => {
  const above = mkdtempSync(join(tmpdir(), 'winnow-long-'));
  try {
    const directory = join(above, ...['a', 'b', 'c'].map((letter) => letter.repeat(200)), 'db');
    cpSync(unpackDatabase({ name: 'current-a', folder: 'before' }), directory, { recursive: true });
    const before = filesOf(directory);
    const run = runScavenge(scavengeRequest(directory, { scavengePoint: 'new' }), scavengeEnvironment());
    await expect(run).rejects.toMatchObject({ code: 'StorageFailed', details: { reason: 'pathTooLong' } });
    expect(filesOf(directory)).toEqual(before);
  } finally {
    rmSync(above, { recursive: true });
  }
});

it('runs with what it says it needs', async () => {
  const directory = unpackDatabase({ name: 'current-a', folder: 'before' });
  const fileSystem = new SmallDisk(0);
  const refused = await runScavenge(scavengeRequest(directory), scavengeEnvironment({ fileSystem })).then(
    () => undefined,
    (error: { details: { neededBytes: number } }) => error
  );
  fileSystem.free = refused!.details.neededBytes;
  const report = await runScavenge(scavengeRequest(directory), scavengeEnvironment({ fileSystem }));
  expect(report.result).toBe('success');
});
