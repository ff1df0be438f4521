/** Why the newest plan would free more or less than the usage report says: other points, times, options. */
import type { UsageSurvey } from '../../../src-main/contract/verbs/workbench-contract.ts';
import { formatBytes } from '../../format/bytes.ts';
import { formatCount } from '../../format/count.ts';
import { formatPosition } from '../../format/position.ts';
import { formatTime } from '../../format/time.ts';
import { texts } from '../../texts.ts';
import type { KnownPlan } from './plan.ts';

/** A sentence; empty where both say the same. */
export function planDifference(
  { work, report }: KnownPlan,
  { spaceSaved, point }: Pick<UsageSurvey, 'spaceSaved' | 'point'>
): string {
  const planned = report.scavengePoint;
  if (!planned || !point || report.spaceSaved.total === spaceSaved.total) return '';
  const { plan, reasons } = texts.usage.savings;
  const because: string[] = [];
  if (planned.position !== point.position) because.push(reasons.position(formatPosition(planned.position)));
  if (planned.threshold !== 0) because.push(reasons.threshold(formatCount(planned.threshold)));
  if (planned.effectiveNow !== point.effectiveNow)
    because.push(reasons.time(formatTime(planned.effectiveNow)));
  if (because.length === 0) because.push(reasons.options);
  const time = formatTime(work.endedMs ?? work.startedMs);
  return plan(time, formatBytes(report.spaceSaved.total), because.join(', '));
}
