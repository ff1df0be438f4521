import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import {
  damageOf,
  expectedOf,
  goldenFolders,
  goldenJson,
  goldenNames,
  removeUnpacked,
  unpackDamaged,
  unpackDatabase,
  unpackGolden,
  unpackTruncated
} from '../support/golden.ts';
import { parseExactJson } from '../support/golden-expectations.ts';

afterEach(removeUnpacked);

function filesOf(directory: string): string[] {
  return fs
    .readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(directory, path.join(entry.parentPath, entry.name)))
    .sort();
}

describe('golden databases', () => {
  it.each(['plain', 'rules-odd', 'killed-dirty'])(
    '%s unpacks to the files, bytes and modes recorded',
    (name) => {
      for (const folder of goldenFolders(name)) {
        const directory = unpackDatabase({ name, folder });
        const { files } = expectedOf(name, folder);
        expect(filesOf(directory)).toEqual(files!.map((row) => row.path).sort());
        for (const row of files!) {
          const file = path.join(directory, row.path);
          expect((fs.statSync(file).mode & 0o777).toString(8)).toBe(row.mode);
          expect(createHash('sha256').update(fs.readFileSync(file)).digest('hex')).toBe(row.sha256);
        }
      }
    }
  );

  it('keeps numbers of 64 bits exact', () => {
    expect(parseExactJson('{"a":9223372036854775807,"b":"9223372036854775807","c":-1.5,"d":3}')).toEqual({
      a: 9223372036854775807n,
      b: '9223372036854775807',
      c: -1.5,
      d: 3
    });
    const deleted = expectedOf('rules-odd', 'before').streams?.['$$$$meta-deleted'];
    expect(deleted?.last).toBe(9223372036854775807n);
  });

  it('unpacks whole stories with what is said of them', () => {
    const directory = unpackGolden('old-ptables');
    expect(filesOf(directory)).toContain('entries.tsv');
    expect(goldenJson('rules-odd', 'metadata-bodies.json')).toHaveProperty('mc-0', '{"$maxCount":0}');
    expect(goldenNames()).toContain('tables');
  });

  it('sets the checkpoint of truncation stories', () => {
    const directory = unpackTruncated('truncate-middle-of-log');
    expect(fs.readFileSync(path.join(directory, 'truncate.chk')).readBigInt64LE()).toBe(505586n);
  });

  it('removes what it unpacked', () => {
    const directory = unpackGolden('fresh');
    removeUnpacked();
    expect(fs.existsSync(directory)).toBe(false);
  });
});

describe('damaged databases', () => {
  const damaged = goldenNames().filter((name) => name.startsWith('damaged-'));

  it.each(damaged)('%s differs from its base', { timeout: 20_000 }, (name) => {
    const { base, damage } = damageOf(name);
    const before = unpackDatabase(base);
    const after = unpackDamaged(name);
    const digest = (directory: string, file: string): string =>
      `${file} ${fs.statSync(path.join(directory, file)).mode & 0o777} ` +
      createHash('md5')
        .update(fs.readFileSync(path.join(directory, file)))
        .digest('hex');
    const digests = (directory: string): string[] =>
      filesOf(directory).map((file) => digest(directory, file));
    expect(digests(after)).not.toEqual(digests(before));
    for (const step of damage) {
      if (typeof step === 'string' || step.offset === undefined) continue;
      const folder = fs.existsSync(path.join(after, step.file)) ? '' : 'index';
      const byteIn = (directory: string): number | undefined =>
        fs.readFileSync(path.join(directory, folder, step.file))[step.offset!];
      expect([byteIn(before), byteIn(after)]).toEqual([step.old, step.new]);
    }
  });

  it('loses the files that were removed', () => {
    expect(
      filesOf(unpackDamaged('damaged-h-all-chk-missing')).filter((file) => /^\w+\.chk$/.test(file))
    ).toEqual([]);
    expect(
      filesOf(unpackDamaged('damaged-l-index-dir-missing')).some((file) => file.startsWith('index'))
    ).toBe(false);
    const filters = filesOf(unpackDamaged('damaged-e-bloomfilter-missing')).filter((f) =>
      f.endsWith('.bloomfilter')
    );
    expect(filters).toHaveLength(3);
    expect(filters).not.toContain('index/ef4c908d-5089-4556-91c3-2f9342c1aef4.bloomfilter');
    const readOnly = unpackDamaged('damaged-l-read-only-chunk-files');
    expect(fs.statSync(path.join(readOnly, 'chunk-000015.000000')).mode & 0o777).toBe(0o444);
  });
});
