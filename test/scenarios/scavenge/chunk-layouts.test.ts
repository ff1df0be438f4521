/**
 * Two copies of one log whose chunks are laid out differently: one was scavenged and merged before, with its points
 * written in the same places. A scavenge to the same point leaves the same records and the same index entries.
 */
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { hashStream } from '../../../src-core/index/stream-hash.ts';
import { runScavenge } from '../../../src-core/scavenge/run-scavenge.ts';
import { ticksToIso } from '../../../src-core/units/ticks.ts';
import { RandomLog } from '../../campaign/random-log.ts';
import { contentOf, positionOf, withDatabase, type DatabaseContent } from '../../support/database-content.ts';
import { Prng } from '../../support/prng.ts';
import { scavengeEnvironment, scavengeRequest } from '../../support/scavenge-environment.ts';
import { seedCount } from '../../support/seeds.ts';

const SEEDS = seedCount(12);
let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'winnow-layouts-'));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

/** Files of chunks and tables may differ; what they hold may not. */
const heldBy = ({ records, tables }: DatabaseContent) => ({ records, entries: tables.flat().sort() });

/**
 * What a database holds, without parts of explicit transactions that the other one lacks. They add no weight: whether they go, once
 * their stream is deleted, depends on what else of their chunk can still go.
 */
async function weighed(dataDirectory: string, { records: others }: DatabaseContent) {
  const content = await contentOf(dataDirectory);
  const known = new Set(others);
  const records = await withDatabase(dataDirectory, ({ log }) =>
    content.records.filter((record) => {
      const found = known.has(record) ? undefined : log.readAt(positionOf(record));
      return found?.kind !== 'prepare' || found.isSelfCommitted;
    })
  );
  return heldBy({ ...content, records });
}

it('does not matter to a scavenge: same point, same records and entries', async () => {
  let differentLayouts = 0;
  for (let seed = 0; seed < SEEDS; seed++) {
    const random = new Prng(seed);
    const dataDirectory = join(home, `once-${seed}`);
    const scavengedBefore = join(home, `twice-${seed}`);
    mkdirSync(dataDirectory);
    const log = new RandomLog({ dataDirectory, random, hasher: hashStream });
    const pointed = (change: object) =>
      ({ scavengePoint: 'existing', threshold: 0, merge: true, ...change }) as const;
    log.grow({ steps: 60 + random.below(100) });
    await log.growIndex();
    log.writePoint(random.pick([0, -1, 6]));
    const now = ticksToIso(log.now);
    cpSync(dataDirectory, scavengedBefore, { recursive: true });
    await runScavenge(scavengeRequest(scavengedBefore, pointed({ now })), scavengeEnvironment());

    // The point has completed its chunk, so what follows lies in chunks of its own, which both copies get.
    const older = new Set(readdirSync(dataDirectory).filter((name) => name.startsWith('chunk-')));
    log.grow({ steps: 40 + random.below(80), eventsOnly: true });
    log.writePoint(0);
    for (const name of readdirSync(dataDirectory)) {
      if (name === 'index' || older.has(name)) continue;
      cpSync(join(dataDirectory, name), join(scavengedBefore, name));
    }
    const [once, twice] = [dataDirectory, scavengedBefore];
    for (const directory of [once, twice]) {
      await runScavenge(scavengeRequest(directory, pointed({ now })), scavengeEnvironment());
    }
    const [first, second] = [await contentOf(once), await contentOf(twice)];
    const [ofFirst, ofSecond] = [await weighed(once, second), await weighed(twice, first)];
    expect(ofSecond, `seed ${seed}`).toEqual(ofFirst);
    if (JSON.stringify(first.chunks) !== JSON.stringify(second.chunks)) differentLayouts++;
  }
  expect(differentLayouts).toBeGreaterThan(0);
});
