/**
 * The log cut into pieces for a bar: one chunk file each, or several where there are more than a bar can show. What no
 * file can serve is a piece of its own, however many there are: it must not be hidden among the others.
 */
import type {
  ChunkRow,
  LogGapRow,
  ScavengeReport
} from '../../../src-main/contract/verbs/workbench-contract.ts';
import { plannedByStart, sharesOf, type ChunkShares, type PlannedChunk } from '../../state/chunk-shares.ts';
import { isGap, type LogPlace } from '../../state/log-places.ts';

export interface LogPiece extends ChunkShares {
  firstChunk: number;
  lastChunk: number;
  /** Log positions; the end is exclusive. */
  start: number;
  end: number;
  /** No file serves this piece: it has no shares. */
  gap: LogGapRow | null;
}

/** More pieces than this would be thinner than a pixel or two. */
const MOST_PIECES = 240;

export function piecesOf(places: readonly LogPlace[], plan: ScavengeReport | undefined): LogPiece[] {
  const planned = plannedByStart(plan);
  const groupSize = Math.ceil(places.length / MOST_PIECES);
  const pieces: LogPiece[] = [];
  let group: ChunkRow[] = [];
  const endGroup = (): void => {
    if (group.length > 0) pieces.push(pieceOf(group, planned));
    group = [];
  };
  for (const place of places) {
    if (isGap(place)) {
      endGroup();
      pieces.push(pieceOfGap(place));
    } else {
      group.push(place);
      if (group.length === groupSize) endGroup();
    }
  }
  endGroup();
  return pieces;
}

function pieceOf(group: readonly ChunkRow[], planned: Map<number, PlannedChunk>): LogPiece {
  const piece = { ...emptyPiece(group[0]!, group.at(-1)!), gap: null };
  for (const chunk of group) {
    const shares = sharesOf(chunk, planned.get(chunk.chunkStart));
    piece.unknown += shares.unknown;
    piece.live += shares.live;
    piece.removable += shares.removable;
    piece.freed += shares.freed;
    piece.total += shares.total;
  }
  return { ...piece, total: Math.max(1, piece.total) };
}

function pieceOfGap(gap: LogGapRow): LogPiece {
  return { ...emptyPiece(gap, gap), total: 1, gap };
}

function emptyPiece(first: LogPlace, last: LogPlace): Omit<LogPiece, 'gap'> {
  return {
    firstChunk: first.chunkStart,
    lastChunk: last.chunkEnd,
    start: first.logicalStart,
    end: last.logicalEnd,
    unknown: 0,
    live: 0,
    removable: 0,
    freed: 0,
    total: 0
  };
}
