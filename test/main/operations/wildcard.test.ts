import { describe, expect, it } from 'vitest';
import { containsMatcher, wildcardMatcher } from '../../../src-main/operations/records/wildcard.ts';
import { Prng } from '../../support/prng.ts';

describe('a pattern with stars', () => {
  it.each([
    ['order-*', 'order-1', true],
    ['order-*', 'my-order-1', false],
    ['*-7', 'order-71', false],
    ['*', '', true],
    ['**', 'x', true],
    ['a*a', 'a', false],
    ['a*a', 'aa', true],
    ['a*ab*b', 'aab', false],
    ['a*ab*b', 'aabb', true],
    ['*\n*', 'a\nb', true],
    ['a.c', 'abc', false],
    ['[a]*', '[a]b', true]
  ])('%s and the name %j: %s', (pattern, name, isWanted) => {
    expect(wildcardMatcher(pattern)(name)).toBe(isWanted);
  });

  it('means what the regular expression of it means', () => {
    const prng = new Prng(12);
    const text = (letters: string, most: number): string =>
      Array.from({ length: prng.below(most) }, () => letters[prng.below(letters.length)]).join('');
    for (let round = 0; round < 5000; round++) {
      const pattern = text('ab*', 8);
      const name = text('ab', 10);
      const expected = new RegExp(`^${pattern.split('*').join('.*')}$`, 'su').test(name);
      expect([pattern, name, wildcardMatcher(pattern)(name)]).toEqual([pattern, name, expected]);
    }
  });

  it('of hundreds of stars is answered for a name of a million letters that nearly fits', () => {
    const name = 'a'.repeat(1_000_000);
    expect(wildcardMatcher(`${'a*'.repeat(500)}b`)(name)).toBe(false);
    expect(wildcardMatcher(`*${'a'.repeat(2000)}b*`)(name)).toBe(false);
    expect(wildcardMatcher(`*${'a*'.repeat(500)}`)(name)).toBe(true);
  });

  it('can leave the case out', () => {
    expect(wildcardMatcher('ORDER-*É', { ignoresCase: true })('order-1é')).toBe(true);
    expect(wildcardMatcher('ORDER-*')('order-1')).toBe(false);
  });
});

describe('a text that is contained', () => {
  it.each([
    ['order', 'my-Order-1', true],
    ['', '', true],
    ['aab', 'aaab', true],
    ['k', '\u212a', true],
    ['σας', 'ΣΑΣ', true],
    ['abc', 'ab', false]
  ])('%s in %s: %s', (wanted, name, isFound) => {
    expect(containsMatcher(wanted)(name)).toBe(isFound);
  });
});
