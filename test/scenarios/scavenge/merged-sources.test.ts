/** What is merged was written a moment ago, or by an earlier run: only the latter has to be hashed first. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runScavenge } from '../../../src-core/scavenge/run-scavenge.ts';
import type { StartRewriteWorkers } from '../../../src-core/scavenge/output/rewrite-workers.ts';
import type { ScavengeRequest } from '../../../src-core/scavenge/scavenge-request.ts';
import { startRewriteWorkers } from '../../../src-main/threads/start-rewrite-workers.ts';
import { contentOf, type DatabaseContent } from '../../support/database-content.ts';
import { scavengeEnvironment, scavengeRequest } from '../../support/scavenge-environment.ts';
import { ScavengeSamples } from '../../support/scavenge-sample.ts';
import { writeUneven } from '../../support/uneven-database.ts';

const samples = new ScavengeSamples();
let original = '';
let merged: DatabaseContent;

beforeAll(async () => {
  original = await writeUneven(samples.directory(), { outOf: 3, goesMost: true });
  const directory = samples.copy(original);
  const { chunks } = await runScavenge(scavengeRequest(directory), scavengeEnvironment());
  expect(chunks.some(({ decision }) => decision === 'merged')).toBe(true);
  merged = await contentOf(directory);
});
afterAll(() => samples.removeAll());

/** Names of the files that were hashed before they were copied, and of those that were written. */
async function run(directory: string, change: Partial<ScavengeRequest>) {
  const hashed = new Set<string>();
  const start: StartRewriteWorkers = (wanted) => {
    const workers = startRewriteWorkers(wanted);
    return {
      ...workers,
      checksums: (chunks) => {
        for (const { fileName } of chunks) hashed.add(fileName);
        return workers.checksums(chunks);
      }
    };
  };
  const environment = scavengeEnvironment({ workers: { start, processorCount: 3 } });
  const { chunks } = await runScavenge(scavengeRequest(directory, change), environment);
  const written = chunks.flatMap(({ decision, newFile = [] }) => (decision === 'merged' ? [] : newFile));
  return { hashed, written };
}

describe.each([1, 3])('a scavenge with %i threads', (threads) => {
  it('merges what it wrote without hashing it again', async () => {
    const directory = samples.copy(original);
    const { hashed, written } = await run(directory, { threads });
    expect(written.length).toBeGreaterThan(1);
    expect(written.filter((name) => hashed.has(name))).toEqual([]);
    expect(await contentOf(directory)).toEqual(merged);
  });

  it('hashes what an earlier run wrote before it merges it', async () => {
    const directory = samples.copy(original);
    const { written } = await run(directory, { threads, stopAfter: 'chunkExecution' });
    const { hashed } = await run(directory, { threads });
    expect([...hashed].filter((name) => written.includes(name)).length).toBeGreaterThan(1);
    expect(await contentOf(directory)).toEqual(merged);
  });
});
