/** What the operations answer about golden databases, through the real engine, against what the server said of them. */
import { createHash } from 'node:crypto';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { startWorkerEngine } from '../../../src-main/engine/engine-host.ts';
import type {
  RequestOf,
  StreamOperation,
  StreamRows
} from '../../../src-main/contract/operations/operation-contract.ts';
import {
  expectedOf,
  goldenFolders,
  goldenNames,
  removeUnpacked,
  unpackDatabase
} from '../../support/golden.ts';
import { ticksFromIso, ticksToIso } from '../../../src-core/units/ticks.ts';
import type { ExpectedRecord, ExpectedStream } from '../../support/golden-expectations.ts';

const engine = startWorkerEngine();
afterAll(() => engine.close());
afterEach(removeUnpacked);

async function rowsOf<N extends StreamOperation>(name: N, request: RequestOf<N>): Promise<StreamRows[N][]> {
  const rows: StreamRows[N][] = [];
  for await (const batch of engine.stream(name, request)) rows.push(...batch);
  return rows;
}

/** The time at which the server was asked. */
function observedAt(name: string, folder: string): string {
  const { observedAtUtc } = expectedOf(name, folder) as { observedAtUtc?: string };
  return observedAtUtc ?? '2026-11-21T12:00:00Z';
}

/** Every golden database that the server said something of; the damaged ones belong to verification. */
const databases = goldenNames()
  .filter((name) => !/^(damaged|old-ptables|scavdb)/.test(name))
  .flatMap((name) => goldenFolders(name).map((folder): [string, string] => [name, folder]))
  .filter(([name, folder]) => isDescribed(name, folder));

function isDescribed(name: string, folder: string): boolean {
  try {
    return expectedOf(name, folder).records.length > 0;
  } catch {
    return false; // a backup, a second rebuild, or a start that only has an outcome
  }
}

/**
 * Streams that the observer itself wrote to were cut from the expectation; a $maxAge beyond the calendar makes the
 * server fail, ours saturates.
 */
function isComparable(wanted: ExpectedStream): boolean {
  return !('trimmedObserverWrites' in wanted) && !(wanted.error ?? '').includes('un-representable');
}

/** Numbers are compared as text: those of the expectations may be bigint, ours a decimal string. */
const text = (value: number | bigint | string | null | undefined): string | null =>
  value === null || value === undefined ? null : value.toString();

