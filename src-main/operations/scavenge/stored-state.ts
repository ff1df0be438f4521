/** Reads the stored scavenge state of a database, for operations that only read. */
import { mkdtempSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import {
  mayHoldState,
  PreparedHeads,
  verifyScavengeState,
  type ChunkDigests,
  type Database,
  type StateProblem
} from '../../../src-core/index.ts';
import type { OperationContext } from '../operation.ts';

/** An empty directory for a copy of a state that cannot be read in place. */
export function makeStateScratch(): string {
  return mkdtempSync(path.join(os.tmpdir(), 'winnow-state-'));
}

/** What is wrong with the state; undefined if nothing is, or there is none. `isWhole` false: checks a sample. */
export async function findStateProblem(
  database: Database,
  { control, fileSystem }: OperationContext,
  { isWhole = true, digests }: { isWhole?: boolean; digests?: ChunkDigests | undefined } = {}
): Promise<StateProblem | undefined> {
  if (!mayHoldState(database)) return undefined;
  const index = await database.openIndex(control);
  const heads = digests && new PreparedHeads({ digests, fileSystem, operation: control });
  // What verification has just read is known; else all of it would be read in one go.
  await heads?.prepare(database.log.chunks);
  return verifyScavengeState({
    database,
    index,
    makeScratch: makeStateScratch,
    isWhole,
    heads,
    isDue: () => control.isDue,
    breathe: () => control.breathe()
  });
}

/** The command that deals with what is wrong with a state; null where nothing has to be done. */
export function commandAgainst({ severity, code }: StateProblem): string | null {
  if (severity !== 'damage') return null;
  return code === 'stateAheadOfLog' ? 'winnow scavenge --start-afresh' : 'winnow repair';
}
