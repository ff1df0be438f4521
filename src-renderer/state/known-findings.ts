/**
 * What is known to be wrong with a directory, each fact once, whether the look at the next start found it, a
 * verification, or the verification that ends a repair.
 */
import type {
  DoctorReport,
  FindingRow,
  StartFindingRow,
  VerifyReport,
  WorkSnapshot
} from '../../src-main/contract/verbs/workbench-contract.ts';
import type { Database } from './database.svelte.ts';
import type { Operations } from './operations.svelte.ts';
import { sinceThen } from './since-then.ts';

/** With what a start makes of it, where a start meets it. */
export type KnownFinding = FindingRow & Partial<Pick<StartFindingRow, 'wouldDo' | 'serverSays'>>;

export interface Verification {
  work: WorkSnapshot;
  findings: readonly FindingRow[];
  /** What was read; null where a repair verified for itself. */
  report: VerifyReport | null;
  /** Only of the log and index as they were: work of ours has written since. */
  isOver: boolean;
}

/** The newest reading of everything; a repair reads everything again at its end. undefined: there was none. */
export function latestVerification(
  workbench: { operations: Operations; database: Database },
  nodeId: string
): Verification | undefined {
  const { operations } = workbench;
  for (const work of operations.all) {
    if (work.nodeId !== nodeId || work.endedMs === null) continue;
    const report = operations.resultOf(work, 'verifyDatabase') ?? null;
    const repaired = operations.resultOf(work, 'repairDatabase');
    const findings = report?.findings ?? repaired?.findings;
    // A plan that was made at once has read nothing.
    if (!findings || repaired?.isQuick) continue;
    return { work, findings, report, isOver: sinceThen(workbench, work)?.kind === 'work' };
  }
  return undefined;
}

/** Damage first. Of a fact that both tell, the start's words, which say what the server does. */
export function knownFindings(
  start: DoctorReport | undefined,
  verified: readonly FindingRow[]
): KnownFinding[] {
  const all = new Map<string, KnownFinding>();
  for (const finding of start?.findings ?? []) all.set(keyOf(finding), finding);
  for (const finding of verified) {
    const key = keyOf(finding);
    const known = all.get(key);
    // Which place of the log it is only a verification may know.
    if (!known) all.set(key, finding);
    else if (known.position === null) all.set(key, { ...known, position: finding.position });
  }
  const found = [...all.values()];
  return [
    ...found.filter(({ severity }) => severity === 'damage'),
    ...found.filter(({ severity }) => severity !== 'damage')
  ];
}

function keyOf({ code, file, offset }: FindingRow): string {
  return JSON.stringify([code, file, offset]);
}
