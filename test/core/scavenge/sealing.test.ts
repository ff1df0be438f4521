/** New files wait for each other to be hashed together, and each is sealed by itself. */
import { describe, expect, it } from 'vitest';
import type { UnsealedChunk } from '../../../src-core/chunks/unsealed-chunk.ts';
import { EngineError } from '../../../src-core/errors.ts';
import { SealedBehind } from '../../../src-core/scavenge/output/sealed-behind.ts';
import { Sealing } from '../../../src-core/scavenge/output/sealing.ts';

const fileOf = (number: number): UnsealedChunk => ({
  path: `file-${number}`,
  fileSize: 4096,
  physicalDataSize: 100,
  logicalDataSize: 100,
  mapSize: 12
});
const names = (...numbers: number[]): string[] => numbers.map((number) => `file-${number}`);
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
const broken = new EngineError({
  code: 'StorageFailed',
  message: 'Bad sector.',
  remedy: 'Check the disk.'
});

/** Workers that answer when they are told to. */
function sealingWith({ count = 1, badFile = '' } = {}) {
  const hashed: string[][] = [];
  const sealed: string[] = [];
  const held: (() => void)[] = [];
  const sealing = new Sealing({
    leastBytes: 0,
    leastFiles: 0,
    count,
    hashes: async (files) => {
      const paths = files.map(({ path }) => path);
      hashed.push(paths);
      await new Promise<void>((resolve) => held.push(resolve));
      if (paths.includes(badFile)) throw broken;
      return paths.map((path) => `hash of ${path}`);
    },
    seal: ({ path }, md5) => {
      expect(md5).toBe(`hash of ${path}`);
      sealed.push(path);
      return Promise.resolve();
    }
  });
  sealing.isAwaited = false;
  const answerAll = async () => {
    for (let i = 0; i < 5; i++) {
      for (const resolve of held.splice(0)) resolve();
      await turn();
    }
  };
  return { sealing, hashed, sealed, answerAll };
}

describe('new files', () => {
  it('are hashed four at a time, those that come meanwhile together afterwards', async () => {
    const { sealing, hashed, sealed, answerAll } = sealingWith();
    const all = [0, 1, 2].map((number) => sealing.seal(fileOf(number)));
    await turn();
    expect(hashed).toEqual([]);
    all.push(...[3, 4, 5, 6, 7, 8].map((number) => sealing.seal(fileOf(number))));
    await turn();
    expect(hashed).toEqual([names(0, 1, 2, 3)]);
    await answerAll();
    await Promise.all(all);
    expect(hashed).toEqual([names(0, 1, 2, 3), names(4, 5, 6, 7, 8)]);
    expect(sealed).toEqual(names(0, 1, 2, 3, 4, 5, 6, 7, 8));
  });

  it('do not wait for others while somebody waits for them', async () => {
    const { sealing, hashed, answerAll } = sealingWith();
    const first = sealing.seal(fileOf(0));
    await turn();
    expect(hashed).toEqual([]);
    sealing.isAwaited = true;
    const second = sealing.seal(fileOf(1));
    await turn();
    expect(hashed).toEqual([names(0)]);
    await answerAll();
    await Promise.all([first, second]);
    expect(hashed).toEqual([names(0), names(1)]);
    sealing.isAwaited = false;
    void sealing.seal(fileOf(2));
    await turn();
    expect(hashed).toHaveLength(2);
  });

  it('do not wait for others before anybody says that more will come', async () => {
    const { sealing, hashed, answerAll } = sealingWith();
    sealing.isAwaited = true; // as it begins
    const alone = sealing.seal(fileOf(0));
    await answerAll();
    await alone;
    expect(hashed).toEqual([names(0)]);
  });

  it('are hashed in as many groups at once as there are threads for it', async () => {
    const { sealing, hashed, answerAll } = sealingWith({ count: 2 });
    const all = Array.from({ length: 12 }, (_, number) => sealing.seal(fileOf(number)));
    await turn();
    expect(hashed).toEqual([names(0, 1, 2, 3), names(4, 5, 6, 7)]);
    await answerAll();
    await Promise.all(all);
    expect(hashed[2]).toEqual(names(8, 9, 10, 11));
  });

  it('that cannot be read fail alone', async () => {
    const { sealing, hashed, sealed, answerAll } = sealingWith({ badFile: 'file-1' });
    const all = [0, 1, 2, 3].map((number) => sealing.seal(fileOf(number)));
    const settled = Promise.allSettled(all);
    await answerAll();
    const outcomes = (await settled).map(({ status }) => status);
    expect(outcomes).toEqual(['fulfilled', 'rejected', 'fulfilled', 'fulfilled']);
    await expect(all[1]).rejects.toBe(broken);
    expect(hashed).toEqual([names(0, 1, 2, 3), names(0), names(1), names(2), names(3)]);
    expect(sealed).toEqual(names(0, 2, 3));
  });
});

describe('files that are sealed while the next ones are written', () => {
  const awaited: boolean[] = [];
  const outputOf = (most: number) => ({
    mayWriteMore: (behind: number) => behind < most,
    awaitSeals: (isAwaited: boolean) => void awaited.push(isAwaited)
  });

  it('are no more than there is room for', async () => {
    const ends: (() => void)[] = [];
    let most = 0;
    let running = 0;
    const work = async () => {
      most = Math.max(most, ++running);
      await new Promise<void>((resolve) => ends.push(resolve));
      running--;
    };
    const run = SealedBehind.run(outputOf(3), async (behind) => {
      for (let i = 0; i < 10; i++) await behind.add(work());
    });
    for (let i = 0; i < 20; i++) {
      await turn();
      ends.shift()?.();
    }
    await run;
    expect(most).toBe(3);
    expect(running).toBe(0);
  });

  it('are awaited one by one where there is no room, and waiting is told and taken back', async () => {
    awaited.length = 0;
    const order: string[] = [];
    await SealedBehind.run(outputOf(0), async (behind) => {
      for (let i = 0; i < 3; i++) {
        order.push(`written ${i}`);
        await behind.add(turn().then(() => order.push(`sealed ${i}`)));
      }
    });
    expect(order).toEqual(['written 0', 'sealed 0', 'written 1', 'sealed 1', 'written 2', 'sealed 2']);
    expect(awaited).toEqual([false, true, false, true, false, true, false, true]);
  });

  it('end the writing when one of them fails, and the others are awaited', async () => {
    let isAwaited = false;
    let written = 0;
    const run = SealedBehind.run(outputOf(5), async (behind) => {
      for (let i = 0; i < 10; i++) {
        written++;
        const slow = async () => {
          for (let j = 0; j < 5; j++) await turn();
          expect(behind.hasFailed).toBe(true);
          isAwaited = true;
        };
        await behind.add(i === 1 ? Promise.reject(broken) : slow());
        await turn();
      }
    });
    await expect(run).rejects.toBe(broken);
    expect(isAwaited).toBe(true);
    expect(written).toBeLessThan(4);
  });

  it('are awaited when the writing itself fails, and its failure is told', async () => {
    let isAwaited = false;
    const run = SealedBehind.run(outputOf(5), async (behind) => {
      await behind.add(turn().then(() => (isAwaited = true)));
      throw broken;
    });
    await expect(run).rejects.toBe(broken);
    expect(isAwaited).toBe(true);
  });
});
