/** The filters of a bundle's index: of the streams, and of each table. */
import { describe, expect, test } from 'vitest';
import { NameMap } from '../../../src-core/bundle/name-map.ts';
import { BloomFilter } from '../../../src-core/index/bloom-filter.ts';
import { IndexTableReader } from '../../../src-core/index/index-table-reader.ts';
import { hashStream } from '../../../src-core/index/stream-hash.ts';
import { namesIn } from '../../../src-core/storage/directory-entries.ts';
import {
  bundle,
  bytesOf,
  change,
  fileSystem,
  INDEX,
  put,
  tables,
  TARGET,
  writeSourceBeforeEach
} from './bundled-source.ts';

writeSourceBeforeEach();

describe('a bundle', () => {
  test('has no filter of streams where that of the source cannot be read', async () => {
    fileSystem.makeDirectory(`${INDEX}/stream-existence`);
    put(`${INDEX}/stream-existence/streamExistenceFilter.dat`, Buffer.alloc(128, 0xff));
    put(`${INDEX}/stream-existence/streamExistenceFilter.chk`, Buffer.alloc(8));
    const { manifest } = await bundle();
    expect(manifest.records).toBeGreaterThan(0);
    expect(namesIn(fileSystem, `${TARGET}/index`)).not.toContain('stream-existence');
  });

  test('has a filter of streams where the source has one, with the names that the streams have in it', async () => {
    fileSystem.makeDirectory(`${INDEX}/stream-existence`);
    const before = BloomFilter.empty(10_000);
    put(`${INDEX}/stream-existence/streamExistenceFilter.dat`, before.encode());
    // No position: what is wrong with it is there again.
    put(`${INDEX}/stream-existence/streamExistenceFilter.chk`, Buffer.alloc(8, 3));
    await bundle();
    const made = `${TARGET}/index/stream-existence/streamExistenceFilter`;
    expect(bytesOf(`${made}.chk`)).toEqual(Buffer.alloc(8, 3));
    const { filter } = BloomFilter.decode(bytesOf(`${made}.dat`));
    expect(filter?.logicalSizeBytes).toBe(10_000);
    const mayExist = (stream: string): boolean => {
      const { high, low } = hashStream(stream, { high: 0, low: 0 });
      return filter!.mayContain(high, low);
    };
    const streams = ['count', 'age', 'same-count', 'left-open', 'after'];
    const names = new NameMap(Buffer.alloc(32, 5));
    expect(streams.filter((stream) => !mayExist(names.stream(stream)))).toEqual([]);
    expect(streams.filter(mayExist)).toEqual([]);
  });

  test('has as many damaged lines in the filter of a table as the source has, from the same place on', async () => {
    const [first] = tables();
    const filter = `${INDEX}/${first!}.bloomfilter`;
    // Two lines of 64 bytes, of which the last four are a checksum.
    change(filter, 64 * 5, Buffer.alloc(128, 0x5a));
    await bundle();
    for (const directory of [INDEX, `${TARGET}/index`]) {
      const reader = IndexTableReader.open({ fileSystem, directory, name: first! });
      const { damagedLineCount, firstDamageOffset, problem } = reader.filter;
      reader.close();
      expect([damagedLineCount, firstDamageOffset, problem], directory).toEqual([2, 64 * 5, undefined]);
    }
  });

  test('has a damaged last line where the source has one', async () => {
    const [first] = tables();
    const filter = `${INDEX}/${first!}.bloomfilter`;
    const at = bytesOf(filter).length - 64;
    change(filter, at, Buffer.alloc(64, 0x5a));
    await bundle();
    for (const directory of [INDEX, `${TARGET}/index`]) {
      const reader = IndexTableReader.open({ fileSystem, directory, name: first! });
      const { damagedLineCount, firstDamageOffset } = reader.filter;
      reader.close();
      expect([damagedLineCount, firstDamageOffset], directory).toEqual([1, at]);
    }
  });
});
