/**
 * A chunk whose new file would not be smaller stays, unless it is asked otherwise. The server has no such rule, so it
 * is held against itself here: what stays is told, is found again, and is judged again when it may go.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openDatabase } from '../../../src-core/database/database.ts';
import { uncontrolled } from '../../../src-core/database/operation-control.ts';
import { EventAppender } from '../../../src-core/database/event-appender.ts';
import { emptyIndexMap, writeIndexMap } from '../../../src-core/index/index-map.ts';
import { writeIndexTable } from '../../../src-core/index/index-table-writer.ts';
import { readRecentEntries } from '../../../src-core/index/read-recent-entries.ts';
import { hashStream } from '../../../src-core/index/stream-hash.ts';
import { LogWriter } from '../../../src-core/log/log-writer.ts';
import { Random } from '../../../src-core/sample/random.ts';
import { planScavenge, runScavenge } from '../../../src-core/scavenge/run-scavenge.ts';
import type { ScavengeRequest } from '../../../src-core/scavenge/scavenge-request.ts';
import { NodeFileSystem } from '../../../src-core/storage/node-file-system.ts';
import { ticksFromIso } from '../../../src-core/units/ticks.ts';
import { verifyDatabase } from '../../../src-main/operations/repair/verify-database.ts';
import { comparableReport } from '../../campaign/comparable-report.ts';
import { contentOf, filesOf } from '../../support/database-content.ts';
import { scavengeEnvironment, scavengeRequest } from '../../support/scavenge-environment.ts';
import { stateRowsOf } from '../../support/scavenge-sample.ts';

const fileSystem = new NodeFileSystem();
const NOW = '2026-01-01T00:00:00Z';
const event = (bytes: number) => ({ eventType: 'e', data: Buffer.alloc(bytes, 0x61), isJson: false });
let home: string;
let directory: string;

/** Two chunks: of the first one record of many can go, which saves no page; of the second nearly all can. */
beforeEach(async () => {
  home = mkdtempSync(join(tmpdir(), 'winnow-kept-'));
  directory = join(home, 'db');
  fileSystem.makeDirectory(directory);
  const random = new Random(5);
  const newGuid = () => random.guid();
  const writer = LogWriter.create({ fileSystem, directory, chunkSizeBytes: 16384, newGuid });
  const now = () => ticksFromIso(NOW)!;
  const events = new EventAppender({ writer, lastEventNumber: () => -1, now, newGuid });
  events.append('cut', [event(100)]);
  events.append('filling', [event(7000)]);
  writer.completeChunk();
  events.append('cut', [event(3000), event(3000), event(3000), event(10)]);
  const { position } = events.setMetadata('cut', '{"$tb":4}');
  writer.close();
  await writeIndex(position, newGuid);
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

/** One table that reaches to the last record. */
async function writeIndex(last: number, newGuid: () => string): Promise<void> {
  const { log, indexDirectory } = openDatabase({ fileSystem, dataDirectory: directory });
  const end = last + 1;
  const read = { log, prepareCheckpoint: -1, commitCheckpoint: -1, end, hasher: hashStream };
  const file = newGuid();
  fileSystem.makeDirectory(indexDirectory);
  writeIndexTable({ fileSystem, directory: indexDirectory, name: file }, await readRecentEntries(read));
  const tables = [{ level: 0, position: 0, file }];
  const map = { ...emptyIndexMap(), prepareCheckpoint: last, commitCheckpoint: last, tables };
  writeIndexMap(fileSystem, indexDirectory, map, newGuid());
}

const requestOf = (change: Partial<ScavengeRequest>) =>
  scavengeRequest(directory, {
    scavengePoint: 'new',
    now: NOW,
    alwaysKeepScavenged: false,
    merge: false,
    ...change
  });
const scavenge = (change: Partial<ScavengeRequest> = {}) =>
  runScavenge(requestOf(change), scavengeEnvironment());

const decisionsOf = ({ chunks }: Awaited<ReturnType<typeof scavenge>>) =>
  chunks.map(({ decision }) => decision);
/** As `verify` finds them. */
async function recordsWithoutEntry() {
  const context = { fileSystem, control: uncontrolled(), clock: Date.now, log: () => undefined };
  const request = { dataDirectory: directory, quick: false, threads: 1 };
  const { findings } = await verifyDatabase(request, context);
  return findings.filter(({ code }) => code === 'recordWithoutIndexEntry');
}
const weightsOf = () => stateRowsOf(directory)['ChunkWeights']!;
const rowsOf = () => stateRowsOf(directory)['OriginalStreamDatas']!;
const chunkFiles = () => Object.keys(filesOf(directory, (name) => name.startsWith('chunk-'))).sort();

describe('a chunk that would not become smaller', () => {
  it('stays with its records, its weight and what is known of their stream; the plan says so', async () => {
    const planned = await planScavenge(
      requestOf({ scratchDirectory: join(home, 'scratch') }),
      scavengeEnvironment()
    );
    const report = await scavenge();
    expect(comparableReport(planned)).toEqual(comparableReport(report));
    expect(decisionsOf(report)).toEqual(['keptLarger', 'rewritten']);
    expect(report.chunks[0]).toMatchObject({ weight: 2, recordsDiscarded: 0 });
    expect(report.chunks[0]!.bytesAfter).toBe(report.chunks[0]!.bytesBefore);
    expect(planned.warnings).toMatchObject([
      { code: 'keptLarger', message: /chunk-000000\.000000 stays as it is with 1 deleted or expired records/ }
    ]);
    expect(chunkFiles()[0]).toBe('chunk-000000.000000');
    expect(weightsOf()).toEqual(['0 2']);
    expect(rowsOf()).toHaveLength(1);
  });

  it('is judged again by the next scavenge, and is replaced when that is asked for', async () => {
    await scavenge();
    const again = await scavenge();
    expect(decisionsOf(again)[0]).toBe('keptLarger');
    expect(weightsOf()).toEqual(['0 2']);
    const asked = await scavenge({ alwaysKeepScavenged: true });
    expect(asked.chunks[0]).toMatchObject({ decision: 'rewritten', weight: 2, recordsDiscarded: 1 });
    expect(weightsOf()).toEqual([]);
    expect(rowsOf()).toEqual([]);
  });

  it('gains weight where a lost state left it none, so that it is found again', async () => {
    // Entries leave the index whatever the threshold; without the state nothing leads to their records any more.
    await scavenge({ threshold: 1_000_000 });
    const all = await scavenge({ startAfresh: true, threshold: -1 });
    expect(all.scavengePoint?.threshold).toBe(-1);
    expect(all.chunks[0]).toMatchObject({ decision: 'keptLarger', weight: 0 });
    expect(weightsOf()).toEqual(['0 2']);
    expect(rowsOf()).toHaveLength(1);
    const asked = await scavenge({ alwaysKeepScavenged: true });
    expect(asked.chunks[0]).toMatchObject({ decision: 'rewritten', recordsDiscarded: 1 });
    expect(rowsOf()).toEqual([]);
  });

  it('is what verification names as the reason, where the weight reached the threshold', async () => {
    await scavenge();
    const [hint] = await recordsWithoutEntry();
    expect(hint?.message).toContain(
      'its weight of 2 reached the threshold of 0, but the new file would not have been'
    );
    expect(hint?.remedy).toContain('--always-keep-scavenged');
  });

  it('is not what verification names where the weight is below the threshold', async () => {
    await scavenge({ threshold: 1_000_000 });
    const [hint] = await recordsWithoutEntry();
    expect(hint?.message).toContain('whose weight of 2 is below the threshold of 1000000.');
    expect(hint?.remedy).toContain('--threshold 2');
  });

  it('is joined by a merge all the same, which frees no record', async () => {
    const before = (await contentOf(directory)).records[0]!;
    const report = await scavenge({ merge: true });
    expect(decisionsOf(report)).toContain('merged');
    expect((await contentOf(directory)).records[0]).toBe(before);
    expect(weightsOf()).toEqual(['0 2']);
  });
});
