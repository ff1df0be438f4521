/**
 * What would be free to go if every stream of a category had a maximum age or count. Answered from the counted
 * chunks without reading the log again: of a chunk whose events of a stream lie on both sides of the new limit it is
 * only known that some go, so the answer has a least and a most beside what is likely.
 */
import type { Usage } from './read-usage.ts';

export interface WhatIfRule {
  category: string;
  maxAgeSeconds: number | null;
  maxCount: number | null;
}

export interface WhatIfResult {
  streams: number;
  /** Bytes of the category, and what can go of them as its rules are now. */
  bytes: number;
  discardableBytes: number;
  /** What could go with the rule, present rules included. */
  likelyBytes: number;
  leastBytes: number;
  mostBytes: number;
}

interface Part {
  bytes: number;
  discardableBytes: number;
  first: number;
  last: number;
  lastBytes: number;
  minMs: number;
  maxMs: number;
}

const NOTHING: WhatIfResult = {
  streams: 0,
  bytes: 0,
  discardableBytes: 0,
  likelyBytes: 0,
  leastBytes: 0,
  mostBytes: 0
};

export async function whatIf(
  { store, effectiveNow, point }: Pick<Usage, 'store' | 'effectiveNow' | 'point'>,
  rule: WhatIfRule,
  breathe: () => Promise<void>
): Promise<WhatIfResult> {
  const sum = { ...NOTHING };
  const nowMs = Number(effectiveNow / 10_000n);
  const limits = {
    cutoffMs: rule.maxAgeSeconds === null ? null : nowMs - rule.maxAgeSeconds * 1000,
    maxCount: rule.maxCount
  };
  const rows = store.query(
    'SELECT stream, Pairs.bytes AS bytes, Pairs.discardableBytes AS discardableBytes, firstNumber, lastNumber, ' +
      'lastBytes, minMs, maxMs, ' +
      'Pairs.startNumber AS startNumber, isBehindPoint FROM Pairs JOIN Chunks USING (startNumber) ' +
      'WHERE substr(stream, 1, ?) = ? ORDER BY stream, startNumber',
    [...rule.category].length + 1,
    `${rule.category}-`
  );
  let stream: string | undefined;
  let parts: Part[] = [];
  let behind: Part[] = [];
  const finish = () => {
    if (stream === undefined) return;
    addStream(sum, parts, behind, limits);
    parts = [];
    behind = [];
  };
  for (const row of rows) {
    const name = String(row['stream']);
    if (name !== stream) {
      finish();
      stream = name;
      await breathe();
    }
    const part = partOf(row);
    (Number(row['isBehindPoint']) === 1 || !point ? behind : parts).push(part);
  }
  finish();
  return sum;
}

function partOf(row: Record<string, unknown>): Part {
  const number = (name: string): number => Number(row[name]);
  return {
    bytes: number('bytes'),
    discardableBytes: number('discardableBytes'),
    first: number('firstNumber'),
    last: number('lastNumber'),
    lastBytes: number('lastBytes'),
    minMs: number('minMs'),
    maxMs: number('maxMs')
  };
}

/** `behind`: what no scavenge reaches now, but which determines what is newest. */
function addStream(
  sum: WhatIfResult,
  parts: readonly Part[],
  behind: readonly Part[],
  { cutoffMs, maxCount }: { cutoffMs: number | null; maxCount: number | null }
): void {
  // A scavenge knows of a stream what lies before its point.
  const newest = parts.reduce((last, part) => Math.max(last, part.last), -1);
  sum.streams++;
  sum.bytes += [...parts, ...behind].reduce((bytes, part) => bytes + part.bytes, 0);
  for (const part of parts) {
    const { bytes, discardableBytes } = part;
    sum.discardableBytes += discardableBytes;
    const keptLast = part.last === newest ? part.lastBytes : 0;
    const most = Math.max(0, bytes - keptLast);
    const shares = [0];
    if (cutoffMs !== null) shares.push(shareBelow(cutoffMs, part.minMs, part.maxMs));
    if (maxCount !== null && part.last >= 0)
      shares.push(shareBelow(newest - maxCount + 1, part.first, part.last));
    const share = Math.max(...shares);
    const atLeast = share >= 1 ? most : 0;
    const atMost = share > 0 ? most : 0;
    sum.leastBytes += Math.max(discardableBytes, atLeast);
    sum.mostBytes += Math.max(discardableBytes, atMost);
    sum.likelyBytes += Math.max(discardableBytes, Math.round(most * Math.min(1, share)));
  }
}

/** How much of a range lies below a limit, from 0 to 1, assuming that it is evenly spread. */
function shareBelow(limit: number, lowest: number, highest: number): number {
  if (limit <= lowest) return 0;
  if (limit > highest) return 1;
  return (limit - lowest) / (highest - lowest + 1);
}
