/**
 * Do nodes and backups hold the same log? Databases of real servers before and after their scavenges, where the server's own list
 * of records says what is gone; other ids of chunks, changed bytes, lost records, encoded backups, other rules.
 */
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { createHash } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { EngineError, NodeFileSystem, OperationStopped, type FileSystem } from '../../../src-core/index.ts';
import { ChunkReader } from '../../../src-core/chunks/chunk-reader.ts';
import { ChunkWriter } from '../../../src-core/chunks/chunk-writer.ts';
import { encodeGuid } from '../../../src-core/codec/guid.ts';
import { openDatabase } from '../../../src-core/database/database.ts';
import { StreamIndex } from '../../../src-core/index/stream-index.ts';
import {
  differenceReport,
  type DifferenceReport
} from '../../../src-main/contract/operations/difference-reports.ts';
import { requests, type RequestOf } from '../../../src-main/contract/operations/operation-contract.ts';
import { SideIndex } from '../../../src-main/operations/difference/removal-knowledge.ts';
import { runReportOperation } from '../../../src-main/operations/operation-table.ts';
import { CountingFileSystem } from '../../support/counting-file-system.ts';
import { damageOf, expectedOf, removeUnpacked, unpackDamaged, unpackDatabase } from '../../support/golden.ts';
import { testingContext } from '../../support/testing-context.ts';

let root = '';
beforeEach(() => {
  root = fs.mkdtempSync(path.join(os.tmpdir(), 'winnow-differences-'));
});
afterEach(() => {
  vi.restoreAllMocks();
  removeUnpacked();
  fs.rmSync(root, { recursive: true, force: true });
});

interface Parts {
  signal?: AbortSignal;
  nowMs?: number;
  onProgress?: () => void;
  fileSystem?: FileSystem;
}

function contextOf(operation: string, { signal, nowMs, onProgress, fileSystem }: Parts = {}) {
  return testingContext(operation, {
    fileSystem: fileSystem ?? new NodeFileSystem(),
    signal: signal ?? new AbortController().signal,
    clock: () => nowMs ?? Date.UTC(2026, 10, 23),
    onProgress: () => onProgress?.()
  });
}

async function compare(
  sides: string[],
  more: Partial<RequestOf<'compareDatabases'>> = {},
  parts: Parts = {}
): Promise<DifferenceReport> {
  const [dataDirectory = '', ...others] = sides;
  const request = requests.compareDatabases.parse({
    dataDirectory,
    others: others.map((other) => ({ dataDirectory: other })),
    scratchDirectory: path.join(root, 'scratch'),
    ...more
  });
  const context = contextOf('compareDatabases', parts);
  return differenceReport.parse(await runReportOperation('compareDatabases', request, context));
}

function copyOf(directory: string, name: string): string {
  const to = path.join(root, name);
  fs.cpSync(directory, to, { recursive: true });
  return to;
}

function patch(file: string, offset: number, change: (bytes: Buffer) => void, length = 1): void {
  fs.chmodSync(file, 0o644);
  const bytes = fs.readFileSync(file);
  change(bytes.subarray(offset, offset + length));
  fs.writeFileSync(file, bytes);
}

/** The same records in files with other ids, as another node of the cluster writes them. */
function withOtherIds(directory: string): void {
  for (const name of fs.readdirSync(directory).filter((one) => one.startsWith('chunk-'))) {
    const file = path.join(directory, name);
    fs.chmodSync(file, 0o644);
    const bytes = fs.readFileSync(file);
    encodeGuid('0badcafe-0000-4000-8000-00000000000a', bytes, 18);
    const isCompleted = (bytes.at(-128)! & 1) === 1;
    if (isCompleted)
      createHash('md5')
        .update(bytes.subarray(0, -16))
        .digest()
        .copy(bytes, bytes.length - 16);
    fs.writeFileSync(file, bytes);
  }
}

