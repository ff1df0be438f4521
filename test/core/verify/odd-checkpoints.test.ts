/** Checkpoints and chains of epochs that are unusual: what is a fault of them, and what a running server explains. */
import { describe, expect, it } from 'vitest';
import { openDatabase, type Database } from '../../../src-core/database/database.ts';
import { uncontrolled } from '../../../src-core/database/operation-control.ts';
import { readEpochs } from '../../../src-core/database/epochs.ts';
import { EventAppender } from '../../../src-core/database/event-appender.ts';
import { writeCheckpointFile } from '../../../src-core/log/checkpoint-file.ts';
import { LogWriter } from '../../../src-core/log/log-writer.ts';
import { rebuildIndex } from '../../../src-core/repair/rebuild-index.ts';
import { Random } from '../../../src-core/sample/random.ts';
import { ticksFromIso } from '../../../src-core/units/ticks.ts';
import type { Finding } from '../../../src-core/verify/finding.ts';
import { verifyDatabase } from '../../../src-core/verify/verify-database.ts';
import { MemoryFileSystem } from '../../support/memory-file-system.ts';

const DIRECTORY = '/db';
const CHUNK_BYTES = 1024 * 1024;
const NOW = ticksFromIso('2026-01-01T00:00:00Z')!;

interface Written {
  fileSystem: MemoryFileSystem;
  newGuid: () => string;
  writer: LogWriter;
  /** One that believes the newest epoch to lie there. */
  appender: (lastEpochPosition?: number) => EventAppender;
}

function begun(): Written {
  const fileSystem = new MemoryFileSystem();
  fileSystem.makeDirectory(DIRECTORY);
  const random = new Random(3);
  const newGuid = () => random.guid();
  const writer = LogWriter.create({ fileSystem, directory: DIRECTORY, chunkSizeBytes: CHUNK_BYTES, newGuid });
  const appender = (lastEpochPosition = -1): EventAppender => {
    return new EventAppender({
      writer,
      now: () => NOW,
      newGuid,
      lastEpochPosition,
      lastEventNumber: () => -1
    });
  };
  return { fileSystem, newGuid, writer, appender };
}

const epoch = (number: number, newGuid: () => string) => ({
  number,
  epochId: newGuid(),
  leaderInstanceId: newGuid()
});
const event = () => ({ eventType: 'e', data: Buffer.alloc(100, 0x61), isJson: false });
const lines = (findings: readonly Finding[]) =>
  findings.map(({ severity, code, file }) => `${severity} ${code} ${file}`);

function opened(fileSystem: MemoryFileSystem) {
  const database = openDatabase({ fileSystem, dataDirectory: DIRECTORY });
  const { log, checkpoints, chunkSet } = database;
  return { log, checkpoints, chunkSet, close: () => database.close() };
}

const ofEpochs = (findings: readonly Finding[]) => findings.filter(({ file }) => file === 'epoch.chk');

/** `meanwhile`: after the checkpoints were read. */
async function verify(
  fileSystem: MemoryFileSystem,
  meanwhile?: (database: Database) => void
): Promise<readonly Finding[]> {
  const database = openDatabase({ fileSystem, dataDirectory: DIRECTORY });
  try {
    meanwhile?.(database);
    return (await verifyDatabase({ database, quick: false, control: uncontrolled() })).findings;
  } finally {
    database.close();
  }
}

const checkpoint = (fileSystem: MemoryFileSystem, name: string, value: number) =>
  writeCheckpointFile(fileSystem, `${DIRECTORY}/${name}.chk`, value);

function overwrite(fileSystem: MemoryFileSystem, name: string, offset: number, byte: number): void {
  fileSystem.changeMode(`${DIRECTORY}/${name}`, 0o644);
  const file = fileSystem.open(`${DIRECTORY}/${name}`, 'readWrite');
  file.write(Uint8Array.of(byte), 0, 1, offset);
  file.close();
}

