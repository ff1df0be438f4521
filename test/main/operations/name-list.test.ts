/** A list of names says each of them, in any order, and where a name belongs. */
import { expect, it } from 'vitest';
import { NameList } from '../../../src-main/operations/streams/name-list.ts';
import { StreamColumns } from '../../../src-main/operations/streams/stream-columns.ts';
import { Prng } from '../../support/prng.ts';

const CHARACTERS = ['$', '-', 'a', 'b', 'é', '中', '\u{d7ff}', '\u{e000}', '\u{ffff}', '\u{10000}', '🐟'];

function randomName(prng: Prng): string {
  let name = prng.chance(0.5) ? 'account-0000' : '';
  for (let length = 1 + prng.below(6); length > 0; length--) name += prng.pick(CHARACTERS);
  return prng.chance(0.01) ? name.repeat(200) : name;
}

it.each([1, 2, 3])('in order, at random, and by binary search (seed %d)', (seed) => {
  const prng = new Prng(seed);
  const names = [...new Set(Array.from({ length: 3000 }, () => randomName(prng)))].sort();
  const columns = new StreamColumns();
  for (const name of names) columns.at(name);
  const list = NameList.of(
    columns,
    Uint32Array.from(names, (_, at) => at)
  );
  expect(names.map((_, at) => list.name(at))).toEqual(names);
  const again = new NameList(list.image);
  for (let i = 0; i < 3000; i++) {
    const at = prng.below(names.length);
    expect(again.name(at)).toBe(names[at]);
    expect(again.firstFrom(Buffer.from(names[at]!))).toBe(at);
    const other = randomName(prng);
    const place = names.findIndex((name) => name >= other);
    expect(again.firstFrom(Buffer.from(other)), other).toBe(place < 0 ? names.length : place);
  }
});

it('nothing at all, and one name', () => {
  const columns = new StreamColumns();
  expect(NameList.of(columns, new Uint32Array(0)).firstFrom(Buffer.from('a'))).toBe(0);
  columns.at('b');
  const list = NameList.of(columns, Uint32Array.of(0));
  expect(['a', 'b', 'c'].map((name) => list.firstFrom(Buffer.from(name)))).toEqual([0, 0, 1]);
});
