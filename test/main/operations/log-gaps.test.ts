/** What of a log no file can serve: told in its place, as verification tells it, on every golden damage. */
import { afterEach, describe, expect, it } from 'vitest';
import { goldenNames, removeUnpacked, unpackDamaged, unpackDatabase } from '../../support/golden.ts';
import { runWinnow } from '../cli/run-winnow.ts';
import { runOperation } from '../../support/testing-context.ts';

afterEach(removeUnpacked);

const damaged = goldenNames().filter((name) => name.startsWith('damaged-'));

describe.each(damaged)('%s', (name) => {
  it('has every chunk number up to the end of the log once, in a file or in a gap that verification names', async () => {
    const dataDirectory = unpackDamaged(name);
    const { chunks, gaps } = await runOperation('listChunks', { dataDirectory });
    const places = [...chunks, ...gaps].sort((a, b) => a.chunkStart - b.chunkStart);
    let next = 0;
    for (const { chunkStart, chunkEnd } of places) {
      expect(chunkStart).toBe(next);
      next = chunkEnd + 1;
    }
    const { findings } = await runOperation('verifyDatabase', { dataDirectory, quick: true });
    for (const { finding, logicalStart, logicalEnd } of gaps) {
      expect(findings).toContainEqual(finding);
      expect(logicalEnd).toBeGreaterThan(logicalStart);
    }
  });
});

describe('chunks', () => {
  it('names a chunk whose file is missing', async () => {
    const dataDirectory = unpackDamaged('damaged-c-missing-middle-chunk');
    const { gaps } = await runOperation('listChunks', { dataDirectory });
    expect(
      gaps.map(({ chunkStart, chunkEnd, state, finding }) => ({
        chunkStart,
        chunkEnd,
        state,
        code: finding.code
      }))
    ).toEqual([{ chunkStart: 7, chunkEnd: 7, state: 'missing', code: 'chunkMissing' }]);
    const { stdout } = await runWinnow(['chunks', dataDirectory]);
    const lines = stdout.split('\n');
    expect(lines[8]).toMatch(/^ +7 +missing +[\d,]+ *$/);
    expect(stdout).toContain('missing: Chunk 7 is missing');
  });

  it('names a file whose header cannot be read', async () => {
    const dataDirectory = unpackDamaged('damaged-i-header-magic');
    const { gaps, chunks } = await runOperation('listChunks', { dataDirectory });
    expect(gaps).toHaveLength(1);
    expect(gaps[0]).toMatchObject({ state: 'unreadable', finding: { code: 'chunkHeaderInvalid' } });
    expect(chunks.map(({ file }) => file)).not.toContain(gaps[0]?.finding.file);
  });

  it('names no gap in a sound log, nor where a merged file stands for many', async () => {
    for (const place of [
      { name: 'rules', folder: 'after-t0' },
      { name: 'plain', folder: 'after' }
    ]) {
      const { gaps } = await runOperation('listChunks', { dataDirectory: unpackDatabase(place) });
      expect(gaps).toEqual([]);
    }
  });
});
