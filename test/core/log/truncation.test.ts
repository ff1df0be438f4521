/**
 * Prediction and execution of a truncation against a naive model of the server's truncator, at every position of a
 * small log of plain, scavenged and merged chunks with old versions beside them.
 */
import { describe, expect, it } from 'vitest';
import { decodeChunkHeader, encodeChunkHeader } from '../../../src-core/chunks/chunk-header.ts';
import { uncontrolled } from '../../../src-core/database/operation-control.ts';
import { EngineError, OperationStopped } from '../../../src-core/errors.ts';
import { applyTruncation } from '../../../src-core/log/apply-truncation.ts';
import { LogWriter } from '../../../src-core/log/log-writer.ts';
import { planTruncation } from '../../../src-core/log/truncation.ts';
import { EventAppender } from '../../../src-core/database/event-appender.ts';
import { Random } from '../../../src-core/sample/random.ts';
import { readWholeFile } from '../../../src-core/storage/file-system.ts';
import { PassThroughFileSystem } from '../../../src-core/storage/pass-through.ts';
import { MemoryFileSystem, storageError } from '../../support/memory-file-system.ts';
import { truncateAsServer, type Bytes, type Files } from '../../support/server-truncator.ts';
import { EXAMPLE_TICKS } from '../chunks/worked-example.ts';

const DB = '/db';
const CHUNK = 512;
const OWNER_MAY_WRITE = 0o200;
const control = uncontrolled();

function filesIn(fileSystem: MemoryFileSystem): Map<string, Bytes> {
  const names = (fileSystem.list(DB) ?? []).map(({ name }) => name).sort();
  return new Map(names.map((name) => [name, Buffer.from(readWholeFile(fileSystem, `${DB}/${name}`)!)]));
}

function directoryOf(files: Files): MemoryFileSystem {
  const fileSystem = new MemoryFileSystem();
  fileSystem.makeDirectory(DB);
  for (const [name, bytes] of files) {
    const file = fileSystem.open(`${DB}/${name}`, 'createNew');
    file.write(bytes, 0, bytes.length, 0);
    file.close();
  }
  return fileSystem;
}

const nameOf = (number: number, version: number): string =>
  `chunk-${String(number).padStart(6, '0')}.${String(version).padStart(6, '0')}`;

function eight(value: number): Bytes {
  const bytes = Buffer.alloc(8);
  bytes.writeBigInt64LE(BigInt(value));
  return bytes;
}

/** Eight plain chunks, the last one being written. */
function plainLog(version: number): Map<string, Bytes> {
  const fileSystem = new MemoryFileSystem();
  fileSystem.makeDirectory(DB);
  const random = new Random(7);
  const newGuid = () => random.guid();
  const writer = LogWriter.create({ fileSystem, directory: DB, chunkSizeBytes: CHUNK, version, newGuid });
  const appender = new EventAppender({
    writer,
    lastEventNumber: () => -1,
    now: () => EXAMPLE_TICKS,
    newGuid
  });
  for (let size = 10; writer.position < 7 * CHUNK + 150; size = (size * 7) % 40)
    appender.append('s', [{ eventType: 'e', data: Buffer.alloc(size, 0x20) }]);
  writer.close();
  return filesIn(fileSystem);
}

/** A completed chunk takes the place of those of a range, as a scavenge leaves it. */
function scavenge(files: Map<string, Bytes>, from: number, to: number, keepsOld: number[] = []): void {
  const bytes = Buffer.from(files.get(nameOf(from, 0))!);
  const header = decodeChunkHeader(bytes);
  if (typeof header === 'string') throw new Error(header);
  bytes.set(encodeChunkHeader({ ...header, endNumber: to, isScavenged: true }), 0);
  for (let number = from; number <= to; number++) {
    if (!keepsOld.includes(number)) files.delete(nameOf(number, 0));
  }
  files.set(nameOf(from, 1), bytes);
}

function mixedLog(version: number): Map<string, Bytes> {
  const files = plainLog(version);
  scavenge(files, 0, 1);
  scavenge(files, 3, 3, [3]);
  scavenge(files, 4, 5, [5]);
  return files;
}

const writerOf = (files: Files): number => Number(files.get('writer.chk')!.readBigInt64LE());

async function expectAsServer(files: Files, where: string, maxTruncationBytes?: number): Promise<void> {
  const limit = maxTruncationBytes === undefined ? {} : { maxTruncation: maxTruncationBytes };
  const server = truncateAsServer(files, { chunkSize: CHUNK, ...limit });
  const fileSystem = directoryOf(files);
  const question = { fileSystem, dataDirectory: DB, maxTruncationBytes, control };
  const plan = await planTruncation(question).catch(reasonOf);
  if (server.kind !== 'truncates') {
    const expected = {
      nothing: undefined,
      dies: 'truncateInsideRecord',
      refuses: 'why' in server && server.why
    };
    expect(plan, where).toBe(expected[server.kind]);
    return;
  }
  if (typeof plan !== 'object') throw new Error(`${where}: ${plan} instead of a truncation`);
  const deleted = server.deleted.map((file) => `${file} ${files.get(file)!.length}`);
  expect(
    plan.removed.map(({ file, bytes }) => `${file} ${bytes}`),
    where
  ).toEqual(deleted);

  await applyTruncation(question);
  const ours = filesIn(fileSystem);
  expect([...ours.keys()], where).toEqual([...server.files.keys()].sort());
  for (const [name, bytes] of ours) {
    if (!bytes.equals(server.files.get(name)!)) throw new Error(`${where}: ${name} is another one`);
  }
}

