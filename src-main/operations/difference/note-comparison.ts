/** What a comparison found is known afterwards of each database that took part: for monitoring. */
import type { DifferenceReport } from '../../contract/operations/difference-reports.ts';
import { keepLastComparison } from '../../settings/last-comparison.ts';
import type { OperationContext } from '../operation.ts';

export function noteComparison(
  { sides, comparisons }: DifferenceReport,
  winnowHome: string | undefined,
  { clock, log }: Pick<OperationContext, 'clock' | 'log'>
): void {
  if (winnowHome === undefined) return;
  for (const [side, { kind, dataDirectory }] of sides.entries()) {
    if (kind !== 'database' || dataDirectory === null) continue;
    const own = comparisons.filter(({ one, other }) => one === side || other === side);
    const differences = own.reduce((sum, { differenceCount }) => sum + differenceCount, 0);
    try {
      const comparison = { dataDirectory, endedAtMs: clock(), sides: own.length + 1, differences };
      keepLastComparison(winnowHome, comparison);
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      log({ level: 'warning', message: `What the comparison found is not kept for monitoring: ${reason}` });
    }
  }
}
