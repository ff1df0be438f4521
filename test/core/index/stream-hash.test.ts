import { describe, expect, test } from 'vitest';
import { murmur3, xxHashDraft } from '../../../src-core/index/hash-functions.ts';
import {
  hashFromBigInt,
  hashFromText,
  hashStream,
  hashStreamOf,
  hashText,
  hashToBigInt
} from '../../../src-core/index/stream-hash.ts';
import { Prng } from '../../support/prng.ts';

type Hash = (bytes: Uint8Array, start: number, length: number, seed: number) => number;
const SEED = 0xc58f1a7b;

/** The usual self-test of hash functions: hashes of 0, 1, 2 … bytes with falling seeds, hashed again. */
function verificationValue(hash: Hash): number {
  const input = Uint8Array.from({ length: 256 }, (_, i) => i);
  const results = new DataView(new ArrayBuffer(1024));
  for (let i = 0; i < 256; i++) results.setUint32(i * 4, hash(input, 0, i, 256 - i), true);
  return hash(new Uint8Array(results.buffer), 0, 1024, 0);
}

const upTo = (last: number) => Uint8Array.from({ length: last + 1 }, (_, i) => i);
const text = (value: string) => new TextEncoder().encode(value);

const RAW: [string, Uint8Array, number, number, number, number][] = [
  ['nothing', new Uint8Array(0), 0x02cc5d05, 0x02cc5d05, 0x00000000, 0x821f9986],
  ['a', text('a'), 0xc4f8c099, 0x64e78eab, 0x3c2569b2, 0x218e03b4],
  ['abc', text('abc'), 0x217ff261, 0x18b41146, 0xb3dd93fa, 0xca19dc62],
  ['abcd', text('abcd'), 0x51c5a463, 0x992efb2c, 0x43ed676a, 0xef58939c],
  ['abcde', text('abcde'), 0x527852c2, 0xea4e7d9b, 0xe89b9af6, 0xd83d1985],
  ['15 bytes', upTo(0x0e), 0xd00c1553, 0x6f9507ff, 0x5bd6952d, 0x0408ac1d],
  ['16 bytes', upTo(0x0f), 0xe798f86e, 0x56ee5cb4, 0x191573dd, 0xcce57279],
  ['17 bytes', upTo(0x10), 0x8b6c6bb8, 0x52dd47e9, 0xcbe58dc6, 0x12d1fd13],
  ['32 bytes', upTo(0x1f), 0xba796ebb, 0x4953cee1, 0xcac37638, 0x2c0fd8a8],
  ['60 bytes', upTo(0x3b), 0x92865db4, 0xf29ce499, 0x49c63e69, 0x4d8b9e44],
  ['60 times 00', new Uint8Array(60), 0xce697660, 0x97c96ad6, 0xb7168892, 0x3587239e],
  ['60 times ff', new Uint8Array(60).fill(0xff), 0xbcc498a8, 0x5fc9d5cd, 0x9d4ba786, 0xf0617189]
];

const NAMES: [string, string][] = [
  ['', '02cc5d05821f9986'],
  ['a', 'e4dbda76cfb6533e'],
  ['ab', '191a8c9bafabc9c2'],
  ['ab-1', '97be6233ad91dacb'],
  ['$$ab-1', '26c83096d3b4bf35'],
  ['cd-2', 'ec5aaa180973159e'],
  ['abcdefg', 'e2a0a781673c9963'],
  ['abcdefgh', '67e358fe8946ef33'],
  ['abcdefghi', '7473164143a5f161'],
  ['$scavenges', 'e13439f19243cbf6'],
  ['$$abc', 'f88e69e48cce8ae0'],
  ['$settings', 'e6578ffe72e8f754'],
  ['$all', '5bbb4579d3056aca'],
  ['$ce-account', 'c9da97f0171b6519'],
  ['order-123', '133ca84ec85030bd'],
  ['alice-hobbies', '4225edad6a354f8f'],
  ['$stats-127.0.0.1:2113', 'f8383be2b976a884'],
  ['$$$scavenges', '16e9c795db48b28a'],
  ['testStream-1', '34739882f42377d1'],
  ['ünïcødé-ß', '023184b3306dfbe1'],
  ['注文-1', '2bfe92a0e9e534a7'],
  ['😀-1', '0b13f8751b8120bf'],
  ['account--696193173', '7aeae8d2cd208f86'],
  ['LPN-FC002_LPK51001', '7aeae8d25f815f99'],
  ['x'.repeat(100), 'f33237c562335519']
];