/** What a refusal comes to, in the words of the model. */
function reasonOf(error: unknown): string {
  if (!(error instanceof EngineError)) throw error;
  return String(error.details['reason']);
}

async function atEveryPosition(files: Map<string, Bytes>, title: string): Promise<void> {
  for (let at = 0; at <= 9 * CHUNK + 40; at++)
    await expectAsServer(new Map([...files, ['truncate.chk', eight(at)]]), `${title}, position ${at}`);
}

describe('a truncation is what the server does with it at every position', { timeout: 120_000 }, () => {
  it.each([3, 4])('with the writer within the last chunk, chunk format %i', async (version) => {
    await atEveryPosition(mixedLog(version), 'within');
  });

  it('with the writer on a boundary and no chunk behind it', async () => {
    const files = mixedLog(4);
    files.delete(nameOf(7, 0));
    for (const name of ['writer', 'chaser']) files.set(`${name}.chk`, eight(7 * CHUNK));
    await atEveryPosition(files, 'on a boundary');
  });

  it('with a scavenged chunk put in place at the writer', async () => {
    const files = mixedLog(4);
    files.delete(nameOf(7, 0));
    for (const name of ['writer', 'chaser']) files.set(`${name}.chk`, eight(4 * CHUNK));
    files.delete(nameOf(6, 0));
    files.delete(nameOf(5, 0));
    await atEveryPosition(files, 'scavenged at the writer');
  });

  it('with a chaser and an epoch before, at and behind the cut', async () => {
    const files = mixedLog(4);
    for (const [chaser, epoch] of [
      [0, -1],
      [3 * CHUNK, 2 * CHUNK],
      [6 * CHUNK, 6 * CHUNK + 60]
    ] as const) {
      files.set('chaser.chk', eight(chaser)).set('epoch.chk', eight(epoch));
      for (let at = 0; at <= 8 * CHUNK; at += 64)
        await expectAsServer(new Map([...files, ['truncate.chk', eight(at)]]), `${chaser}, ${epoch}, ${at}`);
    }
  });

  it('with a limit on what may be cut', async () => {
    const files = mixedLog(4);
    for (let at = 0; at <= 8 * CHUNK; at += 32) {
      for (const limit of [-1, 0, 2 * CHUNK, writerOf(files)])
        await expectAsServer(
          new Map([...files, ['truncate.chk', eight(at)]]),
          `limit ${limit}, position ${at}`,
          limit
        );
    }
  });

  it.each([
    ['eight zero bytes', Buffer.alloc(8)],
    ['empty files', Buffer.alloc(0)]
  ])('with all checkpoints zero: %s', async (_, zero) => {
    for (const files of [mixedLog(4), plainLog(4), new Map([...plainLog(4)].slice(0, 1))]) {
      for (const name of ['writer', 'chaser', 'epoch', 'proposal', 'truncate'])
        files.set(`${name}.chk`, zero);
      await expectAsServer(files, [...files.keys()].join(' '));
    }
  });
});

describe('a truncation of chunk files that nobody may write', () => {
  /** Where a file that is read-only can only be removed once it is not any more. */
  class AsWindows extends PassThroughFileSystem {
    override remove(path: string): void {
      const mode = this.describe(path)?.mode ?? OWNER_MAY_WRITE;
      if ((mode & OWNER_MAY_WRITE) === 0) throw storageError('EPERM', path);
      super.remove(path);
    }
  }

  /** The first position from there on at which the server cuts, and what it makes of the files. */
  function firstCut(from: number) {
    for (let at = from; ; at++) {
      const files = new Map([...mixedLog(4), ['truncate.chk', eight(at)]]);
      const server = truncateAsServer(files, { chunkSize: CHUNK });
      if (server.kind === 'truncates') return { files, after: server.files };
    }
  }

  it.each([
    ['at the beginning', 0, undefined],
    ['within a chunk that was never scavenged', 6 * CHUNK + 1, nameOf(6, 0)],
    ['within the chunk being written', 7 * CHUNK + 1, nameOf(7, 0)],
    ['within a scavenged one', 4 * CHUNK + 64, undefined]
  ])('is what it is of others: %s', async (_where, from, reopened) => {
    const { files, after } = firstCut(from);
    const memory = directoryOf(files);
    const chunksIn = (): string[] => [...filesIn(memory).keys()].filter((name) => name.startsWith('chunk-'));
    for (const name of chunksIn()) memory.changeMode(`${DB}/${name}`, 0o440);
    await applyTruncation({ fileSystem: new AsWindows(memory), dataDirectory: DB, control });
    expect(filesIn(memory)).toEqual(after);
    for (const name of chunksIn()) {
      const mode = memory.describe(`${DB}/${name}`)!.mode & 0o777;
      expect(mode, name).toBe(name === reopened ? 0o640 : 0o440);
    }
  });
});

describe('a plan for a truncation', () => {
  const cut = new Map([...plainLog(4), ['truncate.chk', eight(2 * CHUNK + 300)]]);

  it('that is stopped while it looks for the position says that it was stopped', async () => {
    const stopping = { isDue: true, breathe: () => Promise.reject(new OperationStopped()) };
    const question = { fileSystem: directoryOf(cut), dataDirectory: DB, control: stopping };
    await expect(planTruncation(question)).rejects.toBeInstanceOf(OperationStopped);
  });
});
