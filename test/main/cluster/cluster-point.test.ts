/** One scavenge point for all members of a stopped cluster: copies of a database stand for the members. */
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  EventAppender,
  LogWriter,
  NodeFileSystem,
  lockDirectory,
  openDatabase,
  ticksFromMs,
  type FileSystem
} from '../../../src-core/index.ts';
import type { ClusterPointReport } from '../../../src-main/contract/operations/cluster-reports.ts';
import type { Replies, RequestOf } from '../../../src-main/contract/operations/operation-contract.ts';
import { jsonOf, runWinnow } from '../cli/run-winnow.ts';
import { runOperation } from '../../support/testing-context.ts';

const CHUNK_BYTES = 131_072;
let directory: string;
let members: string[];

beforeEach(async () => {
  directory = fs.mkdtempSync(path.join(os.tmpdir(), 'winnow-point-'));
  members = ['1', '2', '3'].map((name) => path.join(directory, name));
  const [first, ...copies] = members;
  const sample = { dataDirectory: first!, sizeBytes: 400_000, chunkSizeBytes: CHUNK_BYTES, seed: 7 };
  await run('writeSample', sample);
  for (const copy of copies) fs.cpSync(first!, copy, { recursive: true });
});
afterEach(() => fs.rmSync(directory, { recursive: true }));

function run<N extends keyof Replies>(
  name: N,
  request: RequestOf<N>,
  fileSystem: FileSystem = new NodeFileSystem()
): Promise<Replies[N]> {
  return runOperation(name, request, { fileSystem, clock: () => Date.UTC(2026, 7, 1) });
}

function writePoint(more: { threshold?: number; dryRun?: boolean } = {}): Promise<ClusterPointReport> {
  return run('writeClusterPoint', { members: members.map((dataDirectory) => ({ dataDirectory })), ...more });
}

/** What a log ends with: all bytes of its chunks' records from a position on, and where the writer stands. */
function tailOf(dataDirectory: string, from: number): { writer: number; record: string } {
  const database = openDatabase({ fileSystem: new NodeFileSystem(), dataDirectory });
  try {
    const record = database.log.readAt(from);
    const bytes = record?.bytes.subarray(record.start, record.start + record.length) ?? Buffer.alloc(0);
    return { writer: database.log.end, record: bytes.toString('hex') };
  } finally {
    database.close();
  }
}

function append(dataDirectory: string, data: string): void {
  const fileSystem = new NodeFileSystem();
  const { chunkSet } = openDatabase({ fileSystem, dataDirectory });
  const writer = LogWriter.open({ fileSystem, directory: dataDirectory, newGuid: randomUUID }, chunkSet);
  const appender = new EventAppender({
    writer,
    lastEventNumber: () => -1,
    now: () => ticksFromMs(Date.UTC(2026, 7, 1)),
    newGuid: randomUUID
  });
  appender.append('more', [{ eventType: 'written', data: Buffer.from(data) }]);
  writer.close();
}

/** The files of all logs, to see that nothing was written. */
function filesOfAll(): string[] {
  const list = members.flatMap((member) => fs.readdirSync(member).map((name) => path.join(member, name)));
  const files = list.filter((file) => fs.statSync(file).isFile());
  return files.map((file) => `${file} ${fs.readFileSync(file).toString('base64')}`);
}

describe('a point for all members', () => {
  it('is the same bytes at the same position in every log, and is the end of each', async () => {
    const { point, written, heldBefore } = await writePoint({ threshold: 5 });
    expect([written, heldBefore]).toEqual([members, []]);
    expect(point).toMatchObject({ number: 0, threshold: 5, effectiveNow: '2026-08-01T00:00:00.0000000Z' });
    const tails = members.map((member) => tailOf(member, point!.position));
    expect(tails[0]!.record).not.toBe('');
    expect(tails[0]!.writer % CHUNK_BYTES).toBe(0);
    expect(tails[1]).toEqual(tails[0]);
    expect(tails[2]).toEqual(tails[0]);
    for (const dataDirectory of members) {
      expect(
        (await run('verifyDatabase', { dataDirectory })).findings.filter((one) => one.severity === 'damage')
      ).toEqual([]);
    }
  });

  it('goes to a new chunk on all of them where it does not fit', async () => {
    const room = CHUNK_BYTES - (tailOf(members[0]!, 0).writer % CHUNK_BYTES);
    const data = 'x'.repeat(room - 190);
    append(members[0]!, data);
    for (const member of members.slice(1)) {
      fs.rmSync(member, { recursive: true });
      fs.cpSync(members[0]!, member, { recursive: true });
    }
    const { point } = await writePoint();
    expect(point!.position % CHUNK_BYTES).toBe(0);
    expect(new Set(members.map((member) => JSON.stringify(tailOf(member, point!.position)))).size).toBe(1);
  });

  it('is not written twice while it is not reached, and written again when all have reached it', async () => {
    const first = await writePoint();
    expect(await writePoint()).toEqual({ point: first.point, written: [], heldBefore: members });
    for (const dataDirectory of members) {
      await run('runScavenge', { dataDirectory, scavengePoint: 'existing', singleNode: false });
    }
    const second = await writePoint();
    expect(second.written).toEqual(members);
    expect(second.point!.number).toBe(1);
  });

  it('is given to the members that a cut call left without it', async () => {
    const { point } = await writePoint();
    const [, second, third] = members;
    for (const member of [second!, third!]) {
      fs.rmSync(member, { recursive: true });
      await run('writeSample', {
        dataDirectory: member,
        sizeBytes: 400_000,
        chunkSizeBytes: CHUNK_BYTES,
        seed: 7
      });
    }
    const again = await writePoint({ threshold: 9 });
    expect(again).toEqual({ point, written: [second, third], heldBefore: [members[0]] });
    expect(tailOf(second!, point!.position)).toEqual(tailOf(members[0]!, point!.position));
    expect(tailOf(third!, point!.position)).toEqual(tailOf(members[0]!, point!.position));
  });

  it('is the same after a cut at any write', async () => {
    const untouched = path.join(directory, 'untouched');
    fs.cpSync(members[0]!, untouched, { recursive: true });
    for (let cutAt = 1; ; cutAt += 1) {
      for (const member of members) {
        fs.rmSync(member, { recursive: true });
        fs.cpSync(untouched, member, { recursive: true });
      }
      const cut = new CuttingFileSystem(cutAt);
      const request = { members: members.map((dataDirectory) => ({ dataDirectory })) };
      const isWhole = await run('writeClusterPoint', request, cut).then(
        () => true,
        () => false
      );
      const { point } = await writePoint();
      const tails = members.map((member) => JSON.stringify(tailOf(member, point!.position)));
      expect(new Set(tails).size, `cut at write ${cutAt}`).toBe(1);
      expect(point!.number, `cut at write ${cutAt}`).toBe(0);
      if (isWhole) break;
    }
  }, 60_000);
});

