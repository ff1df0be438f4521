/** Heads of files in a packed bundle: what is written is read again, and what another tool writes is taken or named. */
import { expect, it } from 'vitest';
import {
  ARCHIVE_BLOCK,
  decodeArchiveHead,
  encodeArchiveHead
} from '../../../src-core/bundle/archive/archive-head.ts';

/** With its sum made right again. */
function changed(change: (head: Buffer) => void, size = 5): Buffer {
  const head = encodeArchiveHead({ name: 'bundle/tag.chk', size });
  change(head);
  head.write('        ', 148);
  const sum = head.reduce((total, byte) => total + byte, 0);
  head.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
  return head;
}

it.each([0, 1, 511, 8 ** 11 - 1, 8 ** 11, 2 ** 40, Number.MAX_SAFE_INTEGER])(
  'a size of %d comes back',
  (size) => {
    const name = 'n'.repeat(100);
    expect(decodeArchiveHead(encodeArchiveHead({ name, size }))).toEqual({ name, size });
  }
);

it('a size is eleven octal digits as long as it has no more of them, and binary then', () => {
  const field = (size: number): Buffer => encodeArchiveHead({ name: 'n', size }).subarray(124, 136);
  expect(field(8 ** 11 - 1).toString('latin1')).toBe('77777777777\0');
  expect(field(8 ** 11)[0]).toBe(0x80);
  expect(field(8 ** 11).readBigUInt64BE(4)).toBe(8n ** 11n);
});

it('has every field where the format has it, so that any other tool unpacks it', () => {
  const head = encodeArchiveHead({ name: 'bundle/tag.chk', size: 5 }).toString('latin1');
  const fields = [
    [0, 15],
    [100, 8],
    [108, 8],
    [116, 8],
    [124, 12],
    [136, 12],
    [156, 1],
    [257, 8]
  ];
  expect(fields.map(([at, length]) => head.slice(at, at! + length!))).toEqual([
    ...['bundle/tag.chk\0', '0000644\0', '0000000\0', '0000000\0', '00000000005\0', '00000000000\0'],
    ...['0', 'ustar\x0000']
  ]);
  expect(head.slice(148, 156)).toMatch(/^[0-7]{6}\0 $/);
});

it('a block of zeros is the end', () => {
  expect(decodeArchiveHead(Buffer.alloc(ARCHIVE_BLOCK))).toBe('end');
});

it.each<[string, (head: Buffer) => void]>([
  ['of a kind before ustar', (head) => head.fill(0, 156, 157)],
  ['with a size behind blanks', (head) => head.write('          5 ', 124)]
])('a plain file %s is one', (_, change) => {
  expect(decodeArchiveHead(changed(change))).toEqual({ name: 'bundle/tag.chk', size: 5 });
});

it.each<[string, string, (head: Buffer) => void]>([
  ['kind', 'is a link', (head) => head.write('2', 156)],
  ['name', 'continues its name elsewhere', (head) => head.write('bundle', 345)],
  ['name', 'has a name that is no text', (head) => head.fill(0xff, 0, 3)],
  ['size', 'has no digits for its size', (head) => head.fill(0, 124, 136)],
  ['size', 'has a size that is no octal number', (head) => head.write('00000000009', 124)],
  ['size', 'has a size below zero', (head) => head.fill(0xff, 125, 136).writeUInt8(0x80, 124)],
  ['size', 'is longer than any file', (head) => head.fill(0, 124, 136).write('\x80\0\0\0\x7f', 124, 'latin1')]
])('%s: what %s is none', (why, _, change) => {
  expect(decodeArchiveHead(changed(change))).toBe(why);
});

it('a sum that is wrong or no number is told before anything else', () => {
  for (const sum of ['000000', 'xxxxxx', '']) {
    const head = changed(() => undefined);
    head.fill(0, 148, 156).write(sum, 148);
    expect(decodeArchiveHead(head)).toBe('checksum');
  }
});
