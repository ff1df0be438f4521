/** Counting with several threads: the same answer as with one, and it can be stopped. */
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { NodeFileSystem, OperationStopped } from '../../../src-core/index.ts';
import { requests } from '../../../src-main/contract/operations/operation-contract.ts';
import { readUsage } from '../../../src-main/operations/usage/usage-read.ts';
import { removeUnpacked, unpackDatabase } from '../../support/golden.ts';
import { testingContext } from '../../support/testing-context.ts';

let home: string;
beforeEach(() => {
  home = mkdtempSync(join(os.tmpdir(), 'winnow-usage-'));
});
afterEach(() => {
  removeUnpacked();
  rmSync(home, { recursive: true, force: true });
});

function count(dataDirectory: string, threads: number, signal = new AbortController().signal) {
  const request = requests.readUsage.parse({
    dataDirectory,
    threads,
    now: '2027-01-01T00:00:00Z',
    calendarDays: 30,
    scratchDirectory: home
  });
  return readUsage(request, testingContext('readUsage', { dataDirectory, signal, clock: () => 0 }));
}

describe('counting with threads', () => {
  it.skipIf(os.availableParallelism() < 2)('says the same as one thread', async () => {
    for (const name of ['rules', 'tables', 'transactions']) {
      const directory = unpackDatabase({ name, folder: 'before' });
      expect(await count(directory, 3)).toEqual(await count(directory, 1));
    }
  });

  it('ends when it is stopped, and leaves nothing behind', async () => {
    const directory = unpackDatabase({ name: 'tables', folder: 'before' });
    const stop = new AbortController();
    const counting = count(directory, 2, stop.signal);
    stop.abort();
    await expect(counting).rejects.toBeInstanceOf(OperationStopped);
    expect(new NodeFileSystem().list(home)).toEqual([]);
  });

  it('lets a second question about a database wait for the first, and answers both', async () => {
    const directory = unpackDatabase({ name: 'rules', folder: 'before' });
    const [one, other] = await Promise.all([count(directory, 1), count(directory, 1)]);
    const withoutReading = (report: typeof one) => ({ ...report, chunksRead: 0, chunksKnown: 0 });
    expect(withoutReading(one)).toEqual(withoutReading(other));
  });
});
