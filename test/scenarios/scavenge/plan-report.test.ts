/** What a plan says beside its numbers: what the run needs meanwhile, and that it is not worth running. */
import { afterEach, describe, expect, it } from 'vitest';
import { OperationControl } from '../../../src-core/database/operation-control.ts';
import { planScavenge, runScavenge } from '../../../src-core/scavenge/run-scavenge.ts';
import type { ScavengeRequest } from '../../../src-core/scavenge/scavenge-request.ts';
import { scavengeEnvironment, scavengeRequest } from '../../support/scavenge-environment.ts';
import { SAMPLE_TIME, ScavengeSamples } from '../../support/scavenge-sample.ts';

const samples = new ScavengeSamples();
afterEach(() => samples.removeAll());

const SIZE = { sizeBytes: 200_000, chunkSizeBytes: 32768, seed: 4 };
const NEW: Partial<ScavengeRequest> = { scavengePoint: 'new', singleNode: true, now: SAMPLE_TIME };

function plan(directory: string, change: Partial<ScavengeRequest>, processorCount?: number) {
  const scratchDirectory = samples.directory();
  const start = () => {
    throw new Error('a plan starts no workers');
  };
  return planScavenge(
    scavengeRequest(directory, { ...change, scratchDirectory }),
    scavengeEnvironment(processorCount === undefined ? {} : { workers: { start, processorCount } })
  );
}

function codesOf({ warnings }: { warnings: { code: string }[] }): string[] {
  return warnings.map(({ code }) => code);
}

describe('a plan', () => {
  it('names the space that its run asks for, more of it for more threads', async () => {
    const directory = await samples.write(SIZE, { withPoint: false });
    const one = await plan(directory, NEW, 2);
    const two = await plan(directory, { ...NEW, threads: 8 }, 2);
    expect(one.threads).toBe(1);
    expect(two.threads).toBe(2);
    expect(one.scratchBytes).toBeGreaterThan(32768);
    expect(two.scratchBytes).toBeGreaterThan(one.scratchBytes + 30_000);
    const report = await runScavenge(scavengeRequest(directory, NEW), scavengeEnvironment());
    expect(report.scratchBytes).toBe(one.scratchBytes);
  });

  it('that frees something does not say that it frees nothing', async () => {
    const directory = await samples.write(SIZE, { withPoint: false });
    expect(codesOf(await plan(directory, NEW))).not.toContain('nothingToFree');
  });

  it('that frees nothing says so, and that no point need be written', async () => {
    const directory = await samples.write(SIZE, { withPoint: false });
    await runScavenge(scavengeRequest(directory, NEW), scavengeEnvironment());
    const again = await plan(directory, NEW);
    expect(again).toMatchObject({ recordsDiscarded: 0, indexEntriesDiscarded: 0 });
    const warning = again.warnings.find(({ code }) => code === 'nothingToFree');
    expect(warning?.message).toContain('write a scavenge point');
    expect(warning?.remedy).toContain('no point is written');
    const detached = await plan(directory, {
      scavengePoint: 'detached',
      now: SAMPLE_TIME,
      winnowHome: samples.directory()
    });
    expect(detached.warnings.find(({ code }) => code === 'nothingToFree')?.remedy).toBe(
      'There is no need to run it.'
    );
    const report = await runScavenge(scavengeRequest(directory, NEW), scavengeEnvironment());
    expect(codesOf(report)).not.toContain('nothingToFree');
  });
});

it('a run says how often the cache of stream names was of no use', async () => {
  const directory = await samples.write(SIZE, { withPoint: false });
  const messages = new Set<string | undefined>();
  let elapsedMs = 0;
  const operation = new OperationControl({
    elapsedMs: () => (elapsedMs += 20),
    yieldTurn: () => Promise.resolve(),
    onProgress: ({ phase, message }) => messages.add(`${phase} ${message ?? ''}`)
  });
  await runScavenge(scavengeRequest(directory, NEW), scavengeEnvironment({ operation }));
  const said = [...messages].filter((message) => message?.startsWith('accumulation hash users cache:'));
  expect(said.length).toBeGreaterThan(0);
  expect(said.at(-1)).toMatch(/: [1-9]\d* misses, \d+ hits$/);
});

it('the progress of a run moves within a chunk, and never backward', async () => {
  const size = { sizeBytes: 3_000_000, chunkSizeBytes: 1_048_576, seed: 4 };
  const directory = await samples.write(size, { withPoint: false });
  const seen: number[] = [];
  let elapsedMs = 0;
  const operation = new OperationControl({
    elapsedMs: () => (elapsedMs += 20),
    yieldTurn: () => Promise.resolve(),
    onProgress: ({ phase, done, total }) => {
      if (phase !== 'chunkExecution') return;
      seen.push(done);
      expect(done).toBeLessThanOrEqual(total!);
    }
  });
  await runScavenge(scavengeRequest(directory, NEW), scavengeEnvironment({ operation }));
  expect(seen).toEqual(seen.toSorted((a, b) => a - b));
  expect(seen.filter((done) => done > 0 && done < 0.5).length).toBeGreaterThan(0);
  expect(seen.filter((done) => done > 0.5 && done < 1).length).toBeGreaterThan(0);
});