describe('verification of a chain of epochs', () => {
  it.each([
    ['with JSON', { eventType: 'e', data: Buffer.from('{"prevEpochPosition":-1}') }],
    ['without JSON', event()]
  ])('tells of one that leads to an event %s', async (_what, found) => {
    const { fileSystem, writer, appender, newGuid } = begun();
    const { position } = appender().append('s', [found]);
    const at = appender(position).writeEpoch(epoch(1, newGuid));
    writer.close();
    expect(ofEpochs(await verify(fileSystem))).toMatchObject([
      {
        severity: 'damage',
        code: 'epochCheckpointInvalid',
        position: at,
        message: `Epoch 1 at position ${at} names ${position} as that of the one before it, where there is no epoch.`,
        command: 'winnow repair'
      }
    ]);
    const { log, checkpoints, close } = opened(fileSystem);
    expect(readEpochs(log, checkpoints.epoch).map(({ number }) => number)).toEqual([1]);
    close();
  });

  it('tells of one whose numbers do not rise', async () => {
    const { fileSystem, writer, appender, newGuid } = begun();
    const first = appender().writeEpoch(epoch(5, newGuid));
    appender(first).writeEpoch(epoch(5, newGuid));
    writer.close();
    expect(ofEpochs(await verify(fileSystem))[0]?.message).toMatch(
      /^Epoch 5 at position \d+ follows epoch 5\.$/
    );
  });

  it('follows a long one as far as it needs to, and finds nothing', async () => {
    const { fileSystem, writer, appender, newGuid } = begun();
    const epochs = appender();
    for (let number = 0; number < 1010; number++) epochs.writeEpoch(epoch(number, newGuid));
    writer.close();
    expect(ofEpochs(await verify(fileSystem))).toEqual([]);
  });

  it('says nothing of one that was written since the end of the log was read', async () => {
    const { fileSystem, writer, appender } = begun();
    appender().append('s', [event()]);
    writer.close();
    checkpoint(fileSystem, 'epoch', writer.position);
    expect(lines(ofEpochs(await verify(fileSystem)))).toEqual(['damage epochCheckpointInvalid epoch.chk']);
    const beside = await verify(fileSystem, () => checkpoint(fileSystem, 'writer', writer.position + 500));
    expect(ofEpochs(beside)).toEqual([]);
  });
});

describe('verification of a chaser that is behind', () => {
  const behind = (findings: readonly Finding[]) =>
    lines(findings).filter((line) => line.includes('chaser.chk'));

  function withChaserBehind(): { fileSystem: MemoryFileSystem; end: number } {
    const { fileSystem, writer, appender } = begun();
    const { position } = appender().append('s', [event(), event()]);
    appender().append('t', [event()]);
    writer.close();
    checkpoint(fileSystem, 'chaser', position + 170);
    return { fileSystem, end: writer.position };
  }

  it('is a hint where the log ends at a record', async () => {
    expect(behind(await verify(withChaserBehind().fileSystem))).toEqual(['hint chaserBehind chaser.chk']);
  });

  it('is not told where the last chunk is missing: that is what is wrong', async () => {
    const { fileSystem } = withChaserBehind();
    checkpoint(fileSystem, 'writer', CHUNK_BYTES + 4096);
    const found = await verify(fileSystem);
    expect(lines(found)).toContain('damage chunkMissing chunk-000001.000000');
    expect(behind(found)).toEqual([]);
  });

  it('is told where the end of the log is encrypted, of which nothing can be said', async () => {
    const { fileSystem } = withChaserBehind();
    overwrite(fileSystem, 'chunk-000000.000000', 35, 1);
    expect(behind(await verify(fileSystem))).toEqual(['hint chaserBehind chaser.chk']);
  });
});