/** Writes a scavenged chunk again without one of its records, with map and hash as they should be. */
function loseRecord(directory: string, position: number): void {
  const fileSystem = new NodeFileSystem();
  const database = openDatabase({ fileSystem, dataDirectory: directory });
  const chunk = database.log.chunkAt(position)!;
  const path = `${chunk.path}.new`;
  const writer = ChunkWriter.create({ fileSystem, path, header: chunk.header, withMap: true });
  const reader = new ChunkReader(fileSystem, chunk);
  for (const cursor = reader.cursor(); cursor.next();) {
    const { record } = cursor;
    if (record.position === position) continue;
    const offset = record.position - chunk.startPosition;
    writer.append(record.bytes, cursor.framedStart, record.length + 8, offset);
  }
  writer.complete();
  reader.close();
  database.close();
  fs.renameSync(path, chunk.path);
}

const STORIES = [
  { name: 'rules', folder: 'after-t0' },
  { name: 'rules', folder: 'after-nomerge' },
  { name: 'rules', folder: 'after-twice' },
  { name: 'rules', folder: 'after-t-high' },
  { name: 'rules', folder: 'after-ihd' },
  { name: 'tables', folder: 'after-scavenge' },
  { name: 'tables', folder: 'after-rebuild' },
  { name: 'transactions', folder: 'after-t0' },
  { name: 'transactions', folder: 'after-ihd' },
  { name: 'old-v0', folder: 'after-t0' },
  { name: 'rules-odd', folder: 'after-t0' }
];

/** Those in which records of so many streams are gone that an index of these alone is asked. */
const MANY_STREAMS = STORIES.filter(({ name, folder }) => name === 'rules' || folder === 'after-scavenge');

describe('a node before and after a scavenge of a real server', () => {
  it.each(STORIES)('$name $folder: finds just what the server removed, and why', async ({ name, folder }) => {
    const before = unpackDatabase({ name, folder: 'before' });
    const after = unpackDatabase({ name, folder });
    const end = expectedOf(name, 'before').checkpoints['writer.chk']!;
    const kept = new Set(expectedOf(name, folder).records.map(({ pos }) => pos));
    const had = expectedOf(name, 'before').records.filter(({ pos }) => pos < end);
    const removed = had.filter(({ pos }) => !kept.has(pos)).map(({ pos }) => pos);
    const report = await compare([before, after], { readAll: true });
    const [comparison] = report.comparisons;
    const { total, differences } = comparison!;
    expect(differences.map(({ because, position }) => [position, because])).toEqual([]);
    expect(report.ok).toBe(true);
    expect(total.onlyOne.explained.records).toBe(removed.length);
    expect(total.onlyOther.explained.records).toBe(0);
    expect(total.equal.records).toBe(had.length - removed.length);
    expect(comparison!.firstExplained?.position).toBe(removed.sort((a, b) => a - b)[0]);
    expect(comparison!.behind).toMatchObject({ side: 0 });
    expect(report).toMatchObject({ equal: true, compared: { from: 0, to: end }, firstDifference: null });
    expect(report.ranges.at(-1)).toMatchObject({ from: end, state: 'missingIn', sides: [before] });
    const scavenged = report.ranges.filter(({ state }) => state === 'onlyScavengedIn');
    expect(scavenged.every(({ sides }) => sides.length === 1 && sides[0] === after)).toBe(true);
    expect(removed.every((at) => scavenged.some(({ from, to }) => from <= at && at < to))).toBe(true);
    // The other way round it is the same.
    const turned = (await compare([after, before])).comparisons[0]!;
    expect(turned.total.onlyOther.explained).toEqual(total.onlyOne.explained);
    expect(turned.total.onlyOther.byRule).toEqual(total.onlyOne.byRule);
  });

  it('compares several with the first, and does not read equal files twice', async () => {
    const sides = ['before', 'after-t0', 'after-twice'].map((folder) =>
      unpackDatabase({ name: 'rules', folder })
    );
    const report = await compare([...sides, copyOf(sides[0]!, 'copy')]);
    expect(report.comparisons.map(({ one, other, verdict }) => [one, other, verdict])).toEqual([
      [0, 1, 'behind'],
      [0, 2, 'behind'],
      [0, 3, 'equal']
    ]);
    const copy = report.comparisons[2]!;
    expect(copy.trustedFiles).toBe(16);
    // Only the chunk that is being written.
    expect(copy.readBytes).toBeLessThan(2 * 65_536);
    // Of all four: the two that were scavenged are named together, as are the two that end before.
    const joined = report.ranges.filter(({ state }) => state !== 'equal');
    expect(joined[0]).toMatchObject({ from: 0, state: 'onlyScavengedIn', sides: sides.slice(1) });
    expect(joined.at(-1)!.state).toBe('missingIn');
    expect(joined.at(-1)!.sides).toContain(sides[0]);
    expect(report.ranges.every(({ from }, i) => from === (report.ranges[i - 1]?.to ?? 0))).toBe(true);
    expect(report.sides[1]).toMatchObject({ kind: 'database', point: { from: 'state' } });
    expect(copy.provedFiles).toBe(0);
    // Verified, each is proved for the sides that have just these files.
    const winnowHome = path.join(root, 'home');
    for (const dataDirectory of [sides[0]!, path.join(root, 'copy')]) {
      const verify = requests.verifyDatabase.parse({ dataDirectory, winnowHome });
      await runReportOperation('verifyDatabase', verify, contextOf('verifyDatabase'));
    }
    const proved = await compare([sides[0]!, path.join(root, 'copy')], { winnowHome });
    expect(proved.comparisons[0]).toMatchObject({ trustedFiles: 16, provedFiles: 16 });
  });
});

