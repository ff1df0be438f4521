/** The numbers of a plan beside those of its run, and why they differ where they do. */
import type { ScavengeReport } from '../../../src-main/contract/verbs/workbench-contract.ts';

export type ComparedWhat = 'freed' | 'log' | 'index' | 'records' | 'entries' | 'chunks' | 'time';

export interface ComparedRow {
  what: ComparedWhat;
  unit: 'bytes' | 'count' | 'ms';
  /** null: not known. */
  plan: number | null;
  actual: number;
}

export interface Compared {
  rows: ComparedRow[];
  /** null: nothing differs, or there is nothing to compare with. */
  because: 'stopped' | 'resumed' | 'differs' | null;
}

export function compareWithPlan(
  plan: ScavengeReport | undefined,
  report: ScavengeReport,
  elapsedMs: number
): Compared {
  const row = (
    what: ComparedWhat,
    unit: ComparedRow['unit'],
    of: (report: ScavengeReport) => number
  ): ComparedRow => ({ what, unit, plan: plan ? of(plan) : null, actual: of(report) });
  const rows = [
    row('freed', 'bytes', ({ spaceSaved }) => spaceSaved.total),
    row('log', 'bytes', ({ spaceSaved }) => spaceSaved.log),
    row('index', 'bytes', ({ spaceSaved }) => spaceSaved.index),
    row('records', 'count', ({ recordsDiscarded }) => recordsDiscarded),
    row('entries', 'count', ({ indexEntriesDiscarded }) => indexEntriesDiscarded),
    row('chunks', 'count', ({ chunkCount }) => chunkCount.rewritten)
  ];
  const differs = plan !== undefined && rows.some((one) => one.plan !== one.actual);
  const time: ComparedRow = { what: 'time', unit: 'ms', plan: plan?.estimatedMs ?? null, actual: elapsedMs };
  return { rows: [...rows, time], because: differs ? reasonOf(plan, report) : null };
}

function reasonOf(plan: ScavengeReport, report: ScavengeReport): Compared['because'] {
  if (report.result === 'stopped') return 'stopped';
  return report.resumed && !plan.resumed ? 'resumed' : 'differs';
}
