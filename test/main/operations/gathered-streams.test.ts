/** Streams that are gathered in parts are those that are gathered at once, whatever becomes of the file between. */
import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  ChunkDigests,
  type FileSystem,
  NodeFileSystem,
  openDatabase,
  uncontrolled
} from '../../../src-core/index.ts';
import { gatherStreams } from '../../../src-main/operations/streams/gather-streams.ts';
import type { StreamRows } from '../../../src-main/operations/streams/stream-rows.ts';
import { FullLaterDisk, LimitedDisk } from '../../support/limited-disk.ts';
import { goldenFolders, goldenNames, removeUnpacked, unpackDatabase } from '../../support/golden.ts';
import { scavengeEnvironment, temporaryDirectory } from '../../support/scavenge-environment.ts';
import { ScavengeSamples } from '../../support/scavenge-sample.ts';

const samples = new ScavengeSamples();
let keep: string;
beforeEach(() => {
  keep = temporaryDirectory();
});
afterEach(() => {
  samples.removeAll();
  removeUnpacked();
  rmSync(keep, { recursive: true, force: true });
});

interface Gather {
  keep?: string;
  mostTogether?: number;
  fileSystem?: FileSystem;
}

/** Of each part, what is known of each stream. */
async function gathered(
  dataDirectory: string,
  { keep: directory, mostTogether, fileSystem = new NodeFileSystem() }: Gather = {}
): Promise<unknown[][]> {
  const { newGuid } = scavengeEnvironment();
  const database = openDatabase({ fileSystem, dataDirectory, indexDirectory: join(dataDirectory, 'index') });
  try {
    const digests = new ChunkDigests({ fileSystem, directory, newGuid, threads: 1 });
    await digests.prepare(database.log.chunks, uncontrolled());
    const parts: unknown[][] = [];
    const asked = { log: database.log, digests, control: uncontrolled(), mostTogether };
    for await (const rows of gatherStreams(asked)) parts.push(factsOf(rows));
    return parts;
  } finally {
    database.close();
  }
}

function factsOf(rows: StreamRows): unknown[] {
  return Array.from({ length: rows.count }, (_, at) => ({
    name: rows.names.name(at),
    events: rows.eventCount(at),
    bytes: rows.bytes(at),
    first: rows.first(at),
    last: rows.last(at),
    metadata: rows.metadata(at),
    hasExplicitTransaction: rows.hasExplicitTransaction(at)
  }));
}

const databases = goldenNames()
  .filter((name) => !/^(damaged|old-ptables|scavdb|truncate)/.test(name))
  .flatMap((name) => goldenFolders(name).map((folder): [string, string] => [name, folder]));

describe('streams in parts', () => {
  it.each(databases)('of %s/%s are those that lie in memory', async (name, folder) => {
    const dataDirectory = unpackDatabase({ name, folder });
    if (!readdirSync(dataDirectory).includes('writer.chk')) return;
    const expected = await gathered(dataDirectory);
    expect(expected).toHaveLength(1);
    expect((await gathered(dataDirectory, { keep, mostTogether: 1 })).flat()).toEqual(expected[0]);
    expect(readdirSync(keep).filter((file) => file.endsWith('.tmp'))).toEqual([]);
  });

  it('are many, each with streams of its own, in order', async () => {
    const dataDirectory = await samples.write(
      { sizeBytes: 1_500_000, chunkSizeBytes: 262_144, seed: 31 },
      { withPoint: false }
    );
    const expected = await gathered(dataDirectory);
    const parts = await gathered(dataDirectory, { keep, mostTogether: 50 });
    expect(parts.length).toBeGreaterThan(5);
    expect(parts.flat()).toEqual(expected[0]);
    // Without a place for a file.
    expect(await gathered(dataDirectory, { mostTogether: 50 })).toEqual(expected);
  });

  it('are gathered in memory where the volume of the home is full', async () => {
    const dataDirectory = await samples.write(
      { sizeBytes: 1_500_000, chunkSizeBytes: 262_144, seed: 31 },
      { withPoint: false }
    );
    const expected = await gathered(dataDirectory);
    const measured = new LimitedDisk(keep, { spareBytes: 2 ** 30 });
    await gathered(dataDirectory, { keep, mostTogether: 50, fileSystem: measured });
    let refused = 0;
    for (const share of [0.98, 0.9, 0.6, 0]) {
      for (const name of readdirSync(keep)) rmSync(join(keep, name));
      const spareBytes = Math.floor(measured.peakBytes * share);
      const fileSystem = new FullLaterDisk(keep, { spareBytes });
      const parts = await gathered(dataDirectory, { keep, mostTogether: 50, fileSystem });
      expect(parts.flat(), `share ${share}`).toEqual(expected[0]);
      expect(readdirSync(keep).filter((file) => file.endsWith('.tmp'))).toEqual([]);
      refused += fileSystem.refusals;
    }
    expect(refused).toBeGreaterThan(0);
  });
});