describe('hash functions', () => {
  test('have the verification values of the draft xxHash and of Murmur3', () => {
    expect(verificationValue(xxHashDraft)).toBe(0x56d249b1);
    expect(verificationValue(murmur3)).toBe(0xb0f57ee3);
  });

  test.each(RAW)('hash %s as the server does', (_name, bytes, xx0, xxSeed, murmur0, murmurSeed) => {
    expect(xxHashDraft(bytes, 0, bytes.length, 0)).toBe(xx0);
    expect(xxHashDraft(bytes, 0, bytes.length, SEED)).toBe(xxSeed);
    expect(murmur3(bytes, 0, bytes.length, 0)).toBe(murmur0);
    expect(murmur3(bytes, 0, bytes.length, SEED)).toBe(murmurSeed);
  });

  test('hash bytes in the middle of an array without looking around them', () => {
    const bytes = text('..abcdefghijklmnopqrstuvwxyz..');
    const part = bytes.slice(2, 28);
    expect(xxHashDraft(bytes, 2, 26, 7)).toBe(xxHashDraft(part, 0, 26, 7));
    expect(murmur3(bytes, 2, 26, 7)).toBe(murmur3(part, 0, 26, 7));
  });
});

describe('stream hash', () => {
  test.each(NAMES)('of "%s"', (name, expected) => {
    const { high, low } = hashStream(name);
    expect(hashText(high, low)).toBe(expected);
    expect(hashToBigInt(high, low)).toBe(BigInt(`0x${expected}`));
    expect(hashFromText(expected)).toEqual({ high, low });
    expect(hashFromBigInt(BigInt.asIntN(64, BigInt(`0x${expected}`)))).toEqual({ high, low });
  });

  test.each(NAMES.slice(1))('of the record of "%s" is the same from its UTF-8 bytes', (name, expected) => {
    const bytes = text(`--${name}--`);
    const record = { stream: name, bytes, streamStart: 2, streamEnd: bytes.length - 2 };
    const into = { high: 0, low: 0 };
    hashStreamOf(record, hashStream, into);
    expect(hashText(into.high, into.low)).toBe(expected);
  });

  test('of a record with a view is the same for names of every length, in ASCII and beyond', () => {
    const random = new Prng(9);
    const last = ['z', '\u007f', 'é', '注'];
    for (let length = 0; length < 70; length++) {
      for (const end of last) {
        const start = Array.from({ length }, () => String.fromCharCode(1 + random.below(127))).join('');
        const name = start + end;
        const bytes = text(`-${name}--`);
        const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
        const record = { stream: name, bytes, view, streamStart: 1, streamEnd: bytes.length - 2 };
        expect(hashStreamOf(record, hashStream, { high: 0, low: 0 }), name).toEqual(hashStream(name));
      }
    }
  });

  test('of a name longer than any before is computed too', () => {
    const { high, low } = hashStream('é'.repeat(5000));
    const bytes = new Uint8Array(Buffer.from('é'.repeat(5000), 'utf16le'));
    expect(high).toBe(xxHashDraft(bytes, 0, bytes.length, SEED));
    expect(low).toBe(murmur3(bytes, 0, bytes.length, SEED));
  });

  test('can be replaced by another function', () => {
    const weak = () => ({ high: 0, low: 98 });
    const record = { stream: 'ab', bytes: text('ab'), streamStart: 0, streamEnd: 2 };
    expect(hashStreamOf(record, weak, { high: 1, low: 1 })).toEqual({ high: 0, low: 98 });
  });
});
