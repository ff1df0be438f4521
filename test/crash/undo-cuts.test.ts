/** Joining what a server appended, and the removal of what is kept, cut at every call of the file system. */
import { describe, expect, it } from 'vitest';
import { cutReportText, enumerateCuts } from '../support/cut-enumeration.ts';
import { FaultyFileSystem } from '../support/faulty-file-system.ts';
import { UNDO_VARIANTS, withBench } from './undo-subject.ts';

describe.each(Object.values(UNDO_VARIANTS))('a scavenge ($name) that is undone', (variant) => {
  it('joins what a server appended, wherever the undo was cut', async () => {
    await withBench(variant, async (bench) => {
      const report = await enumerateCuts({
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
      });
      console.log(cutReportText(`joining undo, ${variant.name}`, report));
      expect(report.calls).toBeGreaterThan(50);
    });
  });

  it.each(['forget', 'expire'] as const)('frees what is kept, wherever that was cut (%s)', async (way) => {
    await withBench(variant, async (bench) => {
      let scavenged: Record<string, string> = {};
      const report = await enumerateCuts({
        beside: bench.beside,
        prepare: async () => {
          const disk = new FaultyFileSystem(await bench.prepare(), { beside: bench.beside });
          await bench.scavenge(disk);
          scavenged = bench.tree(disk);
          return disk.survivors({ names: () => true, file: () => 'whole' });
        },
        act: (fileSystem) => Promise.resolve(bench[way](fileSystem)),
        resume: (fileSystem) => Promise.resolve(bench.expire(fileSystem)),
        contentOf: (fileSystem) => bench.tree(fileSystem),
        look: (fileSystem) => bench.requireSafeStart(fileSystem, 20)
      });
      console.log(cutReportText(`${way}, ${variant.name}`, report));
      expect(Object.keys(scavenged).some((name) => name.startsWith('winnow-replaced/'))).toBe(true);
      expect(report.calls).toBeGreaterThan(3);
    });
  });
});
