import { readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import {
  decodeIndexMap,
  emptyIndexMap,
  encodeIndexMap,
  readIndexMap,
  withTableReplaced,
  writeIndexMap,
  type IndexMap
} from '../../../src-core/index/index-map.ts';
import { fileSystem, fixtureBytes, guidName, scratchDirectory } from './index-fixture.ts';

const EXAMPLE: IndexMap = {
  version: 2,
  prepareCheckpoint: 1800,
  commitCheckpoint: 1800,
  maxAutoMergeLevel: 2147483647,
  tables: [{ level: 0, position: 0, file: '6f1d2c3b-4a59-4876-8b0c-d1e2f3a4b5c6' }]
};
const text = (bytes: Uint8Array) => Buffer.from(bytes).toString('utf8');
const firstLine = (bytes: Uint8Array) => text(bytes).slice(0, 32);

/** A map of these lines behind a right checksum. */
function signed(lines: string[], lineEnd = '\n'): Uint8Array {
  const rest = Buffer.from(lineEnd + lines.map((line) => line + lineEnd).join(''), 'utf8');
  const hash = createHash('md5').update(rest).digest('hex').toUpperCase();
  return new Uint8Array(Buffer.concat([Buffer.from(hash), rest]));
}

describe('index map', () => {
  test('is written as the server writes it', () => {
    expect(text(encodeIndexMap(emptyIndexMap()))).toBe(
      '7B3FA3A59A5AA04F058659D4997A2E22\n2\n-1/-1\n2147483647\n'
    );
    expect(text(encodeIndexMap({ ...emptyIndexMap(), version: 1 }, '\r\n'))).toBe(
      '6954492497DD64BF751FC6CFA0C9CEE2\r\n1\r\n-1/-1\r\n'
    );
    const bytes = encodeIndexMap(EXAMPLE);
    expect(bytes.length).toBe(97);
    expect(firstLine(bytes)).toBe('152F96C49E53538F590E9473A8267A66');
    expect(firstLine(encodeIndexMap(EXAMPLE, '\r\n'))).toBe('A46DAC26CC8656BB28E04BEF858D05EA');
    expect(firstLine(encodeIndexMap({ ...EXAMPLE, version: 1 }))).toBe('6CB1BBF4441667805924C06CCC2E55EB');
  });

  test.each(['tables', 'current-a'])(
    'of a real server is read and written again byte for byte (%s)',
    (folder) => {
      const bytes = fixtureBytes(`${folder}/indexmap`);
      expect(encodeIndexMap(decodeIndexMap(bytes))).toEqual(bytes);
    }
  );

  test.each(['\n', '\r\n', '\r'])('is read with any line end', (lineEnd) => {
    expect(decodeIndexMap(encodeIndexMap(EXAMPLE, lineEnd))).toEqual(EXAMPLE);
    const old = { ...EXAMPLE, version: 1 };
    expect(decodeIndexMap(encodeIndexMap(old, lineEnd))).toEqual(old);
  });

  test('lists tables newest first, in whatever order its lines are', () => {
    const map = decodeIndexMap(signed(['2', '5/5', '7', '3,0,d', '0,0,b', '1,0,c', '0,1,a']));
    expect(map.tables.map((table) => table.file)).toEqual(['a', 'b', 'c', 'd']);
    expect(map.maxAutoMergeLevel).toBe(7);
  });

  test.each(['\u2212', '\u200e\u2212', '\u061c\u2212', '\u200e-', '-'])(
    'accepts the minus sign of any culture (%j)',
    (minus) => {
      const map = decodeIndexMap(signed(['2', `${minus}1/${minus}1`, '2147483647']));
      expect([map.prepareCheckpoint, map.commitCheckpoint]).toEqual([-1, -1]);
    }
  );

  test.each([
    ['is empty', new Uint8Array(0)],
    ['has a lower-case checksum', Buffer.from(text(encodeIndexMap(EXAMPLE)).toLowerCase())],
    ['has a wrong checksum', Buffer.from(text(encodeIndexMap(EXAMPLE)).replace('1800', '1801'))],
    ['has converted line ends', Buffer.from(text(encodeIndexMap(EXAMPLE)).replaceAll('\n', '\r\n'))],
    ['ends after its checksum', signed([])],
    ['has no version', signed(['two', '1/1', '3'])],
    ['has no check points', signed(['2'])],
    ['has one check point', signed(['2', '5', '3'])],
    ['has three check points', signed(['2', '5/5/5', '3'])],
    ['has a check point below -1', signed(['2', '-2/0', '3'])],
    ['has no auto-merge level', signed(['2', '5/5'])],
    ['has a table line for its auto-merge level', signed(['2', '5/5', '0,0,a'])],
    ['has tables but no check point', signed(['2', '-1/-1', '3', '0,0,a'])],
    ['has a blank line', signed(['2', '5/5', '3', '0,0,a', ''])],
    ['has a table line of two parts', signed(['2', '5/5', '3', '0,a'])],
    ['has a table without a name', signed(['2', '5/5', '3', '0,0,'])],
    ['has a gap in a level', signed(['2', '5/5', '3', '0,1,a'])],
    ['has a position twice', signed(['2', '5/5', '3', '0,0,a', '0,0,b'])],
    ['has a negative level', signed(['2', '5/5', '3', '-1,0,a'])],
    ['names a file elsewhere', signed(['2', '5/5', '3', '0,0,../a'])]
  ])('that %s is refused', (_what, bytes) => {
    expect(() => decodeIndexMap(new Uint8Array(bytes))).toThrowError(
      expect.objectContaining({ code: 'IndexCorrupt' })
    );
  });

  test('with any byte changed is refused or means the same', () => {
    const sound = encodeIndexMap(EXAMPLE);
    for (let at = 0; at < sound.length; at++) {
      const bytes = sound.slice();
      bytes[at] = bytes[at]! ^ 0x04;
      expect(() => decodeIndexMap(bytes)).toThrowError(expect.objectContaining({ code: 'IndexCorrupt' }));
    }
  });

  test('that is missing is an empty index', () => {
    expect(readIndexMap(fileSystem, scratchDirectory())).toBeUndefined();
  });

  test('is replaced and leaves no temporary file', () => {
    const directory = scratchDirectory();
    writeFileSync(path.join(directory, 'indexmap'), encodeIndexMap(EXAMPLE));
    const other = withTableReplaced(EXAMPLE, EXAMPLE.tables[0]!.file, guidName(2));
    writeIndexMap(fileSystem, directory, other, guidName(1));
    expect(readIndexMap(fileSystem, directory)).toEqual(other);
    expect(other.tables).toEqual([{ level: 0, position: 0, file: guidName(2) }]);
    expect(readdirSync(directory)).toEqual(['indexmap']);
  });
});
