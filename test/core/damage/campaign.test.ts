/**
 * A short campaign: the same damaged databases in every run. Long ones with seeds of their own: `npm run fuzz`.
 * A failure names the case; `npm run fuzz` shows cases of all bases, this list those of the small ones.
 */
import { describe, expect, test } from 'vitest';
import { baseDatabase, SHORT_BASES } from '../../fuzz/base-databases.ts';
import { judge, runCase, truthOf } from '../../fuzz/campaign.ts';
import { mountFiles } from '../../fuzz/database-image.ts';
import { examineDatabase } from '../../fuzz/examine-database.ts';
import { recordCampaign } from '../../support/proof-record.ts';

const SEED = 1;
const CASES_PER_BASE = 30;

/** What the bases do without, and the next start of a server makes. */
const WITHOUT: Record<string, string[]> = {
  sample: ['hint existenceFilterMissing'],
  'old-v0/before': ['hint indexMissing'],
  'transactions/before': [],
  'old-posmap/small': ['hint epochUnknown', 'hint indexMissing']
};

describe.each(SHORT_BASES)('the database %s', (base) => {
  test('is read without a fault as long as it is whole', async () => {
    const truth = await truthOf(await baseDatabase(base));
    expect(truth.violations).toEqual([]);
    const found = (truth.findings ?? []).map(({ severity, code }) => `${severity} ${code}`);
    expect(found.sort()).toEqual(WITHOUT[base]);
    expect(truth.records.rows.length).toBeGreaterThan(100);
    expect(truth.records.error).toBeUndefined();
    expect(truth.salvaged.rows).toEqual(truth.records.rows);
  });

  test('damaged at random answers correctly, or says what is damaged', async () => {
    const faulty: unknown[] = [];
    for (let number = 0; number < CASES_PER_BASE; number++) {
      const { steps, faults } = await runCase({ seed: SEED, number, bases: [base] });
      if (faults.length > 0) faulty.push({ number, steps, faults });
    }
    expect(faulty).toEqual([]);
    const name = `damaged databases answer correctly or say what is damaged: ${base}`;
    const faults = 'bytes changed, moved, removed, resealed';
    recordCampaign({
      ...{ name, promise: 'random', operation: 'every reading operation', faults },
      ...{ counts: { cases: CASES_PER_BASE }, seed: SEED }
    });
  });
});

describe('the judge of the campaign', () => {
  const base = 'sample';

  test('notices a changed payload, in the answers and by its hash, when verification keeps silent', async () => {
    const image = await baseDatabase(base);
    const truth = await truthOf(image);
    const file = 'chunk-000000.000000';
    const bytes = image.files.get(file)!.slice();
    const at = Buffer.from(bytes).indexOf('{"', 4000);
    bytes[at + 2] = bytes[at + 2]! ^ 1;
    const files = new Map(image.files).set(file, bytes);
    const touched = new Map([[file, 'completedChunk' as const]]);
    const mutation = { files, steps: [], touched, isResealed: false };
    const dataDirectory = '/judged';
    const found = await examineDatabase({ fileSystem: mountFiles(files, dataDirectory), dataDirectory });
    expect(judge(image, mutation, truth, found)).toEqual([]);
    const faults = judge(image, mutation, truth, { ...found, findings: truth.findings });
    expect(faults).toContainEqual(`verification finds nothing although ${file} changed`);
    expect(faults).toContainEqual(expect.stringMatching(/^records: row \d+ is/));
    expect(faults).toContainEqual(expect.stringMatching(/^\$all: row \d+ is/));
  });
});
