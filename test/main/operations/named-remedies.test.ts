/** What an error names as the way past it leads past it: tried on the database that the error is of. */
import { rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import type { Replies, RequestOf } from '../../../src-main/contract/operations/operation-contract.ts';
import { SAMPLE_TIME, ScavengeSamples } from '../../support/scavenge-sample.ts';
import { runOperation } from '../../support/testing-context.ts';

const samples = new ScavengeSamples();
afterEach(() => samples.removeAll());

function report<N extends keyof Replies>(name: N, request: RequestOf<N>): Promise<Replies[N]> {
  return runOperation(name, request, { clock: () => Date.parse(SAMPLE_TIME) });
}

async function writeDatabase(): Promise<string> {
  return samples.write({ sizeBytes: 100_000, chunkSizeBytes: 32768, seed: 11 }, { withPoint: true });
}

function writePosition(directory: string, file: string, position: bigint): void {
  const bytes = Buffer.alloc(8);
  bytes.writeBigInt64LE(position);
  writeFileSync(path.join(directory, file), bytes);
}

/** A damage, who meets it, and what the error says. */
const BY_REPAIR: [string, (directory: string) => void, RegExp][] = [
  [
    'a truncation that no position is',
    (directory) => writePosition(directory, 'truncate.chk', -5n),
    /not a position/
  ],
  ['no writer.chk', (directory) => rmSync(path.join(directory, 'writer.chk')), /writer\.chk/]
];

describe('"winnow repair"', () => {
  it.each(BY_REPAIR)('is named for %s, and leads to what was asked', async (_what, damage, words) => {
    const directory = await writeDatabase();
    damage(directory);
    const scavenge = {
      dataDirectory: directory,
      winnowHome: samples.directory(),
      scavengePoint: 'existing'
    } as const;
    const told = {
      message: expect.stringMatching(words) as string,
      remedy: expect.stringContaining('"winnow repair"') as string
    };
    await expect(report('runScavenge', scavenge)).rejects.toMatchObject(told);
    await expect(report('surveyUsage', { dataDirectory: directory })).rejects.toMatchObject(told);
    const { nextScavenge } = await report('inspectDatabase', { dataDirectory: directory });
    expect(nextScavenge).toMatchObject({ kind: 'refused', because: told.message });
    await report('repairDatabase', { dataDirectory: directory, assumeStopped: true });
    expect(await report('runScavenge', scavenge)).toMatchObject({ result: 'success' });
  });

  it('is named by inspect for a truncation at which no server cuts', async () => {
    const directory = await writeDatabase();
    writePosition(directory, 'truncate.chk', -5n);
    const { warnings } = await report('inspectDatabase', { dataDirectory: directory });
    const [told] = warnings.filter(({ message }) => message.includes('truncate.chk'));
    expect(told).toMatchObject({
      message: 'truncate.chk holds -5, which is not a position in a log.',
      remedy: expect.stringContaining('"winnow repair"') as string
    });
    expect(warnings.some(({ message }) => message.includes('the server cuts the log there'))).toBe(false);
  });
});
