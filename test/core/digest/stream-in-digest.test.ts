/** Whether a chunk holds a stream is told by a part of its digest, where that is whole. */
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openDatabase } from '../../../src-core/database/database.ts';
import { ChunkDigests } from '../../../src-core/digest/chunk-digests.ts';
import { NodeFileSystem } from '../../../src-core/storage/node-file-system.ts';
import { scavengeEnvironment, temporaryDirectory } from '../../support/scavenge-environment.ts';
import { ScavengeSamples } from '../../support/scavenge-sample.ts';

const fileSystem = new NodeFileSystem();
const samples = new ScavengeSamples();
let keep: string;

beforeEach(() => {
  keep = temporaryDirectory();
});

afterEach(() => {
  samples.removeAll();
  rmSync(keep, { recursive: true, force: true });
});

it('is told as the digest tells it, and never denied of a chunk that has the stream', async () => {
  const size = { sizeBytes: 600_000, chunkSizeBytes: 131_072, seed: 5 };
  const dataDirectory = await samples.write(size, { withPoint: false });
  const { operation, newGuid } = scavengeEnvironment();
  const fresh = () => new ChunkDigests({ fileSystem, directory: keep, newGuid, threads: 1 });
  const database = openDatabase({ fileSystem, dataDirectory });
  const chunks = database.log.chunks.filter(({ isLasting }) => isLasting);
  await fresh().prepare(chunks, operation);
  const whole = fresh();
  const names = new Set(
    chunks.flatMap((chunk) => {
      const digest = whole.of(chunk);
      return Array.from({ length: digest.streamCount }, (_, ordinal) => digest.streamName(ordinal));
    })
  );
  expect(names.size).toBeGreaterThan(50);
  const told = fresh();
  let denied = 0;
  for (const name of [...names, 'nobody-1', '']) {
    for (const chunk of chunks) {
      const isThere = whole.of(chunk).streamOrdinal(name) >= 0;
      expect(told.mayHoldStream(chunk, name), `${name} in ${chunk.fileName}`).toBe(isThere);
      denied += isThere ? 0 : 1;
    }
  }
  expect(denied).toBeGreaterThan(50);
  expect(told.chunksRead).toBe(0);
  // With a digest that is cut, flipped or gone, it may be anywhere.
  const [name] = names;
  const holding = chunks.filter((chunk) => whole.of(chunk).streamOrdinal(name!) >= 0);
  for (const file of readdirSync(keep)) {
    const bytes = readFileSync(join(keep, file));
    for (let at = 0; at < bytes.length; at += Math.ceil(bytes.length / 20)) {
      const flipped = Buffer.from(bytes);
      flipped[at]! ^= 1;
      for (const damaged of [flipped, bytes.subarray(0, at)]) {
        writeFileSync(join(keep, file), damaged);
        for (const chunk of holding) expect(fresh().mayHoldStream(chunk, name!)).toBe(true);
      }
    }
    rmSync(join(keep, file));
  }
  for (const chunk of chunks) expect(fresh().mayHoldStream(chunk, 'nobody-1')).toBe(true);
  database.close();
});
