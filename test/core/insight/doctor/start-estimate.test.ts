/** What a start has to do, and how long it takes: each kind of work by the slowest of what it counts. */
import { describe, expect, it } from 'vitest';
import {
  ASSUMED_RATES,
  estimateStart,
  type EstimateStart,
  type StartPart
} from '../../../../src-core/insight/doctor/start-estimate.ts';

const NOTHING: EstimateStart = {
  chunkFiles: 0,
  tableBytes: 0,
  asideBytes: 0,
  logBytes: 0,
  indexWhy: 'The index is behind the log.',
  filter: null,
  backgroundBytes: 0,
  counted: { records: 0, bytes: 0 }
};
const FILTER: NonNullable<EstimateStart['filter']> = {
  fileBytes: 0,
  rebuildWhy: null,
  entries: 0,
  entryBytes: 0,
  logBytes: 0
};

function estimated(parts: Partial<EstimateStart>) {
  return estimateStart({ ...NOTHING, ...parts });
}

/** The one piece of work there is. */
function only(parts: Partial<EstimateStart>, what: StartPart) {
  const { work } = estimated(parts);
  expect(work.map((one) => one.what)).toEqual([what]);
  return work[0]!;
}

describe('what a start has to do', () => {
  it('is nothing where there is nothing', () => {
    expect(estimated({})).toMatchObject({ work: [], readyMs: 0 });
  });

  it('takes as long as the rate of what it counts says, a part of a millisecond for a whole one', () => {
    expect(only({ chunkFiles: 1500 }, 'openChunks')).toMatchObject({
      files: 1500,
      records: null,
      entries: null,
      bytes: 0,
      ms: 1500,
      rate: ASSUMED_RATES.files
    });
    expect(only({ tableBytes: 250_000_001 }, 'hashTables')).toMatchObject({
      bytes: 250_000_001,
      files: null,
      ms: 1001,
      rate: ASSUMED_RATES.bytes
    });
    expect(only({ asideBytes: 500_000_000 }, 'copyIndexAside')).toMatchObject({ ms: 2000 });
  });

  it('counts the records of log that is read by their size, and takes what is slower of bytes and records', () => {
    const short = only({ logBytes: 1_000_000, counted: { records: 10, bytes: 1000 } }, 'readLogIntoIndex');
    expect(short).toMatchObject({ records: 10_000, bytes: 1_000_000, ms: 100, rate: ASSUMED_RATES.records });
    const counted = { records: 1, bytes: 100_000_000 };
    const long = only({ logBytes: 1_000_000_000, counted }, 'readLogIntoIndex');
    expect(long).toMatchObject({ records: 10, ms: 4000, rate: ASSUMED_RATES.bytes });
    expect(only({ logBytes: 1_000_000 }, 'readLogIntoIndex')).toMatchObject({ records: 2000 });
  });

  it('says why the index reads the log', () => {
    expect(only({ logBytes: 1 }, 'readLogIntoIndex').why).toBe(NOTHING.indexWhy);
  });

  it('is ready without what goes on in the background', () => {
    const { work, readyMs } = estimated({ chunkFiles: 10, backgroundBytes: 500_000_000 });
    expect(work.map(({ what, ms, isInBackground }) => [what, ms, isInBackground])).toEqual([
      ['openChunks', 10, false],
      ['hashChunks', 2000, true]
    ]);
    expect(readyMs).toBe(10);
  });

  it('loads a filter that fits, and reads the log that it does not hold', () => {
    const filter = { ...FILTER, fileBytes: 250_000_000, logBytes: 50_000, entries: 1000, entryBytes: 1000 };
    const { work, readyMs } = estimated({ filter });
    expect(work.map(({ what, bytes, entries }) => [what, bytes, entries])).toEqual([
      ['loadFilter', 250_000_000, null],
      ['readLogIntoFilter', 50_000, null]
    ]);
    expect(readyMs).toBe(1001);
  });

  it('makes a filter again from the entries of the tables, and says why', () => {
    const filter = {
      ...FILTER,
      rebuildWhy: 'it is damaged',
      fileBytes: 100,
      entries: 4_000_000,
      entryBytes: 900
    };
    const work = only({ filter }, 'rebuildFilter');
    expect(work).toMatchObject({ bytes: 1000, entries: 4_000_000, ms: 2000, rate: ASSUMED_RATES.entries });
    expect(work.why).toContain('it is damaged');
  });

  it('goes by measured rates where there are some', () => {
    const rates = { ...ASSUMED_RATES, bytes: { perSecond: 1000, of: 'bytes', basis: 'measured' } as const };
    expect(only({ tableBytes: 5000, rates }, 'hashTables')).toMatchObject({ ms: 5000, rate: rates.bytes });
  });
});
