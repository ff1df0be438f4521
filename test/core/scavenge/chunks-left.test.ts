/** Chunks that a scavenge leaves although something of them can go: there is no room, or their new file would be no smaller. */
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { openDatabase } from '../../../src-core/database/database.ts';
import { EventAppender } from '../../../src-core/database/event-appender.ts';
import { LogWriter } from '../../../src-core/log/log-writer.ts';
import { writeSampleIndex } from '../../../src-core/sample/write-sample-index.ts';
import { runRescue } from '../../../src-core/scavenge/rescue/rescue-database.ts';
import { runScavenge } from '../../../src-core/scavenge/run-scavenge.ts';
import type { ScavengeReportData, ScavengeRequest } from '../../../src-core/scavenge/scavenge-request.ts';
import { NodeFileSystem } from '../../../src-core/storage/node-file-system.ts';
import { ticksFromIso } from '../../../src-core/units/ticks.ts';
import { guidsFrom } from '../../support/crash-database.ts';
import { LimitedDisk } from '../../support/limited-disk.ts';
import { scavengeEnvironment, scavengeRequest } from '../../support/scavenge-environment.ts';
import { SAMPLE_TIME, ScavengeSamples, stateRowsOf } from '../../support/scavenge-sample.ts';
import { writeUneven } from '../../support/uneven-database.ts';

const samples = new ScavengeSamples();
afterEach(() => samples.removeAll());

describe('a chunk for which a rescue has no room', () => {
  it('is reported with its weight as one that stays, and is done by the next one', async () => {
    const directory = await writeUneven(samples.directory());
    const winnowHome = samples.directory();
    const rescue = (spareBytes: number): Promise<ScavengeReportData> =>
      runRescue(
        {
          ...scavengeRequest(directory, { scavengePoint: 'auto', now: SAMPLE_TIME, winnowHome }),
          rescue: { reserveBytes: 0 }
        },
        scavengeEnvironment({ fileSystem: new LimitedDisk(directory, { spareBytes }) })
      );
    const first = await rescue(20_000);
    expect(first).toMatchObject({ result: 'stopped', warnings: [{ code: 'chunksLeft' }] });
    const left = first.chunks.filter(({ decision, weight }) => decision === 'skipped' && weight > 0);
    expect(left.length).toBeGreaterThan(1);
    for (const { bytesBefore, bytesAfter, recordsDiscarded } of left)
      expect([bytesAfter, recordsDiscarded]).toEqual([bytesBefore, 0]);
    expect(first.chunks.map(({ decision }) => decision)).toContain('rewritten');
    const numbers = first.chunks.map(({ chunkStart }) => chunkStart);
    expect(new Set(numbers).size).toBe(numbers.length);
    const second = await rescue(80_000);
    expect(second).toMatchObject({ result: 'success', resumed: true });
    const done = second.chunks.filter(({ decision }) => decision === 'rewritten');
    expect(done.map(({ chunkStart, weight }) => [chunkStart, weight])).toEqual(
      expect.arrayContaining(left.map(({ chunkStart, weight }) => [chunkStart, weight]))
    );
  });
});

describe('a chunk whose new file would be no smaller', () => {
  /** Of the first chunk one record of two can go, which saves no page. */
  async function written(): Promise<string> {
    const fileSystem = new NodeFileSystem();
    const directory = join(samples.directory(), 'db');
    fileSystem.makeDirectory(directory);
    const newGuid = guidsFrom(5);
    const writer = LogWriter.create({ fileSystem, directory, chunkSizeBytes: 16_384, newGuid });
    const now = () => ticksFromIso(SAMPLE_TIME)!;
    const appender = new EventAppender({ writer, newGuid, now, lastEventNumber: () => -1 });
    const append = (stream: string, bytes: number) =>
      appender.append(stream, [{ eventType: 'happened', data: Buffer.alloc(bytes, 'x') }]);
    append('cut', 100);
    append('filling', 7000);
    writer.completeChunk();
    for (const bytes of [3000, 3000, 3000, 10]) append('cut', bytes);
    appender.setMetadata('cut', '{"$tb":4}');
    writer.completeChunk();
    for (let i = 0; i < 3; i++) append('filling', 4000);
    writer.close();
    const database = openDatabase({ fileSystem, dataDirectory: directory });
    const { indexDirectory, log } = database;
    const control = scavengeEnvironment().operation;
    await writeSampleIndex({ fileSystem, indexDirectory, log, newGuid, control });
    database.close();
    return directory;
  }

  it('gains weight where it has none, so that what is left of it is found again', async () => {
    const directory = await written();
    const scavenge = (change: Partial<ScavengeRequest>): Promise<ScavengeReportData> => {
      const own = {
        scavengePoint: 'new',
        now: SAMPLE_TIME,
        alwaysKeepScavenged: false,
        merge: false
      } as const;
      return runScavenge(scavengeRequest(directory, { ...own, ...change }), scavengeEnvironment());
    };
    const weights = () => stateRowsOf(directory)['ChunkWeights'];
    // Entries leave the index whatever the threshold; a state that starts afresh knows of no record without one.
    await scavenge({ threshold: 1_000_000 });
    const all = await scavenge({ startAfresh: true, threshold: -1 });
    expect(all.chunks[0]).toMatchObject({ decision: 'keptLarger', weight: 0, recordsDiscarded: 0 });
    expect(all.warnings).toMatchObject([{ code: 'keptLarger' }]);
    expect(weights()).toEqual(['0 2']);
    const again = await scavenge({});
    expect(again.chunks[0]).toMatchObject({ decision: 'keptLarger', weight: 2 });
    expect(weights()).toEqual(['0 2']);
    const asked = await scavenge({ alwaysKeepScavenged: true });
    expect(asked.chunks[0]).toMatchObject({ decision: 'rewritten', recordsDiscarded: 1 });
    expect(weights()).toEqual([]);
  });
});
