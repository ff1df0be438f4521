/** A chunk whose payload has changed must not get a fresh hash: the damage would be hidden for ever. */
import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { runScavenge } from '../../../src-core/scavenge/run-scavenge.ts';
import { startRewriteWorkers } from '../../../src-main/threads/start-rewrite-workers.ts';
import { filesOf } from '../../support/database-content.ts';
import { removeUnpacked, unpackDatabase } from '../../support/golden.ts';
import { scavengeEnvironment, scavengeRequest } from '../../support/scavenge-environment.ts';
import { sealingTogether } from '../../support/sealing-together.ts';

afterEach(removeUnpacked);

const CHUNK = 'chunk-000003.000000';

function flip(directory: string): void {
  const file = join(directory, CHUNK);
  chmodSync(file, 0o644);
  const bytes = readFileSync(file);
  const at = bytes.indexOf('"', 60_000); // within the JSON of an event: no length changes, only the hash can tell
  bytes[at + 1] = bytes[at + 1]! ^ 1;
  writeFileSync(file, bytes);
}

const withHelper = { workers: { start: startRewriteWorkers, processorCount: 2 } };

it.each([
  ['in the same thread', {}],
  ['by a helper', withHelper],
  [
    'when new files are sealed together',
    { workers: { start: sealingTogether(() => undefined), processorCount: 2 } }
  ]
])(
  'stops at a damaged chunk found %s, names it and leaves it; goes on once it is restored',
  async (_, helped) => {
    const directory = unpackDatabase({ name: 'current-a', folder: 'before' });
    const good = readFileSync(join(directory, CHUNK));
    flip(directory);
    const damaged = readFileSync(join(directory, CHUNK));
    const run = () => runScavenge(scavengeRequest(directory, {}), scavengeEnvironment(helped));

    await expect(run()).rejects.toMatchObject({ code: 'LogCorrupt', details: { file: CHUNK } });
    expect(readFileSync(join(directory, CHUNK)).equals(damaged)).toBe(true);
    expect(Object.keys(filesOf(directory)).filter((name) => name.endsWith('.tmp'))).toEqual([]);

    writeFileSync(join(directory, CHUNK), good);
    const report = await run();
    expect(report).toMatchObject({ result: 'success', resumed: true });
  }
);
