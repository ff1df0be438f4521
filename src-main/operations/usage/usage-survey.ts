/** Everything that the window shows about usage, from one count: four sums, causes, days, thresholds. */
import { invalidRequest, sumUsage, usageWithin as within, type UsageBy } from '../../../src-core/index.ts';
import type { OperationContext } from '../operation.ts';
import type { CheckedRequestOf } from '../../contract/operations/operation-contract.ts';
import { thresholdsOf } from '../scavenge/thresholds-compare.ts';
import { withUsage } from './usage-access.ts';
import { usageAsCsv, usageAsNcdu } from './usage-export.ts';
import { reportOf } from './usage-read.ts';
import type { UsagePartReport, UsageSurvey } from '../../contract/operations/usage-reports.ts';

const CALENDAR_DAYS = 90;

export function surveyUsage(
  request: CheckedRequestOf<'surveyUsage'>,
  context: OperationContext
): Promise<UsageSurvey> {
  return withUsage(request, context, async (usage) => {
    const { top } = request;
    const {
      by: _by,
      total,
      items,
      itemCount,
      whatIf: _none,
      ...common
    } = await reportOf(usage, { ...request, by: 'stream', calendarDays: CALENDAR_DAYS, whatIf: [] }, context);
    const sums = async (by: UsageBy) => {
      const { items: summed, itemCount: count } = await sumUsage(usage, by, top);
      return { items: summed, itemCount: count };
    };
    const { rows, rate } = await thresholdsOf(usage, { ...request, thresholds: [] }, context);
    return {
      ...common,
      total,
      stream: { items, itemCount },
      category: await sums('category'),
      type: await sums('type'),
      link: await sums('link'),
      thresholds: { rows, rate }
    };
  });
}

/** The streams of a category, or the event types of a category or a stream. */
export function usageWithin(
  request: CheckedRequestOf<'usageWithin'>,
  context: OperationContext
): Promise<UsagePartReport> {
  const { category, stream, by, top } = request;
  if ((category === null) === (stream === null)) {
    throw invalidRequest('Name a category or a stream, not both.', 'category', 'Leave one of them out.');
  }
  const { control } = context;
  const breathe = async (): Promise<void> => {
    if (control.isDue) await control.breathe();
  };
  const part = stream === null ? { category: category! } : { stream };
  return withUsage(request, context, (usage) => within(usage, part, { by, top, breathe }));
}

/** The items as text, for export. */
export async function exportUsage(
  request: CheckedRequestOf<'exportUsage'>,
  context: OperationContext
): Promise<{ text: string }> {
  const { by, top, format } = request;
  return withUsage(request, context, async (usage) => {
    const report = await reportOf(
      usage,
      { ...request, by: format === 'ncdu' ? 'stream' : by, top, calendarDays: 0, whatIf: [] },
      context
    );
    if (format === 'csv') return { text: usageAsCsv(report) };
    if (format === 'ncdu') return { text: usageAsNcdu(report, request.dataDirectory) };
    return { text: `${JSON.stringify(report)}\n` };
  });
}
