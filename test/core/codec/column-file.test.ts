/** Columns as a file: long ones are pieces of their own, and all pieces are the file. */
import { describe, expect, it } from 'vitest';
import { columnPieces, decodeColumns, encodeColumns } from '../../../src-core/codec/column-file.ts';
import { Prng } from '../../support/prng.ts';

const FILE = { form: 'WNWTEST1', identity: 'it', facts: { count: 3 } };
const LONG = 2 ** 20;

function bytesOf(length: number, seed: number): Uint8Array<ArrayBuffer> {
  const random = new Prng(seed);
  return Uint8Array.from({ length }, () => random.below(256));
}

describe('columns as a file', () => {
  it.each([
    ['none', []],
    ['short ones', [0, 1, 7, 8, 9]],
    ['a long one among short ones', [5, LONG + 3, 5]],
    ['long ones only', [LONG, LONG + 8, LONG + 1]]
  ])('come back as they were: %s', (_, lengths) => {
    const columns = lengths.map(bytesOf);
    const decoded = decodeColumns<{ count: number }>(Uint8Array.from(encodeColumns(FILE, columns)), FILE)!;
    expect(decoded.facts).toEqual(FILE.facts);
    expect(columns.map(() => decoded.next(Uint8Array))).toEqual(columns);
    expect(decoded.count).toBe(columns.length);
  });

  it('are pieces that lie one behind the other, and a long column is one of them without a copy', () => {
    const columns = [bytesOf(5, 1), bytesOf(LONG, 2), bytesOf(9, 3), bytesOf(2, 4), bytesOf(LONG + 1, 5)];
    const pieces = columnPieces(FILE, columns);
    expect(Buffer.concat(pieces).equals(encodeColumns(FILE, columns))).toBe(true);
    expect(pieces.length).toBe(5);
    for (const [piece, column] of [
      [1, 1],
      [3, 4]
    ] as const) {
      expect(pieces[piece]!.buffer).toBe(columns[column]!.buffer);
      expect(pieces[piece]!.length).toBe(columns[column]!.length);
    }
  });

  it('are one piece where none is long', () => {
    expect(columnPieces(FILE, [bytesOf(5, 1), bytesOf(900, 2)]).length).toBe(1);
  });
});
