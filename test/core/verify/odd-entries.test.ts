/** Entries of an index that lead to what is no event, beside those of old tables, which number a deletion in 32 bits. */
import { describe, expect, it } from 'vitest';
import { EventAppender } from '../../../src-core/database/event-appender.ts';
import { openDatabase } from '../../../src-core/database/database.ts';
import { uncontrolled } from '../../../src-core/database/operation-control.ts';
import { emptyIndexMap, writeIndexMap } from '../../../src-core/index/index-map.ts';
import { EntryBlock } from '../../../src-core/index/index-entry.ts';
import { writeIndexTable } from '../../../src-core/index/index-table-writer.ts';
import { hashStream } from '../../../src-core/index/stream-hash.ts';
import { LogWriter } from '../../../src-core/log/log-writer.ts';
import { Random } from '../../../src-core/sample/random.ts';
import { ticksFromIso } from '../../../src-core/units/ticks.ts';
import { LogMarks } from '../../../src-core/verify/log-marks.ts';
import { verifyDatabase } from '../../../src-core/verify/verify-database.ts';
import { guidName, entriesOfBlock } from '../index/index-fixture.ts';
import { MemoryLog } from '../index/memory-log.ts';
import { MemoryFileSystem } from '../../support/memory-file-system.ts';

const DIRECTORY = '/db';
type Entry = [stream: string, number: number, position: number];

function begun() {
  const fileSystem = new MemoryFileSystem();
  fileSystem.makeDirectory(`${DIRECTORY}/index`);
  const random = new Random(3);
  const newGuid = () => random.guid();
  const writer = LogWriter.create({ fileSystem, directory: DIRECTORY, chunkSizeBytes: 65_536, newGuid });
  const now = () => ticksFromIso('2026-01-01T00:00:00Z')!;
  const events = new EventAppender({ writer, now, newGuid, lastEventNumber: () => -1 });
  return { fileSystem, writer, events };
}

const event = () => ({ eventType: 'e', data: Buffer.alloc(100, 0x61), isJson: false });

/** An index of one table of version 2 with these entries, which reaches to a position. */
function writeIndex(fileSystem: MemoryFileSystem, entries: Entry[], reached: number): void {
  const rows = entries.map(([stream, number, position]) => ({ ...hashStream(stream), number, position }));
  rows.sort((a, b) => b.high - a.high || b.low - a.low || b.number - a.number);
  const block = new EntryBlock(rows.length);
  rows.forEach(({ high, low, number, position }, i) => block.set(i, high, low, number, position));
  block.count = rows.length;
  const directory = `${DIRECTORY}/index`;
  writeIndexTable({ fileSystem, directory, name: guidName(1), version: 3 }, entriesOfBlock(block));
  const tables = [{ level: 0, position: 0, file: guidName(1) }];
  const map = { ...emptyIndexMap(), prepareCheckpoint: reached, commitCheckpoint: reached, tables };
  writeIndexMap(fileSystem, directory, map, guidName(9));
}

async function damagesOf(fileSystem: MemoryFileSystem) {
  const database = openDatabase({ fileSystem, dataDirectory: DIRECTORY });
  try {
    const { findings } = await verifyDatabase({ database, quick: false, control: uncontrolled() });
    return findings.filter(({ severity }) => severity === 'damage');
  } finally {
    database.close();
  }
}

describe('verification of an index', () => {
  it('does not blame the tombstone of an old table where another entry is missing', async () => {
    const { fileSystem, writer, events } = begun();
    const kept: Entry[] = [0, 1, 2, 3, 4, 5].map((n) => [
      'kept',
      n,
      events.append('kept', [event()]).position
    ]);
    const lost = events.append('lost', [event()]).position;
    const tombstone = events.hardDelete('gone');
    writer.close();
    writeIndex(fileSystem, [...kept, ['gone', 2147483647, tombstone]], tombstone);
    expect(await damagesOf(fileSystem)).toMatchObject([
      {
        code: 'recordWithoutIndexEntry',
        position: lost,
        message: `The record at position ${lost} (event 0 of stream "lost") has no index entry: readers of its stream do not see it.`,
        command: 'winnow index rebuild'
      }
    ]);
  });

  it('says what is there where an entry leads to a commit, and to nothing', async () => {
    const { fileSystem, writer, events } = begun();
    const kept: Entry[] = [0, 1, 2, 3, 4, 5].map((n) => [
      'kept',
      n,
      events.append('kept', [event()]).position
    ]);
    const transaction = events.beginTransaction('t');
    const member = events.writeInTransaction(transaction, event());
    events.commitTransaction(transaction);
    const last = events.append('last', [event()]).position;
    writer.close();
    const database = openDatabase({ fileSystem, dataDirectory: DIRECTORY });
    const commit = database.log.findBackward(writer.position, ({ kind }) => kind === 'commit')!.position;
    database.close();
    const right: Entry[] = [...kept, ['t', 0, member], ['last', 0, last]];
    writeIndex(fileSystem, [...right, ['x', 0, commit], ['y', 3, 7]], last);
    const found = await damagesOf(fileSystem);
    expect(found.map(({ code }) => code)).toEqual(['indexEntryWithoutRecord', 'indexEntryWithoutRecord']);
    expect(found.map(({ position }) => position)).toEqual(expect.arrayContaining([7, commit]));
    expect(found.map(({ message }) => message).join('\n')).toContain('(there is a commit record)');
    expect(found.map(({ message }) => message).join('\n')).toContain('(there is no record)');
  });
});

describe('marks of a log', () => {
  it('are kept of positions that lie further apart than 4 GiB, and only while they are needed', () => {
    const positions = [1000, 5 * 2 ** 32 + 1];
    const marks = new LogMarks(new MemoryLog());
    const unseen = (): number[] => {
      const found: number[] = [];
      marks.forEachUnseen((position) => found.push(position));
      return found;
    };
    const loose = new Float64Array(0);
    const checks = Uint32Array.of(7, 8);
    marks.add(0, { positions: Float64Array.from(positions), checks, loose, scavengePoint: -1 });
    expect(unseen()).toEqual(positions);
    marks.complete();
    expect(marks.isSame).toBe(false);
    expect(unseen()).toEqual(positions);
    marks.release();
    expect(unseen()).toEqual([]);
  });
});
