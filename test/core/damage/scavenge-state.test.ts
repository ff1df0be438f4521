/**
 * A damaged scavenge state never stands in the way of looking at the database, and looking at it changes nothing.
 * On a real disk, because the state is SQLite's.
 */
import fs from 'node:fs';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { EngineError } from '../../../src-core/errors.ts';
import { runReportOperation } from '../../../src-main/operations/operation-table.ts';
import { requests } from '../../../src-main/contract/operations/operation-contract.ts';
import { removeUnpacked, unpackDatabase } from '../../support/golden.ts';
import { Prng } from '../../support/prng.ts';
import { testingContext } from '../../support/testing-context.ts';

const CASES = 60;
const SEED = 5;
afterAll(removeUnpacked);

/** One change somewhere, most often where SQLite keeps its structure. */
function damage(bytes: Buffer, prng: Prng): Buffer {
  const copy = Buffer.from(bytes);
  const at = prng.chance(0.4) ? prng.below(100) : prng.below(copy.length);
  const kind = prng.pick(['bit', 'ones', 'zeros', 'noise', 'cut', 'empty'] as const);
  const end = Math.min(copy.length, at + 1 + prng.below(200));
  if (kind === 'bit') copy[at] = copy[at]! ^ (1 << prng.below(8));
  else if (kind === 'ones') copy.fill(0xff, at, end);
  else if (kind === 'zeros') copy.fill(0, at, end);
  else if (kind === 'noise') copy.set(prng.bytes(end - at), at);
  return kind === 'cut' ? copy.subarray(0, at) : kind === 'empty' ? copy.subarray(0, 0) : copy;
}

test('the database is inspected and its chunks are listed whatever the scavenge state holds', async () => {
  const dataDirectory = unpackDatabase({ name: 'transactions', folder: 'after-t0' });
  const directory = path.join(dataDirectory, 'index/scavenging');
  const state = path.join(directory, 'scavenging.db');
  const sound = fs.readFileSync(state);
  const names = fs.readdirSync(directory);
  const prng = new Prng(SEED);
  const context = testingContext('inspectDatabase', { dataDirectory, clock: () => 0 });
  for (let number = 0; number < CASES; number++) {
    const bytes = damage(sound, prng);
    fs.writeFileSync(state, bytes);
    for (const name of ['inspectDatabase', 'listChunks'] as const) {
      try {
        await runReportOperation(name, requests[name].parse({ dataDirectory }), context);
      } catch (error) {
        expect(error, `case ${number} of seed ${SEED}`).toBeInstanceOf(EngineError);
      }
    }
    expect(fs.readFileSync(state).equals(bytes)).toBe(true);
    expect(fs.readdirSync(directory)).toEqual(names);
  }
});
