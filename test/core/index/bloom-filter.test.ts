import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import {
  BloomFilter,
  filterFileSizeBytes,
  tableFilterSizeBytes
} from '../../../src-core/index/bloom-filter.ts';
import { hashStream } from '../../../src-core/index/stream-hash.ts';

function filterOf(names: string[], sizeBytes = 10_000): BloomFilter {
  const filter = BloomFilter.empty(sizeBytes);
  for (const name of names) {
    const { high, low } = hashStream(name);
    filter.add(high, low);
  }
  return filter;
}

function holds(filter: BloomFilter, name: string): boolean {
  const { high, low } = hashStream(name);
  return filter.mayContain(high, low);
}

describe('size of a filter', () => {
  test.each([
    [10_000, 10_752],
    [29_999, 32_064],
    [30_000, 32_128],
    [30_059, 32_128],
    [30_060, 32_192],
    [250_000, 266_752],
    [256_000_000, 273_066_752],
    [4_000_000_000, 4_266_666_752]
  ])('of %i bytes of bits is a file of %i bytes', (logical, file) => {
    expect(filterFileSizeBytes(logical)).toBe(file);
  });

  test('is a quarter of the entries within its limits', () => {
    expect(tableFilterSizeBytes(0)).toBe(10_000);
    expect(tableFilterSizeBytes(40_003)).toBe(10_000);
    expect(tableFilterSizeBytes(1_000_003)).toBe(250_000);
    expect(tableFilterSizeBytes(1e12)).toBe(4_000_000_000);
  });
});

describe('probes', () => {
  test.each([
    ['a', [29958, 22538, 15118, 63506, 56086, 48666]],
    ['ab-1', [4445, 51903, 19361, 66819, 34277, 1735]],
    ['$$ab-1', [63041, 18183, 53325, 8467, 43609, 78751]],
    ['$settings', [56321, 76566, 16811, 37056, 57301, 77546]]
  ])('of "%s" are those of the server', (name, bits) => {
    const { high, low } = hashStream(name);
    expect(BloomFilter.empty(10_000).bitsOf(high, low)).toEqual(bits);
  });

  test('are exact for any number of bits', () => {
    const filter = BloomFilter.empty(3_999_999_937);
    const bits = 3_999_999_937n * 8n;
    for (let i = 0; i < 200; i++) {
      const { high, low } = hashStream(`stream-${i}`);
      const item = Buffer.alloc(8);
      item.writeUInt32LE(low, 0);
      item.writeUInt32LE(high, 4);
      const found = filter.bitsOf(high, low).map(BigInt);
      // Neighbouring probes differ by the same step modulo 2^63: check the recurrence without knowing the hashes.
      expect(found.every((bit) => bit >= 0n && bit < bits)).toBe(true);
      const wrap = (1n << 63n) % bits;
      const steps = new Set<string>();
      for (let k = 1; k < found.length; k++) {
        const plain = (found[k]! - found[k - 1]! + bits) % bits;
        steps.add(plain.toString());
        steps.add(((plain + wrap) % bits).toString());
      }
      expect(steps.size).toBeLessThanOrEqual(3);
    }
  });
});

describe('filter file', () => {
  test('with a line of zeros is believed, whatever the checksum of the line', () => {
    const bytes = filterOf(['a']).encode();
    const [bit] = filterOf([]).bitsOf(hashStream('a').high, hashStream('a').low);
    const line = 64 * (1 + Math.floor(bit! / 8 / 60));
    bytes.fill(0, line, line + 60);
    const { filter, damagedLineCount } = BloomFilter.decode(bytes);
    expect(damagedLineCount).toBe(0);
    expect(holds(filter!, 'a')).toBe(false);
  });

  const names = ['ab-1', '$$ab-1', 'cd-2'];

  test('of the worked example has the bytes the server writes', () => {
    const bytes = filterOf(names).encode();
    expect(bytes.length).toBe(10_752);
    expect(createHash('md5').update(bytes).digest('hex')).toBe('afe80c729534dc88599049e62aa7f5e2');
  });

  test('holds what was added after reading it back, and little else', () => {
    const { filter, damagedLineCount } = BloomFilter.decode(filterOf(names).encode().slice());
    expect(damagedLineCount).toBe(0);
    for (const name of names) expect(holds(filter!, name)).toBe(true);
    let wrong = 0;
    for (let i = 0; i < 1000; i++) if (holds(filter!, `other-${i}`)) wrong++;
    expect(wrong).toBe(0);
  });

  test('with a damaged line answers "maybe" for the streams of that line', () => {
    const bytes = filterOf(names).encode().slice();
    bytes[655] = 0;
    bytes[656] = 0x41;
    const decoded = BloomFilter.decode(bytes);
    expect(decoded.damagedLineCount).toBe(1);
    expect(decoded.firstDamageOffset).toBe(640);
    for (const name of names) expect(holds(decoded.filter!, name)).toBe(true);
  });

  test('with one bit set too much is accepted, as a crash between bit and checksum leaves it', () => {
    const bytes = filterOf(names).encode().slice();
    bytes[660] = 0x10;
    const decoded = BloomFilter.decode(bytes);
    expect(decoded.damagedLineCount).toBe(0);
    for (const name of names) expect(holds(decoded.filter!, name)).toBe(true);
  });

  test('with more than five percent of damaged lines is rejected', () => {
    const bytes = filterOf(names).encode().slice();
    for (let line = 1; line <= 9; line++) bytes.fill(0xff, line * 64, line * 64 + 60);
    expect(BloomFilter.decode(bytes).problem).toContain('9 of its lines');
  });

  test.each([
    ['is shorter than a header', (b: Uint8Array) => b.slice(0, 40)],
    ['has another version', (b: Uint8Array) => b.fill(2, 0, 1)],
    ['is cut', (b: Uint8Array) => b.slice(0, -1)],
    ['names no possible number of bits', (b: Uint8Array) => b.fill(0xff, 8, 16)],
    ['names another number of bits than its length', (b: Uint8Array) => b.fill(0, 8, 9)]
  ])('that %s is rejected', (_what, damage) => {
    const decoded = BloomFilter.decode(damage(filterOf(names).encode().slice()));
    expect(decoded.filter).toBeUndefined();
    expect(decoded.problem).toBeTruthy();
  });

  test('never forgets a stream, whichever byte is flipped', () => {
    const sound = filterOf(names).encode().slice();
    for (let at = 0; at < sound.length; at += 7) {
      const bytes = sound.slice();
      bytes[at] = bytes[at]! ^ 0x55;
      const { filter } = BloomFilter.decode(bytes);
      for (const name of names) expect(filter === undefined || holds(filter, name)).toBe(true);
    }
  });
});
