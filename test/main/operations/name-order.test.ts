/** Names sorted byte by byte are in the order in which strings compare. */
import { expect, it } from 'vitest';
import { uncontrolled } from '../../../src-core/index.ts';
import { sortByName } from '../../../src-main/operations/streams/name-order.ts';
import { StreamColumns } from '../../../src-main/operations/streams/stream-columns.ts';
import { Prng } from '../../support/prng.ts';

/** Ends of the ranges in which UTF-8 has one more byte, surrogates, and what lies behind them. */
const CHARACTERS = [
  '$',
  '-',
  'a',
  'b',
  'z',
  '\u{7f}',
  'é',
  '\u{7ff}',
  '中',
  '\u{d7ff}',
  '\u{e000}',
  '\u{ffff}',
  '\u{10000}',
  '🐟'
];
const SEEDS = [1, 2, 3, 4];

it.each(SEEDS)('any characters, common beginnings, names within names (seed %d)', async (seed) => {
  const prng = new Prng(seed);
  const columns = new StreamColumns();
  const names = new Set<string>();
  for (let i = 0; i < 5000; i++) {
    let name = prng.chance(0.5) ? 'account-0000' : '';
    for (let length = 1 + prng.below(6); length > 0; length--) name += prng.pick(CHARACTERS);
    names.add(name);
    columns.at(name);
  }
  const order = Uint32Array.from({ length: columns.count }, (_, at) => at);
  await sortByName(order, columns, uncontrolled());
  const wanted = [...names].sort((a, b) => (a < b ? -1 : a > b ? 1 : 0));
  expect(Array.from(order, (at) => columns.name(at))).toEqual(wanted);
});

it('bytes that are no UTF-8 are the name that readers see', () => {
  const columns = new StreamColumns();
  const broken = Buffer.from([0x61, 0xff, 0x62]);
  const at = columns.atBytes(broken, 0, 3);
  expect(columns.name(at)).toBe('a\u{fffd}b');
  expect(columns.find('a\u{fffd}b')).toBe(at);
  expect(columns.at('a\u{fffd}b')).toBe(at);
});