describe('verification of other files', () => {
  it('names the first of several chunks that belong to another user', async () => {
    const { fileSystem, writer, appender } = begun();
    for (let i = 0; i < 3; i++) {
      appender().append(`s${i}`, [event()]);
      writer.completeChunk();
    }
    writer.close();
    for (const number of [1, 2]) fileSystem.changeOwner(`${DIRECTORY}/chunk-00000${number}.000000`, 0, 0);
    const owned = (await verify(fileSystem)).filter(({ code }) => code === 'notOwnedByServerUser');
    expect(owned).toMatchObject([{ severity: 'hint', file: 'chunk-000001.000000' }]);
    expect(owned[0]?.message).toMatch(
      /^chunk-000001\.000000 and 1 more chunk belong to another user than writer\.chk/
    );
  });

  it('says of a truncation to the end of the log that it removes only an empty chunk', async () => {
    const { fileSystem, writer, appender, newGuid } = begun();
    appender().append('s', [event()]);
    writer.completeChunk();
    writer.close();
    const { chunkSet, close } = opened(fileSystem);
    const next = LogWriter.open({ fileSystem, directory: DIRECTORY, newGuid }, chunkSet);
    close();
    const events = new EventAppender({ writer: next, now: () => NOW, newGuid, lastEventNumber: () => -1 });
    events.append('t', [event()]);
    next.close();
    // As the server leaves a chunk that was made ready for its first record.
    const file = fileSystem.open(`${DIRECTORY}/chunk-000001.000000`, 'readWrite');
    const size = file.size();
    file.truncate(128);
    file.truncate(size);
    file.close();
    for (const name of ['writer', 'chaser', 'truncate']) checkpoint(fileSystem, name, CHUNK_BYTES);
    const found = (await verify(fileSystem)).filter(({ file }) => file === 'truncate.chk');
    expect(found).toMatchObject([
      {
        severity: 'hint',
        code: 'truncatePending',
        message: `truncate.chk is set to ${CHUNK_BYTES}: the next start cuts nothing and removes 1 chunk file, ${size} bytes (chunk-000001.000000), which has no records, and clears it.`,
        remedy: 'Nothing to do: the server creates the file again.'
      }
    ]);
  });

  it('reads an index to where the chaser has come by now', async () => {
    const { fileSystem, writer, appender, newGuid } = begun();
    const { position } = appender().append('s', [event(), event()]);
    writer.close();
    await rebuildIndex({ fileSystem, dataDirectory: DIRECTORY, control: uncontrolled(), newGuid });
    checkpoint(fileSystem, 'chaser', position);
    const ahead = lines(await verify(fileSystem)).filter((line) => line.includes('indexmap'));
    expect(ahead).toEqual(['damage indexAheadOfLog indexmap']);
    const beside = await verify(fileSystem, () => checkpoint(fileSystem, 'chaser', writer.position));
    expect(lines(beside).filter((line) => line.includes('indexmap'))).toEqual([]);
  });

  it('reads an index to where a chaser says that was missing at first, and else to nowhere', async () => {
    const { fileSystem, writer, appender, newGuid } = begun();
    appender().append('s', [event(), event()]);
    writer.close();
    await rebuildIndex({ fileSystem, dataDirectory: DIRECTORY, control: uncontrolled(), newGuid });
    fileSystem.remove(`${DIRECTORY}/chaser.chk`);
    const ofMap = (findings: readonly Finding[]) =>
      lines(findings).filter((line) => line.includes('indexmap'));
    expect(ofMap(await verify(fileSystem))).toEqual(['damage indexAheadOfLog indexmap']);
    expect(ofMap(await verify(fileSystem, () => checkpoint(fileSystem, 'chaser', writer.position)))).toEqual(
      []
    );
  });

  it('takes a writer.chk that goes meanwhile for no sign that the log has grown', async () => {
    const { fileSystem, writer, appender } = begun();
    appender().append('s', [event()]);
    writer.close();
    for (const name of ['chaser', 'epoch']) checkpoint(fileSystem, name, writer.position + 500);
    const found = await verify(fileSystem, () => fileSystem.remove(`${DIRECTORY}/writer.chk`));
    expect(lines(found)).toEqual(
      expect.arrayContaining([
        'damage chaserBeyondWriter chaser.chk',
        'damage epochCheckpointInvalid epoch.chk'
      ])
    );
  });
});
