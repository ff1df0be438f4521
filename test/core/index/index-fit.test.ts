/** Whether an index belongs to a log of which much was removed: records are asked for their entries. And what is said of one that does not. */
import { describe, expect, onTestFinished, test } from 'vitest';
import { fitProblem, judgeIndex, type IndexFit } from '../../../src-core/index/index-fit.ts';
import { IndexTableReader } from '../../../src-core/index/index-table-reader.ts';
import { writeIndexTable } from '../../../src-core/index/index-table-writer.ts';
import { fileSystem, guidName, scratchDirectory, sortedEntries } from './index-fixture.ts';
import { MemoryLog, nthCharacter } from './memory-log.ts';

/** A log with events at 0 to 900, of which the even ones are gone. */
function halfRemoved(): MemoryLog {
  const log = new MemoryLog();
  for (let number = 0; number < 10; number++) log.event('ab', number);
  for (let number = 0; number < 10; number += 2) log.remove(number * 100);
  return log;
}

function judged(log: MemoryLog, rows: [string, number, number][]): IndexFit {
  const directory = scratchDirectory();
  writeIndexTable({ fileSystem, directory, name: guidName(1) }, sortedEntries(rows));
  const table = IndexTableReader.open({ fileSystem, directory, name: guidName(1) });
  onTestFinished(() => table.close());
  const map = { version: 2, prepareCheckpoint: 900, commitCheckpoint: 900, maxAutoMergeLevel: 5, tables: [] };
  const fit = judgeIndex({ log, map, tables: [table], hasher: nthCharacter });
  // Without a map the reach of the index is not known, which says nothing against it.
  const isForeignWithoutMap = judgeIndex({
    log,
    map: undefined,
    tables: [table],
    hasher: nthCharacter
  }).isForeign;
  expect(isForeignWithoutMap).toBe(false);
  return fit;
}

const gone = (hash: string): [string, number, number][] =>
  [8, 6, 4, 2, 0].map((number) => [hash, number, number * 100]);

test('an index belongs to it where a record behind has its entry, though all that were asked are gone', () => {
  // 32 entries whose records are gone are asked; the others are those of the log.
  const log = new MemoryLog();
  const numbers = Array.from({ length: 64 }, (_, i) => i);
  for (const number of numbers) log.event('ab', number);
  for (let number = 1; number < 64; number += 2) log.remove(number * 100);
  const rows = numbers
    .toReversed()
    .map((number): [string, number, number] => ['0000000000000062', number, number * 100]);
  expect(judged(log, rows)).toMatchObject({ wrong: 0, isForeign: false });
});

test.each([
  ['greater', '00000000000000ff'],
  ['less', '0000000000000001']
])('an index of streams with %s hashes that the log does not have is of another one', (_which, hash) => {
  expect(judged(halfRemoved(), gone(hash))).toMatchObject({ asked: 5, wrong: 5, isForeign: true });
});

test('an index that has none of the records that are left is of another one', () => {
  expect(judged(halfRemoved(), gone('0000000000000062'))).toMatchObject({ wrong: 5, isForeign: true });
});

describe('what is said of an index', () => {
  const FITS: IndexFit = {
    asked: 40,
    wrong: 0,
    firstWrong: undefined,
    checkpointInsideRecord: -1,
    isForeign: false
  };
  const WRONG = { wrong: 7, firstWrong: { table: guidName(1), position: 1200 } };

  test.each<[string, Partial<IndexFit>, string]>([
    [
      'whose entries lead elsewhere',
      WRONG,
      '7 of 40 checked index entries lead to no record of their stream, the first one to position 1200'
    ],
    [
      'whose map ends within a record',
      { checkpointInsideRecord: 900 },
      'According to the index map the index reaches position 900, where no record begins'
    ],
    [
      'whose map ends within the first record',
      { checkpointInsideRecord: 0 },
      'According to the index map the index reaches position 0, where no record begins'
    ],
    [
      'of which both are so',
      { ...WRONG, checkpointInsideRecord: 900 },
      '7 of 40 checked index entries lead to no record of their stream, the first one to position 1200; ' +
        'according to the index map the index reaches position 900, where no record begins'
    ]
  ])('%s names what is wrong with it', (_which, change, reasons) => {
    expect(fitProblem({ ...FITS, ...change, isForeign: true })).toEqual([
      {
        severity: 'damage',
        code: 'indexEntryWithoutRecord',
        file: 'indexmap',
        offset: null,
        message: `${reasons}: the index is from another node or another moment.`
      }
    ]);
  });

  test('with fewer wrong entries than damage may account for is nothing', () => {
    expect(fitProblem(FITS)).toEqual([]);
    expect(fitProblem({ ...FITS, ...WRONG, wrong: 2 })).toEqual([]);
  });
});
