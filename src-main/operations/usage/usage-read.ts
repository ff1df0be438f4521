/** The content of a database by stream, category, type or kind of link: what can be freed, what cannot, and when. */
import {
  newestEvents,
  sumUsage,
  ticksToIso,
  unfreeable,
  usageSavings,
  whatIf,
  type Usage
} from '../../../src-core/index.ts';
import type { OperationContext } from '../operation.ts';
import type { CheckedRequestOf } from '../../contract/operations/operation-contract.ts';
import { withUsage } from './usage-access.ts';
import type { UsageReport } from '../../contract/operations/usage-reports.ts';

export function readUsage(
  request: CheckedRequestOf<'readUsage'>,
  context: OperationContext
): Promise<UsageReport> {
  return withUsage(request, context, (usage) => reportOf(usage, request, context));
}

/** The report from an open count. */
export async function reportOf(
  usage: Usage,
  {
    by,
    top,
    calendarDays,
    whatIf: rules
  }: Pick<CheckedRequestOf<'readUsage'>, 'by' | 'top' | 'calendarDays' | 'whatIf'>,
  { control }: OperationContext
): Promise<UsageReport> {
  const breathe = async (): Promise<void> => {
    if (control.isDue) await control.breathe();
  };
  const { last, calendar } = await newestEvents(usage, breathe);
  const answers: UsageReport['whatIf'] = [];
  for (const rule of rules) answers.push({ ...rule, ...(await whatIf(usage, rule, breathe)) });
  const { database, index } = usage.session;
  const { spaceSaved, steps: savings } = await usageSavings(usage, control);
  return {
    by,
    ...(await sumUsage(usage, by, top)),
    point: pointOf(usage),
    spaceSaved,
    savings,
    files: {
      logBytes: database.log.chunks.reduce((sum, { fileSize }) => sum + fileSize, 0),
      indexBytes: index.tables.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0)
    },
    unfreeable: unfreeable(usage, last),
    calendar: calendar
      .days(calendarDays)
      .map(({ day, ...sums }) => ({ day: ticksToIso(day).slice(0, 10), ...sums })),
    whatIf: answers,
    chunksRead: usage.chunksRead,
    chunksKnown: usage.chunksKnown,
    warnings: usage.warnings
  };
}

export function pointOf({ point }: Usage): UsageReport['point'] {
  return point ? { position: point.position, effectiveNow: ticksToIso(point.effectiveNow) } : null;
}
