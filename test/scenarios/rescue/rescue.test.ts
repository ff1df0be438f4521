/**
 * The rescue of a full disk: best chunks first, never more than there is, and a scavenge in all else: what was left is
 * resumed by another rescue or by a scavenge, and the end is that of a scavenge without limits.
 */
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { ChunkDigests } from '../../../src-core/digest/chunk-digests.ts';
import { EngineError } from '../../../src-core/errors.ts';
import {
  planRescue,
  runRescue,
  type RescueRequest
} from '../../../src-core/scavenge/rescue/rescue-database.ts';
import { gainOf } from '../../../src-core/scavenge/rescue/rescue-order.ts';
import { runScavenge } from '../../../src-core/scavenge/run-scavenge.ts';
import type { ScavengeReportData } from '../../../src-core/scavenge/scavenge-request.ts';
import { NodeFileSystem } from '../../../src-core/storage/node-file-system.ts';
import { verifyDatabase } from '../../../src-core/verify/verify-database.ts';
import { comparableReport } from '../../campaign/comparable-report.ts';
import { contentOf, filesOf, withDatabase } from '../../support/database-content.ts';
import { CountingFileSystem } from '../../support/counting-file-system.ts';
import { bytesBelow, LimitedDisk } from '../../support/limited-disk.ts';
import { scavengeEnvironment, scavengeRequest } from '../../support/scavenge-environment.ts';
import { SAMPLE_TIME, ScavengeSamples } from '../../support/scavenge-sample.ts';
import { writeUneven } from '../../support/uneven-database.ts';

const samples = new ScavengeSamples();
afterEach(() => samples.removeAll());

const SIZE = { sizeBytes: 900_000, chunkSizeBytes: 65_536, seed: 7 };
/** Of an empty state and its journal on the volume of the database. */
const STATE_ROOM = 1024 * 1024;
const EXISTING = { scavengePoint: 'existing', merge: false, alwaysKeepScavenged: false } as const;

function requestOf(dataDirectory: string, change: Partial<RescueRequest> = {}): RescueRequest {
  const home = join(dataDirectory, '..', 'home');
  return {
    ...scavengeRequest(dataDirectory, {
      scavengePoint: 'auto',
      now: SAMPLE_TIME,
      winnowHome: home,
      scratchDirectory: join(home, 'plan'),
      pageSize: 1
    }),
    rescue: { reserveBytes: 0 },
    ...change
  };
}

function rescue(request: RescueRequest, fileSystem = new NodeFileSystem()): Promise<ScavengeReportData> {
  return runRescue(request, scavengeEnvironment({ fileSystem }));
}

function plan(request: RescueRequest, fileSystem = new NodeFileSystem()): Promise<ScavengeReportData> {
  return planRescue(request, scavengeEnvironment({ fileSystem }));
}

async function expectSound(dataDirectory: string): Promise<void> {
  await withDatabase(dataDirectory, async (database) => {
    const control = scavengeEnvironment().operation;
    const { findings } = await verifyDatabase({ database, quick: false, control });
    expect(findings.filter(({ severity }) => severity === 'damage')).toEqual([]);
  });
}

/** What a detached scavenge without limits makes of a copy. */
async function scavengedCopy(dataDirectory: string) {
  const copy = samples.copy(dataDirectory);
  await runScavenge(
    scavengeRequest(copy, {
      ...EXISTING,
      scavengePoint: 'detached',
      now: SAMPLE_TIME,
      winnowHome: samples.directory()
    }),
    scavengeEnvironment()
  );
  return contentOf(copy);
}

