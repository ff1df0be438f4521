/** The log cut into pieces for a bar: one chunk file each, or several where there are more than a bar can show. */
import type { ChunkRow, ScavengeReport } from '../../../src-main/ipc/contract.ts';
import { plannedByStart, sharesOf, type ChunkShares } from '../../state/chunk-shares.ts';

export interface LogPiece extends ChunkShares {
  firstChunk: number;
  lastChunk: number;
  /** Log positions; the end is exclusive. */
  start: number;
  end: number;
}

/** More pieces than this would be thinner than a pixel or two. */
const MOST_PIECES = 240;

export function piecesOf(chunks: readonly ChunkRow[], plan: ScavengeReport | undefined): LogPiece[] {
  const planned = plannedByStart(plan);
  const groupSize = Math.ceil(chunks.length / MOST_PIECES);
  const pieces: LogPiece[] = [];
  for (let at = 0; at < chunks.length; at += groupSize) {
    const group = chunks.slice(at, at + groupSize);
    const first = group[0];
    const last = group.at(-1);
    if (!first || !last) break;
    const piece: LogPiece = {
      firstChunk: first.chunkStart,
      lastChunk: last.chunkEnd,
      start: first.logicalStart,
      end: last.logicalEnd,
      live: 0,
      removable: 0,
      freed: 0,
      total: 0
    };
    for (const chunk of group) {
      const shares = sharesOf(chunk, planned.get(chunk.chunkStart));
      piece.live += shares.live;
      piece.removable += shares.removable;
      piece.freed += shares.freed;
      piece.total += shares.total;
    }
    piece.total = Math.max(1, piece.total);
    pieces.push(piece);
  }
  return pieces;
}
