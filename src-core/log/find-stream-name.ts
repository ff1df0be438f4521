/**
 * Whether any record of a part of the log belongs to a stream, told from the raw bytes: a record that does holds the name as
 * it is framed. The search does not walk records, so it runs near the speed of reading. It never misses a record; what it
 * finds may be the same bytes elsewhere, in an event's data.
 */
import type { ChunkReader } from '../chunks/chunk-reader.ts';
import type { AtPhysical } from '../units/of-unit.ts';

const BLOCK_BYTES = 1024 * 1024;
/** Longer names have a length of two bytes, which nobody needs here. */
const LONGEST_NAME = 0x7f;

/** The bytes of a stream's name as a prepare holds them: its length, then the name. */
export function framedName(stream: string): Buffer {
  const name = Buffer.from(stream, 'utf8');
  if (name.length > LONGEST_NAME) throw new RangeError(`the name ${stream} is too long to search for`);
  return Buffer.concat([Buffer.of(name.length), name]);
}

/** Whether `wanted` occurs in the data of a chunk at or after `from` and before `to`, both physical offsets. */
export async function occursIn(
  reader: ChunkReader,
  wanted: Buffer,
  { from, to }: { from: AtPhysical; to: AtPhysical },
  breathe: () => Promise<void>
): Promise<boolean> {
  const block = Buffer.allocUnsafe(Math.min(BLOCK_BYTES, Math.max(0, to - from)));
  // Blocks overlap, so that a name across the edge of two is seen in the second.
  for (let at = from; to - at >= wanted.length; at += block.length - wanted.length + 1) {
    const count = reader.file.read(block, 0, Math.min(block.length, to - at), reader.chunk.dataStart + at);
    if (block.subarray(0, count).includes(wanted)) return true;
    await breathe();
  }
  return false;
}
