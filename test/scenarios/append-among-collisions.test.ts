/** The index gives a stream up among too many events of others with its hash. An append must then fail, not guess. */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { runScavenge } from '../../src-core/scavenge/run-scavenge.ts';
import { filesOf } from '../support/database-content.ts';
import { scavengeEnvironment, scavengeRequest } from '../support/scavenge-environment.ts';
import { SAMPLE_TIME, ScavengeSamples } from '../support/scavenge-sample.ts';

const samples = new ScavengeSamples();
afterEach(() => samples.removeAll());

it('a scavenge point is not written where the number of the last one cannot be found', async () => {
  const size = { sizeBytes: 200_000, chunkSizeBytes: 65536, seed: 2 };
  const directory = await samples.write(size, { withPoint: false });
  rmSync(join(directory, 'index'), { recursive: true }); // its tables have the real hash
  const before = filesOf(directory);
  const hasher = () => ({ high: 0, low: 0 });
  const request = scavengeRequest(directory, { scavengePoint: 'new', now: SAMPLE_TIME });
  await expect(runScavenge(request, scavengeEnvironment({ hasher }))).rejects.toMatchObject({
    code: 'UnsupportedFormat',
    message: /\$scavengePoints cannot be found/
  });
  expect(filesOf(directory)).toEqual(before);
});
