/** What the engine found, in the shape and the words of the report. Decides nothing. */
import type {
  Difference,
  LogDifference,
  LogRecord,
  OnlyHere,
  RangeVerdict,
  SideName
} from '../../../src-core/index.ts';
import type {
  ComparisonReport,
  DifferenceReport,
  DifferenceRow
} from '../../contract/operations/difference-reports.ts';
import { recordRow } from '../records/record-row.ts';

/** A record where it was found. */
export type FoundRow = NonNullable<DifferenceRow['one']>;

export interface ComparedPair {
  /** Indexes and names of the two. */
  one: number;
  other: number;
  names: readonly string[];
  chunkSizeBytes: number;
}

export function foundRow(
  record: LogRecord,
  place: { fileName: string; fileOffset: number },
  chunkSizeBytes: number
): FoundRow {
  const chunk = Math.floor(record.position / chunkSizeBytes);
  return { file: place.fileName, record: recordRow(record, { chunk, fileOffset: place.fileOffset }, 'none') };
}

export function comparisonReport(
  found: LogDifference<FoundRow>,
  pair: ComparedPair,
  rest: Pick<ComparisonReport, 'epochs' | 'hashes' | 'provedFiles'>
): ComparisonReport {
  const { one, other } = pair;
  const indexOf = (side: SideName): number => (side === 'one' ? one : other);
  const behind = found.behind && { side: indexOf(found.behind.side), bytes: found.behind.bytes };
  const rowOf = (difference: Difference<FoundRow>): DifferenceRow => differenceRow(difference, pair);
  return {
    one,
    other,
    verdict: found.verdict,
    summary: summaryOf(found, pair, found.trustedFiles - rest.provedFiles),
    comparedTo: found.comparedTo,
    behind,
    ranges: found.ranges.map(({ from, to, verdict, how, ...counts }) => ({
      from,
      to,
      verdict,
      how,
      ...countsOf(counts)
    })),
    total: countsOf(found.total),
    differences: found.differences.map(rowOf),
    differenceCount: found.differenceCount,
    firstExplained: found.firstExplained && rowOf(found.firstExplained),
    readBytes: found.bytesRead,
    trustedBytes: found.bytesTrusted,
    trustedFiles: found.trustedFiles,
    ...rest
  };
}

export function isAllRight(verdict: RangeVerdict): boolean {
  return verdict !== 'differs' && verdict !== 'notKnown';
}

/** The first of all comparisons, in the order of the log. */
export function firstDifference(
  comparisons: readonly ComparisonReport[],
  names: readonly string[]
): DifferenceReport['firstDifference'] {
  let first: DifferenceReport['firstDifference'] = null;
  for (const { one, other, differences } of comparisons) {
    const [found] = differences;
    if (!found || (first && first.position <= found.position)) continue;
    const sideOf = (side: number, row: FoundRow | null) => ({
      name: names[side]!,
      file: row?.file ?? null,
      record: row?.record ?? null
    });
    first = { position: found.position, sides: [sideOf(one, found.one), sideOf(other, found.other)] };
  }
  return first;
}

function differenceRow(
  { kind, position, to, lackedBy, verdict, because, one, other, bytes }: Difference<FoundRow>,
  pair: ComparedPair
): DifferenceRow {
  const lacking = lackedBy === null ? null : lackedBy === 'one' ? pair.one : pair.other;
  const chunk = Math.floor(position / pair.chunkSizeBytes);
  return { kind, position, to, chunk, lackedBy: lacking, verdict, because, one, other, bytes };
}

function countsOf({ equal, differing, one, other, holes }: LogDifference<FoundRow>['total']) {
  return { equal, differing, onlyOne: onlyHere(one), onlyOther: onlyHere(other), unreadable: holes };
}

function onlyHere({ explained, notKnown, unexplained, unreadable, byRule }: OnlyHere) {
  const rules = [...byRule].map(([rule, amount]) => ({ rule, ...amount }));
  return { explained, notKnown, unexplained, unreadable, byRule: rules.sort((a, b) => b.bytes - a.bytes) };
}

/** One or two sentences; the names are those that the user gave. `trusted`: files that nobody has read nor verified. */
function summaryOf(
  found: LogDifference<FoundRow>,
  { one, other, names }: ComparedPair,
  trusted: number
): string {
  const both = `${names[one]} and ${names[other]}`;
  return `${sameness(found, both, ifHashesAreRight(trusted))}${lagText(found, names, { one, other })}`;
}

function ifHashesAreRight(trusted: number): string {
  if (trusted === 0) return '';
  const hashes = trusted === 1 ? 'hash of 1 file is' : `hashes of ${numberText(trusted)} files are`;
  return `, if the stored ${hashes} right`;
}

function sameness(
  { verdict, total, ranges, differences }: LogDifference<FoundRow>,
  both: string,
  provided: string
): string {
  switch (verdict) {
    case 'equal':
      return `${both} hold the same log${provided}.`;
    case 'behind':
      return ranges.some((range) => range.verdict === 'explained')
        ? explainedText(total, both, provided)
        : `${both} hold the same log as far as both reach${provided}.`;
    case 'explained':
      return explainedText(total, both, provided);
    case 'notKnown': {
      const records = total.one.notKnown.records + total.other.notKnown.records;
      const why =
        records > 0
          ? `nothing at hand decides about ${recordsText(records)}`
          : 'parts of the log cannot be read on either side';
      return `Whether ${both} hold the same log is not known: ${why}.`;
    }
    case 'differs':
      return `${both} do not hold the same log: the first difference is at position ${numberText(differences[0]?.position ?? 0)}.`;
  }
}

function explainedText(
  { one, other }: LogDifference<FoundRow>['total'],
  both: string,
  provided: string
): string {
  const records = one.explained.records + other.explained.records;
  return `${both} hold the same log: all that differs is ${recordsText(records)} that one of them removed by rule${provided}.`;
}

function lagText(
  { behind }: LogDifference<FoundRow>,
  names: readonly string[],
  { one, other }: { one: number; other: number }
): string {
  if (!behind) return '';
  return ` ${names[behind.side === 'one' ? one : other]} is behind: its log ends ${numberText(behind.bytes)} bytes earlier.`;
}

function recordsText(count: number): string {
  return count === 1 ? '1 record' : `${numberText(count)} records`;
}

function numberText(value: number): string {
  return String(value).replace(/\B(?=(?:\d{3})+$)/g, ',');
}
