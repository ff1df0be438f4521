import { describe, expect, it } from 'vitest';
import { WideningColumn } from '../../../src-core/codec/widening-column.ts';
import { Prng } from '../../support/prng.ts';

const VALUES = [0, -1, 1, 127, 128, -128, -129, 32_767, 32_768, 2 ** 31 - 1, 2 ** 31, 2 ** 53 - 1, 2 ** 63];

describe('a column that widens', () => {
  it('begins with zeros of one byte', () => {
    const column = new WideningColumn(3);
    expect([...column.values]).toEqual([0, 0, 0]);
    expect(column.values.BYTES_PER_ELEMENT).toBe(1);
  });

  it.each([
    [127, 1],
    [-129, 2],
    [32_768, 4],
    [2 ** 31, 8],
    [0.5, 8]
  ])('takes for %d no more bytes than it needs: %d', (value, bytes) => {
    const column = new WideningColumn(3);
    column.put(0, -1);
    column.put(1, value);
    expect(column.values.BYTES_PER_ELEMENT).toBe(bytes);
    expect([...column.values]).toEqual([-1, value, 0]);
  });

  it('is as wide as before when a wide value is replaced or the column gets longer', () => {
    const column = new WideningColumn(2);
    column.put(1, 300);
    column.put(1, 3);
    column.lengthen(4);
    column.put(3, -300);
    expect([...column.values]).toEqual([0, 3, 0, -300]);
    expect(column.values.BYTES_PER_ELEMENT).toBe(2);
  });

  it('leaves the memory that its values were lent from to the others who use it', () => {
    const lent = new Int8Array(new ArrayBuffer(8), 2, 3);
    const column = new WideningColumn(lent);
    column.put(0, 1000);
    expect(lent.buffer.byteLength).toBe(8);
    expect([...column.values]).toEqual([1000, 0, 0]);
  });

  it.each([1, 2, 3, 4])('has what was put last, whatever came before (seed %d)', (seed) => {
    const random = new Prng(seed);
    const column = new WideningColumn(8);
    const model = Array.from({ length: 8 }, () => 0);
    for (let step = 0; step < 400; step++) {
      if (random.chance(0.02)) {
        model.push(...model.map(() => 0));
        column.lengthen(model.length);
      }
      const row = random.below(model.length);
      // Wide ones come late, so that each width is met.
      const value = VALUES[random.below(1 + Math.min(VALUES.length - 1, Math.floor(step / 25)))]!;
      model[row] = value;
      column.put(row, value);
      expect(column.at(row)).toBe(value);
    }
    expect([...column.values]).toEqual(model);
  });
});
