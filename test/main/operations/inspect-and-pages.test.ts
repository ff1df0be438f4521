/** Inspection, weights and the pages of the window, run in this thread on golden databases. */
import fs from 'node:fs';
import path from 'node:path';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { NodeFileSystem } from '../../../src-core/index.ts';
import type { Replies, RequestOf } from '../../../src-main/contract/operations/operation-contract.ts';
import { inspectReport, recordRow, streamRow } from '../../../src-main/contract/operations/reports.ts';
import { expectedOf, removeUnpacked, unpackDamaged, unpackDatabase } from '../../support/golden.ts';
import { runOperation } from '../../support/testing-context.ts';

const fileSystem = new NodeFileSystem();
const NOW = Date.UTC(2026, 10, 21, 12);
afterEach(removeUnpacked);
afterAll(removeUnpacked);

function run<N extends keyof Replies>(name: N, request: RequestOf<N>): Promise<Replies[N]> {
  return runOperation(name, request, { fileSystem, clock: () => NOW });
}

function filesIn(directory: string): string[] {
  return fs.readdirSync(directory, { recursive: true, encoding: 'utf8' }).toSorted();
}

describe('inspection', () => {
  it.each([
    ['rules', 'after-t0', 'done', 0],
    ['rules', 'after-twice', 'done', 1],
    ['current-a', 'before', undefined, null]
  ])('of %s/%s tells checkpoints, chunks, points and state', async (name, folder, stage, point) => {
    const dataDirectory = unpackDatabase({ name, folder });
    const before = filesIn(dataDirectory);
    const report = await run('inspectDatabase', { dataDirectory });
    expect(() => inspectReport.parse(report)).not.toThrow();
    const { checkpoints } = expectedOf(name, folder);
    expect(report.checkpoints).toMatchObject({
      writer: checkpoints['writer.chk'],
      chaser: checkpoints['chaser.chk'],
      epoch: checkpoints['epoch.chk'],
      truncate: checkpoints['truncate.chk']
    });
    expect(report.epochs[0]?.position).toBe(checkpoints['epoch.chk']);
    expect(report.scavengeState?.stage).toBe(stage);
    expect(report.scavengeState?.scavengePoint ?? null).toBe(point);
    expect(report.scavengePoints.map(({ number }) => number)).toEqual(
      point === null ? [0] : Array.from({ length: point + 1 }, (_, i) => i)
    );
    expect(filesIn(dataDirectory)).toEqual(before);
  });

  it('of a database whose scavenge was killed tells the stage that waits in the log of the state', async () => {
    const dataDirectory = unpackDatabase({ name: 'killed-scavenge', folder: 'at-kill' });
    const before = filesIn(dataDirectory);
    const report = await run('inspectDatabase', { dataDirectory });
    expect(report.scavengeState?.stage).not.toBe('done');
    expect(report.scavengeState?.stage).not.toBe('unreadable');
    expect(filesIn(dataDirectory)).toEqual(before);
  });

  it.each([
    ['damaged-c-missing-middle-chunk', 'chunkMissing'],
    ['damaged-i-header-magic', 'chunkHeaderInvalid'],
    ['damaged-h-truncate-set', 'truncatePending'],
    ['damaged-f-ptable-missing', 'tableMissing']
  ])('of %s goes on and notes %s', async (name, code) => {
    const report = await run('inspectDatabase', { dataDirectory: unpackDamaged(name) });
    expect(report.warnings.map((warning) => warning.code)).toContain(code);
    expect(report.warnings.every(({ remedy }) => remedy !== '')).toBe(true);
  });

  it('counts entries of tables whose index directory lies elsewhere', async () => {
    const dataDirectory = unpackDatabase({ name: 'tables', folder: 'before' });
    const indexDirectory = `${dataDirectory}-index`;
    fs.renameSync(path.join(dataDirectory, 'index'), indexDirectory);
    const report = await run('inspectDatabase', { dataDirectory, indexDirectory });
    expect(report.index).toMatchObject({ tables: 4, entries: 1001 + 2006 + 4008 + 8020 });
  });
});

describe('weights', () => {
  it('are computed without a state as the server computes them, and nothing is written', async () => {
    const dataDirectory = unpackDatabase({ name: 'rules', folder: 'before' });
    const before = filesIn(dataDirectory);
    const { chunks } = await run('listChunks', {
      dataDirectory,
      computeWeights: true,
      now: '2026-11-21T00:00:03Z'
    });
    // The last completed chunk differs: the server's point lay behind it, in the chunk being written.
    const byServer = [132, 120, 118, 112, 100, 242, 242, 230, 270, 106, 74, 64, 62];
    expect(chunks.slice(0, byServer.length).map(({ weight }) => weight)).toEqual(byServer);
    expect(chunks.at(-1)).toMatchObject({ isActive: true, weight: null });
    expect(filesIn(dataDirectory)).toEqual(before);
  });

  it('are those of the last scavenge otherwise, unknown where there was none', async () => {
    const never = await run('listChunks', {
      dataDirectory: unpackDatabase({ name: 'rules', folder: 'before' })
    });
    expect(never.chunks.every(({ weight }) => weight === null)).toBe(true);
    const high = await run('listChunks', {
      dataDirectory: unpackDatabase({ name: 'rules', folder: 'after-t-high' })
    });
    expect(high.chunks.some(({ weight }) => (weight ?? 0) > 0)).toBe(true);
  });
});

