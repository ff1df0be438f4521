/** Whether a question about the whole log can be answered without reading chunks. */
import type { DatabaseLocation } from '../../contract/operations/operation-contract.ts';
import type { OperationContext } from '../operation.ts';
import { lookIntoDatabase } from './database-access.ts';
import { knownDigestsOf } from './digests-of.ts';

export function isAnsweredByDigests(
  request: DatabaseLocation & { winnowHome?: string | undefined },
  context: OperationContext
): Promise<boolean> {
  return lookIntoDatabase(request, context, (database) => {
    const digests = knownDigestsOf(database, request.winnowHome, context);
    // The log of a running server grows: the chunk that it writes would be read again for every page.
    const { chunks } = database.log;
    const isRead = (chunk: (typeof chunks)[number]) => chunk.isLasting || digests?.known(chunk) !== undefined;
    return digests !== undefined && (database.inUse === null || chunks.every(isRead));
  });
}
