/**
 * What a scavenge does with the records of a page: the verdict of `explain` for each. A list asks for what is known only,
 * so that no mark beside a row makes the log be read.
 */
import { explainRecords as explainAll, ticksToIso } from '../../../src-core/index.ts';
import type { RecordsExplanation } from '../../contract/operations/explain-reports.ts';
import type { CheckedRequestOf } from '../../contract/operations/operation-contract.ts';
import { lookIntoDatabase } from '../database/database-access.ts';
import { knownDigestsOf } from '../database/digests-of.ts';
import type { OperationContext } from '../operation.ts';
import { scavengeOf, withPlannedRequest } from './planned-request.ts';

type RecordsRequest = CheckedRequestOf<'explainRecords'>;

export async function explainRecords(
  request: RecordsRequest,
  context: OperationContext
): Promise<RecordsExplanation> {
  if (request.onlyKnown && !(await isKnown(request, context))) {
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

/** No chunk has to be read for an answer. */
function isKnown(request: RecordsRequest, context: OperationContext): Promise<boolean> {
  return lookIntoDatabase(request, context, (database) => {
    const digests = knownDigestsOf(database, request.winnowHome, context);
    // The log of a running server grows: the chunk that it writes would be read again for every page.
    const { chunks } = database.log;
    const isRead = (chunk: (typeof chunks)[number]) => chunk.isLasting || digests?.known(chunk) !== undefined;
    return digests !== undefined && (database.inUse === null || chunks.every(isRead));
  });
}
