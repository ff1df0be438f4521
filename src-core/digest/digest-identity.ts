/**
 * What binds a digest to its chunk: all that header and footer say of it (the hash over every byte among it), its size, and
 * when the file was changed last. A chunk that was completed never changes; one that was changed none the less, and one
 * that was restored or copied, gets a new digest.
 */
import { createHash } from 'node:crypto';
import type { Chunk } from '../chunks/chunk.ts';

/** undefined for a chunk that is being written: it has no digest. */
export function digestIdentity(chunk: Chunk, modifiedMs: number): string | undefined {
  const { header, footer, fileSize, dataSize, isActive } = chunk;
  if (!footer || isActive) return undefined;
  return JSON.stringify([header, footer, fileSize, dataSize, modifiedMs]);
}

/** Name of the file that holds it. */
export function digestFileName(identity: string): string {
  return derivedFileName(identity, '.digest');
}

/** Name of a file by what it was made of. */
export function derivedFileName(identity: string, suffix: string): string {
  return `${createHash('sha256').update(identity).digest('hex').slice(0, 40)}${suffix}`;
}
