/** The entries of a log are the same however little of its open transactions is remembered, and from wherever they are new. */
import { expect, it } from 'vitest';
import { LogEntries } from '../../../src-core/index/log-entries.ts';
import { hashStream } from '../../../src-core/index/stream-hash.ts';
import { Prng } from '../../support/prng.ts';
import type { MemoryLog } from './memory-log.ts';
import { randomLog } from './random-log.ts';
import { seedCount } from '../../support/seeds.ts';

const SEEDS = seedCount(60);

interface Asked {
  checkpoint?: number;
  from?: number;
  maxRemembered?: number;
}

function entriesOf(log: MemoryLog, { checkpoint = -1, from = 0, maxRemembered }: Asked) {
  const found: (readonly number[])[] = [];
  const sink = { add: (...entry: readonly number[]) => void found.push(entry) };
  const entries = new LogEntries({
    log,
    hasher: hashStream,
    prepareCheckpoint: checkpoint,
    commitCheckpoint: checkpoint,
    sink,
    ...(maxRemembered === undefined ? {} : { maxRemembered })
  });
  for (const records = log.cursor(from, log.end); records.next();) entries.see(records.record);
  return { found, checkpoints: entries.checkpoints };
}

it('gives the same entries in the same order, also where transactions are read again at their commit', () => {
  let inTransactions = 0;
  for (let seed = 1; seed <= SEEDS; seed++) {
    const random = new Prng(seed);
    const log = randomLog(random, 40 + random.below(200), 5);
    const all = entriesOf(log, {});
    for (const maxRemembered of [0, 1, 2, 7])
      expect(entriesOf(log, { maxRemembered }), `seed ${seed}, ${maxRemembered}`).toEqual(all);
    const checkpoint = random.below(log.end / 100) * 100;
    const from = entriesOf(log, { checkpoint, from: checkpoint });
    expect(from.found, `seed ${seed} from ${checkpoint}`).toEqual(entriesOf(log, { checkpoint }).found);
    for (const maxRemembered of [0, 3])
      expect(entriesOf(log, { checkpoint, from: checkpoint, maxRemembered }), `seed ${seed}`).toEqual(from);
    inTransactions += all.found.filter(
      ([, , , position], i, entries) => i > 0 && position! < entries[i - 1]![3]!
    ).length;
  }
  // Members stand behind records that were written after them.
  expect(inTransactions).toBeGreaterThan(SEEDS);
});
