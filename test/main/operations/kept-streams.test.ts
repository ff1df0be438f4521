/** The list of streams is kept until the log changes, and says the same as one that was made now. */
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { requests } from '../../../src-main/contract/operations/operation-contract.ts';
import { listStreams } from '../../../src-main/operations/streams/list-streams.ts';
import { goldenFolders, goldenNames, removeUnpacked, unpackDatabase } from '../../support/golden.ts';
import { testingContext } from '../../support/testing-context.ts';

let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'winnow-streams-'));
});
afterEach(() => {
  removeUnpacked();
  rmSync(home, { recursive: true, force: true });
});

const SORTS = ['name', 'bytes', 'events'] as const;

/** In every order, as another process would list them: with what lies on the disk. */
async function rowsOf(dataDirectory: string, winnowHome?: string): Promise<unknown[]> {
  const rows: unknown[] = [];
  for (const sort of SORTS) {
    const request = requests.listStreams.parse({
      dataDirectory,
      sort,
      now: '2027-01-01T00:00:00Z',
      ...(winnowHome === undefined ? {} : { winnowHome })
    });
    const context = testingContext('listStreams', { dataDirectory, clock: () => Date.UTC(2027, 0, 1) });
    for await (const batch of listStreams(request, context)) rows.push(...batch);
  }
  return rows;
}

function keptFiles(): string[] {
  const [directory] = readdirSync(join(home, 'digests'));
  return readdirSync(join(home, 'digests', directory!))
    .filter((file) => file.endsWith('.streams'))
    .map((name) => join(home, 'digests', directory!, name));
}

const databases = goldenNames()
  .filter((name) => !/^(damaged|old-ptables|scavdb|truncate)/.test(name))
  .flatMap((name) => goldenFolders(name).map((folder): [string, string] => [name, folder]));

describe('the list of streams', () => {
  it.each(databases)('of %s/%s is the same with what is kept and without', async (name, folder) => {
    const dataDirectory = unpackDatabase({ name, folder });
    if (!readdirSync(dataDirectory).includes('writer.chk')) return;
    const expected = await rowsOf(dataDirectory);
    expect(await rowsOf(dataDirectory, home)).toEqual(expected);
    expect(keptFiles()).toHaveLength(2);
    expect(await rowsOf(dataDirectory, home)).toEqual(expected);
  });

  it('is made again when its file is damaged, and when a chunk is another', async () => {
    const dataDirectory = unpackDatabase({ name: 'plain', folder: goldenFolders('plain')[0]! });
    const expected = await rowsOf(dataDirectory, home);
    const files = keptFiles();
    for (const file of files) {
      const whole = readFileSync(file);
      for (let at = 0; at < whole.length; at += Math.ceil(whole.length / 20)) {
        const flipped = Buffer.from(whole);
        flipped[at]! ^= 1 << (at % 8);
        for (const damaged of [flipped, whole.subarray(0, at)]) {
          writeFileSync(file, damaged);
          expect(await rowsOf(dataDirectory, home), `byte ${at}`).toEqual(expected);
          expect(readFileSync(file).equals(whole), `byte ${at}`).toBe(true);
        }
      }
      rmSync(file);
      expect(await rowsOf(dataDirectory, home)).toEqual(expected);
      expect(readFileSync(file).equals(whole)).toBe(true);
    }
    const chunk = join(
      dataDirectory,
      readdirSync(dataDirectory).find((name) => name.startsWith('chunk-'))!
    );
    const { mtimeMs } = statSync(chunk);
    utimesSync(chunk, mtimeMs / 1000 + 5, mtimeMs / 1000 + 5);
    expect(await rowsOf(dataDirectory, home)).toEqual(expected);
    expect(keptFiles().filter((file) => files.includes(file))).toEqual([]);
  });
});