describe('an index without tables', () => {
  it('is read from the log of the side that lacks records only: of the other one no file is read twice', async () => {
    const [before, after] = ['before', 'after-t0'].map((folder) => {
      const directory = copyOf(unpackDatabase({ name: 'rules', folder }), folder);
      fs.rmSync(path.join(directory, 'index'), { recursive: true });
      return directory;
    });
    const fileSystem = new CountingFileSystem(new NodeFileSystem());
    const report = await compare([before!, after!], { readAll: true }, { fileSystem });
    expect(report.ok).toBe(true);
    expect(report.comparisons[0]!.total.onlyOne.explained.records).toBeGreaterThan(100);
    const bytesOf = (directory: string): { read: number; size: number } => {
      const files = fs.readdirSync(directory).filter((name) => name.startsWith('chunk-'));
      const paths = files.map((name) => path.join(directory, name));
      const sum = (amounts: number[]) => amounts.reduce((all, one) => all + one, 0);
      return {
        read: sum(paths.map((file) => fileSystem.bytesByPath.get(file) ?? 0)),
        size: sum(paths.map((file) => fs.statSync(file).size))
      };
    };
    const holding = bytesOf(before!);
    expect(holding.read).toBeGreaterThan(0.5 * holding.size);
    expect(holding.read).toBeLessThan(1.1 * holding.size);
    expect(fileSystem.openFiles).toBe(0);
  });

  it.each(MANY_STREAMS)('$name $folder: read for some streams it says the same as whole', async (story) => {
    const sides = ['before', story.folder].map((folder) => {
      const directory = copyOf(unpackDatabase({ name: story.name, folder }), folder);
      const index = path.join(directory, 'index');
      for (const name of fs.readdirSync(index)) {
        if (name !== 'scavenging') fs.rmSync(path.join(index, name), { recursive: true });
      }
      return directory;
    });
    const ofStreams = vi.spyOn(SideIndex.prototype, 'ofStreams');
    const report = await compare(sides, { readAll: true });
    expect(ofStreams.mock.results.map(({ value }) => value instanceof StreamIndex)).toEqual([true]);
    ofStreams.mockReturnValue(undefined);
    expect(await compare(sides, { readAll: true })).toEqual(report);
    expect(report.ok).toBe(true);
  });
});

