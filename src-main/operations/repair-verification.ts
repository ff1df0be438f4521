/**
 * The verification of a repair. The same as that of `verify`, except that the directory is in use by the repair itself:
 * the scavenge state, which a verification leaves alone in a directory that is in use, is looked at all the same.
 */
import os from 'node:os';
import type { Database, RepairVerification } from '../../src-core/index.ts';
import type { OperationContext } from './operation.ts';
import type { DatabaseLocation } from './operation-contract.ts';
import { findStateProblem } from './stored-state.ts';
import { verifyLocation } from './verify-database.ts';

export async function verifyForRepair(
  database: Database,
  location: DatabaseLocation,
  context: OperationContext
): Promise<RepairVerification> {
  // That somebody has the directory open is no news: it is the repair.
  const quiet: OperationContext = { ...context, log: () => undefined };
  const request = { ...location, quick: false, threads: os.availableParallelism() };
  const { findings, ok, notChecked } = await verifyLocation(request, quiet);
  const isStateLeftOut = notChecked.some((place) => place.startsWith('the scavenge state'));
  if (!ok || !isStateLeftOut) return { findings, ok };
  const problem = await findStateProblem(database, context);
  if (!problem) return { findings, ok };
  const place = { offset: null, position: null, command: 'winnow repair' };
  return { findings: [...findings, { severity: 'damage', ...place, ...problem }], ok: false };
}
