/** What the index means for the next start, and the records that the server reads since the index does not hold them. */
import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { OperationControl, uncontrolled } from '../../../../src-core/database/operation-control.ts';
import { decodeIndexMap, encodeIndexMap } from '../../../../src-core/index/index-map.ts';
import { encodeTableFooter, encodeTableHeader } from '../../../../src-core/index/index-table.ts';
import { examineStart } from '../../../../src-core/insight/doctor/examine-start.ts';
import type { StartFinding } from '../../../../src-core/insight/doctor/start-finding.ts';
import type { MemoryFileSystem } from '../../../support/memory-file-system.ts';
import { writeText } from '../../../support/restore-fixture.ts';
import {
  bytesOf,
  CHUNK_SIZE,
  DATABASE,
  int64,
  overwrite,
  sampleInMemory
} from '../../repair/repair-sample.ts';
import {
  examined,
  FIRST,
  int32,
  patch,
  reason,
  SECOND,
  withHash,
  type Change,
  type Options
} from './changed-start.ts';

describe('the index', () => {
  const table = (memory: MemoryFileSystem): string =>
    memory.list(`${DATABASE}/index`)!.find(({ name }) => /^[0-9a-f-]{36}$/.test(name))!.name;
  const writeMap = (memory: MemoryFileSystem, lines: (all: string[]) => string[]): void => {
    const written = bytesOf(memory, 'index/indexmap').toString().trimEnd().split('\n');
    const text = `${lines(written.slice(1)).join('\n')}\n`;
    const hash = createHash('md5').update(`\n${text}`).digest('hex').toUpperCase();
    overwrite(memory, 'index/indexmap', Buffer.from(`${hash}\n${text}`));
  };
  /** Gives the table of a change of its entries, with its checksum. */
  const writeTable = (memory: MemoryFileSystem, change: (bytes: Buffer) => Buffer): void => {
    const name = `index/${table(memory)}`;
    overwrite(memory, name, withHash(change(bytesOf(memory, name).subarray(0, -16))));
  };

  test.each<[string, string, Change, Options, Partial<StartFinding>]>([
    [
      'a table of the first version is rebuilt by a server that reads it no more',
      'tableInvalid',
      (memory) => patch(memory, `index/${table(memory)}`, 1, Uint8Array.of(1)),
      { serverVersion: '24.10.0' },
      { effect: 'rebuildsIndex', severity: 'damage' }
    ],
    [
      'a table of the first version is nothing to an older server',
      'tableInvalid',
      (memory) => patch(memory, `index/${table(memory)}`, 1, Uint8Array.of(1)),
      { serverVersion: '23.10.0' },
      { effect: 'none', severity: 'hint', command: null }
    ],
    [
      'a table that an older server cannot read is rebuilt',
      'tableTooNew',
      () => undefined,
      { serverVersion: '4.0.0' },
      { effect: 'rebuildsIndex', offset: 1 }
    ],
    [
      'a map whose version is no number ends the server',
      'indexMapInvalid',
      (memory) => writeMap(memory, ([, ...rest]) => ['two', ...rest]),
      {},
      {
        effect: 'refuses',
        remedy: 'Rebuild the index from the log: the server does not do so by itself here.'
      }
    ],
    [
      'a map with another fault is rebuilt',
      'indexMapInvalid',
      (memory) => writeMap(memory, ([version, , ...rest]) => [version!, 'no check points', ...rest]),
      {},
      { effect: 'rebuildsIndex', serverSays: 'ReadIndex is corrupted... Error while loading IndexMap.' }
    ],
    [
      'a few entries that lead astray are noticed by nobody',
      'indexEntryWithoutRecord',
      (memory) =>
        writeTable(memory, (bytes) => {
          bytes.writeBigInt64LE(bytes.readBigInt64LE(128 + 16) + 1n, 128 + 16);
          return bytes;
        }),
      {},
      {
        effect: 'none',
        command: 'winnow verify',
        message: expect.stringMatching(/^1 of \d+ checked index entries lead to no record/) as string
      }
    ]
  ])('%s', async (_name, code, change, options, expected) => {
    expect(await reason(code, change, options)).toMatchObject([expected]);
  });

  const put =
    (name: string): Change =>
    (memory) =>
      writeText(memory, `${DATABASE}/index/${name}`, 'left');

  test.each<[string, Change, string]>([
    ['orphanFile', put('0b1b7a2e-0000-4000-8000-000000000001'), 'It removes the file.'],
    ['temporaryFile', put('0b1b7a2e-0000-4000-8000-000000000001.tmp'), 'It removes the file.'],
    [
      'existenceFilterMissing',
      () => undefined,
      'It builds the filter from the index and the log, if it uses one.'
    ],
    [
      'existenceFilterIncomplete',
      put('stream-existence/streamExistenceFilter.chk'),
      'It rebuilds the filter from the index and the log.'
    ],
    [
      'filterMissing',
      (memory) => memory.remove(`${DATABASE}/index/${table(memory)}.bloomfilter`),
      'It continues.'
    ],
    ['stateJournal', put('scavenging/scavenging.db-wal'), 'It continues.']
  ])('a file that a server copes with says what it does with it: %s', async (code, change, wouldDo) => {
    const found = await reason(code, change);
    expect(found).toMatchObject([{ severity: 'hint', effect: 'none', wouldDo, serverSays: null }]);
  });
});

