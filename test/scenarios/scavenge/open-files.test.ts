/** The engine lives on after a scavenge that failed: whatever the disk refused, no file may stay open. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { EngineError } from '../../../src-core/errors.ts';
import { runScavenge } from '../../../src-core/scavenge/run-scavenge.ts';
import { QuotaFileSystem } from '../../campaign/quota-file-system.ts';
import { CountingFileSystem } from '../../support/counting-file-system.ts';
import { scavengeEnvironment, scavengeRequest } from '../../support/scavenge-environment.ts';
import { SAMPLE_TIME, ScavengeSamples } from '../../support/scavenge-sample.ts';

const samples = new ScavengeSamples();
let original = '';
beforeAll(async () => {
  const size = { sizeBytes: 150_000, chunkSizeBytes: 32768, seed: 6 };
  original = await samples.write(size, { withPoint: false });
});
afterAll(() => samples.removeAll());

it('are all closed, at whatever byte the disk runs full', async () => {
  let failed = 0;
  for (let quotaBytes = 0; quotaBytes < 160_000; quotaBytes += 3_001) {
    const fileSystem = new CountingFileSystem(new QuotaFileSystem(quotaBytes));
    const request = scavengeRequest(samples.copy(original), {
      scavengePoint: 'new',
      now: SAMPLE_TIME,
      singleNode: true
    });
    try {
      await runScavenge(request, scavengeEnvironment({ fileSystem, hostName: 'here' }));
    } catch (error) {
      expect(error).toBeInstanceOf(EngineError);
      failed++;
    }
    expect(fileSystem.openFiles, `quota of ${quotaBytes} bytes`).toBe(0);
  }
  expect(failed).toBeGreaterThan(10);
});
