/**
 * The MD5 that a table ends with, computed over everything before it. Code that copies a table checks it
 * first: a copy gets its own checksum, and damage would become invisible.
 */
import { createHash } from 'node:crypto';
import { indexCorrupt } from '../errors.ts';
import type { IndexTableReader } from './index-table-reader.ts';
import { MD5_SIZE_BYTES } from './index-table.ts';

const BLOCK_BYTES = 1024 * 1024;

export interface TableChecksum {
  /** Lower-case hex digits. */
  computed: string;
  stored: string;
}

export async function readTableChecksum(
  table: IndexTableReader,
  breathe?: () => Promise<void>
): Promise<TableChecksum> {
  const md5 = createHash('md5');
  const end = table.sizeBytes - MD5_SIZE_BYTES;
  const buffer = new Uint8Array(Math.max(0, Math.min(BLOCK_BYTES, end)));
  for (let at = 0; at < end;) {
    const count = table.readBytes(buffer, Math.min(BLOCK_BYTES, end - at), at);
    // Cut since it was opened: the sums will differ, which is what there is to say.
    if (count === 0) break;
    md5.update(buffer.subarray(0, count));
    at += count;
    await breathe?.();
  }
  return { computed: md5.digest('hex'), stored: Buffer.from(table.readStoredMd5()).toString('hex') };
}

/** Throws IndexCorrupt unless the checksum holds. Tables without entries are not checked, as in the server. */
export async function requireTableChecksum(
  table: IndexTableReader,
  breathe?: () => Promise<void>
): Promise<void> {
  if (table.count === 0) return;
  const { computed, stored } = await readTableChecksum(table, breathe);
  if (computed === stored) return;
  const offset = table.sizeBytes - MD5_SIZE_BYTES;
  throw indexCorrupt(
    `Index table ${table.name} has the checksum ${computed}, but ${stored} is stored at offset ${offset}.`,
    { file: table.name, offset, expected: stored, found: computed }
  );
}
