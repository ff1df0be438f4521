/** The operations that look into a database in depth, on a sample that is written once and scavenged in a copy. */
import fs from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { OperationContext } from '../../../src-main/operations/operation.ts';
import {
  requests,
  type Replies,
  type RequestOf
} from '../../../src-main/contract/operations/operation-contract.ts';
import { runReportOperation, runStreamOperation } from '../../../src-main/operations/operation-table.ts';
import type { RecordRow } from '../../../src-main/contract/operations/reports.ts';
import { testingContext } from '../../support/testing-context.ts';

const NOW = Date.UTC(2026, 10, 21, 12);
const root = fs.mkdtempSync(path.join(tmpdir(), 'winnow-reading-'));
const dataDirectory = path.join(root, 'data');

function contextOf(operation: string): OperationContext {
  return testingContext(operation, { clock: () => NOW });
}

function run<N extends keyof Replies>(name: N, request: RequestOf<N>): Promise<Replies[N]> {
  return runReportOperation(name, requests[name].parse(request), contextOf(name));
}

beforeAll(async () => {
  await run('writeSample', {
    dataDirectory,
    sizeBytes: 3 * 1024 * 1024,
    chunkSizeBytes: 512 * 1024,
    now: new Date(NOW).toISOString()
  });
});
afterAll(() => fs.rmSync(root, { recursive: true, force: true }));

async function allRecords(): Promise<RecordRow[]> {
  const { chunks } = await run('listChunks', { dataDirectory });
  const rows: RecordRow[] = [];
  for (const { chunkStart } of chunks) {
    for (let offset = 0; ; offset += 1000) {
      const page = await run('readChunkPage', { dataDirectory, chunk: chunkStart, offset, limit: 1000 });
      rows.push(...page.rows);
      if (offset + 1000 >= page.total) break;
    }
  }
  return rows;
}

async function search(filter: string, limit = 1000, chunk?: number): Promise<RecordRow[]> {
  const rows: RecordRow[] = [];
  for (let from: number | null = 0; from !== null;) {
    const request = { dataDirectory, filter, limit, from, ...(chunk === undefined ? {} : { chunk }) };
    const page: Replies['searchRecords'] = await run('searchRecords', request);
    rows.push(...page.rows);
    from = page.nextFrom;
  }
  return rows;
}

describe('a search through the log', () => {
  it('without a filter finds every record once, whatever the size of a page', async () => {
    const all = await allRecords();
    expect(all.length).toBeGreaterThan(500);
    expect((await search('', 137)).map(({ position }) => position)).toEqual(
      all.map(({ position }) => position)
    );
  });

  it.each<[string, (row: RecordRow) => boolean]>([
    ['kind:system', ({ kind }) => kind === 'system'],
    ['stream:order-*', (row) => row.kind === 'prepare' && row.stream.startsWith('order-')],
    ['stream:*r*-1*', (row) => row.kind === 'prepare' && /^.*r.*-1.*$/.test(row.stream)],
    ['flag:streamDelete', (row) => row.kind === 'prepare' && row.flags.includes('streamDelete')],
    ['-flag:isJson kind:prepare', (row) => row.kind === 'prepare' && !row.flags.includes('isJson')],
    ['number:0 size>200', (row) => row.kind === 'prepare' && row.eventNumber === 0 && row.length + 8 > 200],
    ['pos>100000 pos<=200000', ({ position }) => position > 100_000 && position <= 200_000],
    ['after:2026-10-01 before:2026-10-15', ({ time }) => time >= '2026-10-01' && time < '2026-10-15'],
    ['ORDER', (row) => row.kind === 'prepare' && /order/i.test(`${row.stream}\n${row.eventType}`)]
  ])('by %s finds exactly what is asked for', async (filter, isWanted) => {
    const wanted = (await allRecords()).filter(isWanted);
    expect(wanted.length).toBeGreaterThan(0);
    expect((await search(filter)).map(({ position }) => position)).toEqual(
      wanted.map(({ position }) => position)
    );
  });

  it('is the same as the filter of the command "records", beside its other options', async () => {
    const filter = 'type:OrderPlaced pos>100000';
    const request = requests.listRecords.parse({ dataDirectory, filter, to: 300_000 });
    const rows: unknown[] = [];
    for await (const batch of runStreamOperation('listRecords', request, contextOf('listRecords'))) {
      rows.push(...batch);
    }
    const wanted = (await search(filter)).filter(({ position }) => position < 300_000);
    expect(wanted.length).toBeGreaterThan(0);
    expect(rows).toEqual(wanted);
  });

  it('keeps to a chunk', async () => {
    const found = await search('kind:prepare', 1000, 2);
    expect(found.length).toBeGreaterThan(0);
    expect(new Set(found.map(({ chunk }) => chunk))).toEqual(new Set([2]));
  });

  it('refuses a filter that means nothing, with the place of the fault', async () => {
    await expect(run('searchRecords', { dataDirectory, filter: 'a colour:red' })).rejects.toMatchObject({
      code: 'InvalidRequest',
      details: { field: 'filter', offset: 2 }
    });
  });
});