describe('a rescue', () => {
  it('takes the chunks first that free the most for the space they need', async () => {
    const directory = await samples.write(SIZE, { withPoint: false });
    const { chunks, result, scavengePoint } = await rescue(requestOf(directory));
    const gains = chunks
      .filter(({ decision }) => decision === 'rewritten' || decision === 'emptied')
      .map(({ bytesBefore, bytesAfter }) => gainOf({ fileSize: bytesBefore, newFileSize: bytesAfter }));
    expect(result).toBe('success');
    expect(scavengePoint?.placement).toBe('detached');
    expect(gains.length).toBeGreaterThan(5);
    // The order goes by estimates: each is near its place.
    expect(gains[0]).toBeGreaterThan(gains.at(-1)! * 1.5);
    for (const [i, gain] of gains.entries())
      expect(gain).toBeLessThanOrEqual(Math.max(...gains.slice(0, i + 1)));
    await expectSound(directory);
  });

  it('ends as a scavenge without limits does, and leaves no state behind', async () => {
    const directory = await samples.write(SIZE, { withPoint: false });
    const expected = await scavengedCopy(directory);
    await rescue(requestOf(directory));
    expect(await contentOf(directory)).toEqual(expected);
    expect(bytesBelow(join(directory, '..', 'home'))).toBe(0);
  });

  it('has the numbers of its plan, and the plan changes nothing', async () => {
    const directory = await samples.write(SIZE, { withPoint: false });
    const before = filesOf(directory);
    const disk = () => new LimitedDisk(directory, { spareBytes: 60_000 });
    const planned = await plan(requestOf(directory), disk());
    expect(filesOf(directory)).toEqual(before);
    const ran = await rescue(requestOf(directory), disk());
    expect(comparableReport(planned)).toEqual(comparableReport(ran));
  });

  it('has these numbers by what is known of the chunks too, and again by what was calculated', async () => {
    const directory = await samples.write(SIZE, { withPoint: false });
    const home = join(directory, '..', 'known');
    const { newGuid } = scavengeEnvironment();
    const numbersOf = (report: ScavengeReportData) => {
      // Names are not looked for one by one.
      const { hashUsersCache: _, ...numbers } = comparableReport(report);
      return numbers;
    };
    const disk = () => new LimitedDisk(directory, { spareBytes: 60_000 });
    const planned: unknown[] = [];
    for (let again = 0; again < 2; again++) {
      const fileSystem = new CountingFileSystem(disk());
      const digests = new ChunkDigests({ fileSystem, directory: home, newGuid, threads: 1 });
      const report = await planRescue(requestOf(directory), scavengeEnvironment({ fileSystem, digests }));
      planned.push(numbersOf(report));
      expect(digests.chunksRead > 1).toBe(again === 0);
    }
    const ran = numbersOf(await rescue(requestOf(directory), disk()));
    expect(planned).toEqual([ran, ran]);
  });

  it('never takes more than is free, leaves what does not fit, and resumes it when there is room', async () => {
    const original = await samples.write(SIZE, { withPoint: false });
    const expected = await scavengedCopy(original);
    const ends: string[] = [];
    for (let spareBytes = 0; spareBytes < 70_000; spareBytes += 4096) {
      const directory = samples.copy(original);
      const disk = new LimitedDisk(directory, { spareBytes });
      const before = bytesBelow(directory);
      const ended = await endOf(() => rescue(requestOf(directory), disk));
      ends.push(ended);
      expect(disk.refusals, `${spareBytes} spare`).toBe(0);
      expect(disk.peakBytes, `${spareBytes} spare`).toBeLessThanOrEqual(before + spareBytes);
      await expectSound(directory);
      const { result } = await rescue(requestOf(directory));
      expect(result).toBe('success');
      expect(await contentOf(directory), `${spareBytes} spare`).toEqual(expected);
    }
    expect(ends[0]).toBe('StorageFailed');
    expect(ends.at(-1)).toBe('success');
  });

  it('keeps to its limit where the disk has more, its state on the same volume included', async () => {
    const directory = await samples.write(SIZE, { withPoint: false });
    const volume = join(directory, '..');
    const disk = new LimitedDisk(volume, { spareBytes: 1e9 });
    const before = bytesBelow(volume);
    const scratchBytes = STATE_ROOM;
    const report = await rescue(requestOf(directory, { rescue: { reserveBytes: 0, scratchBytes } }), disk);
    expect(report.result).toBe('success');
    expect(disk.peakBytes).toBeLessThanOrEqual(before + scratchBytes);
    expect(report.scratchBytes).toBeGreaterThan(50_000);
    expect(report.scratchBytes).toBeLessThanOrEqual(scratchBytes);
  });

  it('refuses a state that finds no room, takes it away again, and is content with another volume', async () => {
    const directory = await samples.write(SIZE, { withPoint: false });
    const volume = join(directory, '..');
    const disk = new LimitedDisk(volume, { spareBytes: 100_000 });
    const files = filesOf(directory);
    const error: unknown = await rescue(requestOf(directory), disk).catch((caught: unknown) => caught);
    expect(error).toMatchObject({ code: 'StorageFailed', details: { osCode: 'ENOSPC' } });
    expect((error as EngineError).remedy).toContain('--scratch-directory');
    expect(filesOf(directory)).toEqual(files);
    expect(bytesBelow(join(volume, 'home'))).toBe(0);
    const stateDirectory = samples.directory();
    const report = await rescue(requestOf(directory, { rescue: { reserveBytes: 0, stateDirectory } }), disk);
    expect(report.result).toBe('success');
    expect(disk.refusals).toBe(0);
    expect(bytesBelow(stateDirectory)).toBe(0);
  });

  it('leaves the reserve alone', async () => {
    const directory = await samples.write(SIZE, { withPoint: false });
    const disk = new LimitedDisk(directory, { spareBytes: 100_000 });
    const before = bytesBelow(directory);
    const limits = { rescue: { reserveBytes: 40_000 } };
    await endOf(() => rescue(requestOf(directory, limits), disk));
    expect(disk.peakBytes).toBeLessThanOrEqual(before + 60_000);
  });

  it('resumes a scavenge that was begun, and a scavenge resumes what it leaves', async () => {
    const directory = await writeUneven(samples.directory());
    const copy = samples.copy(directory);
    const index = join(directory, 'index');
    await runScavenge(
      scavengeRequest(directory, { ...EXISTING, stopAfter: 'calculation' }),
      scavengeEnvironment()
    );
    const disk = new LimitedDisk(directory, { spareBytes: 20_000, except: index });
    const report = await rescue(requestOf(directory, { pageSize: undefined }), disk);
    expect(report).toMatchObject({
      resumed: true,
      result: 'stopped',
      scavengePoint: { placement: 'existing' }
    });
    expect(report.warnings.map(({ code }) => code)).toEqual(['chunksLeft']);
    expect(report.chunks.map(({ decision }) => decision)).toContain('rewritten');
    expect(report.chunks.filter(({ decision, weight }) => decision === 'skipped' && weight > 0)).not.toEqual(
      []
    );
    expect(disk.refusals).toBe(0);
    const rest = await runScavenge(scavengeRequest(directory, EXISTING), scavengeEnvironment());
    expect(rest).toMatchObject({ resumed: true, result: 'success' });
    await runScavenge(scavengeRequest(copy, EXISTING), scavengeEnvironment());
    expect(await contentOf(directory)).toEqual(await contentOf(copy));
  });

  it('leaves what finds no room for the next rescue, which does not do again what is done', async () => {
    const directory = await writeUneven(samples.directory());
    const expected = await scavengedCopy(directory);
    const disk = new LimitedDisk(directory, { spareBytes: 20_000 });
    const planned = await plan(requestOf(directory), disk);
    const first = await rescue(requestOf(directory), disk);
    expect(first).toMatchObject({ resumed: false, result: 'stopped' });
    expect(comparableReport(planned)).toEqual(comparableReport(first));
    const doneIn = ({ chunks }: ScavengeReportData) =>
      chunks.filter(({ decision }) => decision === 'rewritten').map(({ chunkStart }) => chunkStart);
    expect(doneIn(first)).toContain(0);
    const second = await rescue(requestOf(directory), new LimitedDisk(directory, { spareBytes: 80_000 }));
    expect(second).toMatchObject({ resumed: true, result: 'success' });
    expect(doneIn(second).length).toBeGreaterThan(2);
    expect(doneIn(second).filter((number) => doneIn(first).includes(number))).toEqual([]);
    expect(await contentOf(directory)).toEqual(expected);
  });

  it('leaves index tables that find no room, and copies none of which nothing goes', async () => {
    const directory = await samples.write(SIZE, { withPoint: false });
    const expected = await scavengedCopy(directory);
    const index = join(directory, 'index');
    const disk = new LimitedDisk(index, { spareBytes: 10_000 });
    const report = await rescue(requestOf(directory), disk);
    expect(report.result).toBe('stopped');
    expect(report.warnings.map(({ code }) => code)).toContain('tablesLeft');
    expect(disk.refusals).toBe(0);
    await expectSound(directory);
    const rest = await rescue(requestOf(directory));
    expect(rest).toMatchObject({ resumed: true, result: 'success' });
    expect(await contentOf(directory)).toEqual(expected);
  });

  it('writes no scavenge point', async () => {
    const directory = await samples.write(SIZE, { withPoint: false });
    const refused = endOf(() => rescue(requestOf(directory, { scavengePoint: 'new' })));
    expect(await refused).toBe('InvalidRequest');
  });
});

async function endOf(action: () => Promise<ScavengeReportData>): Promise<string> {
  try {
    return (await action()).result;
  } catch (error) {
    if (!(error instanceof EngineError)) throw error;
    return error.code;
  }
}
