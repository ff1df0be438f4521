/** Every state that a real server left passes the examination that forged ones fail: nothing true is refused. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { verifyScavengeState } from '../../../src-core/scavenge/state/verify-state.ts';
import { withDatabase } from '../../support/database-content.ts';
import { goldenFolders, goldenNames, removeUnpacked, unpackDatabase } from '../../support/golden.ts';
import { scavengeEnvironment } from '../../support/scavenge-environment.ts';
import { ScavengeSamples } from '../../support/scavenge-sample.ts';

const samples = new ScavengeSamples();
afterEach(() => {
  removeUnpacked();
  samples.removeAll();
});

const databases = goldenNames()
  .filter((name) => !name.startsWith('damaged-'))
  .flatMap((name) => goldenFolders(name).map((folder) => ({ name, folder })))
  .filter(({ name, folder }) => {
    const directory = unpackDatabase({ name, folder });
    const has = existsSync(join(directory, 'index', 'scavenging', 'scavenging.db'));
    removeUnpacked();
    return has;
  });

it('finds states of all stages among the goldens', () => {
  expect(databases.length).toBeGreaterThan(15);
});

describe.each(databases)('the state of $name/$folder', (database) => {
  it('passes, unless its log was cut', async () => {
    const directory = unpackDatabase(database);
    const { operation } = scavengeEnvironment();
    const problem = await withDatabase(directory, (opened, index) =>
      verifyScavengeState({
        database: opened,
        index,
        isWhole: true,
        makeScratch: () => samples.directory(),
        isDue: () => operation.isDue,
        breathe: () => operation.breathe()
      })
    );
    // The server cut this log behind its state.
    if (database.name.startsWith('truncate-')) expect(problem).toMatchObject({ code: 'stateAheadOfLog' });
    else expect(problem).toBeUndefined();
  });
});
