/** The log from its start to its end: its chunk files and, in their places, what no file can serve. Pure. */
import type { ChunkRow, ChunksReport, LogGapRow } from '../../src-main/contract/verbs/workbench-contract.ts';

export type LogPlace = ChunkRow | LogGapRow;

export function isGap(place: LogPlace): place is LogGapRow {
  return 'finding' in place;
}

/** Without what no file can serve. */
export function filesOf(places: readonly LogPlace[]): ChunkRow[] {
  return places.filter((place): place is ChunkRow => !isGap(place));
}

export function placesOfLog(report: ChunksReport | null): LogPlace[] {
  if (!report) return [];
  if (report.gaps.length === 0) return report.chunks;
  return [...report.chunks, ...report.gaps].sort((a, b) => a.chunkStart - b.chunkStart);
}

export function placeOfChunk(places: readonly LogPlace[], chunkNumber: number): LogPlace | undefined {
  return places.find(({ chunkStart, chunkEnd }) => chunkStart <= chunkNumber && chunkNumber <= chunkEnd);
}
