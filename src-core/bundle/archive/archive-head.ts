/**
 * The head of a file in a packed bundle: a block of 512 bytes as POSIX's ustar has it, in front of the content, which ends
 * with zeros up to a whole block. Two blocks of zeros end the archive. Owner, group and time say nothing.
 *
 *   0 name 100 | 100 mode 8 | 108 owner 8 | 116 group 8 | 124 size 12 | 136 time 12 | 148 sum 8 | 156 kind 1 | 257 magic 6
 *
 * Read is what is written and no more: plain files with a name of up to 100 bytes.
 */
import { assert } from '../../assert.ts';

export const ARCHIVE_BLOCK = 512;
const NAME_BYTES = 100;
const SIZE_START = 124;
const SIZE_END = 136;
const SUM_START = 148;
const SUM_END = 156;
const KIND_AT = 156;
const MAGIC_START = 257;
const PREFIX_START = 345;
const PREFIX_END = 500;
const LARGEST_OCTAL_SIZE = 8 ** 11;
const BINARY_SIZE = 0x80;
const SPACE = 0x20;
/** Codes of the kinds that a plain file has; the second is that of archives before ustar. */
const PLAIN_KINDS: readonly number[] = [0x30, 0];

export interface ArchiveHead {
  /** With slashes. */
  name: string;
  /** Bytes of content. */
  size: number;
}

/** Why a block is none; `end`: it is zeros. */
export type NoHead = 'end' | 'checksum' | 'kind' | 'name' | 'size';

export function fitsArchiveHead(name: string): boolean {
  return Buffer.byteLength(name) <= NAME_BYTES;
}

export function encodeArchiveHead({ name, size }: ArchiveHead): Buffer {
  assert(fitsArchiveHead(name), 'a name in an archive has at most 100 bytes');
  const head = Buffer.alloc(ARCHIVE_BLOCK);
  head.write(name, 0, NAME_BYTES);
  head.write('0000644\0', 100);
  head.write('0000000\0', 108);
  head.write('0000000\0', 116);
  if (size < LARGEST_OCTAL_SIZE) head.write(`${size.toString(8).padStart(11, '0')}\0`, SIZE_START);
  else {
    head[SIZE_START] = BINARY_SIZE;
    head.writeBigUInt64BE(BigInt(size), SIZE_END - 8);
  }
  head.write('00000000000\0', SIZE_END);
  head.write('0', KIND_AT);
  head.write('ustar\0', MAGIC_START);
  head.write('00', MAGIC_START + 6);
  head.write(`${sumOf(head).toString(8).padStart(6, '0')}\0 `, SUM_START);
  return head;
}

export function decodeArchiveHead(block: Buffer): ArchiveHead | NoHead {
  if (block.every((byte) => byte === 0)) return 'end';
  const sum = octalOf(block.subarray(SUM_START, SUM_END));
  if (sum === undefined || sum !== sumOf(block)) return 'checksum';
  if (!PLAIN_KINDS.includes(block[KIND_AT]!)) return 'kind';
  // What a name needs beyond its 100 bytes is never written.
  if (block.subarray(PREFIX_START, PREFIX_END).some((byte) => byte !== 0)) return 'name';
  const name = textOf(block.subarray(0, NAME_BYTES));
  if (name === undefined) return 'name';
  const size = sizeOf(block.subarray(SIZE_START, SIZE_END));
  return size === undefined ? 'size' : { name, size };
}

/** Of all bytes, with blanks where the sum itself stands. */
function sumOf(block: Buffer): number {
  let sum = 0;
  for (let i = 0; i < ARCHIVE_BLOCK; i++) sum += i >= SUM_START && i < SUM_END ? SPACE : block[i]!;
  return sum;
}

/** UTF-8 up to the first zero. */
function textOf(field: Buffer): string | undefined {
  const end = field.indexOf(0);
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(
      field.subarray(0, end < 0 ? field.length : end)
    );
  } catch {
    return undefined;
  }
}

function octalOf(field: Buffer): number | undefined {
  const text = field.toString('latin1').replace(/[\0 ]+$/, '');
  return /^ *[0-7]+$/.test(text) ? Number.parseInt(text, 8) : undefined;
}

function sizeOf(field: Buffer): number | undefined {
  if (field[0] !== BINARY_SIZE) return octalOf(field);
  if (field.subarray(1, 4).some((byte) => byte !== 0)) return undefined;
  const size = field.readBigUInt64BE(4);
  return size <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(size) : undefined;
}
