import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { runConformance } from '../../../src-main/conformance/run-conformance.ts';

const CASES = fileURLToPath(new URL('../../fixtures/auto-scavenge', import.meta.url));

it('meets every case of the coordinator, its HTTP answers and its requests', async () => {
  const failures: string[] = [];
  const totals = await runConformance({
    directories: [CASES],
    scratchDirectory: 'not used by these cases',
    onFailure: (caseId, differences) => failures.push(`${caseId}: ${differences.join('; ')}`)
  });
  expect(failures).toEqual([]);
  expect(totals).toEqual({ passed: 370, failed: 0, skipped: 0 });
});
