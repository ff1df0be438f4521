/** Messages that are hashed side by side have the digests that they have alone. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { md5LanesCode } from '../../../scripts/make-wasm.mjs';
import { LANES, Md5Lanes, type Lane } from '../../../src-core/codec/md5-lanes.ts';

const MIB = 1024 * 1024;
const md5 = (bytes: Uint8Array): string => createHash('md5').update(bytes).digest('hex');

function someBytes(length: number, seed: number): Buffer {
  const words = new Uint32Array(Math.ceil(length / 4));
  for (let i = 0, x = seed + 1; i < words.length; i++) {
    x = Math.imul(x ^ (x >>> 15), 0x2c1b3c6d) + i;
    words[i] = x;
  }
  return Buffer.from(words.buffer, 0, length);
}

/** In pieces of one buffer that is used again. */
async function digestOf(lane: Lane, bytes: Buffer, pieceBytes: number): Promise<string> {
  const piece = Buffer.alloc(pieceBytes);
  try {
    for (let at = 0; at < bytes.length; at += pieceBytes) {
      const count = bytes.copy(piece, 0, at, at + pieceBytes);
      lane.update(piece.subarray(0, count));
      await lane.turn();
    }
    return lane.digest();
  } finally {
    lane.close();
  }
}

test('the code is the one that its source gives', async () => {
  const file = path.join(import.meta.dirname, '../../../src-core/codec/md5-lanes-code.ts');
  expect(await md5LanesCode()).toBe(readFileSync(file, 'utf8'));
});

test('every length around one and two blocks', async () => {
  const lanes = new Md5Lanes();
  for (let length = 0; length <= 130; length++) {
    const bytes = someBytes(length, length);
    expect(await digestOf(lanes.open(), bytes, 17)).toBe(md5(bytes));
  }
});

test('random messages in random pieces, some at once, one after the other in the same lanes', async () => {
  const lengths = fc.array(
    fc.record({
      length: fc.oneof(fc.nat(300), fc.nat(MIB), fc.integer({ min: 3 * MIB, max: 6 * MIB })),
      piece: fc.oneof(fc.integer({ min: 1000, max: 100_000 }), fc.integer({ min: MIB, max: 6 * MIB }))
    }),
    { minLength: 1, maxLength: 9 }
  );
  await fc.assert(
    fc.asyncProperty(lengths, async (messages) => {
      const lanes = new Md5Lanes();
      const left = messages.map(({ length, piece }, i) => ({ bytes: someBytes(length, i), piece }));
      const worker = async (): Promise<void> => {
        for (let next = left.shift(); next; next = left.shift()) {
          expect(await digestOf(lanes.open(), next.bytes, next.piece)).toBe(md5(next.bytes));
        }
      };
      await Promise.all(Array.from({ length: LANES }, worker));
    }),
    { numRuns: 10, seed: 20261122 }
  );
});

test('a message that is given up does not hold up the others', async () => {
  const lanes = new Md5Lanes();
  const givenUp = lanes.open();
  const bytes = someBytes(2 * MIB, 1);
  const whole = digestOf(lanes.open(), bytes, 100_000);
  givenUp.update(bytes);
  await new Promise((resolve) => setImmediate(resolve));
  givenUp.close();
  expect(await whole).toBe(md5(bytes));
});

test('who is through leaves its memory to the next, and what it still hears changes nothing there', async () => {
  const [first, second] = [new Md5Lanes(), new Md5Lanes()];
  const late = first.open();
  late.update(someBytes(MIB, 1));
  late.digest();
  const bytes = someBytes(2 * MIB, 2);
  const lane = second.open();
  lane.update(bytes.subarray(0, 100_000));
  late.update(someBytes(MIB, 3));
  expect(late.turn()).toBeUndefined();
  const again = digestOf(first.open(), bytes, 30_000);
  lane.update(bytes.subarray(100_000));
  expect(lane.digest()).toBe(md5(bytes));
  expect(await again).toBe(md5(bytes));
});

test('a length beyond 32 bits of bits counts', () => {
  const lanes = new Md5Lanes();
  const lane = lanes.open();
  const expected = createHash('md5');
  const block = someBytes(8 * MIB, 3);
  for (let i = 0; i < 65; i++) {
    lane.update(block);
    expected.update(block);
  }
  expect(lane.digest()).toBe(expected.digest('hex'));
});