describe('a position', () => {
  it('leads to its record, and within a record to the next one, with its place in the chunk', async () => {
    const page = await run('readChunkPage', { dataDirectory, chunk: 1, offset: 0, limit: 50 });
    const [twelfth, thirteenth] = [page.rows[11]!.position, page.rows[12]!.position];
    expect(await run('locateRecord', { dataDirectory, position: twelfth })).toEqual({
      chunk: 1,
      index: 11,
      position: twelfth
    });
    expect(await run('locateRecord', { dataDirectory, position: twelfth + 1 })).toEqual({
      chunk: 1,
      index: 12,
      position: thirteenth
    });
    await expect(run('locateRecord', { dataDirectory, position: 2 ** 40 })).rejects.toMatchObject({
      code: 'InvalidRequest'
    });
  });
});

describe('the timeline', () => {
  it('tells the first and the last time of each chunk, in order', async () => {
    const { chunks } = await run('readTimeline', { dataDirectory });
    const records = await allRecords();
    for (const { chunkStart, first, last } of chunks) {
      const own = records.filter(({ chunk }) => chunk === chunkStart);
      expect(first).toBe(own[0]?.time ?? null);
      expect(last).toBe(own.at(-1)?.time ?? null);
    }
  });
});

describe('a stream', () => {
  it('lies in the chunks that hold its events, and has a metadata history', async () => {
    const all = await allRecords();
    const metadata = all.find((row) => row.kind === 'prepare' && /^\$\$[^$]/.test(row.stream));
    const stream = metadata?.kind === 'prepare' ? metadata.stream.slice(2) : '';
    const own = all.filter((row) => row.kind === 'prepare' && row.stream === stream);
    const versions = all.filter((row) => row.kind === 'prepare' && row.stream === `$$${stream}`);
    const found = await run('describeStream', { dataDirectory, stream });
    expect(found.places.reduce((sum, { events }) => sum + events, 0)).toBe(own.length);
    expect(found.places.map(({ chunkStart }) => chunkStart)).toEqual([
      ...new Set(own.map(({ chunk }) => chunk))
    ]);
    expect(found.metadataHistory.map(({ position }) => position)).toEqual(
      versions.map(({ position }) => position).toReversed()
    );
    expect(found.metadataHistory.every(({ json }) => json?.startsWith('{'))).toBe(true);
    expect(found).toMatchObject({ goneEntries: 0, foreignEntries: 0, cutAt: null });
  });

  it('is looked up table by table, with what the filters say and the records behind the entries', async () => {
    const first = (await search('stream:order-* number:0'))[0]!;
    const stream = first.kind === 'prepare' ? first.stream : '';
    const found = await run('lookUpStream', { dataDirectory, stream });
    expect(found.rows.length).toBe((await search(`stream:${stream}`)).length);
    expect(found.rows.every((row) => row.stream === stream)).toBe(true);
    expect(found.tables.filter(({ entries }) => entries > 0).every(({ filter }) => filter !== 'no')).toBe(
      true
    );
    expect((await run('lookUpStream', { dataDirectory, stream: 'nobody' })).total).toBe(0);
  });
});

