/**
 * What a plan removes, as the rows of its tables: by rule, by category and by stream, each with the lines that lead from the
 * bytes of the records to those that are freed on the disk, so that every column adds up.
 */
import type { RemovedReport, ScavengeReport } from '../../../src-main/contract/verbs/workbench-contract.ts';
import type { RemovalRule } from '../../../src-core/units/scavenge-terms.ts';

export const REMOVED_BYS = ['rule', 'category', 'stream', 'chunk'] as const;
export type RemovedBy = (typeof REMOVED_BYS)[number];

export interface RemovedRow {
  name: string;
  /** Of a table by rule. */
  rule?: RemovalRule;
  streams: number;
  records: number;
  bytes: number;
  /** Of a stream or category: the rule that removes the most bytes of it, and how many others do. */
  mainRule?: RemovalRule;
  otherRules: number;
  /** Several that are not named. */
  isRest: boolean;
}

const REST = '(others)';

export function removedRows(removed: RemovedReport, by: Exclude<RemovedBy, 'chunk'>): RemovedRow[] {
  if (by === 'rule') {
    return removed.byRule
      .map((sum) => ({ ...sum, name: sum.rule, otherRules: 0, isRest: false }))
      .sort((a, b) => b.bytes - a.bytes);
  }
  const { items } = by === 'category' ? removed.byCategory : removed.byStream;
  return items.map(({ name, streams, records, bytes, byRule }, index) => {
    const [main] = byRule;
    return {
      name,
      streams,
      records,
      bytes,
      ...(main ? { mainRule: main.rule } : {}),
      otherRules: Math.max(0, byRule.length - 1),
      isRest: name === REST && index === items.length - 1
    };
  });
}

/** From the bytes of the records to those freed on the disk. */
export interface FreedParts {
  records: number;
  /** Position maps, whole pages, and what merging frees; below 0 where whole pages take more. */
  files: number;
  index: number;
  total: number;
}

export function freedParts(
  { spaceSaved }: Pick<ScavengeReport, 'spaceSaved'>,
  removed: RemovedReport
): FreedParts {
  const { log, index, total } = spaceSaved;
  return { records: removed.bytes, files: log - removed.bytes, index, total };
}

/** Numbers as they are, names quoted where they must be: a spreadsheet reads it back. */
export function removedCsv(rows: readonly RemovedRow[], by: RemovedBy): string {
  const lines = rows.map(({ name, streams, records, bytes }) =>
    [quoted(name), streams, records, bytes].join()
  );
  return [`${by},streams,records,bytes`, ...lines, ''].join('\n');
}

/** A formula would be carried out by a spreadsheet that opens it. */
function quoted(name: string): string {
  const safe = /^[=+\-@\t\r]/.test(name) ? `'${name}` : name;
  return /[",\n\r']/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** For programs: the numbers as the engine says them. */
export function removedJson(removed: RemovedReport, by: Exclude<RemovedBy, 'chunk'>): string {
  const { records, bytes, byRule, byCategory, byStream } = removed;
  const of = { rule: byRule, category: byCategory.items, stream: byStream.items };
  return `${JSON.stringify({ records, bytes, by, items: of[by] }, null, 2)}\n`;
}
