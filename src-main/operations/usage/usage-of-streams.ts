/** What a scavenge could free of a few streams and categories: the numbers of the usage view, for the rows of a list. */
import { usageOfNames, type UsageItem } from '../../../src-core/index.ts';
import type { CheckedRequestOf } from '../../contract/operations/operation-contract.ts';
import type { NamedUsageReport } from '../../contract/operations/usage-reports.ts';
import { isAnsweredByDigests } from '../database/known-digests.ts';
import type { OperationContext } from '../operation.ts';
import { withUsage } from './usage-access.ts';

export async function usageOfStreams(
  request: CheckedRequestOf<'usageOfStreams'>,
  context: OperationContext
): Promise<NamedUsageReport> {
  if (request.onlyKnown && !(await isAnsweredByDigests(request, context))) {
    return { known: false, streams: [], categories: [] };
  }
  const { streams, categories } = await withUsage(request, context, (usage) => usageOfNames(usage, request));
  return { known: true, streams: streams.map(removalOf), categories: categories.map(removalOf) };
}

function removalOf({ name, discardableRecords, discardableBytes }: UsageItem) {
  return { name, discardableRecords, discardableBytes };
}
