/** Findings that no golden database has: one fault each, and what verification says of it. */
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { openDatabase } from '../../../src-core/database/database.ts';
import { NodeFileSystem } from '../../../src-core/storage/node-file-system.ts';
import { EngineError } from '../../../src-core/errors.ts';
import type { Finding } from '../../../src-core/verify/finding.ts';
import { indexErrorAsFinding } from '../../../src-core/verify/index-finding.ts';
import { verifyDatabase } from '../../../src-core/verify/verify-database.ts';
import { uncontrolled } from '../../../src-core/database/operation-control.ts';
import { removeUnpacked, unpackDatabase } from '../../support/golden.ts';

const fileSystem = new NodeFileSystem();
afterEach(removeUnpacked);

async function verify(dataDirectory: string): Promise<Finding[]> {
  const database = openDatabase({ fileSystem, dataDirectory });
  try {
    return (await verifyDatabase({ database, quick: false, control: uncontrolled() })).findings;
  } finally {
    database.close();
  }
}

const lines = (findings: readonly Finding[]) =>
  findings.map(({ severity, code, file }) => `${severity} ${code} ${file}`);
const tables = () => unpackDatabase({ name: 'tables', folder: 'before' });

function eightBytes(value: bigint): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeBigInt64LE(value);
  return bytes;
}

/** Changes bytes of a file, whatever its permissions say. */
function change(directory: string, name: string, edit: (bytes: Buffer) => Buffer | void): void {
  const path = join(directory, name);
  const bytes = readFileSync(path);
  const changed = edit(bytes) ?? bytes;
  rmSync(path);
  writeFileSync(path, changed);
}

describe('verification of checkpoints', () => {
  it.each([
    ['proposal.chk', 3, ['hint checkpointInvalid proposal.chk']],
    ['tag.chk', 0, ['hint checkpointInvalid tag.chk']],
    ['epoch.chk', 12, ['hint checkpointInvalid epoch.chk']],
    [
      'truncate.chk',
      0,
      [
        'damage checkpointInvalid truncate.chk',
        'damage truncatePending truncate.chk',
        'hint indexAheadOfLog indexmap'
      ]
    ]
  ])('tells that %s has %i bytes', async (name, size, expected) => {
    const directory = tables();
    const old = name === 'tag.chk' ? Buffer.alloc(8) : readFileSync(join(directory, name));
    writeFileSync(join(directory, name), Buffer.concat([old, Buffer.alloc(8)]).subarray(0, size));
    expect(lines(await verify(directory))).toEqual(expected);
  });

  it('tells of a chaser that is no position', async () => {
    const directory = tables();
    writeFileSync(join(directory, 'chaser.chk'), eightBytes(-7n));
    expect(lines(await verify(directory))).toEqual([
      'damage checkpointInvalid chaser.chk',
      'damage indexAheadOfLog indexmap'
    ]);
  });

  it('tells of a truncation to no position', async () => {
    const directory = tables();
    writeFileSync(join(directory, 'truncate.chk'), eightBytes(-2n));
    expect(await verify(directory)).toMatchObject([
      { severity: 'damage', code: 'truncatePending', command: 'winnow repair', message: /not a position/ }
    ]);
  });

  it('tells of a chain of epochs that leads to no epoch', async () => {
    const directory = unpackDatabase({ name: 'epochs', folder: 'after' });
    const database = openDatabase({ fileSystem, dataDirectory: directory });
    const record = database.log.readAt(database.checkpoints.epoch!)!;
    const { chunk, at } = { chunk: database.log.chunkAt(record.position)!, at: record.position };
    const text = record.data.toString('utf8');
    database.close();
    expect(chunk.isActive).toBe(true);
    // The same number of digits: nothing else in the record moves.
    const broken = text.replace(/("prevEpochPosition": *)(\d+)/, (_all, name: string, digits: string) => {
      return name + '9'.repeat(digits.length);
    });
    expect(broken).not.toBe(text);
    change(directory, chunk.fileName, (bytes) => {
      const place = bytes.indexOf(text, chunk.dataStart + at - chunk.startPosition);
      bytes.write(broken, place);
    });
    expect(lines(await verify(directory))).toContain('damage epochCheckpointInvalid epoch.chk');
  });
});

