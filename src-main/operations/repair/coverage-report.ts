/** How much of a database was verified within some time, as far as it is known here. Reads heads of files only. */
import {
  coverageOf,
  isCovered,
  openIndexAsItIs,
  provableChunk,
  provableTables,
  ticksFromMs,
  ticksToIso,
  type Chunk,
  type Coverage,
  type Database,
  type ProofBook
} from '../../../src-core/index.ts';
import type { CoverageReport, LogCoverageReport } from '../../contract/operations/coverage-reports.ts';

/** What is asked about where nothing else is said. */
const USUAL_WITHIN_MS = 30 * 24 * 60 * 60 * 1000;

export function coverageReport(
  database: Database,
  book: ProofBook,
  { nowMs, withinMs = USUAL_WITHIN_MS }: { nowMs: number; withinMs?: number | undefined }
): CoverageReport {
  const log = logCoverageReport(database, book, { nowMs, withinMs });
  return { ...log, index: told(indexCoverage(database, book, { nowMs, withinMs })) };
}

/** The log alone. Only of files that the book knows anything is asked: nothing was ever verified in most databases. */
export function logCoverageReport(
  database: Database,
  book: ProofBook,
  { nowMs, withinMs = USUAL_WITHIN_MS }: { nowMs: number; withinMs?: number | undefined }
): LogCoverageReport {
  const { fileSystem, chunkSet } = database;
  const completed = chunkSet.chunks
    .filter(({ isLasting }) => isLasting)
    .map((chunk) => ({ chunk, bytes: chunk.fileSize }));
  const proofOf = ({ chunk }: { chunk: Chunk }) =>
    book.lastLook(chunk.fileName) && book.of(provableChunk(fileSystem, chunk));
  const log = coverageOf(completed, proofOf, { nowMs, withinMs });
  return { ...told(log), withinMs, isWhole: isCovered(log) };
}

function indexCoverage(
  database: Database,
  book: ProofBook,
  question: { nowMs: number; withinMs: number }
): Coverage {
  const directory = openIndexAsItIs(database);
  try {
    return coverageOf(provableTables(directory), (table) => book.of(table), question);
  } finally {
    directory.close();
  }
}

function told({ oldestMs, ...coverage }: Coverage): CoverageReport['index'] {
  return { ...coverage, oldest: oldestMs === null ? null : ticksToIso(ticksFromMs(oldestMs)) };
}
