/** What keeping replaced files takes and frees, from what a plan did. */
import { expect, it } from 'vitest';
import { openDatabase } from '../../../src-core/database/database.ts';
import { estimateKept, keptWarnings } from '../../../src-core/scavenge/kept-estimate.ts';
import type { ChunkOutcome, ScavengeOutcome } from '../../../src-core/scavenge/scavenge-result.ts';
import { MemoryFileSystem } from '../../support/memory-file-system.ts';
import { writeSmallDatabase } from '../../support/restore-fixture.ts';

const DAY_MS = 86_400_000;

function row(
  decision: ChunkOutcome['decision'],
  chunkStart: number,
  sizes: [number, number],
  chunkEnd = chunkStart
) {
  const [bytesBefore, bytesAfter] = sizes;
  return { decision, chunkStart, chunkEnd, bytesBefore, bytesAfter } as ChunkOutcome;
}

function table(entries: [number, number], sizes: [number, number]) {
  const [entriesBefore, entriesAfter] = entries;
  const [bytesBefore, bytesAfter] = sizes;
  return { entriesBefore, entriesAfter, bytesBefore, bytesAfter } as ScavengeOutcome['tables'][number];
}

it('old files are freed when they expire, and new ones and copies come on top', async () => {
  const memory = new MemoryFileSystem();
  await writeSmallDatabase(memory, '/db', { sizeBytes: 20_000 });
  const database = openDatabase({ fileSystem: memory, dataDirectory: '/db' });
  const open = database.chunkSet.chunks.filter(({ isLasting }) => !isLasting);
  const copied = open.reduce((sum, { fileSize }) => sum + fileSize, 0);
  expect(copied).toBeGreaterThan(0);
  const estimate = (chunks: ChunkOutcome[], tables: ScavengeOutcome['tables'] = []) =>
    estimateKept({ chunks, tables }, { database, keepMs: DAY_MS });

  // What is left as it is takes no part.
  expect(estimate([row('skipped', 0, [100, 100])], [table([5, 5], [70, 70])])).toEqual({
    replacedBytes: 0,
    neededBytes: copied,
    keepMs: DAY_MS
  });
  const rewritten = [row('rewritten', 0, [100, 40]), row('emptied', 1, [100, 10])];
  expect(estimate(rewritten, [table([5, 2], [70, 30])])).toMatchObject({
    replacedBytes: 270,
    neededBytes: 80 + copied
  });
  // A merge of files that this run has written keeps none of these, and needs no room for both.
  const merged = row('merged', 0, [50, 45], 1);
  expect(estimate([...rewritten, merged])).toMatchObject({ replacedBytes: 200, neededBytes: 45 + copied });
  // Of a merge that also takes an older file, that one is kept.
  const wider = row('merged', 0, [120, 110], 2);
  expect(estimate([...rewritten, wider])).toMatchObject({ replacedBytes: 270, neededBytes: 110 + copied });
  database.close();
});

it('a plan says that nothing is freed meanwhile, and where it does not fit', () => {
  const kept = { replacedBytes: 1000, neededBytes: 600, keepMs: 1.5 * DAY_MS };
  const [said, ...others] = keptWarnings(kept, 600);
  expect(others).toEqual([]);
  expect(said).toMatchObject({
    code: 'keepsReplaced',
    message: expect.stringMatching(/^Nothing is freed for 1\.5 days: 1000 bytes .* up to 600 bytes/) as string
  });
  expect(keptWarnings(kept, 599)).toMatchObject([
    { code: 'keepsReplaced' },
    {
      code: 'keepsTooMuch',
      message: expect.stringMatching(/has 599 bytes free, 1 fewer than/) as string
    }
  ]);
});