describe('the index', () => {
  it('shows a table with the fill of its filter and its entries in the order of the table', async () => {
    const { tables } = await run('inspectIndex', { dataDirectory });
    const table = tables[0]!;
    const found = await run('describeIndexTable', { dataDirectory, table: table.file, offset: 5, limit: 10 });
    expect(found).toMatchObject({ entries: table.entries, total: table.entries, offset: 5 });
    expect(found.rows).toHaveLength(10);
    expect(found.filter?.fill).toBeGreaterThan(0);
    expect(found.filter?.fill).toBeLessThan(1);
    expect(found.rows.map(({ hash }) => hash)).toEqual(
      found.rows
        .map(({ hash }) => hash)
        .toSorted()
        .toReversed()
    );
    await expect(run('describeIndexTable', { dataDirectory, table: '../writer.chk' })).rejects.toMatchObject({
      code: 'InvalidRequest'
    });
  });

  it('shows its map as it is written', async () => {
    const { text } = await run('readIndexMap', { dataDirectory });
    expect(text).toBe(fs.readFileSync(path.join(dataDirectory, 'index', 'indexmap'), 'utf8'));
  });
});

describe('two versions of a chunk', () => {
  it('as planned tell what a scavenge would remove, as many as its plan, and nothing is written', async () => {
    const before = fs.readdirSync(dataDirectory, { recursive: true }).toSorted();
    const winnowHome = path.join(root, 'home');
    const plan = await run('planScavenge', {
      dataDirectory,
      scavengePoint: 'detached',
      merge: false,
      winnowHome
    });
    const planned = plan.chunks.find(({ decision }) => decision === 'rewritten')!;
    const found = await run('compareChunk', { dataDirectory, chunk: planned.chunkStart, with: 'plan' });
    expect(found.removed.records).toBe(planned.recordsDiscarded);
    expect(found.before.records - found.after.records).toBe(found.removed.records);
    expect(found.added.records).toBe(0);
    expect(found.rows).toHaveLength(Math.min(1000, found.removed.records));
    expect(found.streams.reduce((sum, { bytes }) => sum + bytes, 0)).toBeLessThanOrEqual(found.removed.bytes);
    expect(fs.readdirSync(dataDirectory, { recursive: true }).toSorted()).toEqual(before);
  });

  it('on disk tell what was removed by the scavenge that made the newer one', async () => {
    const copy = path.join(root, 'copy');
    fs.cpSync(dataDirectory, copy, { recursive: true });
    await run('runScavenge', { dataDirectory: copy, scavengePoint: 'new', singleNode: true, merge: false });
    const { chunks } = await run('listChunks', { dataDirectory: copy });
    const rewritten = chunks.find(({ version, isScavenged }) => version === 1 && isScavenged)!;
    const old = rewritten.file.replace(/\d{6}$/, '000000');
    fs.copyFileSync(path.join(dataDirectory, old), path.join(copy, old));
    const found = await run('compareChunk', {
      dataDirectory: copy,
      chunk: rewritten.chunkStart,
      with: 'file',
      file: old
    });
    expect(found.after.file).toBe(rewritten.file);
    expect(found.before.file).toBe(old);
    expect(found.removed.records).toBeGreaterThan(0);
    expect(found.added.records).toBe(0);
    const named = { dataDirectory: copy, chunk: 0, with: 'file' as const, file: 'writer.chk' };
    await expect(run('compareChunk', named)).rejects.toMatchObject({ code: 'InvalidRequest' });
  });

  it('of a backup are compared with its own file', async () => {
    const target = path.join(root, 'backups');
    await run('createBackup', { dataDirectory, target, winnowHome: path.join(root, 'home') });
    const found = await run('compareChunk', {
      dataDirectory,
      chunk: 0,
      with: 'backup',
      fromBackup: { target }
    });
    expect(found.removed.records).toBe(0);
    expect(found.added.records).toBe(0);
    expect(found.before.records).toBe(found.after.records);
  });

  it('do not exist of the chunk that is being written', async () => {
    const { chunks } = await run('listChunks', { dataDirectory });
    const active = chunks.find(({ isActive }) => isActive)!;
    await expect(
      run('compareChunk', { dataDirectory, chunk: active.chunkStart, with: 'plan' })
    ).rejects.toMatchObject({ code: 'InvalidRequest' });
  });
});
