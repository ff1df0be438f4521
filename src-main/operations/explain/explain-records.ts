/**
 * What a scavenge does with the records of a page: the verdict of `explain` for each. A list asks for what is known only,
 * so that no mark beside a row makes the log be read.
 */
import { explainRecords as explainAll, ticksToIso } from '../../../src-core/index.ts';
import type { RecordsExplanation } from '../../contract/operations/explain-reports.ts';
import type { CheckedRequestOf } from '../../contract/operations/operation-contract.ts';
import { isAnsweredByDigests } from '../database/known-digests.ts';
import type { OperationContext } from '../operation.ts';
import { scavengeOf, withPlannedRequest } from './planned-request.ts';

export async function explainRecords(
  request: CheckedRequestOf<'explainRecords'>,
  context: OperationContext
): Promise<RecordsExplanation> {
  if (request.onlyKnown && !(await isAnsweredByDigests(request, context))) {
    return { kind: 'records', known: false, records: [], scavenge: null };
  }
  const { scavenge, records } = await withPlannedRequest(request, context, (planned, environment) =>
    explainAll(request.positions, planned, environment)
  );
  return {
    kind: 'records',
    known: true,
    records: records.map((record) => ({
      ...record,
      until: record.until === null ? null : ticksToIso(record.until)
    })),
    scavenge: scavengeOf(scavenge)
  };
}
