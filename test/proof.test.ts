/** docs/proof.md says what the last run of the campaigns counted, and a count that drops is noticed. */
import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { faultsOf, keptCounts, stepOf, unkeptOf, type KeptCampaign } from '../scripts/proof/proof-counts.mjs';
import { proofPage } from '../scripts/proof/proof-page.mjs';

const campaign: KeptCampaign = {
  name: 'prune',
  promise: 'cut',
  operation: 'backup prune',
  faults: 'before',
  counts: { calls: 17, cases: 60 },
  test: 'test/crash/prune.test.ts'
};

describe('the page', () => {
  const page = readFileSync('docs/proof.md', 'utf8');

  test('shows the counts that are kept', () => {
    expect(proofPage(page, keptCounts())).toBe(page);
  });

  test('names tests that exist', () => {
    const missing = keptCounts().filter(({ test: file }) => !existsSync(file));
    expect(missing).toEqual([]);
  });
});

describe('a run whose counts are compared', () => {
  test('is well with the same counts, and with more', () => {
    expect(faultsOf([campaign], [campaign])).toEqual([]);
    expect(faultsOf([campaign], [{ ...campaign, counts: { calls: 18, cases: 60 } }])).toEqual([]);
  });

  test('fails when a count drops, and says which', () => {
    const [fault] = faultsOf([campaign], [{ ...campaign, counts: { calls: 16, cases: 60 } }]);
    expect(fault).toContain('"cut: prune" has 16 calls, where 17 are known');
  });

  test('fails when a campaign that was asked for did not run, and names those that are not kept yet', () => {
    expect(faultsOf([campaign], [])).toEqual(['"cut: prune" of test/crash/prune.test.ts did not run.']);
    expect(faultsOf([campaign], [], () => false)).toEqual([]);
    expect(faultsOf([], [campaign])).toEqual([]);
    expect(unkeptOf([], [campaign])).toEqual([
      '"cut: prune" is not kept yet: npm run proof -- test/crash/prune.test.ts'
    ]);
  });

  test('knows which step runs a campaign', () => {
    expect(stepOf(campaign)).toBe('scenarios');
    expect(stepOf({ test: 'test/golden/log.test.ts' })).toBe('golden');
    expect(stepOf({ test: 'test/core/index/x.test.ts' })).toBe('core');
  });
});
