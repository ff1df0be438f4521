import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { runConformance } from '../../../src-main/conformance/run-conformance.ts';

const CORNERS = fileURLToPath(new URL('../../fixtures/conformance-corners', import.meta.url));

let scratchDirectory = '';
beforeEach(() => {
  scratchDirectory = mkdtempSync(join(tmpdir(), 'winnow-corners-'));
});
afterEach(() => rmSync(scratchDirectory, { recursive: true }));

async function run(directory: string) {
  const failures: Record<string, string> = {};
  const totals = await runConformance({
    directories: [directory],
    scratchDirectory,
    onFailure: (caseId, differences) => (failures[caseId] = differences.join('; '))
  });
  return { totals, failures };
}

it('meets the corners of the rules that no conformance case looks into, and random logs', async () => {
  const { totals, failures } = await run(CORNERS);
  expect(failures).toEqual({});
  expect(totals).toEqual({ passed: 135, failed: 0, skipped: 0 });
});

it('tells of cases and files that cannot be run as failures and goes on', async () => {
  const directory = join(scratchDirectory, 'cases');
  const fine = { id: 'fine', kind: 'options', config: {}, expect: { mergeChunks: true } };
  mkdirSync(directory);
  writeFileSync(join(directory, '1.json'), '{"cases":[');
  writeFileSync(join(directory, '2.json'), 'null');
  writeFileSync(
    join(directory, '3.json'),
    JSON.stringify({
      cases: [
        7,
        { id: 'unknown-input', kind: 'scenario', clusterSize: 1, start: '2026-08-01T00:00:00', steps: [{}] },
        { id: 'chunkless', kind: 'scenario', chunks: [[]] },
        { id: 'unknown-op', kind: 'scenario', chunks: [[]], steps: [{ op: 'defragment' }] },
        { id: 'unknown-kind', kind: 'weather' },
        { id: 'unable', kind: 'options', requires: ['weather'] },
        { id: 'odd-requirement', kind: 'options', requires: 7 },
        { kind: 'options', config: {}, expect: { mergeChunks: false } },
        fine
      ]
    })
  );
  const { totals, failures } = await run(directory);
  expect(totals).toEqual({ passed: 1, failed: 8, skipped: 2 });
  expect(Object.keys(failures)).toEqual([
    '1.json',
    '2.json',
    '3.json 0',
    'unknown-input',
    'chunkless',
    'unknown-op',
    'odd-requirement',
    '3.json 7'
  ]);
});
