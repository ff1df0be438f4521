import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { runConformance } from '../../../src-main/conformance/run-conformance.ts';

const CASES = fileURLToPath(new URL('../../fixtures/conformance', import.meta.url));

it('meets every conformance case that needs no archive', async () => {
  const scratchDirectory = mkdtempSync(join(tmpdir(), 'winnow-conformance-'));
  const failures: string[] = [];
  try {
    const totals = await runConformance({
      directories: [CASES],
      scratchDirectory,
      onFailure: (caseId, differences) => failures.push(`${caseId}: ${differences.join('; ')}`)
    });
    expect(failures).toEqual([]);
    expect(totals).toEqual({ passed: 134, failed: 0, skipped: 7 });
  } finally {
    rmSync(scratchDirectory, { recursive: true });
  }
});
