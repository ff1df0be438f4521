/** What is known of chunks is known of those that a scavenge writes in their place: the next question reads none of them. */
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openDatabase } from '../../../src-core/database/database.ts';
import { ChunkDigests } from '../../../src-core/digest/chunk-digests.ts';
import { planScavenge, runScavenge } from '../../../src-core/scavenge/run-scavenge.ts';
import type { ScavengeEnvironment, ScavengeRequest } from '../../../src-core/scavenge/scavenge-request.ts';
import { NodeFileSystem } from '../../../src-core/storage/node-file-system.ts';
import { startRewriteWorkers } from '../../../src-main/threads/start-rewrite-workers.ts';
import {
  scavengeEnvironment,
  scavengeRequest,
  temporaryDirectory
} from '../../support/scavenge-environment.ts';
import { ScavengeSamples } from '../../support/scavenge-sample.ts';
import { sealingTogether } from '../../support/sealing-together.ts';
import { writeUneven } from '../../support/uneven-database.ts';

const samples = new ScavengeSamples();
let original = '';
let home = '';
let dataDirectory = '';

beforeAll(async () => {
  original = await writeUneven(samples.directory(), { outOf: 3, goesMost: true });
});
afterAll(() => samples.removeAll());
beforeEach(() => {
  home = temporaryDirectory();
  dataDirectory = samples.copy(original);
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

/** As a further process sees them. */
function digestsIn(name: string): ChunkDigests {
  const { fileSystem, newGuid } = scavengeEnvironment();
  return new ChunkDigests({ fileSystem, newGuid, directory: join(home, name), threads: 1 });
}

/** Reads what is not known there. Gives how many completed chunks that were. */
async function prepare(name: string): Promise<number> {
  const database = openDatabase({ fileSystem: new NodeFileSystem(), dataDirectory });
  try {
    const digests = digestsIn(name);
    const completed = database.log.chunks.filter(({ isCompleted }) => isCompleted);
    await digests.prepare(completed, scavengeEnvironment().operation);
    return digests.chunksRead;
  } finally {
    database.close();
  }
}

function filesIn(name: string): Record<string, string> {
  const names = readdirSync(join(home, name)).sort();
  return Object.fromEntries(names.map((file) => [file, readFileSync(join(home, name, file), 'base64')]));
}

function run(environment: Partial<ScavengeEnvironment>, change: Partial<ScavengeRequest> = {}) {
  return runScavenge(
    scavengeRequest(dataDirectory, change),
    scavengeEnvironment({ digests: digestsIn('carried'), ...environment })
  );
}

async function expectNothingToRead(): Promise<void> {
  const before = filesIn('carried');
  expect(await prepare('carried')).toBe(0);
  expect(filesIn('carried')).toEqual(before);
  expect(await prepare('made')).toBeGreaterThan(0);
  expect(filesIn('made')).toEqual(before);
}

const together = sealingTogether(() => undefined);

describe('digests of chunks that a scavenge writes', () => {
  it.each([
    { way: 'in one thread', threads: 1, processorCount: 1, start: startRewriteWorkers },
    { way: 'in one thread with a helper', threads: 1, processorCount: 2, start: startRewriteWorkers },
    { way: 'in three threads', threads: 3, processorCount: 3, start: startRewriteWorkers },
    { way: 'in one thread, sealed together', threads: 1, processorCount: 2, start: together },
    { way: 'in three threads, sealed together', threads: 3, processorCount: 3, start: together }
  ])('are those that reading them would make, $way', async ({ threads, processorCount, start }) => {
    expect(await prepare('carried')).toBeGreaterThan(0);
    const workers = { start, processorCount };
    const { chunks } = await run({ workers }, { threads });
    expect(chunks.some(({ decision }) => decision === 'rewritten')).toBe(true);
    expect(chunks.some(({ decision }) => decision === 'merged')).toBe(true);
    await expectNothingToRead();
    const request = scavengeRequest(dataDirectory, {
      scavengePoint: 'detached',
      now: '2041-01-01T00:00:00Z',
      winnowHome: home,
      scratchDirectory: home
    });
    const known = digestsIn('carried');
    const withDigests = await planScavenge(request, scavengeEnvironment({ digests: known }));
    expect(known.chunksRead).toBeLessThanOrEqual(1); // that which is being written
    // Which names a run would find among those that it remembers is not looked for with digests.
    const { hashUsersCache: _, ...others } = await planScavenge(request, scavengeEnvironment());
    expect(withDigests).toEqual(others);
  });

  it('are not made where those of the old chunks are not known', async () => {
    await run({});
    expect(() => filesIn('carried')).toThrow('ENOENT');
  });

  it('are never wrong when a run stops between two chunks, and are carried on when it resumes', async () => {
    await prepare('carried');
    const stop = new AbortController();
    let switched = 0;
    const entry: NonNullable<ScavengeEnvironment['trace']>['entry'] = ({ kind }) =>
      kind === 'switchIn' && ++switched === 3 && stop.abort();
    const { result } = await run({ ...scavengeEnvironment({ signal: stop.signal }), trace: { entry } });
    expect(result).toBe('stopped');
    await expectNothingToRead();
    expect((await run({})).result).toBe('success');
    rmSync(join(home, 'made'), { recursive: true });
    await expectNothingToRead();
  });

  it('are left as they are when a run dies before the new chunk is in place', async () => {
    await prepare('carried');
    const before = filesIn('carried');
    const fileSystem = new NodeFileSystem();
    fileSystem.rename = (from: string) => {
      throw new Error(`killed at ${from}`);
    };
    await expect(run({ fileSystem })).rejects.toThrow('killed');
    expect(filesIn('carried')).toEqual(before);
    expect(await prepare('carried')).toBe(0);
  });
});