describe('pages of the window', () => {
  it('of a chunk cover all of its records', async () => {
    const dataDirectory = unpackDatabase({ name: 'rules', folder: 'after-t0' });
    const { chunks } = expectedOf('rules', 'after-t0');
    for (const chunk of chunks.slice(0, 6)) {
      const request = { dataDirectory, chunk: chunk.header.chunkStartNumber, limit: 50 };
      const positions: number[] = [];
      let total = 1;
      for (let offset = 0; offset < total; offset += 50) {
        const page = await run('readChunkPage', { ...request, offset });
        ({ total } = page);
        positions.push(...page.rows.map((row) => recordRow.parse(row).position));
      }
      expect(total).toBe(chunk.recordCount);
      expect(positions).toEqual(positions.toSorted((a, b) => a - b));
      expect(positions.length).toBe(total);
    }
  });

  it('describe header, footer and map of a chunk, each field at its place', async () => {
    const dataDirectory = unpackDatabase({ name: 'rules', folder: 'after-t0' });
    const description = await run('describeChunk', { dataDirectory, chunk: 1 });
    expect(description.file).toBe('chunk-000000.000002');
    expect(description.header.map(({ offset }) => offset)).toEqual([0, 1, 2, 6, 10, 14, 18]);
    const md5 = description.footer?.find(({ name }) => name === 'MD5');
    expect(md5).toMatchObject({ offset: description.fileSize - 16, length: 16 });
    const expected = expectedOf('rules', 'after-t0').chunks[0];
    expect(description.positionMap?.entries).toBe(expected?.footer?.mapCount);
    expect(description.positionMap?.first).toEqual(expected?.posMap?.slice(0, 5));
  });

  it.each([
    ['rules', 'before'],
    ['old-v0', 'before'],
    ['transactions', 'before']
  ])('describe every record of %s/%s without a gap between its fields', async (name, folder) => {
    const dataDirectory = unpackDatabase({ name, folder });
    for (const { pos } of expectedOf(name, folder).records.slice(0, 60)) {
      const { fields, totalLength, bytes, record } = await run('describeRecord', {
        dataDirectory,
        position: pos
      });
      expect(record.position).toBe(pos);
      expect(bytes.length).toBe(totalLength);
      let end = 0;
      for (const field of fields) {
        // A system record has reserved bytes before its data.
        if (record.kind !== 'system' || field.name !== 'Data length') expect(field.offset).toBe(end);
        end = field.offset + field.length;
      }
      expect(end).toBe(totalLength);
    }
  });

  it('tell where the data of a record lies, and refuse a position within a record', async () => {
    const dataDirectory = unpackDatabase({ name: 'rules', folder: 'before' });
    const { bytes, fields } = await run('describeRecord', { dataDirectory, position: 548 });
    const data = fields.find(({ meaning }) => meaning === 'data')!;
    const text = new TextDecoder().decode(bytes.subarray(data.offset, data.offset + data.length));
    expect(JSON.parse(text)).toMatchObject({ $maxAge: 2592000 });
    await expect(run('describeRecord', { dataDirectory, position: 5_000_000_000 })).rejects.toMatchObject({
      code: 'InvalidRequest'
    });
  });

  it('of streams are searched, sorted and counted', async () => {
    const dataDirectory = unpackDatabase({ name: 'rules', folder: 'before' });
    const found = await run('readStreamsPage', { dataDirectory, search: 'NORMAL-1', limit: 2 });
    expect(found.total).toBe(3);
    expect(found.rows.map(({ stream }) => stream)).toEqual(['normal-1', 'normal-10']);
    const largest = await run('readStreamsPage', {
      dataDirectory,
      sort: 'bytes',
      descending: true,
      limit: 5
    });
    const bytes = largest.rows.map((row) => streamRow.parse(row).bytes);
    expect(bytes).toEqual(bytes.toSorted((a, b) => b - a));
    expect(largest.rows[0]?.stream).toBe('bulk-gone');
  });

  it('of streams change when the log does', async () => {
    const first = unpackDatabase({ name: 'rules', folder: 'before' });
    const { total } = await run('readStreamsPage', { dataDirectory: first });
    const second = unpackDatabase({ name: 'rules', folder: 'after-twice' });
    fs.rmSync(first, { recursive: true });
    fs.cpSync(second, first, { recursive: true });
    expect((await run('readStreamsPage', { dataDirectory: first })).total).not.toBe(total);
  });

  it('of events go on where the last page ended', async () => {
    const dataDirectory = unpackDatabase({ name: 'rules', folder: 'before' });
    const numbers: (number | string)[] = [];
    for (let from = 0, isEnd = false; !isEnd;) {
      const page = await run('readEventsPage', { dataDirectory, stream: 'mc10-tb15', from, limit: 3 });
      numbers.push(...page.rows.map(({ eventNumber }) => eventNumber));
      expect(page.total).toBe(22);
      from = page.nextFrom;
      isEnd = page.isEndOfStream;
    }
    expect(numbers).toEqual([15, 16, 17, 18, 19, 20, 21]);
    const expired = await run('readEventsPage', { dataDirectory, stream: 'maxage-1s' });
    expect(expired).toMatchObject({ rows: [], isEndOfStream: true });
    await expect(run('readEventsPage', { dataDirectory, stream: 'hard-deleted' })).rejects.toMatchObject({
      code: 'StreamDeleted'
    });
  });
});
