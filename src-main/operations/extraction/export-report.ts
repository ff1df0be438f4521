/** What an export says of itself. */
import type { ExportReport } from '../../contract/operations/extraction-reports.ts';
import type { CheckedRequestOf } from '../../contract/operations/operation-contract.ts';
import type { ExportPlace, ExportState } from './export-state.ts';
import { absentNames, absentWords } from './absent-names.ts';
import { byName, bytesOf, NONE_ABSENT, NOT_CHECKED, sourceReport } from './extraction-report.ts';
import type { ExtractionSource } from './extraction-source.ts';

export interface ExportReportParts {
  request: CheckedRequestOf<'exportDatabase'>;
  place: ExportPlace;
  state: ExportState;
  resumedAt: number | null;
  /** null: a plan. */
  written: ExportReport['written'];
  check?: ExportReport['check'];
}

export function exportReport(
  { request, place, state, resumedAt, written, check = NOT_CHECKED }: ExportReportParts,
  source: ExtractionSource
): ExportReport {
  const absent = written === null ? NONE_ABSENT : absentNames(request, state.streams);
  const isAllThere = absent.streams.length + absent.categories.length === 0;
  return {
    dryRun: written === null,
    ok: state.unreadableCount === 0 && check.agrees !== false && isAllThere,
    summary:
      written === null ? planned(place, resumedAt) : `${summary(place, state, check)}${absentWords(absent)}`,
    source: sourceReport(source),
    dataDirectory: place.directory,
    from: 0,
    end: state.end,
    sourceBytes: bytesOf(source, resumedAt ?? 0, state.end),
    resumedAt,
    events: state.events,
    bytes: state.bytes,
    notCommitted: state.notCommitted,
    streams: byName(state.streams),
    types: byName(state.types),
    absent,
    written,
    links: { total: state.links, dangling: state.danglingLinks },
    check,
    unreadable: state.unreadable,
    unreadableCount: state.unreadableCount,
    unreadableBytes: state.unreadableBytes
  };
}

function planned({ directory }: ExportPlace, resumedAt: number | null): string {
  return resumedAt === null
    ? `A new database would be written to ${directory}.`
    : `The unfinished export to ${directory} would be continued at position ${resumedAt}.`;
}

function summary({ directory }: ExportPlace, state: ExportState, check: ExportReport['check']): string {
  const { events, unreadableCount, unreadableBytes } = state;
  const what = events === 1 ? 'one event' : `${events} events`;
  const holes =
    unreadableCount === 0
      ? ''
      : ` ${unreadableBytes} bytes of the source could not be read, in ${unreadableCount} ${unreadableCount === 1 ? 'place' : 'places'}.`;
  const doubt = check.agrees === false ? ` ${check.because}` : '';
  return `${directory} is a new database with ${what}.${holes}${doubt}`;
}
