/** How many of the files that a comparison did not read were verified on both sides, as they are now. */
import { provableChunk, type Chunk, type ProofBook } from '../../../src-core/index.ts';
import { proofsOf } from '../repair/proofs-of.ts';
import type { OperationContext } from '../operation.ts';
import type { OpenSide } from './open-side.ts';

/** Files of both sides with equal stored hashes; of an encoded backup nothing is known. */
export function countProvedFiles(
  { database: one }: OpenSide,
  { database: other }: OpenSide,
  winnowHome: string | undefined,
  context: OperationContext
): number {
  if (!one || !other || winnowHome === undefined) return 0;
  const books = [one, other].map(({ dataDirectory, indexDirectory }) => {
    return proofsOf({ dataDirectory, indexDirectory, winnowHome }, context).book;
  });
  const byHash = new Map<string, Chunk>();
  for (const chunk of other.chunkSet.chunks) if (chunk.isLasting) byHash.set(keyOf(chunk), chunk);
  return one.chunkSet.chunks.filter((chunk) => {
    const same = chunk.isLasting ? byHash.get(keyOf(chunk)) : undefined;
    return same !== undefined && isProved(chunk, books[0]!, context) && isProved(same, books[1]!, context);
  }).length;
}

function keyOf({ startNumber, endNumber, fileSize, footer }: Chunk): string {
  return [startNumber, endNumber, fileSize, footer?.md5].join(' ');
}

function isProved(chunk: Chunk, book: ProofBook, { fileSystem }: OperationContext): boolean {
  return book.of(provableChunk(fileSystem, chunk))?.isSound === true;
}
