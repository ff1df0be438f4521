import { describe, expect, it } from 'vitest';
import { KnownNames, type NameBytes } from '../../../src-core/scavenge/state/known-names.ts';
import { PendingUsers } from '../../../src-core/scavenge/state/pending-users.ts';
import { SeenHashes } from '../../../src-core/scavenge/state/seen-hashes.ts';
import { Prng } from '../../support/prng.ts';

function nameOf(text: string, before = ''): NameBytes {
  const bytes = Buffer.from(before + text, 'utf8');
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  return { bytes, view, streamStart: before.length, streamEnd: bytes.length };
}

describe('known names', () => {
  it('knows exactly the names it was told, wherever their bytes lie', () => {
    const names = new KnownNames(10);
    const textOf = (i: number) => `${'s'.repeat(i % 40)}-${i}`;
    for (let i = 0; i < 20_000; i++) names.remember(nameOf(textOf(i)));
    const isKnown = (i: number) => names.has(nameOf(textOf(i), '.'.repeat(i % 5)));
    const isOtherKnown = (i: number) =>
      names.has(nameOf(`${textOf(i)}-`)) || names.has(nameOf(`z${textOf(i)}`));
    const all = Array.from({ length: 20_000 }, (_, i) => i);
    expect(all.filter((i) => !isKnown(i))).toEqual([]);
    expect(all.filter(isOtherKnown)).toEqual([]);
    expect(names.has(nameOf(''))).toBe(false);
    names.remember(nameOf(''));
    expect(names.has(nameOf(''))).toBe(true);
  });

  it('keeps names that are in use when it is full, and forgets the others', () => {
    const names = new KnownNames(10);
    const long = (i: number) => nameOf(`${i}-${'x'.repeat(60_000)}`);
    names.remember(nameOf('in use'));
    names.remember(nameOf('not in use'));
    for (let i = 0; i < 2000; i++) {
      names.remember(long(i));
      expect(names.has(nameOf('in use'))).toBe(true);
    }
    expect(names.has(nameOf('not in use'))).toBe(false);
    expect(names.has(long(1999))).toBe(true);
    expect(names.has(long(0))).toBe(false);
  });

  it.each([
    ['in their slots', 'x'],
    ['behind one another', 'x'.repeat(30)]
  ])('tells hundreds of thousands of names of one length apart, kept %s', (_, prefix) => {
    const names = new KnownNames(1_000_000);
    const digits = (i: number, factor: number) => (Math.imul(i, factor) >>> 0).toString(16).padStart(8, '0');
    const textOf = (i: number) => prefix + digits(i, 0x9e3779b1) + digits(i, 0x85ebca6b);
    for (let i = 0; i < 200_000; i++) names.remember(nameOf(textOf(i)));
    let [known, unknown] = [0, 0];
    for (let i = 0; i < 200_000; i++) {
      if (names.has(nameOf(textOf(i)))) known++;
      if (!names.has(nameOf(textOf(i + 200_000)))) unknown++;
    }
    expect([known, unknown]).toEqual([200_000, 200_000]);
  });

  it.each([
    ['in their slots', ''],
    ['behind one another', 'x'.repeat(30)]
  ])('tells names apart that have one tag and one length, kept %s', (_, prefix) => {
    const random = new Prng(7);
    const text = () =>
      prefix +
      [1, 2, 3]
        .map(() =>
          random
            .below(2 ** 28)
            .toString(16)
            .padStart(7, '0')
        )
        .join('');
    const names = new KnownNames(1_000_000);
    const told = Array.from({ length: 150_000 }, text);
    for (const name of told) names.remember(nameOf(name));
    expect(told.filter((name) => !names.has(nameOf(name)))).toEqual([]);
    // Some of these have the tag of one that is known.
    const others = Array.from({ length: 150_000 }, text);
    expect(others.filter((name) => names.has(nameOf(name)))).toEqual([]);
  });

  it('does not remember a name of more than 64 KiB, and none after it was told to forget', () => {
    const names = new KnownNames(10);
    names.remember(nameOf('x'.repeat(65_537)));
    expect(names.has(nameOf('x'.repeat(65_537)))).toBe(false);
    names.remember(nameOf('a'));
    names.forget();
    expect(names.has(nameOf('a'))).toBe(false);
  });
});