describe('verification of files', () => {
  it('tells of names that the server passes over', async () => {
    const directory = tables();
    writeFileSync(join(directory, 'chunk-000003.000000.old'), 'x');
    expect(lines(await verify(directory))).toEqual(['hint ignoredFile chunk-000003.000000.old']);
  });

  it('tells of a restore that has not ended', async () => {
    const directory = tables();
    writeFileSync(
      join(directory, 'winnow-restore.json'),
      JSON.stringify({ phase: 'switching', backup: '/backups/7' })
    );
    expect(await verify(directory)).toMatchObject([
      {
        severity: 'damage',
        code: 'restoreUnfinished',
        message: /\/backups\/7/,
        command: `winnow restore --continue --to ${directory}`
      }
    ]);
  });

  it('tells of a merged chunk whose name says that it is none', async () => {
    const directory = unpackDatabase({ name: 'current-a', folder: 'after' });
    const database = openDatabase({ fileSystem, dataDirectory: directory });
    const merged = database.chunkSet.chunks.find(({ isMerged }) => isMerged)!;
    database.close();
    const name = merged.fileName.replace(/\.\d+$/, '.000000');
    renameSync(join(directory, merged.fileName), join(directory, name));
    expect(lines(await verify(directory))).toContain(`damage chunkHeaderInvalid ${name}`);
  });

  it('tells of half a filter of existing streams, and of a state in use', async () => {
    const directory = tables();
    rmSync(join(directory, 'index/stream-existence/streamExistenceFilter.chk'));
    mkdirSync(join(directory, 'index/scavenging'));
    writeFileSync(join(directory, 'index/scavenging/scavenging.db-shm'), '');
    expect(lines(await verify(directory))).toEqual([
      'hint stateJournal scavenging/scavenging.db-shm',
      'hint existenceFilterIncomplete stream-existence/streamExistenceFilter.chk'
    ]);
  });
});

describe('verification of a damaged chunk', () => {
  it('names streams and event numbers that lie in it', async () => {
    const directory = tables();
    change(directory, 'chunk-000002.000000', (bytes) => {
      bytes[5000]! ^= 1;
    });
    const [finding] = await verify(directory);
    expect(finding).toMatchObject({ code: 'chunkHashMismatch', command: 'winnow repair' });
    expect(finding?.message).toMatch(
      / It holds \d+ events of \d+ streams that the index knows: ("[^"]+" \([\d to]+\), ){4}"[^"]+" \([\d to]+\), and \d+ more\.$/
    );
  });

  it('names what cannot be read any more behind a broken record', async () => {
    const directory = tables();
    change(directory, 'chunk-000001.000000', (bytes) => {
      bytes.writeInt32LE(-5, 128 + 0);
    });
    const findings = await verify(directory);
    const broken = findings.find(({ code }) => code === 'recordInvalid');
    expect(broken?.message).toMatch(/From there on the chunk holds \d+ events/);
  });

  it('says so when no event is known there', async () => {
    const directory = tables();
    renameSync(join(directory, 'index'), join(directory, 'elsewhere'));
    rmSync(join(directory, 'chunk-000002.000000'));
    const [finding] = await verify(directory);
    expect(finding?.code).toBe('chunkMissing');
    expect(finding?.message).not.toMatch(/holds/);
  });
});

describe('verification of index and log', () => {
  it('names the streams whose events the index does not have', async () => {
    const directory = tables();
    const database = openDatabase({ fileSystem, dataDirectory: directory });
    const last = database.log.findBackward(database.log.end, ({ kind }) => kind === 'prepare')!.position;
    database.close();
    // Claims to reach to the end of the log, so that nothing behind the tables is read from there.
    const { readIndexMap, writeIndexMap } = await import('../../../src-core/index/index-map.ts');
    const index = join(directory, 'index');
    const map = readIndexMap(fileSystem, index)!;
    const ahead = { ...map, prepareCheckpoint: last, commitCheckpoint: last };
    writeIndexMap(fileSystem, index, ahead, '00000000-0000-4000-8000-000000000001');
    const findings = await verify(directory);
    const missing = findings.filter(({ code }) => code === 'recordWithoutIndexEntry');
    expect(missing).toHaveLength(21);
    expect(missing[0]?.message).toMatch(/\(event \d+ of stream ".+"\) has no index entry/);
    expect(missing.at(-1)?.message).toMatch(/^\d+ more of this kind\.$/);
    expect(missing.every(({ command }) => command === 'winnow index rebuild')).toBe(true);
  });
});

describe('an error of reading the index', () => {
  const found = (details: EngineError['details']) =>
    indexErrorAsFinding(
      new EngineError({
        code: 'IndexCorrupt',
        message: 'A table ends early.',
        remedy: 'Rebuild it.',
        details
      })
    );

  it('is a finding of the file and the place that it names', () => {
    expect(found({ file: 'a-table', offset: 24 })).toMatchObject({
      code: 'tableInvalid',
      severity: 'damage',
      file: 'a-table',
      offset: 24,
      message: 'A table ends early.'
    });
    expect(found({ file: 'a-table', offset: 0 })).toMatchObject({ offset: 0 });
  });

  it('is one of the index map where it names none', () => {
    expect(found({})).toMatchObject({ file: 'indexmap', offset: null });
  });
});
