/** Names of streams and types by their ordinals: those of a map, however many and however alike. */
import { expect, it } from 'vitest';
import { NameOrdinals } from '../../../src-core/digest/name-ordinals.ts';
import { Prng } from '../../support/prng.ts';

it('gives each name its ordinal, and the name back', () => {
  const random = new Prng(11);
  const ordinals = new NameOrdinals();
  const known = new Map<string, number>();
  for (let i = 0; i < 60_000; i++) {
    const name = random.chance(0.2) ? `${'a'.repeat(random.below(80))}` : `name-${random.below(30_000)}`;
    const bytes = Buffer.from(`<${name}>`);
    const wanted = known.get(name) ?? known.size;
    expect(ordinals.find(bytes, 1, bytes.length - 1)).toBe(known.get(name) ?? -1);
    expect(ordinals.of(bytes, 1, bytes.length - 1)).toBe(wanted);
    known.set(name, wanted);
  }
  expect(ordinals.count).toBe(known.size);
  expect(known.size).toBeGreaterThan(10_000);
  for (const [name, ordinal] of known) {
    const from = ordinals.startOf(ordinal);
    expect(ordinals.bytes.toString('utf8', from, ordinals.ends[ordinal])).toBe(name);
  }
  expect(ordinals.byteLength).toBe([...known.keys()].join('').length);
});

it('tells names apart whose quick hashes are the same', () => {
  const ordinals = new NameOrdinals();
  const count = 400_000;
  // Among so many some pairs have one hash of 32 bits, of one length and of two.
  const nameOf = (i: number) => Buffer.from(i % 2 === 0 ? `name-${i}` : `n-${i * 31}-${i}`);
  let wrong = 0;
  for (let i = 0; i < count; i++) {
    const bytes = nameOf(i);
    if (ordinals.of(bytes, 0, bytes.length) !== i) wrong++;
  }
  for (let i = 0; i < count; i++) {
    const bytes = nameOf(i);
    if (ordinals.find(bytes, 0, bytes.length) !== i) wrong++;
  }
  expect([wrong, ordinals.count]).toEqual([0, count]);
});
