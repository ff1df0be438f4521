/** Log positions and offsets. Shown in full, with thin groups; copied without them. */
import { formatCount } from './count.ts';

export function formatPosition(position: number): string {
  return formatCount(position);
}

/** File offsets as programmers know them: hexadecimal, at least eight digits. */
export function formatOffset(offset: number): string {
  return `0x${offset.toString(16).padStart(8, '0')}`;
}

/** "12" or "7–9". */
export function formatChunkRange(chunkStart: number, chunkEnd: number): string {
  return chunkStart === chunkEnd ? String(chunkStart) : `${chunkStart}–${chunkEnd}`;
}
