/** A scavenge whose chunks are prepared by real worker threads ends as one that works alone. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { EngineError } from '../../../src-core/errors.ts';
import type { PreparedRewrite, RewriteOrder } from '../../../src-core/scavenge/output/prepare-rewrite.ts';
import { runScavenge } from '../../../src-core/scavenge/run-scavenge.ts';
import type { StartRewriteWorkers } from '../../../src-core/scavenge/output/rewrite-workers.ts';
import type { ScavengeEnvironment, ScavengeRequest } from '../../../src-core/scavenge/scavenge-request.ts';
import { startRewriteWorkers } from '../../../src-main/threads/start-rewrite-workers.ts';
import { contentOf, filesOf, type DatabaseContent } from '../../support/database-content.ts';
import { scavengeEnvironment, scavengeRequest } from '../../support/scavenge-environment.ts';
import { ScavengeSamples, stateRowsOf } from '../../support/scavenge-sample.ts';
import { sealingTogether } from '../../support/sealing-together.ts';

const samples = new ScavengeSamples();
let original = '';
let alone: DatabaseContent;
let aloneState: Record<string, unknown[]>;

beforeAll(async () => {
  original = await samples.write(
    { sizeBytes: 1_500_000, chunkSizeBytes: 65536, seed: 21 },
    { withPoint: true }
  );
  const directory = samples.copy(original);
  await runScavenge(scavengeRequest(directory), scavengeEnvironment());
  alone = await contentOf(directory);
  aloneState = stateRowsOf(directory);
});
afterAll(() => samples.removeAll());

function scavenge(
  directory: string,
  environment: Partial<ScavengeEnvironment> & { signal?: AbortSignal },
  change: Partial<ScavengeRequest> = {}
) {
  return runScavenge(scavengeRequest(directory, { threads: 8, ...change }), scavengeEnvironment(environment));
}

const temporaryFilesOf = (directory: string) =>
  Object.keys(filesOf(directory)).filter((name) => name.endsWith('.tmp'));

/** Workers whose answer to the chunk of this number is a failure. */
function failingAt(chunkNumber: number): StartRewriteWorkers {
  return (start) => {
    const workers = startRewriteWorkers(start);
    return {
      memoryBytes: workers.memoryBytes,
      close: () => workers.close(),
      checksums: (chunks) => workers.checksums(chunks),
      prepare: async (order: RewriteOrder): Promise<PreparedRewrite> => {
        const prepared = await workers.prepare(order);
        if (order.chunk.header.startNumber !== chunkNumber) return prepared;
        throw new EngineError({ code: 'StorageFailed', message: 'The disk is full.', remedy: 'Free space.' });
      }
    };
  };
}

describe('a scavenge with several threads', () => {
  it('ends as one with a single thread, and says how many there were', async () => {
    const directory = samples.copy(original);
    const report = await scavenge(directory, { workers: { start: startRewriteWorkers, processorCount: 3 } });
    expect(report.threads).toBe(3);
    const executed = report.chunks
      .filter(({ decision }) => decision !== 'merged')
      .map(({ chunkStart }) => chunkStart);
    expect(executed).toEqual([...executed].sort((a, b) => a - b));
    expect(await contentOf(directory)).toEqual(alone);
    expect(stateRowsOf(directory)).toEqual(aloneState);
  });

  it('with one thread and a helper that checks the sources ends the same', async () => {
    const directory = samples.copy(original);
    let checked = 0;
    const start: StartRewriteWorkers = (wanted) => {
      expect(wanted.count).toBe(1);
      const workers = startRewriteWorkers(wanted);
      return {
        ...workers,
        checksums: (chunks) => {
          checked += chunks.length;
          return workers.checksums(chunks);
        }
      };
    };
    const workers = { start, processorCount: 2 };
    const report = await scavenge(directory, { workers }, { threads: 1 });
    expect(report.threads).toBe(1);
    expect(checked).toBeGreaterThanOrEqual(
      report.chunks.filter(({ decision }) => decision === 'rewritten').length
    );
    expect(await contentOf(directory)).toEqual(alone);
    expect(stateRowsOf(directory)).toEqual(aloneState);
  });

  it.each([1, 3])('ends the same with %i threads that seal new files together', async (threads) => {
    const directory = samples.copy(original);
    const sealed: number[] = [];
    const workers = { start: sealingTogether((together) => sealed.push(together)), processorCount: 3 };
    const report = await scavenge(directory, { workers }, { threads });
    expect(sealed).toHaveLength(report.chunks.filter(({ newFile }) => newFile !== undefined).length);
    expect(Math.max(...sealed)).toBeGreaterThanOrEqual(4);
    expect(await contentOf(directory)).toEqual(alone);
    expect(stateRowsOf(directory)).toEqual(aloneState);
    expect(temporaryFilesOf(directory)).toEqual([]);
  });

  it('stops all of them on request, leaves nothing behind and is resumed', async () => {
    const directory = samples.copy(original);
    const stop = new AbortController();
    let switched = 0;
    const report = await scavenge(directory, {
      signal: stop.signal,
      workers: { start: startRewriteWorkers, processorCount: 2 },
      trace: { entry: (entry) => entry.kind === 'switchIn' && ++switched === 4 && stop.abort() }
    });
    expect(report.result).toBe('stopped');
    expect(temporaryFilesOf(directory)).toEqual([]);
    const resumed = await scavenge(directory, {});
    expect(resumed).toMatchObject({ result: 'success', resumed: true, threads: 1 });
    expect(await contentOf(directory)).toEqual(alone);
    expect(stateRowsOf(directory)).toEqual(aloneState);
  });

  it('awaits the others when one fails, and never counts a chunk as done that is not', async () => {
    const directory = samples.copy(original);
    const workers = { start: failingAt(6), processorCount: 3 };
    await expect(scavenge(directory, { workers })).rejects.toThrow('The disk is full.');
    const [checkpoint] = stateRowsOf(directory)['Checkpoint'] as [string];
    const done = Number(/"doneLogicalChunkNumber":(\d+)/.exec(checkpoint)?.[1] ?? -1);
    expect(done).toBeLessThan(6);
    await scavenge(directory, {});
    expect(await contentOf(directory)).toEqual(alone);
    expect(stateRowsOf(directory)).toEqual(aloneState);
  });
});