describe('files that differ although the log does not', () => {
  it('are read, and hold the same log', async () => {
    const one = unpackDatabase({ name: 'tables', folder: 'before' });
    const other = copyOf(one, 'other');
    withOtherIds(other);
    const report = await compare([one, other]);
    expect(report.comparisons[0]).toMatchObject({ verdict: 'equal', trustedFiles: 0, differenceCount: 0 });
    expect(report.comparisons[0]!.ranges.map(({ how, verdict }) => [how, verdict])).toEqual([
      ['bytes', 'equal']
    ]);
    const count = expectedOf('tables', 'before').records.filter(
      ({ pos }) => pos < report.sides[0]!.end
    ).length;
    expect(report.comparisons[0]!.total.equal.records).toBe(count);
  });
});

describe('what is not all right', () => {
  it('one changed byte: names the record, the bytes and the file whose hash no longer holds', async () => {
    const one = unpackDatabase({ name: 'rules', folder: 'before' });
    const other = copyOf(one, 'other');
    withOtherIds(other);
    const file = path.join(other, 'chunk-000003.000000');
    const record = expectedOf('rules', 'before').records.find(
      ({ chunk, type }) => chunk === 3 && type === 'Prepare'
    )!;
    const offset = 128 + record.pos - 3 * 65_536;
    const at = record.len! - 2;
    patch(file, offset + at, (bytes) => bytes.writeUInt8(bytes[0]! ^ 1));
    const report = await compare([one, other]);
    expect(report.ok).toBe(false);
    const [comparison] = report.comparisons;
    expect(comparison).toMatchObject({ verdict: 'differs', differenceCount: 1, total: { differing: 1 } });
    expect(comparison!.differences[0]).toMatchObject({
      kind: 'bytes',
      position: record.pos,
      chunk: 3,
      lackedBy: null,
      bytes: { first: at, last: at, count: 1 },
      one: { record: { position: record.pos, fileOffset: offset } },
      other: { file: 'chunk-000003.000000', record: { fileOffset: offset } }
    });
    expect(comparison!.summary).toContain(`position ${record.pos.toLocaleString('en-US')}`);
    expect(report).toMatchObject({
      equal: false,
      firstDifference: {
        position: record.pos,
        sides: [
          { name: one, record: { position: record.pos } },
          { name: other, record: { position: record.pos } }
        ]
      }
    });
    const [differs] = report.ranges.filter(({ state }) => state === 'differs');
    expect(differs!.sides).toEqual([one, other]);
    expect(differs!.from <= record.pos && record.pos < differs!.to).toBe(true);
    expect(comparison!.hashes).toEqual([
      { side: 0, file: 'chunk-000003.000000', holds: true },
      { side: 1, file: 'chunk-000003.000000', holds: false }
    ]);
  });

  it('a record that a scavenged file has lost and no rule removes is named with its event', async () => {
    const before = unpackDatabase({ name: 'rules', folder: 'before' });
    const after = unpackDatabase({ name: 'rules', folder: 'after-t0' });
    const kept = expectedOf('rules', 'after-t0').records.filter(
      ({ chunk, type, stream }) => chunk < 8 && type === 'Prepare' && stream === 'no-rules'
    );
    const plain = kept[0] ?? firstWithoutRule();
    loseRecord(after, plain.pos);
    const report = await compare([before, after]);
    const [comparison] = report.comparisons;
    expect(comparison).toMatchObject({ verdict: 'differs', differenceCount: 1 });
    expect(report.firstDifference).toMatchObject({
      position: plain.pos,
      sides: [
        { name: before, record: { stream: plain.stream } },
        { name: after, record: null }
      ]
    });
    const range = report.ranges.find(({ from, to }) => from <= plain.pos && plain.pos < to);
    expect(range).toMatchObject({ state: 'missingIn', sides: [after] });
    expect(comparison!.differences[0]).toMatchObject({
      kind: 'missing',
      position: plain.pos,
      lackedBy: 1,
      verdict: 'unexplained',
      one: { record: { stream: plain.stream } },
      other: null
    });
  });

  it('a chunk that is missing, and one that cannot be read, are named with their range', async () => {
    const one = unpackDatabase({ name: 'rules', folder: 'before' });
    const other = copyOf(one, 'other');
    fs.rmSync(path.join(other, 'chunk-000002.000000'));
    const report = await compare([one, other]);
    const [comparison] = report.comparisons;
    expect(report.ranges.find(({ from }) => from === 2 * 65_536)).toMatchObject({
      to: 3 * 65_536,
      state: 'missingIn',
      sides: [other]
    });
    expect(comparison!.differences).toMatchObject([
      {
        kind: 'unreadable',
        position: 2 * 65_536,
        to: 3 * 65_536,
        lackedBy: 1,
        because: 'No file holds chunk 2.'
      }
    ]);
    expect(comparison!.total.onlyOne.unreadable.records).toBeGreaterThan(0);
  });

  it('damage that the index leads to leaves the comparison to the records', async () => {
    const bad = unpackDamaged('damaged-j-posmap-byte-scavenged-skipverify');
    const { base } = damageOf('damaged-j-posmap-byte-scavenged-skipverify');
    const report = await compare([unpackDatabase(base), bad], { readAll: true });
    // The map only leads to records; they are all there.
    expect(report.comparisons[0]).toMatchObject({ verdict: 'equal' });
    const header = await compare([
      unpackDatabase({ name: 'tables', folder: 'before' }),
      unreadableHeader(unpackDatabase({ name: 'tables', folder: 'before' }))
    ]);
    expect(header.comparisons[0]!.differences[0]!.because).toContain(
      'The header of chunk-000002.000000 is invalid'
    );
  });

  it('is not known where only a scavenge without a point can have removed it', async () => {
    const one = unpackDatabase({ name: 'rules', folder: 'before' });
    const other = copyOf(one, 'other');
    const scavenge = requests.runScavenge.parse({
      dataDirectory: other,
      scavengePoint: 'detached',
      winnowHome: path.join(root, 'home'),
      now: '2100-01-01T00:00:00Z',
      alwaysKeepScavenged: true
    });
    await runReportOperation('runScavenge', scavenge, contextOf('runScavenge'));
    // Nobody else's home knows of it: by age alone more is gone than the last record's time explains.
    const nowMs = Date.UTC(2100, 1, 1);
    const [comparison] = (await compare([one, other], {}, { nowMs })).comparisons;
    expect(comparison!.verdict).toBe('notKnown');
    expect(comparison!.total.onlyOne.unexplained.records).toBe(0);
    expect(comparison!.differences.every(({ verdict }) => verdict === 'notKnown')).toBe(true);
  });
});

