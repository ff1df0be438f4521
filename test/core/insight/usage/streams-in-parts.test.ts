/** Logs with more streams than one table holds: counted by way of a file, kept part by part, and without either. */
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { FullLaterDisk, LimitedDisk } from '../../../support/limited-disk.ts';
import { Prng } from '../../../support/prng.ts';
import { temporaryDirectory } from '../../../support/scavenge-environment.ts';
import { ScavengeSamples } from '../../../support/scavenge-sample.ts';
import { answers, read, type ReadOptions } from './usage-answers.ts';
import { seedsFrom } from '../../../support/seeds.ts';

const MOST_NAMES = 50;
const samples = new ScavengeSamples();
let dataDirectory: string;
let keep: string;

beforeEach(async () => {
  keep = temporaryDirectory();
  const size = { sizeBytes: 1_500_000, chunkSizeBytes: 262_144, seed: 31 };
  dataDirectory = await samples.write(size, { withPoint: false });
});

afterEach(() => {
  samples.removeAll();
  rmSync(keep, { recursive: true, force: true });
});

async function answersWith(options: ReadOptions) {
  const usage = await read(dataDirectory, options);
  try {
    return await answers(usage);
  } finally {
    usage.close();
  }
}

function tables(): string[] {
  return readdirSync(keep).filter((name) => name.endsWith('.table'));
}

describe('streams in parts', () => {
  it('come to the same when they are counted, when they are kept, and in one table', async () => {
    const expected = await answersWith({});
    expect(await answersWith({ keep, mostNames: MOST_NAMES })).toEqual(expected);
    const kept = tables();
    expect(kept.length).toBeGreaterThan(5);
    const bytes = kept.map((name) => readFileSync(join(keep, name)));
    expect(await answersWith({ keep, mostNames: MOST_NAMES })).toEqual(expected);
    expect(tables().map((name) => readFileSync(join(keep, name)))).toEqual(bytes);
    expect(readdirSync(keep).filter((name) => name.endsWith('.tmp'))).toEqual([]);
  });

  it.each(seedsFrom(41, 3))(
    'are counted again where a kept table is gone, cut or flipped (seed %i)',
    async (seed) => {
      const prng = new Prng(seed);
      const expected = await answersWith({});
      await answersWith({ keep, mostNames: MOST_NAMES });
      for (let round = 0; round < 4; round++) {
        const names = tables();
        const file = join(keep, names[prng.below(names.length)]!);
        const bytes = readFileSync(file);
        const at = prng.below(bytes.length);
        const lot = prng.below(3);
        bytes[at] = bytes[at]! ^ (1 << prng.below(8));
        if (lot === 0) rmSync(file);
        else writeFileSync(file, lot === 1 ? bytes.subarray(0, at) : bytes);
        expect(await answersWith({ keep, mostNames: MOST_NAMES }), `round ${round}, lot ${lot}`).toEqual(
          expected
        );
      }
    },
    60_000
  );

  it('are counted all the same when a table goes while it is in use', async () => {
    const expected = await answersWith({});
    await answersWith({ keep, mostNames: MOST_NAMES });
    const usage = await read(dataDirectory, { keep, mostNames: MOST_NAMES });
    for (const name of tables()) rmSync(join(keep, name));
    expect(await answers(usage)).toEqual(expected);
    usage.close();
  });

  it('are counted in passes where the volume of the home is full', async () => {
    const expected = await answersWith({});
    const measured = new LimitedDisk(keep, { spareBytes: 2 ** 30 });
    await answersWith({ keep, mostNames: MOST_NAMES, fileSystem: measured });
    const needed = measured.peakBytes;
    let refused = 0;
    for (const share of [0.95, 0.8, 0.6, 0.3, 0]) {
      for (const name of readdirSync(keep)) rmSync(join(keep, name));
      const fileSystem = new FullLaterDisk(keep, { spareBytes: Math.floor(needed * share) });
      expect(await answersWith({ keep, mostNames: MOST_NAMES, fileSystem }), `share ${share}`).toEqual(
        expected
      );
      expect(readdirSync(keep).filter((name) => name.endsWith('.tmp'))).toEqual([]);
      refused += fileSystem.refusals;
    }
    expect(refused).toBeGreaterThan(0);
  }, 60_000);
});
