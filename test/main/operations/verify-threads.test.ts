/** Verification with several threads: the same answer, and it can be stopped. */
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { OperationStopped } from '../../../src-core/index.ts';
import { verifyDatabase } from '../../../src-main/operations/repair/verify-database.ts';
import { startVerifyWorkers } from '../../../src-main/threads/start-verify-workers.ts';
import { removeUnpacked, unpackDamaged, unpackDatabase } from '../../support/golden.ts';
import { testingContext } from '../../support/testing-context.ts';

afterEach(removeUnpacked);

function context(dataDirectory: string, signal = new AbortController().signal) {
  return testingContext('verifyDatabase', { dataDirectory, signal, clock: () => 0 });
}

const verify = (dataDirectory: string, threads: number) =>
  verifyDatabase({ dataDirectory, quick: false, threads }, context(dataDirectory));

describe('verification with threads', () => {
  it.skipIf(os.availableParallelism() < 2)(
    'says the same of sound, scavenged and damaged databases, with transactions and without',
    async () => {
      const directories = [
        unpackDatabase({ name: 'tables', folder: 'after-scavenge' }),
        unpackDatabase({ name: 'transactions', folder: 'before' }),
        unpackDatabase({ name: 'old-v0', folder: 'before' }),
        unpackDamaged('damaged-a-record-length-prefix')
      ];
      for (const directory of directories)
        expect(await verify(directory, 3)).toEqual(await verify(directory, 1));
    }
  );

  it.skipIf(os.availableParallelism() < 2)('leaves the digests that one thread leaves', async () => {
    const dataDirectory = unpackDatabase({ name: 'tables', folder: 'after-scavenge' });
    const left = [];
    for (const threads of [1, 2]) {
      const winnowHome = fs.mkdtempSync(path.join(os.tmpdir(), 'winnow-home-'));
      await verifyDatabase({ dataDirectory, quick: false, threads, winnowHome }, context(dataDirectory));
      const directory = path.join(winnowHome, 'digests');
      const names = fs.readdirSync(directory, { recursive: true, encoding: 'utf8' });
      const digests = names.filter((name) => name.endsWith('.digest')).sort();
      left.push(
        digests.map((name) => [name, fs.readFileSync(path.join(directory, name)).toString('base64')])
      );
      fs.rmSync(winnowHome, { recursive: true });
    }
    expect(left[0]!.length).toBeGreaterThan(0);
    expect(left[1]).toEqual(left[0]);
  });

  it.skipIf(os.availableParallelism() < 2)('says the same at a rate that its threads share', async () => {
    const dataDirectory = unpackDatabase({ name: 'tables', folder: 'after-scavenge' });
    const request = { dataDirectory, quick: false, threads: 2, bytesPerSecond: 64 * 1024 * 1024 };
    const report = await verifyDatabase(request, context(dataDirectory));
    expect(report).toEqual(await verify(dataDirectory, 1));
  });

  it('ends its threads when it is stopped', async () => {
    const directory = unpackDatabase({ name: 'tables', folder: 'before' });
    const stop = new AbortController();
    stop.abort();
    const workers = startVerifyWorkers({ count: 2, signal: stop.signal });
    const stopped = verifyDatabase(
      { dataDirectory: directory, quick: false, threads: 2 },
      context(directory, stop.signal)
    );
    await expect(stopped).rejects.toBeInstanceOf(OperationStopped);
    await workers.close();
  });
});