function unreadableHeader(directory: string): string {
  patch(path.join(directory, 'chunk-000002.000000'), 0, (bytes) => bytes.writeUInt8(9));
  return directory;
}

/** An event of a stream that never had metadata and was not deleted. */
function firstWithoutRule() {
  const { records } = expectedOf('rules', 'after-t0');
  const ruled = new Set(records.flatMap(({ stream }) => (stream?.startsWith('$$') ? [stream.slice(2)] : [])));
  const deleted = new Set(
    records.filter(({ flags }) => (Number(flags) & 8) !== 0).map(({ stream }) => stream)
  );
  const counts = new Map<string, number>();
  for (const { stream } of records)
    if (stream !== undefined) counts.set(stream, (counts.get(stream) ?? 0) + 1);
  const scavenged = expectedOf('rules', 'after-t0').chunks.filter(({ header }) => header.isScavenged);
  const isIn = (position: number) =>
    scavenged.some(
      ({ header: { chunkStartNumber, chunkEndNumber, chunkSize } }) =>
        position >= chunkStartNumber * chunkSize && position < (chunkEndNumber + 1) * chunkSize
    );
  return records.find(
    ({ pos, type, stream }) =>
      type === 'Prepare' &&
      stream !== undefined &&
      isIn(pos) &&
      !stream.startsWith('$') &&
      !ruled.has(stream) &&
      !deleted.has(stream) &&
      counts.get(stream)! > 1
  )!;
}

