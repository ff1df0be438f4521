/**
 * The verification of a repair. The same as that of `verify`, except that the directory is in use by the repair itself:
 * the scavenge state, which a verification leaves alone in a directory that is in use, is looked at all the same.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { verifyScavengeState, type Database, type RepairVerification } from '../../src-core/index.ts';
import type { OperationContext } from './operation.ts';
import type { DatabaseLocation } from './operation-contract.ts';
import { verifyDatabase } from './verify-database.ts';

export async function verifyForRepair(
  database: Database,
  location: DatabaseLocation,
  context: OperationContext
): Promise<RepairVerification> {
  // That somebody has the directory open is no news: it is the repair.
  const quiet: OperationContext = { ...context, log: () => undefined };
  const request = { ...location, quick: false, threads: os.availableParallelism() };
  const { findings, ok, notChecked } = await verifyDatabase(request, quiet);
  const isStateLeftOut = notChecked.some((place) => place.startsWith('the scavenge state'));
  if (!ok || !isStateLeftOut) return { findings, ok };
  const index = await database.openIndex(context.control);
  const scratchDirectory = await mkdtemp(path.join(os.tmpdir(), 'winnow-repair-'));
  try {
    const problem = verifyScavengeState({ database, index, scratchDirectory });
    if (!problem) return { findings, ok };
    const place = { offset: null, position: null, command: 'winnow repair' };
    return { findings: [...findings, { severity: 'damage', ...place, ...problem }], ok: false };
  } finally {
    await rm(scratchDirectory, { recursive: true, force: true });
  }
}
