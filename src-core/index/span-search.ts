/**
 * Where the entries of a hash lie in a block, looked for from those of a lower hash on: in steps that grow, then between the
 * last two. Who asks in the rising order of hashes mostly finds them one or two entries away, in the processor's cache.
 */
import type { EntryBlock, EntrySpan } from './index-entry.ts';

/** The entry at this place of the block has a lower hash than one behind it. */
export class BlockOutOfOrder extends Error {
  readonly at: number;

  constructor(at: number) {
    super(`entry ${at} is out of order`);
    this.at = at;
  }
}

/**
 * Moves a span, whose hash is below the one that is asked for; both count from the first entry of `block`. False: the entries
 * may reach beyond the block's first one, and the span is as it was. `isWhole`: there are none beyond.
 *
 * @throws BlockOutOfOrder
 */
export function moveSpanUp(
  block: EntryBlock,
  span: EntrySpan,
  { high, low, isWhole }: { high: number; low: number; isWhole: boolean }
): boolean {
  const end = climb(block, span.first, high, low, -1);
  const first = climb(block, end, high, low, 0);
  if (first === 0 && !isWhole) return false;
  span.first = first;
  span.end = end;
  return true;
}

/** Smallest place with none between it and `from` that compares above `limit` (0: equal hashes count, -1: only lower ones). */
function climb(block: EntryBlock, from: number, high: number, low: number, limit: 0 | -1): number {
  let within = from;
  let beyond = from - 1;
  for (let step = 1; beyond >= 0 && block.compareHash(beyond, high, low) <= limit; step *= 2) {
    requireOrder(block, beyond, within);
    within = beyond;
    beyond = within === 0 ? -1 : Math.max(0, within - step);
  }
  while (within - beyond > 1) {
    const middle = beyond + ((within - beyond) >>> 1);
    requireOrder(block, middle, within);
    if (block.compareHash(middle, high, low) <= limit) within = middle;
    else beyond = middle;
  }
  return within;
}

function requireOrder(block: EntryBlock, at: number, behind: number): void {
  if (behind >= block.count) return;
  if (block.compareHash(at, block.hashHigh[behind]!, block.hashLow[behind]!) < 0)
    throw new BlockOutOfOrder(at);
}