describe('backups', () => {
  async function backUp(db: string, more: object): Promise<string> {
    const target = path.join(root, 'backups');
    fs.mkdirSync(target, { recursive: true });
    const request = requests.createBackup.parse({
      dataDirectory: db,
      target,
      winnowHome: path.join(root, 'home'),
      ...more
    });
    const report = await runReportOperation('createBackup', request, contextOf('createBackup'));
    return `${target}@${report.backups[0]!.id}`;
  }

  it.each([{ compress: false }, { compress: true }])(
    'is the same log as the node it was taken of, before and after maintenance ($compress)',
    async (how) => {
      const db = unpackDatabase({ name: 'rules', folder: 'before' });
      const backup = await backUp(db, how);
      const same = await compare([db, backup]);
      expect(same.sides[1]).toMatchObject({ kind: 'backup', end: same.sides[0]!.end });
      expect(same.comparisons[0]).toMatchObject({ verdict: 'equal', trustedFiles: 16 });
      // Every byte, decoded.
      const read = await compare([backup, db], { readAll: true });
      expect(read.comparisons[0]).toMatchObject({ verdict: 'equal', trustedFiles: 0 });
      const after = unpackDatabase({ name: 'rules', folder: 'after-t0' });
      const [comparison] = (await compare([after, backup])).comparisons;
      expect(comparison).toMatchObject({ verdict: 'behind', behind: { side: 1 }, differenceCount: 0 });
      expect(comparison!.total.onlyOther.explained.records).toBeGreaterThan(500);
      expect(fs.readdirSync(path.join(root, 'scratch'))).toEqual([]);
    }
  );

  it('an encrypted one needs its key', async () => {
    const db = unpackDatabase({ name: 'plain', folder: 'after' });
    const keyFile = path.join(root, 'node.key');
    await runReportOperation(
      'makeBackupKey',
      requests.makeBackupKey.parse({ file: keyFile }),
      contextOf('makeBackupKey')
    );
    const backup = await backUp(db, { keyFile, compress: true });
    await expect(compare([db, backup])).rejects.toMatchObject({ code: 'UnsupportedFormat' });
    const read = await compare([db, backup], { keyFile, readAll: true });
    expect(read.ok).toBe(true);
    expect(read.comparisons[0]!.total.equal.records).toBeGreaterThan(0);
  });
});

describe('a question', () => {
  it('is refused where there is nothing, and where the two cannot be one log', async () => {
    const one = unpackDatabase({ name: 'plain', folder: 'after' });
    await expect(compare([one, path.join(root, 'nothing')])).rejects.toMatchObject({
      code: 'DatabaseNotFound'
    });
    const other = unpackDatabase({ name: 'tables', folder: 'before' });
    await expect(compare([one, other])).rejects.toBeInstanceOf(EngineError);
    const [request] = [{ dataDirectory: one, others: [] }];
    expect(requests.compareDatabases.safeParse(request).success).toBe(false);
  });

  it('stops when it is asked to, and leaves nothing behind', async () => {
    const one = unpackDatabase({ name: 'tables', folder: 'before' });
    const other = copyOf(one, 'other');
    withOtherIds(other);
    const abort = new AbortController();
    const run = compare([one, other], {}, { signal: abort.signal, onProgress: () => abort.abort() });
    await expect(run).rejects.toBeInstanceOf(OperationStopped);
    expect(fs.readdirSync(path.join(root, 'scratch'))).toEqual([]);
  });
});
