/** A redaction cut and refused at every call of the file system: the old chunk or the new one is whole, and a second run ends it. */
import { expect } from 'vitest';
import { openDatabase } from '../../src-core/database/database.ts';
import { uncontrolled } from '../../src-core/database/operation-control.ts';
import { LogRecord } from '../../src-core/records/log-record.ts';
import { runRedaction } from '../../src-core/redaction/run-redaction.ts';
import { examineChunk } from '../../src-core/repair/examine-chunk.ts';
import type { FileSystem } from '../../src-core/storage/file-system.ts';
import { guidsFrom, writeCrashDatabase } from '../support/crash-database.ts';
import { treeOf } from '../support/restore-fixture.ts';
import { testAllFaults } from './all-faults.ts';

const DIRECTORY = '/db';
const EVENTS = [
  { stream: 'count', number: 1 },
  { stream: 'plain', number: 2 },
  { stream: 'gone-2', number: 0 }
];

function redact(fileSystem: FileSystem, seed: number) {
  return runRedaction({
    place: { fileSystem, dataDirectory: DIRECTORY },
    question: { eventIds: [], events: EVENTS },
    assumeStopped: false,
    newGuid: guidsFrom(seed),
    control: uncontrolled()
  });
}

/** Every record but for its data, in the order of the log. */
function namesOf(fileSystem: FileSystem): string[] {
  const database = openDatabase({ fileSystem, dataDirectory: DIRECTORY });
  const names: string[] = [];
  const cursor = database.log.cursor();
  while (cursor.next()) names.push(wordsOf(cursor.record));
  database.close();
  return names;
}

function wordsOf(record: LogRecord): string {
  const { position, kind, dataLength } = record;
  return kind === 'prepare'
    ? `${position} ${record.stream} ${record.eventId} ${dataLength}`
    : `${position} ${kind}`;
}

testAllFaults({
  name: 'redaction',
  operation: 'redact',
  leastCalls: 18,
  subject: async () => {
    let run = 1;
    const whole = namesOf(await writeCrashDatabase({ dataDirectory: DIRECTORY }));
    return {
      prepare: () => writeCrashDatabase({ dataDirectory: DIRECTORY }),
      act: (fileSystem) => redact(fileSystem, run++),
      contentOf: (fileSystem) => treeOf(fileSystem, DIRECTORY),
      look: async (fileSystem) => {
        expect(namesOf(fileSystem)).toEqual(whole);
        const { chunkSet } = openDatabase({ fileSystem, dataDirectory: DIRECTORY });
        for (const { isLasting, path, fileName } of chunkSet.chunks) {
          if (!isLasting) continue;
          const examined = await examineChunk({ fileSystem, path, fileName, control: uncontrolled() });
          if (typeof examined === 'string') throw new Error(examined);
        }
      }
    };
  }
});
