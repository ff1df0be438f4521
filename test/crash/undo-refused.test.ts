/** A scavenge that keeps what it replaces, and its undo, on a disk that refuses calls, and on one without hard links and clones. */
import { expect, it } from 'vitest';
import { EngineError } from '../../src-core/errors.ts';
import type { FileSystem } from '../../src-core/storage/file-system.ts';
import { enumerateFailures } from '../support/failure-enumeration.ts';
import type { MemoryFileSystem } from '../support/memory-file-system.ts';
import { recordFailures, sampledCalls } from '../support/proof-record.ts';
import { UNDO_VARIANTS, withBench, type Tree } from './undo-subject.ts';

it.each(['back', 'onAndBack'] as const)(
  'of which any call fails ends with a named error, and the way %s leads to the directory as it was',
  async (way) => {
    await withBench(UNDO_VARIANTS.existing, async (bench) => {
      const subject = await bench.thereAndBack(way);
      // A disk that refuses to remove keeps an empty folder, which the next scavenge that keeps something takes, or an empty
      // temporary file, which the next start of a server removes.
      const isLeftEmpty = (name: string) => /^winnow-replaced\/(lock)?$|^[^/]+\.ownership\.tmp$/.test(name);
      const contentOf = async (disk: FileSystem): Promise<Tree> =>
        Object.fromEntries(
          Object.entries(await subject.contentOf(disk)).filter(([name]) => !isLeftEmpty(name))
        );
      const report = await enumerateFailures(
        { ...subject, contentOf },
        {
          oneCodeEach: true,
          ...sampledCalls(4),
          seed: way === 'back' ? 1 : 3
        }
      );
      recordFailures(`scavenge and its undo, ${way}`, 'scavenge undo', report);
      expect(report.runs).toBeGreaterThan(60);
    });
  }
);

it('is refused before it changes anything where a volume has neither hard links nor clones', async () => {
  await withBench(UNDO_VARIANTS.existing, async (bench) => {
    const disk: MemoryFileSystem = await bench.prepare();
    const before = bench.tree(disk);
    const without = new Proxy(disk, {
      get(target, name) {
        if (name === 'link' || name === 'clone') return () => false;
        const value: unknown = Reflect.get(target, name, target);
        return typeof value === 'function' ? (value.bind(target) as unknown) : value;
      }
    });
    const refusal = await bench.scavenge(without).catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(EngineError);
    expect((refusal as EngineError).message).toContain('neither hard links nor clones');
    expect((refusal as EngineError).remedy).toContain('backup');
    expect(bench.tree(disk)).toEqual(before);
  });
});
