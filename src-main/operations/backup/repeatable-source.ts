/**
 * Time and ids for work that may be done a second time: the same question as of the same time gives the same files, byte for
 * byte, so that what the first attempt stored can be used by the second.
 */
import { createHash } from 'node:crypto';
import { ticksFromIso } from '../../../src-core/index.ts';

export interface RepeatableSource {
  now: () => NonNullable<ReturnType<typeof ticksFromIso>>;
  newGuid: () => string;
}

/** `asOf`: ISO 8601. Ids differ from those of any other question or time. */
export function repeatableSource(question: string, asOf: string): RepeatableSource {
  const ticks = ticksFromIso(asOf);
  if (ticks === undefined) throw new RangeError(`"${asOf}" is not a time.`);
  let count = 0;
  return { now: () => ticks, newGuid: () => guidOf(`${question} ${asOf} ${count++}`) };
}

/** In the form of a random one: readers ask no more of it. */
function guidOf(text: string): string {
  const bytes = createHash('sha256').update(text).digest().subarray(0, 16);
  bytes[6] = (bytes[6]! & 0x0f) | 0x40;
  bytes[8] = (bytes[8]! & 0x3f) | 0x80;
  const hex = bytes.toString('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}
