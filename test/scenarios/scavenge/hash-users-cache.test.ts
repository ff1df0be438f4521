/** Names of streams are held in memory while a log is accumulated; how far that reached is told. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { planScavenge, runScavenge } from '../../../src-core/scavenge/run-scavenge.ts';
import { scavengeEnvironment, scavengeRequest } from '../../support/scavenge-environment.ts';
import { ScavengeSamples } from '../../support/scavenge-sample.ts';

const samples = new ScavengeSamples();
let original = '';
beforeAll(async () => {
  original = await samples.write(
    { sizeBytes: 200_000, chunkSizeBytes: 65536, seed: 12 },
    { withPoint: true }
  );
});
afterAll(() => samples.removeAll());

async function useOf(hashUsersCacheCapacity: number | undefined) {
  const directory = samples.copy(original);
  const request = scavengeRequest(directory, {
    hashUsersCacheCapacity,
    scratchDirectory: samples.directory()
  });
  const planned = await planScavenge(request, scavengeEnvironment());
  const lines: string[] = [];
  const report = await runScavenge(request, scavengeEnvironment({ onLog: (line) => lines.push(line) }));
  expect(planned.hashUsersCache).toEqual(report.hashUsersCache);
  const { hits, misses } = report.hashUsersCache!;
  const told = `accumulation had ${hits} hits and ${misses} misses of the hash users cache`;
  expect(lines.filter((line) => line.includes(told))).toHaveLength(1);
  return { hits, misses };
}

it('each name is missed once and found from then on; plan, report and log say how often', async () => {
  const { hits, misses } = await useOf(undefined);
  expect(misses).toBeGreaterThan(0);
  expect(hits).toBeGreaterThan(misses);
  expect(await useOf(1_000_000)).toEqual({ hits, misses });
});
