/** What an extraction says of itself. */
import { NameCounts, type NameCountsState } from '../../../src-core/index.ts';
import type { ExtractReport } from '../../contract/operations/extraction-reports.ts';
import type { CheckedRequestOf } from '../../contract/operations/operation-contract.ts';
import { absentNames, absentWords, isUnbounded } from './absent-names.ts';
import type { ExtractionSource } from './extraction-source.ts';
import type { ExtractionState } from './extraction-state.ts';
import type { OutputPlace } from './output-place.ts';

export interface ReportParts {
  request: CheckedRequestOf<'extractEvents'>;
  place: OutputPlace;
  state: ExtractionState;
  resumedAt: number | null;
  from: number;
  end: number;
}

/** Streams and types that are named in a report. */
const MOST_NAMES = 100;

export const NONE_ABSENT: ExtractReport['absent'] = { streams: [], categories: [] };

export const NOT_CHECKED: ExtractReport['check'] = {
  by: null,
  events: null,
  agrees: null,
  because: 'Nothing was written yet.'
};

export function extractReport(
  { request, place, state, resumedAt, from, end }: ReportParts,
  source: ExtractionSource,
  { dryRun, check = NOT_CHECKED }: { dryRun: boolean; check?: ExtractReport['check'] }
): ExtractReport {
  // A plan has met nothing yet.
  const absent = dryRun ? NONE_ABSENT : absentNames(request, state.streams);
  const isAllThere = absent.streams.length + absent.categories.length === 0 || !isUnbounded(request);
  const ok = state.unreadableCount === 0 && check.agrees !== false && isAllThere;
  const outputBytes = state.parts.reduce((sum, { bytes }) => sum + bytes, 0);
  return {
    dryRun,
    ok,
    summary: dryRun ? planned(place, resumedAt) : `${summary(state, check)}${absentWords(absent)}`,
    source: sourceReport(source),
    to: place.path,
    format: request.format,
    from: Math.min(from, end),
    end,
    sourceBytes: bytesOf(source, resumedAt ?? from, end),
    resumedAt,
    events: state.events,
    bytes: state.bytes,
    notCommitted: state.notCommitted,
    streams: byName(state.streams),
    types: byName(state.types),
    absent,
    files: state.parts,
    outputBytes,
    check,
    unreadable: state.unreadable,
    unreadableCount: state.unreadableCount,
    unreadableBytes: state.unreadableBytes
  };
}

export function sourceReport({ open }: ExtractionSource): ExtractReport['source'] {
  return {
    name: open.name,
    kind: open.manifest ? 'backup' : 'database',
    backup: open.manifest?.id ?? null,
    inUse: open.database !== undefined && open.database.inUse !== null,
    end: open.side.end
  };
}

/** Of the chunk files in which positions of the range lie. */
export function bytesOf({ open: { side } }: ExtractionSource, from: number, end: number): number {
  return side.chunks
    .filter(
      ({ startNumber, endNumber }) =>
        startNumber * side.chunkSizeBytes < end && (endNumber + 1) * side.chunkSizeBytes > from
    )
    .reduce((sum, { fileSize }) => sum + fileSize, 0);
}

export function byName(state: NameCountsState): ExtractReport['streams'] {
  const counts = new NameCounts(state);
  return { count: counts.size, isComplete: counts.isComplete, largest: counts.largest(MOST_NAMES) };
}

function planned({ kind, path }: OutputPlace, resumedAt: number | null): string {
  const where = kind === 'file' ? path : `parts in ${path}`;
  return resumedAt === null
    ? `Events would be written to ${where}.`
    : `The unfinished extraction to ${where} would be continued at position ${resumedAt}.`;
}

function summary(state: ExtractionState, check: ExtractReport['check']): string {
  const what = state.events === 1 ? 'One event was' : `${state.events} events were`;
  const holes =
    state.unreadableCount === 0
      ? 'all of the log that was asked for could be read.'
      : `${state.unreadableBytes} bytes of the log could not be read, in ${state.unreadableCount} ${state.unreadableCount === 1 ? 'place' : 'places'}.`;
  const doubt = check.agrees === false ? ` ${check.because}` : '';
  return `${what} extracted; ${holes}${doubt}`;
}