describe.each(databases)('%s/%s', (name, folder) => {
  const isCurrent = 'engine' in expectedOf(name, folder);

  it('lists the records as the server lists them', async () => {
    const dataDirectory = unpackDatabase({ name, folder });
    const expected = expectedOf(name, folder);
    const rows = (await rowsOf('listRecords', { dataDirectory })).filter((row) => 'position' in row);
    expect(rows.length).toBe(expected.records.length);
    rows.forEach((row, i) => {
      const record = expected.records[i] as ExpectedRecord;
      expect(row.position).toBe(record.pos);
      expect(row.kind).toBe(record.type.toLowerCase());
      // The stories of the current engine count both length fields, and write times without trailing zeros.
      if (record.len !== undefined) expect(row.length).toBe(record.len - (isCurrent ? 8 : 0));
      if (record.ts) expect(row.time).toBe(ticksToIso(ticksFromIso(record.ts)!));
      if (row.kind !== 'prepare') return;
      expect(row.stream).toBe(record.stream);
      expect(text(row.expectedVersion)).toBe(text(record.expectedVersion));
      expect(row.eventId).toBe(record.eventId);
      expect(row.eventType).toBe(record.eventType);
      expect(row.flagBits).toBe(record.flags);
      if (record.dataSha256 !== undefined) expect(row.dataSha256).toBe(record.dataSha256);
      if (record.metaSha256 !== undefined) expect(row.metadataSha256).toBe(record.metaSha256);
    });
  });

  it('gives members of transactions the number under which a reader finds them', async () => {
    const dataDirectory = unpackDatabase({ name, folder });
    const rows = (await rowsOf('listRecords', { dataDirectory })).filter((row) => 'kind' in row);
    const members = rows.filter((row) => row.kind === 'prepare' && !row.flags.includes('isCommitted'));
    const read = new Map(
      (await rowsOf('readStream', { dataDirectory, stream: '$all' })).map(({ position, eventNumber }) => [
        position,
        eventNumber
      ])
    );
    for (const row of rows) {
      if (row.kind !== 'prepare') continue;
      if (!members.includes(row)) expect(row.committedEventNumber, `at ${row.position}`).toBeUndefined();
      const number = read.get(row.position);
      if (number !== undefined) expect(row.committedEventNumber ?? row.eventNumber).toBe(number);
    }
    if (name === 'transactions') expect(members.some((row) => read.has(row.position))).toBe(true);
  });

  it('lists no more streams than are asked for', async () => {
    const dataDirectory = unpackDatabase({ name, folder });
    const all = await rowsOf('listStreams', { dataDirectory, sort: 'bytes' });
    expect(await rowsOf('listStreams', { dataDirectory, sort: 'bytes', limit: 3 })).toEqual(all.slice(0, 3));
    expect(await rowsOf('listStreams', { dataDirectory, limit: 0 })).toEqual([]);
  });

  it('lists the streams that the log holds, first and last as a reader sees them', async () => {
    const dataDirectory = unpackDatabase({ name, folder });
    const expected = expectedOf(name, folder);
    const rows = await rowsOf('listStreams', { dataDirectory, now: observedAt(name, folder) });
    const names = new Set(expected.records.flatMap(({ stream }) => (stream === undefined ? [] : [stream])));
    expect(
      rows
        .filter(({ bytes }) => bytes > 0)
        .map(({ stream }) => stream)
        .toSorted()
    ).toEqual([...names].toSorted());
    for (const row of rows) {
      const wanted = expected.streams?.[row.stream];
      if (!wanted || !isComparable(wanted)) continue;
      const isSuccess = wanted.result === 'Success';
      if (isSuccess && wanted.last === -1) {
        expect(row.firstEventNumber).toBeNull(); // the current engine's stories tell of events only, and there are none
        continue;
      }
      expect({ ...row, state: '' }).toMatchObject({
        stream: row.stream,
        firstEventNumber: isSuccess ? (wanted.first ?? null) : null,
        lastEventNumber: isSuccess ? (wanted.last ?? null) : null
      });
      expect(row.state === 'hardDeleted').toBe(wanted.result === 'StreamDeleted');
      if (row.state === 'softDeleted' || row.state === 'metadataOnly') expect(wanted.result).toBe('NoStream');
    }
    const physical = rows.reduce((sum, { bytes }) => sum + bytes, 0);
    const prepares = await rowsOf('listRecords', { dataDirectory });
    expect(physical).toBe(
      prepares.reduce(
        (sum, record) => sum + ('position' in record && record.kind === 'prepare' ? record.length + 8 : 0),
        0
      )
    );
  });

  it('reads every stream as the server does', async () => {
    const dataDirectory = unpackDatabase({ name, folder });
    const now = observedAt(name, folder);
    for (const [stream, wanted] of Object.entries(expectedOf(name, folder).streams ?? {})) {
      if (!isComparable(wanted)) continue;
      if (wanted.result === 'Success') {
        const rows = await rowsOf('readStream', { dataDirectory, stream, now });
        const found = rangesOf(rows.map(({ eventNumber }) => Number(eventNumber)));
        if (wanted.readable) expect(found).toEqual(readableOf(wanted));
        else expect(rows.length).toBe(wanted.count);
        const backward = await rowsOf('readStream', { dataDirectory, stream, now, backward: true });
        expect(backward.toReversed()).toEqual(rows);
      } else {
        const code = wanted.result === 'StreamDeleted' ? 'StreamDeleted' : 'StreamNotFound';
        await expect(rowsOf('readStream', { dataDirectory, stream, now })).rejects.toMatchObject({ code });
      }
    }
  });

  const { readAll } = expectedOf(name, folder);
  if (!readAll) return; // killed and never started again, or of the current engine: nobody asked a server
  it('reads $all as the server does, in both directions', async () => {
    const dataDirectory = unpackDatabase({ name, folder });
    const rows = await rowsOf('readStream', { dataDirectory, stream: '$all' });
    const lines = rows.map((row) => `${row.commitPosition} ${row.position} ${row.stream} ${row.eventNumber}`);
    expect(lines.length).toBe(readAll.count);
    const digest = createHash('sha256').update(lines.join('\n')).digest('hex');
    expect(digest).toBe(readAll.sha256_of_lines_commitPos_preparePos_stream_number);
    const backward = await rowsOf('readStream', { dataDirectory, stream: '$all', backward: true });
    expect(backward.toReversed()).toEqual(rows);
  });
});

