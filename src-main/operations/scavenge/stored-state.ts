/** Reads the stored scavenge state of a database, for operations that only read. */
import { mkdtempSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { verifyScavengeState, type Database, type StateProblem } from '../../../src-core/index.ts';
import type { OperationContext } from '../operation.ts';

/** An empty directory for a copy of a state that cannot be read in place. */
export function makeStateScratch(): string {
  return mkdtempSync(path.join(os.tmpdir(), 'winnow-state-'));
}

/** What is wrong with the state; undefined if nothing is, or there is none. `isWhole` false: checks a sample. */
export async function findStateProblem(
  database: Database,
  { control }: OperationContext,
  { isWhole }: { isWhole: boolean } = { isWhole: true }
): Promise<StateProblem | undefined> {
  const index = await database.openIndex(control);
  return verifyScavengeState({
    database,
    index,
    makeScratch: makeStateScratch,
    isWhole,
    isDue: () => control.isDue,
    breathe: () => control.breathe()
  });
}
