/** The scavenge state of golden databases against their logs. */
import { chmodSync, cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { startWorkerEngine } from '../../src-main/engine/engine-host.ts';
import type { VerifyReport } from '../../src-main/contract/operations/reports.ts';
import { removeUnpacked, unpackDatabase } from '../support/golden.ts';

afterEach(removeUnpacked);

const stateOf = (directory: string) => path.join(directory, 'index', 'scavenging');

async function verify(dataDirectory: string): Promise<VerifyReport> {
  const engine = startWorkerEngine();
  try {
    return await engine.call('verifyDatabase', { dataDirectory });
  } finally {
    await engine.close();
  }
}

describe('verification of the scavenge state', () => {
  it.each([
    ['rules', 'after-t0'],
    ['rules', 'after-twice'],
    ['killed-scavenge', 'at-kill']
  ])('finds nothing in %s/%s', async (name, folder) => {
    const directory = unpackDatabase({ name, folder });
    const before = readFileSync(path.join(stateOf(directory), 'scavenging.db'));
    const report = await verify(directory);
    expect(report.findings.filter(({ severity }) => severity === 'damage')).toEqual([]);
    expect(readFileSync(path.join(stateOf(directory), 'scavenging.db')).equals(before)).toBe(true);
  });

  it('names a damaged file', async () => {
    const directory = unpackDatabase({ name: 'rules', folder: 'after-t0' });
    const file = path.join(stateOf(directory), 'scavenging.db');
    chmodSync(file, 0o644);
    const bytes = readFileSync(file);
    bytes.fill(0xa5, 16384, 32768);
    writeFileSync(file, bytes);
    const report = await verify(directory);
    expect(report.ok).toBe(false);
    expect(report.findings).toMatchObject([{ code: 'stateInvalid', file: 'scavenging/scavenging.db' }]);
  });

  it('names a state that a restore to an older log left behind', async () => {
    const newer = unpackDatabase({ name: 'rules', folder: 'after-twice' });
    const older = unpackDatabase({ name: 'rules', folder: 'before' });
    rmSync(stateOf(older), { recursive: true, force: true });
    mkdirSync(stateOf(older), { recursive: true });
    cpSync(stateOf(newer), stateOf(older), { recursive: true });
    const report = await verify(older);
    expect(report.findings).toMatchObject([
      { severity: 'damage', code: 'stateAheadOfLog', message: /holds no scavenge point/ }
    ]);
  });
});
