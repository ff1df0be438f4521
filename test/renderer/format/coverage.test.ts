/** How much of a log was verified, in words: good only where all of it was, and never rounded up to all. */
import { describe, expect, it } from 'vitest';
import { coverageSight } from '../../../src-renderer/format/coverage.ts';

const NOW = Date.parse('2026-03-11T00:00:00Z');
const WHOLE = {
  files: 4,
  bytes: 4_000_000,
  verifiedFiles: 4,
  verifiedBytes: 4_000_000,
  damagedFiles: 0,
  unknownFiles: 0,
  oldest: '2026-03-01T00:00:00.0000000Z',
  withinMs: 30 * 24 * 60 * 60 * 1000,
  isWhole: true
};
const NONE = { ...WHOLE, verifiedFiles: 0, verifiedBytes: 0, unknownFiles: 4, oldest: null, isWhole: false };
const sight = (coverage: Parameters<typeof coverageSight>[0]) => coverageSight(coverage, NOW);

describe('the share of the log that was verified', () => {
  it('is good only where all of it was', () => {
    expect(sight(WHOLE)).toMatchObject({ isProved: true, isDamaged: false });
    expect(sight(WHOLE).words).toMatch(/^100 % of the log verified within 30 days, oldest verification: 10/);
    const part = { ...WHOLE, verifiedFiles: 3, verifiedBytes: 3_999_999, isWhole: false };
    expect(sight(part)).toMatchObject({ isProved: false });
    expect(sight(part).words).toMatch(/^99\.9 % of the log verified within 30 days/);
    expect(sight(NONE)).toMatchObject({ words: '0 % of the log verified within 30 days', isProved: false });
  });

  it('is not known where it is not known, and nothing where nothing can be verified yet', () => {
    expect(sight(undefined)).toMatchObject({
      words: 'Not known how much of the log is verified',
      isProved: false
    });
    const empty = { ...WHOLE, files: 0, bytes: 0, verifiedFiles: 0, verifiedBytes: 0, oldest: null };
    expect(sight(empty)).toMatchObject({ words: 'No completed chunk to verify yet', isProved: false });
  });

  it('says which part was damaged', () => {
    const damaged = { ...WHOLE, verifiedFiles: 3, verifiedBytes: 3_000_000, damagedFiles: 1, isWhole: false };
    expect(sight(damaged)).toMatchObject({ isProved: false, isDamaged: true });
    expect(sight(damaged).words).toContain(
      '75 % of the log verified within 30 days, 1 chunk damaged when last read'
    );
  });
});
