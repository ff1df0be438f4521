/**
 * The sampled entries of a table, in memory: they narrow a search to some 8 KiB of the file, which is then read
 * at once. Taken from the file where it has them, otherwise sampled from the entries.
 *
 * Invariant after loading: keys never rise and indexes never fall; the first index is 0, the last is that of the
 * last entry. A search relies on it, so a file that contradicts it is refused.
 */
import { indexCorrupt } from '../errors.ts';
import type { OpenFile } from '../storage/file-system.ts';
import { EntryBlock } from './index-entry.ts';
import {
  decodeEntries,
  entrySizeBytes,
  HEADER_SIZE_BYTES,
  MIDPOINT_SIZE_BYTES,
  midpointEntryIndex,
  requiredMidpointCount,
  type TableVersion
} from './index-table.ts';

export interface MidpointSource {
  file: OpenFile;
  name: string;
  version: TableVersion;
  count: number;
  midpointCount: number;
}

export class TableMidpoints {
  /** Sampled keys; `position` holds the index of the sampled entry. */
  readonly sampled: EntryBlock;

  constructor(sampled: EntryBlock) {
    this.sampled = sampled;
  }

  /** Number (in the samples) of the first sample whose key is at or below the given one; `count` when none is. */
  firstAtOrBelow(hashHigh: number, hashLow: number, number: number): number {
    let from = 0;
    let to = this.sampled.count;
    while (from < to) {
      const middle = (from + to) >>> 1;
      if (this.sampled.compareKey(middle, hashHigh, hashLow, number) <= 0) to = middle;
      else from = middle + 1;
    }
    return from;
  }

  /** As above, strictly below. */
  firstBelow(hashHigh: number, hashLow: number, number: number): number {
    let from = 0;
    let to = this.sampled.count;
    while (from < to) {
      const middle = (from + to) >>> 1;
      if (this.sampled.compareKey(middle, hashHigh, hashLow, number) < 0) to = middle;
      else from = middle + 1;
    }
    return from;
  }
}

/** Cached midpoints of the file if it has any, otherwise sampled ones. */
export function loadMidpoints(source: MidpointSource): TableMidpoints {
  if (source.count === 0) return new TableMidpoints(new EntryBlock(0));
  const sampled = source.midpointCount > 0 ? readCached(source) : sample(source);
  checkOrder(sampled, source);
  return new TableMidpoints(sampled);
}

function readCached({ file, name, version, count, midpointCount }: MidpointSource): EntryBlock {
  const words = new Uint32Array((midpointCount * MIDPOINT_SIZE_BYTES) / 4);
  const bytes = new Uint8Array(words.buffer);
  const offset = HEADER_SIZE_BYTES + count * entrySizeBytes(version);
  if (file.read(bytes, 0, bytes.length, offset) !== bytes.length) {
    throw indexCorrupt(`Index table ${name} ends within its midpoints.`, { file: name, offset });
  }
  const block = new EntryBlock(midpointCount);
  // A midpoint has the layout of an entry with the entry's index in place of the position.
  decodeEntries(version, words, midpointCount, block, 0);
  block.count = midpointCount;
  return block;
}

function sample({ file, name, version, count }: MidpointSource): EntryBlock {
  const size = entrySizeBytes(version);
  const sampleCount = Math.min(requiredMidpointCount(count, version), count);
  const block = new EntryBlock(sampleCount);
  const words = new Uint32Array(size / 4);
  const bytes = new Uint8Array(words.buffer);
  for (let k = 0; k < sampleCount; k++) {
    const index = midpointEntryIndex(k, count, sampleCount);
    const offset = HEADER_SIZE_BYTES + index * size;
    if (file.read(bytes, 0, size, offset) !== size) {
      throw indexCorrupt(`Index table ${name} ends within entry ${index}.`, { file: name, offset });
    }
    decodeEntries(version, words, 1, block, k);
    block.position[k] = index;
  }
  block.count = sampleCount;
  return block;
}

function checkOrder(sampled: EntryBlock, { name, count }: MidpointSource): void {
  const last = sampled.count - 1;
  let isSound = sampled.position[0] === 0 && sampled.position[last] === count - 1;
  for (let k = 1; isSound && k <= last; k++) {
    const isKeyOrdered =
      sampled.compareKey(k, sampled.hashHigh[k - 1]!, sampled.hashLow[k - 1]!, sampled.number[k - 1]!) <= 0;
    isSound = isKeyOrdered && sampled.position[k]! >= sampled.position[k - 1]!;
  }
  if (!isSound) {
    throw indexCorrupt(`The midpoints of index table ${name} are out of order.`, { file: name });
  }
}
