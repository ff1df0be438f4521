/**
 * For every record of random histories the explanation says "keep" exactly if the executed scavenge leaves it there;
 * the plan lets as many records of each chunk go, and the naive model agrees. Histories are determined by their
 * seeds. More of them: EXPLAIN_HISTORIES=2000 EXPLAIN_SEED=100000 npx vitest run --project scenarios <this file>.
 */
import { expect, it } from 'vitest';
import { checkHistory, nothingChecked } from './explain-random.ts';

const HISTORIES = Number(process.env['EXPLAIN_HISTORIES'] ?? 24);
const FIRST_SEED = Number(process.env['EXPLAIN_SEED'] ?? 1);

it(`agrees with plan, run and model in ${HISTORIES} random histories from seed ${FIRST_SEED}`, async () => {
  const checked = nothingChecked();
  for (let seed = FIRST_SEED; seed < FIRST_SEED + HISTORIES; seed++) {
    const faults = await checkHistory(seed, checked);
    expect(faults.slice(0, 10), `seed ${seed}`).toEqual([]);
  }
  const { histories, scavenges, refused, records, chunks, streams } = checked;
  const rules = [...checked.byRule].sort(([a], [b]) => a.localeCompare(b));
  console.info(
    `${histories} histories, ${scavenges} scavenges (${refused} refused), ${records} records, ` +
      `${chunks} chunks, ${streams} streams explained; ` +
      rules.map(([rule, count]) => `${rule} ${count}`).join(', ')
  );
  expect(scavenges).toBeGreaterThan(HISTORIES / 2);
  expect(checked.tallies).toBeGreaterThan(HISTORIES / 2);
  expect(records).toBeGreaterThan(HISTORIES * 20);
  // Every rule must have been met, or the comparison proves little.
  expect(rules.map(([rule]) => rule)).toEqual(expect.arrayContaining(MET_RULES));
}, 3_600_000);

const MET_RULES = [
  'activeChunk keep',
  'afterScavengePoint keep',
  'belowThreshold keep',
  'hardDelete discard',
  'keptLarger keep',
  'lastEvent keep',
  'maxAge discard',
  'maxAge keep',
  'maxCount discard',
  'maxCount keep',
  'metadataSuperseded discard',
  'noRule keep',
  'softDelete discard',
  'tombstone keep',
  'truncateBefore discard',
  'truncateBefore keep',
  'uncommittedTransaction keep'
];