function rangesOf(numbers: number[]): [number, number][] {
  const ranges: [number, number][] = [];
  for (const number of numbers) {
    const last = ranges.at(-1);
    if (last && last[1] + 1 === number) last[1] = number;
    else ranges.push([number, number]);
  }
  return ranges;
}

function readableOf({ readable }: ExpectedStream): [number, number][] {
  return (readable ?? []).map(([from, to]) => [Number(from), Number(to)]);
}

describe('chunks and index', () => {
  it.each(databases)('describes the files of %s/%s as the server does', async (name, folder) => {
    const dataDirectory = unpackDatabase({ name, folder });
    const expected = expectedOf(name, folder);
    const { chunks } = await engine.call('listChunks', { dataDirectory });
    expect(chunks.map(({ file }) => file)).toEqual(expected.chunks.map(({ file }) => file));
    chunks.forEach((chunk, i) => {
      const wanted = expected.chunks[i];
      expect(chunk).toMatchObject({
        chunkStart: wanted?.header.chunkStartNumber,
        chunkEnd: wanted?.header.chunkEndNumber,
        isScavenged: wanted?.header.isScavenged,
        fileSize: wanted?.fileSize
      });
      if (!wanted?.footer || chunk.isActive) return;
      expect(chunk).toMatchObject({
        logicalDataSize: wanted.footer.logicalDataSize,
        physicalDataSize: wanted.footer.physicalDataSize,
        mapEntries: wanted.footer.mapCount,
        md5: wanted.footer.md5
      });
    });
  });

  it.each([
    ['tables', 'before'],
    ['tables', 'after-scavenge'],
    ['tables', 'after-rebuild']
  ])('lists the index entries of %s/%s', async (name, folder) => {
    const dataDirectory = unpackDatabase({ name, folder });
    const expected = expectedOf(name, folder);
    const report = await engine.call('inspectIndex', { dataDirectory });
    const rows = await rowsOf('listIndexEntries', { dataDirectory });
    expect(report.tables.map(({ file }) => file).toSorted()).toEqual(
      expected.ptables?.map(({ file }) => file).toSorted()
    );
    for (const table of expected.ptables ?? []) {
      const entries = rows
        .filter((row) => row.table === table.file)
        .map((row): [string, number | string, number] => [row.hash, row.eventNumber, row.position]);
      expect(entries.length).toBe(table.count);
      expect(entries.slice(0, 20).map(String)).toEqual(table.first.map(String));
      expect(entries.slice(-20).map(String)).toEqual(table.last.map(String));
    }
    const some = rows[1000];
    const ofHash = await rowsOf('listIndexEntries', { dataDirectory, hash: some?.hash ?? '' });
    expect(ofHash).toEqual(rows.filter(({ hash }) => hash === some?.hash));
  });
});
