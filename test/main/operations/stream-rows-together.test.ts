/** Streams as rows: many at once, in the order of hashes and with digests, are those of one at a time from log and index. */
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { DigestRecords, NodeFileSystem, openDatabase, ticksFromIso } from '../../../src-core/index.ts';
import type { StreamRow } from '../../../src-main/contract/operations/reports.ts';
import { digestsOf } from '../../../src-main/operations/database/digests-of.ts';
import type { OperationContext } from '../../../src-main/operations/operation.ts';
import { StreamCatalog } from '../../../src-main/operations/streams/stream-catalog.ts';
import { openStreamIndex } from '../../../src-main/operations/streams/stream-index-access.ts';
import { goldenFolders, goldenNames, removeUnpacked, unpackDatabase } from '../../support/golden.ts';
import { testingContext } from '../../support/testing-context.ts';

const fileSystem = new NodeFileSystem();
let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'winnow-rows-'));
});
afterEach(() => {
  removeUnpacked();
  rmSync(home, { recursive: true, force: true });
});

/** Those that were scavenged: of others log and digests alone tell nearly all. */
const databases = goldenNames()
  .filter((name) => !/^(damaged|old-ptables|scavdb|truncate)/.test(name))
  .flatMap((name) => goldenFolders(name).map((folder): [string, string] => [name, folder]))
  .filter(([, folder]) => folder !== 'before');

function contextOf(dataDirectory: string): OperationContext {
  return testingContext('listStreams', { dataDirectory, fileSystem, clock: () => Date.UTC(2027, 0, 1) });
}

/** All streams with the index and the records of digests that a list has. */
async function opened(dataDirectory: string) {
  const context = contextOf(dataDirectory);
  const database = openDatabase({ fileSystem, dataDirectory });
  const { log } = database;
  const digests = digestsOf({ dataDirectory, winnowHome: home }, context);
  const catalog = await StreamCatalog.read(database, context, digests);
  const records = new DigestRecords({ log, digests });
  const [plain, known] = [
    await openStreamIndex(database, context, {}),
    await openStreamIndex(database, context, { digests, records })
  ];
  const { control } = context;
  const alone = async (now: bigint): Promise<StreamRow[]> => {
    const rows: StreamRow[] = [];
    for (let at = 0; at < catalog.count; at++) {
      rows.push(await catalog.row(at, { records: log, index: plain, now, control }));
    }
    return rows;
  };
  const together = async (now: bigint, take: (row: StreamRow) => void): Promise<void> => {
    const order = Uint32Array.from({ length: catalog.count }, (_, at) => at);
    for await (const rows of catalog.rows(order, { records, index: known, now, control })) rows.forEach(take);
  };
  const close = (): void => {
    plain.close();
    known.close();
    database.close();
  };
  return { alone, together, known, close };
}

describe('the rows of all streams', () => {
  it.each(databases)('of %s/%s are those of each', async (name, folder) => {
    const dataDirectory = unpackDatabase({ name, folder });
    if (!readdirSync(dataDirectory).includes('writer.chk')) return;
    const { alone, together, close } = await opened(dataDirectory);
    try {
      for (const time of ['2020-01-01T00:00:00Z', '2027-01-01T00:00:00Z']) {
        const now = ticksFromIso(time)!;
        const rows: StreamRow[] = [];
        await together(now, (row) => rows.push(row));
        expect(rows).toEqual(await alone(now));
        expect(rows.length).toBeGreaterThan(0);
      }
    } finally {
      close();
    }
  });

  it('come as far as the first that fails, then its error', async () => {
    const { alone, together, known, close } = await opened(
      unpackDatabase({ name: 'rules', folder: 'after-t0' })
    );
    try {
      const now = ticksFromIso('2027-01-01T00:00:00Z')!;
      const all = await alone(now);
      const firstWritten = known.firstWritten.bind(known);
      const place = all.findLastIndex(({ stream, state }) => !stream.startsWith('$') && state === 'live');
      const { stream } = all[place]!;
      vi.spyOn(known, 'firstWritten').mockImplementation((asked, number) => {
        if (asked === stream) throw known.missingEvent(stream, number);
        return firstWritten(asked, number);
      });
      const rows: StreamRow[] = [];
      await expect(together(now, (row) => rows.push(row))).rejects.toThrow(`of stream "${stream}"`);
      expect(rows).toEqual(all.slice(0, place));
      expect(place).toBeGreaterThan(5);
    } finally {
      close();
    }
  });
});
