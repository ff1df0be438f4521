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
    for (let i = 0; i < 20_000; i++) names.remember(nameOf(`stream-${i}`));
    for (let i = 0; i < 20_000; i++) {
      expect(names.has(nameOf(`stream-${i}`, '.'.repeat(i % 5)))).toBe(true);
      expect(names.has(nameOf(`stream-${i}-`))).toBe(false);
    }
    expect(names.has(nameOf(''))).toBe(false);
    names.remember(nameOf(''));
    expect(names.has(nameOf(''))).toBe(true);
  });

  it('keeps names that are in use when it is full, and forgets the others', () => {
    const names = new KnownNames(10);
    const long = (i: number) => nameOf(`${i}-${'x'.repeat(60_000)}`);
    names.remember(nameOf('in use'));
    names.remember(nameOf('not in use'));
    for (let i = 0; i < 1000; i++) {
      names.remember(long(i));
      expect(names.has(nameOf('in use'))).toBe(true);
    }
    expect(names.has(nameOf('not in use'))).toBe(false);
    expect(names.has(long(999))).toBe(true);
    expect(names.has(long(0))).toBe(false);
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
    const seen = new SeenHashes();
    const hashes = Array.from({ length: 50_000 }, () => [prng.next(), prng.next()] as const);
    for (const [high, low] of hashes) seen.add(high, low);
    expect(hashes.every(([high, low]) => seen.has(high, low))).toBe(true);
    let wrong = 0;
    for (let i = 0; i < 50_000; i++) if (seen.has(prng.next(), prng.next())) wrong++;
    expect(wrong).toBeLessThan(50);
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
    const found: [bigint, string][] = [];
    pending.drain((key, name) => found.push([key, name]));
    const keyOf = ({ high, low }: { high: number; low: number }) =>
      BigInt.asIntN(64, (BigInt(high) << 32n) | BigInt(low));
    const byKey = new Map(found);
    for (const user of users) expect(byKey.get(keyOf(user))).toBe(user.name);
    const uppers = found.map(([key]) => key >> 32n);
    expect(uppers).toEqual([...uppers].sort((a, b) => (a < b ? -1 : a > b ? 1 : 0)));
    expect(pending.count).toBe(0);
    expect(pending.find(users[0]!.high, users[0]!.low)).toBeUndefined();
  });
});