describe('seen hashes', () => {
  it('never calls a hash new that was seen', () => {
    const prng = new Prng(3);
    const seen = new SeenHashes(2 ** 20);
    const hashes = Array.from({ length: 50_000 }, () => [prng.next(), prng.next()] as const);
    for (const [high, low] of hashes) seen.add(high, low);
    expect(hashes.every(([high, low]) => seen.has(high, low))).toBe(true);
    let wrong = 0;
    for (let i = 0; i < 50_000; i++) if (seen.has(prng.next(), prng.next())) wrong++;
    expect(wrong).toBeLessThan(50);
  });

  it('calls every hash seen once there are more than its slots hold', () => {
    const seen = new SeenHashes(16);
    for (let i = 1; i <= 11; i++) seen.add(i, 0);
    expect([seen.has(11, 0), seen.has(12, 0)]).toEqual([true, false]);
    seen.add(12, 0);
    expect([seen.has(12, 0), seen.has(77, 0)]).toEqual([true, true]);
    seen.add(13, 0);
    expect(seen.has(78, 0)).toBe(true);
    // The end of accumulation gives back what is left of it.
    seen.release();
    expect(seen.has(79, 0)).toBe(true);
  });
});

describe('pending users', () => {
  it('finds each by its hash and hands all out by rising signed key', () => {
    const prng = new Prng(5);
    const pending = new PendingUsers();
    const users = Array.from({ length: 5000 }, (_, i) => ({
      high: prng.next(),
      low: prng.next(),
      name: `näme-${i}`
    }));
    for (const { high, low, name } of users) pending.add(high, low, nameOf(name));
    for (const { high, low, name } of users) expect(pending.find(high, low)).toBe(name);
    expect(pending.find(1, 2)).toBeUndefined();
    const found: { high: number; low: number; name: string }[] = [];
    pending.drain((high, low, name) => found.push({ high, low, name }));
    const byName = new Map(found.map((user) => [user.name, user]));
    for (const user of users) expect(byName.get(user.name)).toEqual(user);
    const uppers = found.map(({ high }) => high | 0);
    expect(uppers).toEqual([...uppers].sort((a, b) => a - b));
    expect(pending.count).toBe(0);
    expect(pending.find(users[0]!.high, users[0]!.low)).toBeUndefined();
  });

  it('tells whether another name waits for a hash, whether or not this one does too', () => {
    const prng = new Prng(6);
    const pending = new PendingUsers();
    const hashes = Array.from({ length: 500 }, () => ({ high: prng.next(), low: prng.next() }));
    const hasOther = (i: number, name: string): boolean =>
      pending.hasOther(hashes[i]!.high, hashes[i]!.low, nameOf(name));
    expect(hasOther(0, 'own')).toBe(false);
    hashes.forEach(({ high, low }, i) => pending.add(high, low, nameOf(`first-${i}`)));
    // Of a third of them two names wait.
    hashes.forEach(({ high, low }, i) => i % 3 === 0 && pending.add(high, low, nameOf(`second-${i}`)));
    const all = hashes.map((_, i) => i);
    expect(all.filter((i) => hasOther(i, `first-${i}`))).toEqual(all.filter((i) => i % 3 === 0));
    expect(all.filter((i) => hasOther(i, 'third'))).toEqual(all);
    const { high, low } = hashes[0]!;
    for (const [h, l] of [
      [high ^ 1, low],
      [high, low ^ 1],
      [low, high]
    ] as const)
      expect(pending.hasOther(h >>> 0, l >>> 0, nameOf('third'))).toBe(false);
  });
});
