/** Names that are looked for and names that are counted. */
import { describe, expect, test } from 'vitest';
import { NameCounts } from '../../../src-core/extraction/name-counts.ts';
import { NameSet } from '../../../src-core/extraction/name-set.ts';

const bytesOf = (text: string): Buffer => Buffer.from(text, 'utf8');
const isIn = (names: NameSet, bytes: Buffer): boolean => names.has(bytes, 0, bytes.length);

/** Two names with one FNV-1a hash of 32 bits, and two of other lengths with one. */
const SAME_HASH = [
  ['costarring', 'liquid'],
  ['declinate', 'macallums'],
  ['altarage', 'zinke']
] as const;

describe('a set of names', () => {
  test.each(SAME_HASH)('tells names of one hash apart: %s, %s', (one, other) => {
    expect(isIn(new NameSet([one]), bytesOf(one))).toBe(true);
    expect(isIn(new NameSet([one]), bytesOf(other))).toBe(false);
    const both = new NameSet([one, other]);
    expect([one, other].map((name) => isIn(both, bytesOf(name)))).toEqual([true, true]);
  });

  test('compares only the bytes between start and end', () => {
    expect(new NameSet(['b']).has(bytesOf('abc'), 1, 2)).toBe(true);
    expect(new NameSet(['b']).has(bytesOf('abc'), 1, 3)).toBe(false);
  });

  test('finds bytes that are no UTF-8 by the name that readers see', () => {
    const names = new NameSet(['or\ufffdders', 'plain']);
    expect(isIn(names, Buffer.from([0x6f, 0x72, 0xff, 0x64, 0x65, 0x72, 0x73]))).toBe(true);
    expect(isIn(names, Buffer.from([0x6f, 0x72, 0xc3, 0x64, 0x65, 0x72, 0x73]))).toBe(true);
    expect(isIn(names, bytesOf('or\ufffdders'))).toBe(true);
    expect(isIn(names, bytesOf('plain'))).toBe(true);
    expect(isIn(names, bytesOf('orders'))).toBe(false);
    expect(isIn(names, Buffer.from([0x6f, 0x72, 0xff, 0xff, 0x64, 0x65, 0x72, 0x73]))).toBe(false);
  });
});

describe('counted names', () => {
  test('are ordered by their events, then by name', () => {
    const counts = new NameCounts();
    for (const name of ['c', 'a', 'b', 'd', 'd']) counts.add(name, 10);
    expect(counts.largest(3)).toEqual([
      { name: 'd', events: 2, bytes: 20 },
      { name: 'a', events: 1, bytes: 10 },
      { name: 'b', events: 1, bytes: 10 }
    ]);
  });

  test('are continued from what an earlier run had', () => {
    const first = new NameCounts();
    first.add('a', 1);
    const continued = new NameCounts(first.state);
    continued.add('a', 2);
    continued.add('b', 4);
    expect(continued.largest(9)).toEqual([
      { name: 'a', events: 2, bytes: 3 },
      { name: 'b', events: 1, bytes: 4 }
    ]);
    expect(first.state.names).toEqual([{ name: 'a', events: 1, bytes: 1 }]);
  });

  test.each([
    { what: 'more than twenty thousand', names: 20_000, length: 1 },
    { what: 'more than two million characters', names: 3, length: 700_000 }
  ])('are counted together once there are $what', ({ names, length }) => {
    const counts = new NameCounts();
    const nameOf = (i: number): string => String(i).padStart(length, '-');
    for (let i = 0; i < names; i++) counts.add(nameOf(i), 1);
    const before = counts.size;
    expect(counts.isComplete).toBe(names * length < 1_000_000);
    const told = counts.state.others.events;
    counts.add('x'.repeat(length), 5);
    counts.add(nameOf(0), 7);
    expect(counts.size).toBe(before);
    expect(counts.isComplete).toBe(false);
    expect(counts.state.others).toEqual({ events: told + 1, bytes: told + 5 });
    expect(counts.state.names[0]).toEqual({ name: nameOf(0), events: 2, bytes: 8 });
    expect(new NameCounts(counts.state).isComplete).toBe(false);
  });
});
