/**
 * The four offsets of the log, kept apart by brands because mixing them is where bugs live, and the only
 * arithmetic between them. All are whole numbers of bytes below 2^53 (8 PiB).
 * Format: docs/format/chunks.md, "Positions".
 */
import type { AtPosition, ChunkNumber } from './of-unit.ts';
import { assert } from '../assert.ts';

/** Byte position in the endless log. Never changes for a record, whatever scavenging does. */
export type LogPosition = number & { readonly unit: 'LogPosition' };
/** Offset from the start of a chunk's logical range. */
export type LogicalOffset = number & { readonly unit: 'LogicalOffset' };
/** Offset in the data area of a chunk file: equal to the logical offset until the chunk is scavenged. */
export type PhysicalOffset = number & { readonly unit: 'PhysicalOffset' };
/** Offset in a file. */
export type FileOffset = number & { readonly unit: 'FileOffset' };

export function logPosition(value: number): LogPosition {
  assert(Number.isSafeInteger(value), `log position ${value} is a whole number below 2^53`);
  return value as LogPosition;
}

/** Number of the logical chunk that holds `position`. */
export function chunkNumberOf(position: AtPosition, chunkSizeBytes: number): ChunkNumber {
  return Math.floor(position / chunkSizeBytes);
}

/** First position of a logical chunk. */
export function chunkStartPosition(chunkNumber: ChunkNumber, chunkSizeBytes: number): LogPosition {
  return (chunkNumber * chunkSizeBytes) as LogPosition;
}
