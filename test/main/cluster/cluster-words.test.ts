/** `winnow cluster` with stopped nodes: quiet hours and the threshold of a pass. */
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { removeUnpacked, unpackDatabase } from '../../support/golden.ts';
import { SimulatedCluster } from '../../support/simulated-cluster.ts';
import { jsonOf, runWinnow, type Finished } from '../cli/run-winnow.ts';

let home: string;
let members: string[];

beforeAll(async () => {
  home = fs.mkdtempSync(path.join(os.tmpdir(), 'winnow-words-'));
  members = [1, 2].map(() => unpackDatabase({ name: 'rules', folder: 'before' }));
  await winnow('cluster', 'register', 'duo', ...members, '--yes');
});
afterAll(() => {
  removeUnpacked();
  fs.rmSync(home, { recursive: true, force: true });
});

function winnow(...words: string[]): Promise<Finished> {
  return runWinnow(words, { environment: { WINNOW_HOME: home, WINNOW_CLUSTER_PASSWORD: 'changeit' } });
}

describe('winnow cluster quiet-hours', () => {
  it('sets them for good, says them in the status, and takes them away', async () => {
    const words = ['cluster', 'quiet-hours', 'duo', '--from', '8:00', '--to', '20:00', '--days', 'mon-fri'];
    expect((await winnow(...words, '--dry-run')).stderr).toContain('08:00-20:00 mon-fri');
    const set = await winnow(...words, '--yes', '--json');
    expect(set.exitCode).toBe(0);
    const quietHours = { from: '08:00', to: '20:00', days: [1, 2, 3, 4, 5] };
    expect(jsonOf(set)).toMatchObject({ name: 'duo', autoScavenge: { quietHours } });
    await winnow('cluster', 'auto-scavenge', 'duo', 'configure', '0 3 * * *', '--yes');
    expect((await winnow('cluster', 'status', 'duo')).stdout).toContain('quiet hours 08:00-20:00 mon-fri');
    const off = await winnow('cluster', 'quiet-hours', 'duo', '--off', '--yes', '--json');
    expect(jsonOf(off)).not.toHaveProperty('autoScavenge.quietHours');
  });

  it.each([
    [[]],
    [['--from', '08:00']],
    [['--off', '--from', '08:00', '--to', '09:00']],
    [['--from', '25:00', '--to', '09:00']],
    [['--from', '08:00', '--to', '09:00', '--days', 'someday']]
  ])('refuses %j with 2', async (options) => {
    expect((await winnow('cluster', 'quiet-hours', 'duo', ...options, '--yes')).exitCode).toBe(2);
  });
});

describe('winnow cluster scavenge --threshold', () => {
  it('leaves chunks alone that are lighter', async () => {
    const sizes = (): number[] => members.map(sizeOfChunks);
    const before = sizes();
    const words = ['cluster', 'scavenge', 'duo', '--yes', '--json'];
    const light = await winnow(...words, '--threshold', '1000000');
    expect(jsonOf(light)).toMatchObject({ result: 'success' });
    expect(sizes()).toEqual(before);
    await winnow(...words, '--threshold', '0');
    for (const [index, size] of sizes().entries()) expect(size).toBeLessThan(before[index]!);
  });

  it('is passed on to running nodes', async () => {
    const live = new SimulatedCluster();
    await live.start(1);
    try {
      const url = live.nodes[0]!.url;
      await winnow(
        'cluster',
        'register',
        'live',
        url,
        '--cluster-size',
        '1',
        '--yes',
        '--user',
        'ops',
        '--password-stdin'
      );
      const finished = await winnow('cluster', 'scavenge', 'live', '--threshold', '7', '--yes');
      expect(finished.exitCode).toBe(0);
      expect(live.queries).toEqual(['?threshold=7']);
    } finally {
      await live.close();
    }
  });
});

function sizeOfChunks(directory: string): number {
  const chunks = fs.readdirSync(directory).filter((name) => name.startsWith('chunk-'));
  return chunks.reduce((sum, name) => sum + fs.statSync(path.join(directory, name)).size, 0);
}
