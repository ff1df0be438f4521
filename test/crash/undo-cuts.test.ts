/** Joining what a server appended, and the removal of what is kept, cut and refused at calls of the file system. */
import { afterAll, describe } from 'vitest';
import type { CutSubject } from '../support/cut-enumeration.ts';
import { FaultyFileSystem } from '../support/faulty-file-system.ts';
import { testAllFaults } from './all-faults.ts';
import { UNDO_VARIANTS, UndoBench, type Tree } from './undo-subject.ts';

describe.each(Object.values(UNDO_VARIANTS))('a scavenge ($name) that is undone', (variant) => {
  const benches: UndoBench[] = [];
  afterAll(() => benches.forEach((bench) => bench.remove()));
  const newBench = (): UndoBench => {
    const bench = new UndoBench(variant);
    benches.push(bench);
    return bench;
  };

  testAllFaults<Tree>({
    name: `undo that joins what a server appended, ${variant.name}`,
    operation: 'scavenge undo',
    leastCalls: 50,
    refuseEvery: 3,
    readEvery: 150,
    againEvery: 20,
    subject: (): CutSubject<Tree> => {
      const bench = newBench();
      return {
        beside: bench.beside,
        prepare: async () => {
          const memory = await bench.prepare();
          const disk = new FaultyFileSystem(memory, { beside: bench.beside });
          await bench.scavenge(disk);
          bench.append(disk, 200);
          return disk.survivors({ names: () => true, file: () => 'whole' });
        },
        act: (fileSystem) => bench.undo(fileSystem),
        resume: (fileSystem) => bench.back(fileSystem),
        contentOf: (fileSystem) => bench.tree(fileSystem),
        look: (fileSystem) => bench.requireSafeStart(fileSystem, 200)
      };
    }
  });

  describe.each(['forget', 'expire'] as const)('what is kept (%s)', (way) => {
    testAllFaults<Tree>({
      name: `undo window, ${way}, ${variant.name}`,
      operation: 'scavenge undo window',
      leastCalls: 4,
      // What has expired and cannot be read stays until the next time: that is no failure.
      readEvery: way === 'expire' ? 0 : 5,
      againEvery: 2,
      subject: (): CutSubject<Tree> => {
        const bench = newBench();
        return {
          beside: bench.beside,
          prepare: async () => {
            const disk = new FaultyFileSystem(await bench.prepare(), { beside: bench.beside });
            await bench.scavenge(disk);
            if (!Object.keys(bench.tree(disk)).some((name) => name.startsWith('winnow-replaced/')))
              throw new Error('Nothing is kept.');
            return disk.survivors({ names: () => true, file: () => 'whole' });
          },
          act: (fileSystem) => Promise.resolve().then(() => bench[way](fileSystem)),
          resume: (fileSystem) => Promise.resolve().then(() => bench.expire(fileSystem)),
          contentOf: (fileSystem) => bench.tree(fileSystem),
          look: (fileSystem) => bench.requireSafeStart(fileSystem, 20)
        };
      }
    });
  });
});
