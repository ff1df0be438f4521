/** Findings as the one sentence about the next start. */
import { describe, expect, it } from 'vitest';
import { predictStart, type Predict } from '../../../../src-core/insight/doctor/prediction.ts';
import { parseServerVersion } from '../../../../src-core/insight/doctor/server-version.ts';
import { startDamage, type StartEffect } from '../../../../src-core/insight/doctor/start-finding.ts';

function finding(code: string, effect: StartEffect, message: string, file: string | null = null) {
  return startDamage(code, { file, message, remedy: 'Do it.', effect, wouldDo: 'It ends.' });
}

function predicted(change: Partial<Predict>, readyMs = 400) {
  return predictStart({
    findings: [],
    truncation: undefined,
    server: parseServerVersion('24.10.0'),
    estimate: { readyMs } as Predict['estimate'],
    isPartial: false,
    ...change
  });
}

describe('a start without a fault', () => {
  it.each([
    [400, 'This node will start; it is ready within a second.'],
    [1000, 'This node will start; it is ready after about 1 second.'],
    [61_000, 'This node will start; it is ready after about 61 seconds.'],
    [600_000, 'This node will start; it is ready after about 10 minutes.'],
    [7_200_000, 'This node will start; it is ready after about 2 hours.']
  ])('after %d ms', (readyMs, words) => {
    expect(predicted({}, readyMs)).toEqual({ starts: true, then: 'runs', words, deletes: [] });
  });

  it('is told as far as it was checked', () => {
    expect(predicted({ isPartial: true }).words).toBe(
      'This node will start, as far as checked; it is ready within a second.'
    );
  });
});

describe('a start with a fault', () => {
  const rebuild = finding('indexMapInvalid', 'rebuildsIndex', 'The index map is damaged.');
  const later = finding('chunkHashMismatch', 'diesLater', 'Its hash differs.', 'chunk-000001.000000');
  const refusal = finding('chunkMissing', 'refuses', 'Chunk 3 is missing.');
  const overwritten = finding('logOverwritten', 'none', "The writer's position is 0.");

  it('goes by the worst of its findings, in whatever order they come', () => {
    const findings = [rebuild, later, refusal];
    expect(predicted({ findings })).toMatchObject({
      starts: false,
      then: 'refuses',
      words: 'This node will not start: chunk 3 is missing.'
    });
    expect(predicted({ findings: findings.slice(0, 2) })).toMatchObject({
      starts: false,
      then: 'diesLater',
      words:
        'This node will not stay up: its background check ends it when it reaches chunk-000001.000000. Its hash differs.'
    });
    expect(predicted({ findings: [rebuild] })).toMatchObject({
      starts: true,
      then: 'rebuildsIndex',
      words: 'This node will start; it rebuilds the index within a second.'
    });
    expect(predicted({ findings: [rebuild] }, 4000).words).toBe(
      'This node will start; it rebuilds the index, about 4 seconds.'
    );
  });

  it('names the chunk that ends it later where the finding does not', () => {
    const unnamed = finding('chunkHashMismatch', 'diesLater', 'Its hash differs.');
    expect(predicted({ findings: [unnamed] }).words).toContain('when it reaches that chunk. Its hash');
  });

  it('says that the log would be written over', () => {
    expect(predicted({ findings: [overwritten] })).toMatchObject({
      starts: true,
      words: "This node will start with an empty log: the writer's position is 0."
    });
  });

  it('keeps the letters of a file that begins the message', () => {
    const named = finding('chunkFooterInvalid', 'refuses', 'chunk-000002.000000 has no footer.');
    expect(predicted({ findings: [named] }).words).toBe(
      'This node will not start: chunk-000002.000000 has no footer.'
    );
  });
});
