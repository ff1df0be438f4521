/** Log, index, filters and checkpoints, one against the other. */
import { verifyDatabase as verify } from '../../src-core/index.ts';
import { withDatabase } from './database-access.ts';
import type { OperationContext } from './operation.ts';
import type { CheckedRequestOf } from './operation-contract.ts';
import type { VerifyReport } from './reports.ts';

export async function verifyDatabase(
  request: CheckedRequestOf<'verifyDatabase'>,
  context: OperationContext
): Promise<VerifyReport> {
  return withDatabase(request, context, (database) =>
    verify({ database, quick: request.quick, control: context.control })
  );
}
