/** On databases that the server wrote, everything is explained, and as the plan has it. */
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openPlannedScavenge } from '../../../src-core/insight/explain/planned-scavenge.ts';
import { planScavenge } from '../../../src-core/scavenge/run-scavenge.ts';
import { filesOf } from '../../support/database-content.ts';
import { goldenFolders, goldenNames, removeUnpacked, unpackDatabase } from '../../support/golden.ts';
import { scavengeEnvironment, scavengeRequest } from '../../support/scavenge-environment.ts';
import { askAll, differencesFromPlan, nothingChecked } from './explain-random.ts';

const goldens = goldenNames().filter((name) => !/^(damaged|truncate)/.test(name));
let home: string;

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'winnow-explain-'));
});
afterEach(() => {
  removeUnpacked();
  rmSync(home, { recursive: true, force: true });
});

it.each(goldens)('explains the golden database %s as its plan has it, and writes nothing', async (name) => {
  for (const folder of goldenFolders(name)) {
    const dataDirectory = unpackDatabase({ name, folder });
    if (!existsSync(join(dataDirectory, 'writer.chk'))) continue;
    const before = filesOf(dataDirectory);
    for (const scavengePoint of ['auto', 'detached'] as const) {
      const request = scavengeRequest(dataDirectory, {
        scavengePoint,
        singleNode: true,
        now: '2027-01-01T00:00:00Z',
        alwaysKeepScavenged: false,
        winnowHome: join(home, 'winnow'),
        scratchDirectory: join(home, 'scratch')
      });
      const plan = await settled(() => planScavenge(request, scavengeEnvironment()));
      const planned = await settled(() => openPlannedScavenge(request, scavengeEnvironment()));
      if (typeof plan === 'string' || typeof planned === 'string') {
        expect(planned, 'what is refused is refused with the same words').toBe(plan);
        continue;
      }
      const answers = await askAll(planned, nothingChecked());
      planned.close();
      expect(answers.faults).toEqual([]);
      expect(differencesFromPlan(plan, answers)).toEqual([]);
    }
    expect(filesOf(dataDirectory)).toEqual(before);
  }
});

/** The value, or the message of the refusal. */
async function settled<T>(action: () => Promise<T>): Promise<T | string> {
  try {
    return await action();
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
