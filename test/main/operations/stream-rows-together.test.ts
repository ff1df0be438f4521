/** Streams as rows: many at once, in the order of hashes and with digests, are those of one at a time from log and index. */
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { DigestRecords, NodeFileSystem, openDatabase, ticksFromIso } from '../../../src-core/index.ts';
import type { StreamRow } from '../../../src-main/contract/operations/reports.ts';
import { digestsOf } from '../../../src-main/operations/database/digests-of.ts';
import { operationContext } from '../../../src-main/operations/operation.ts';
import { StreamCatalog } from '../../../src-main/operations/streams/stream-catalog.ts';
import { openStreamIndex } from '../../../src-main/operations/streams/stream-index-access.ts';
import { goldenFolders, goldenNames, removeUnpacked, unpackDatabase } from '../../support/golden.ts';

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

describe('the rows of all streams', () => {
  it.each(databases)('of %s/%s are those of each', async (name, folder) => {
    const dataDirectory = unpackDatabase({ name, folder });
    if (!readdirSync(dataDirectory).includes('writer.chk')) return;
    const context = operationContext({
      operation: 'listStreams',
      dataDirectory,
      fileSystem,
      signal: new AbortController().signal,
      clock: () => Date.UTC(2027, 0, 1),
      onProgress: () => undefined,
      onLog: () => undefined
    });
    const { control } = context;
    const database = openDatabase({ fileSystem, dataDirectory });
    try {
      const { log } = database;
      const digests = digestsOf({ dataDirectory, winnowHome: home }, context);
      const catalog = await StreamCatalog.read(database, context, digests);
      for (const now of ['2020-01-01T00:00:00Z', '2027-01-01T00:00:00Z'].map((time) => ticksFromIso(time)!)) {
        const alone: StreamRow[] = [];
        const index = await openStreamIndex(database, context);
        for (let at = 0; at < catalog.count; at++) {
          alone.push(await catalog.row(at, { records: log, index, now, control }));
        }
        index.close();
        const records = new DigestRecords({ log, digests });
        const known = await openStreamIndex(database, context, digests, records);
        const together: StreamRow[] = [];
        const order = Uint32Array.from({ length: catalog.count }, (_, at) => at);
        for await (const rows of catalog.rows(order, { records, index: known, now, control })) {
          together.push(...rows);
        }
        known.close();
        expect(together).toEqual(alone);
        expect(together.length).toBeGreaterThan(0);
      }
    } finally {
      database.close();
    }
  });
});