describe('before the first write', () => {
  it('a member with more in its log is refused, naming both', async () => {
    append(members[1]!, 'more');
    const before = filesOfAll();
    const failure = await writePoint().catch((error: Error) => error.message);
    expect(failure).toContain(members[0]!);
    expect(failure).toContain(members[1]!);
    expect(filesOfAll()).toEqual(before);
  });

  it('a member with other bytes of the same length is refused', async () => {
    for (const [place, member] of members.entries()) append(member, place === 2 ? 'other' : 'equal');
    const before = filesOfAll();
    await expect(writePoint()).rejects.toThrow(/are not the same: their bytes differ at position/);
    expect(filesOfAll()).toEqual(before);
  });

  it('a member with another history of leaders is refused', async () => {
    fs.rmSync(members[2]!, { recursive: true });
    await run('writeSample', {
      dataDirectory: members[2]!,
      sizeBytes: 400_000,
      chunkSizeBytes: CHUNK_BYTES,
      seed: 8
    });
    await expect(writePoint()).rejects.toThrow(/are not the same/);
  });

  it('a member in use is refused', async () => {
    const release = lockDirectory({ fileSystem: new NodeFileSystem(), dataDirectory: members[2]! });
    const before = filesOfAll();
    await expect(writePoint()).rejects.toThrow(/is in use/);
    release();
    expect(filesOfAll()).toEqual(before);
  });

  it('a member whose log is to be cut is refused', async () => {
    const checkpoint = Buffer.alloc(8);
    checkpoint.writeBigInt64LE(1000n);
    fs.writeFileSync(path.join(members[0]!, 'truncate.chk'), checkpoint);
    await expect(writePoint()).rejects.toThrow(/next start of the server cuts the log .* at position 1000/);
  });

  it('a member with an unfinished scavenge to another point is refused', async () => {
    await writePoint();
    await run('runScavenge', {
      dataDirectory: members[0]!,
      scavengePoint: 'existing',
      singleNode: false,
      stopAfter: 'calculation'
    });
    for (const member of members) append(member, 'behind the point');
    await expect(writePoint()).rejects.toThrow(/is unfinished|are not the same/);
  });

  it('a dry run compares and writes nothing', async () => {
    const before = filesOfAll();
    expect(await writePoint({ dryRun: true })).toEqual({ point: null, written: members, heldBefore: [] });
    expect(filesOfAll()).toEqual(before);
  });
});

describe('winnow cluster scavenge --scavenge-point new', () => {
  it('leaves the logs of all members the same, without any history in them', async () => {
    const winnowHome = path.join(directory, 'home');
    const environment = { WINNOW_HOME: winnowHome };
    await runWinnow(['cluster', 'register', 'trio', ...members, '--yes'], { environment });
    const done = await runWinnow(
      ['cluster', 'scavenge', 'trio', '--scavenge-point', 'new', '--yes', '--json'],
      { environment }
    );
    expect(done.exitCode).toBe(0);
    expect(jsonOf(done)).toMatchObject({
      result: 'success',
      members: members.map(() => ({ result: 'success' }))
    });
    const { scavengePoints } = await run('inspectDatabase', { dataDirectory: members[0]! });
    const tails = members.map((member) => JSON.stringify(tailOf(member, scavengePoints[0]!.position)));
    expect(new Set(tails).size).toBe(1);
    const { runs } = await run('listHistory', {
      dataDirectory: members[0]!,
      winnowHome
    });
    expect(runs).toMatchObject([{ recordedIn: 'winnowHome', placement: 'existing', result: 'success' }]);
  }, 60_000);
});

/** Refuses every change from the nth on, as a process that is gone. */
class CuttingFileSystem extends NodeFileSystem {
  #left: number;

  constructor(left: number) {
    super();
    this.#left = left;
  }

  override open(...parameters: Parameters<NodeFileSystem['open']>): ReturnType<NodeFileSystem['open']> {
    const file = super.open(...parameters);
    const write = file.write.bind(file);
    file.write = (...bytes: Parameters<typeof write>) => {
      if (--this.#left < 0) throw new Error('cut');
      return write(...bytes);
    };
    return file;
  }
}
