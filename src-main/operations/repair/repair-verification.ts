/**
 * The verification of a repair. The same as that of `verify`, except that the directory is in use by the repair itself:
 * the scavenge state, which a verification skips in a directory in use, is checked anyway.
 */
import os from 'node:os';
import { verifyInTurns, type Database, type RepairVerification } from '../../../src-core/index.ts';
import type { HealthPlace } from '../doctor/kept-health.ts';
import type { OperationContext } from '../operation.ts';
import type { DatabaseLocation } from '../../contract/operations/operation-contract.ts';
import { digestsOf } from '../database/digests-of.ts';
import { findStateProblem } from '../scavenge/stored-state.ts';
import { proofsOf } from './proofs-of.ts';
import { verifyLocation } from './verify-database.ts';

export async function verifyForRepair(
  database: Database,
  location: DatabaseLocation,
  context: OperationContext
): Promise<RepairVerification> {
  // The process that has the directory open is the repair itself: no warning.
  const quiet: OperationContext = { ...context, log: () => undefined };
  const request = { ...location, quick: false, threads: os.availableParallelism() };
  const { findings, ok, notChecked } = await verifyLocation(request, quiet);
  const isStateLeftOut = notChecked.some((place) => place.startsWith('the scavenge state'));
  if (!ok || !isStateLeftOut) return { findings, ok };
  const digests = digestsOf({ ...location, dataDirectory: database.dataDirectory }, context);
  const problem = await findStateProblem(database, context, { digests });
  // What cannot be read is not known to be wrong, and with a checkpoint that is not understood the server begins again.
  if (!problem || problem.code === 'stateUnread' || problem.severity !== 'damage') return { findings, ok };
  const place = { offset: null, position: null, command: 'winnow repair' };
  return { findings: [...findings, { ...place, ...problem }], ok: false };
}

/** What the lists of files, their heads and the checkpoints say: chunks and tables need not be read for it. */
const SEEN_WITHOUT_READING: ReadonlySet<string> = new Set([
  'checkpointMissing',
  'checkpointInvalid',
  'writerCheckpointBeyondEnd',
  'chaserBeyondWriter',
  'epochCheckpointInvalid',
  'supersededChunk',
  'temporaryFile',
  'orphanFile'
]);

/** A plan for these findings alone is made at once. A run verifies everything before it writes, whatever it is asked for. */
export function isSeenWithoutReading(only: readonly string[]): boolean {
  return only.length > 0 && only.every((code) => SEEN_WITHOUT_READING.has(code));
}

/** Finds those, and nothing that has to be read. */
export async function verifyFormForRepair(
  database: Database,
  place: HealthPlace,
  context: OperationContext
): Promise<RepairVerification> {
  const { control } = context;
  const proofs = proofsOf(place, context);
  return verifyInTurns({ database, proofs, control, budgetMs: 0, nowMs: context.clock() });
}