test('a table without entries is not hashed, as by the server', async () => {
  const { findings, prediction } = await examined((memory) => {
    const empty = '0b1b7a2e-0000-4000-8000-000000000001';
    const bytes = Buffer.concat([encodeTableHeader(4), encodeTableFooter(4, 0), Buffer.alloc(16, 7)]);
    overwrite(memory, `index/${empty}`, bytes);
    const map = decodeIndexMap(bytesOf(memory, 'index/indexmap'));
    const tables = [...map.tables, { level: 0, position: 1, file: empty }];
    overwrite(memory, 'index/indexmap', encodeIndexMap({ ...map, tables }));
  });
  expect(findings.map(({ code }) => code)).not.toContain('tableHashMismatch');
  expect(prediction.then).toBe('runs');
});

describe('the records that the index does not hold yet', () => {
  const POSITION = 3 * CHUNK_SIZE;
  const LAST = 'chunk-000003.000000';
  /** A control whose slice is always used up. */
  const due = (): OperationControl => {
    let now = 0;
    return new OperationControl({ elapsedMs: () => (now += 1000), yieldTurn: () => Promise.resolve() });
  };

  test.each([
    ['before them is not met', () => POSITION, 'none', 'It does not read this place when it starts'],
    ['among them is met', (readFrom: number) => readFrom, 'refuses', 'reads the log for its index']
  ])('a fault %s', async (_name, at, effect, wouldDo) => {
    const { facts } = await examined(() => undefined);
    const { readFrom } = facts.index;
    expect(readFrom).toBeGreaterThan(POSITION);
    const change: Change = (memory) => patch(memory, LAST, 128 + at(readFrom) - POSITION, int32(3));
    for (const control of [uncontrolled(), due()]) {
      const [found] = await reason('recordInvalid', change, { control });
      expect(found).toMatchObject({ effect, file: LAST });
      expect(found?.wouldDo).toContain(wouldDo);
    }
  });

  test.each([
    ['that the index holds', () => undefined],
    [
      'that the index does not hold',
      (memory: MemoryFileSystem) => memory.removeDirectory(`${DATABASE}/index`)
    ]
  ])('a chunk %s and that calls itself scavenged without a map is taken for empty', async (_name, change) => {
    const { findings, prediction, ok } = await examined((memory) => {
      const bytes = bytesOf(memory, SECOND);
      bytes.writeInt32LE(1, 14);
      memory.remove(`${DATABASE}/${SECOND}`);
      overwrite(memory, 'chunk-000001.000001', withHash(bytes.subarray(0, -16)));
      // The chain of epochs leads through the chunk.
      overwrite(memory, 'epoch.chk', int64(-1));
      change(memory);
    });
    const found = findings.filter(({ severity }) => severity === 'damage');
    expect(new Set(found.map(({ file }) => file))).toEqual(new Set(['chunk-000001.000001']));
    expect(found.map(({ code }) => code)).toContain('chunkFooterInvalid');
    for (const { effect, wouldDo } of found) {
      expect(effect).toBe('none');
      expect(wouldDo).toBe('It treats the chunk as empty and continues: readers miss its records.');
    }
    expect(prediction.starts).toBe(true);
    expect(ok).toBe(false);
  });

  test('what does not fit a quick look is named, apart from what the server does not read either', async () => {
    const { notChecked, isPartial, prediction } = await examined(
      (memory) => memory.removeDirectory(`${DATABASE}/index`),
      { isThorough: false, quickBytes: 0, serverArguments: ['--skip-db-verify'] }
    );
    expect(notChecked).toContain('hashes of chunks: the server skips them too');
    expect(
      notChecked.filter((what) => /^records that the index does not hold yet: \d+ bytes$/.test(what))
    ).toHaveLength(1);
    expect(notChecked.filter((what) => /^hashes of chunks: \d+ bytes$/.test(what))).toEqual([]);
    expect(isPartial).toBe(true);
    expect(prediction.words).toMatch(/^This node will start, as far as checked/);
  });

  test('a chunk that a running server replaces meanwhile is named as not checked', async () => {
    const memory = await sampleInMemory();
    let now = 0;
    const control = new OperationControl({
      elapsedMs: () => (now += 1000),
      yieldTurn: () => Promise.resolve(),
      onProgress: ({ phase }) => {
        if (phase === 'chunks') memory.remove(`${DATABASE}/${FIRST}`);
      }
    });
    const place = { fileSystem: memory, dataDirectory: DATABASE };
    const { notChecked, findings } = await examineStart({ place, isThorough: true, control });
    expect(notChecked).toContain(`${FIRST}: it was replaced meanwhile`);
    expect(findings.map(({ effect }) => effect)).toEqual(['none']);
  });
});
