/**
 * A short campaign: the same damaged databases in every run. Long ones with seeds of their own: `npm run fuzz`.
 * A failure names the case; `npm run fuzz` shows cases of all bases, this list those of the small ones.
 */
import { describe, expect, test } from 'vitest';
import { baseDatabase, SHORT_BASES } from '../../fuzz/base-databases.ts';
import { runCase, truthOf } from '../../fuzz/campaign.ts';

const SEED = 1;
const CASES_PER_BASE = 30;

describe.each(SHORT_BASES)('the database %s', (base) => {
  test('is read without a fault as long as it is whole', async () => {
    const truth = await truthOf(await baseDatabase(base));
    expect(truth.violations).toEqual([]);
    expect(truth.findings).toEqual([]);
    expect(truth.records.rows.length).toBeGreaterThan(100);
    expect(truth.records.error).toBeUndefined();
    expect(truth.salvaged.rows).toEqual(truth.records.rows);
  });

  test('damaged by chance answers rightly, or says what is damaged', async () => {
    const faulty: unknown[] = [];
    for (let number = 0; number < CASES_PER_BASE; number++) {
      const { steps, faults } = await runCase({ seed: SEED, number, bases: [base] });
      if (faults.length > 0) faulty.push({ number, steps, faults });
    }
    expect(faulty).toEqual([]);
  });
});
