/**
 * Names in a file of SQLite, read from its bytes alone, so that what lies in free pages, in unused parts of pages
 * and in the write-ahead log is found like what its tables show. An occurrence is left out only if the cell it lies
 * in proves it to be part of a longer name; where nothing can be proved, it counts. Pure.
 *
 * A cell's payload: length of its head, one type for each column, then the columns. Type 13 + 2n is a text of n bytes.
 */
import type { Subject } from './erasure-question.ts';

/** How far before an occurrence the head of its cell is looked for, and how far behind a text may reach. */
export const CELL_CONTEXT_BYTES = 2048;
const MOST_COLUMNS = 10;
const INTEGER_SIZES = [0, 1, 2, 3, 4, 6, 8, 8, 0, 0];

/** `whole` is the name of a stream as asked for; `metastream` one with `$$` before it. */
export type StateName = 'whole' | 'metastream' | 'unproved' | 'longer';

export function judgeStateName(subject: Subject, window: Buffer, at: number, length: number): StateName {
  let isLonger = false;
  const from = Math.max(0, at - CELL_CONTEXT_BYTES);
  for (let head = at - 2; head >= from; head--) {
    const text = textAround(window, head, at, at + length);
    if (!text) continue;
    const isPrefix = subject.asked === 'category';
    if (text.start === at && (isPrefix || text.end === at + length)) return 'whole';
    const isMeta = text.start === at - 2 && window[at - 1] === 0x24 && window[at - 2] === 0x24;
    if (isMeta && (isPrefix || text.end === at + length)) return 'metastream';
    if (isPrintable(window, text.start, text.end)) isLonger = true;
  }
  return isLonger ? 'longer' : 'unproved';
}

/** The text column of the cell whose head would begin at `head`, if it covers the bytes from `start` to `end`. */
function textAround(
  window: Buffer,
  head: number,
  start: number,
  end: number
): { start: number; end: number } | undefined {
  const headLength = window[head]!;
  if (headLength < 2 || headLength > MOST_COLUMNS + 4 || head + headLength > start) return undefined;
  const headEnd = head + headLength;
  let at = head + 1;
  let column = headEnd;
  let found: { start: number; end: number } | undefined;
  while (at < headEnd) {
    let type = 0;
    let byte: number;
    do {
      if (at >= headEnd) return undefined;
      byte = window[at++]!;
      type = type * 128 + (byte & 0x7f);
    } while (byte >= 0x80 && type < 2 ** 21);
    if (type === 10 || type === 11) return undefined;
    const size = type < 10 ? INTEGER_SIZES[type]! : (type - (type % 2 === 0 ? 12 : 13)) / 2;
    if (type >= 13 && type % 2 === 1 && column <= start && column + size >= end) {
      found = { start: column, end: column + size };
    }
    column += size;
    if (column > window.length) return undefined;
  }
  return found;
}

function isPrintable(window: Buffer, start: number, end: number): boolean {
  for (let at = start; at < end; at++) if (window[at]! < 0x20) return false;
  return true;
}
