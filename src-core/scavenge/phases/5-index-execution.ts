/**
 * Copies each table of the index without the entries of discarded events, newest table first, and switches each
 * copy into the index map before the next one begins. Weights, thresholds and the fate of records play no part:
 * an entry goes by its number alone. Entries that only the log holds are not on disk and stay.
 */
import type { LogRecord } from '../../records/log-record.ts';
import type { RunControl } from '../run-control.ts';
import type { ScavengePoint } from '../scavenge-point.ts';
import type { ScavengeOutcome, TableOutcome } from '../scavenge-result.ts';
import type { ScavengeTrace } from '../scavenge-trace.ts';
import { shouldDiscardEntry } from '../should-discard.ts';
import type { ScavengeState } from '../state/scavenge-state.ts';
import type { StreamVerdicts } from '../stream-verdicts.ts';
import type { EntryPredicate } from '../../index/filter-table.ts';

/** Entries between two rests. */
const REST_EVERY = 32768;

/** One implementation writes tables and replaces the index map, the other only counts. */
export interface TableOutput {
  /** Tables, newest first. */
  readonly count: number;
  /** Filters the table at this place of the list. */
  filter(index: number, keep: EntryPredicate, breathe: () => Promise<void>): Promise<TableOutcome>;
}

export interface IndexExecutionParts {
  tables: TableOutput;
  state: ScavengeState;
  verdicts: StreamVerdicts;
  control: RunControl;
  outcome: ScavengeOutcome;
  point: ScavengePoint;
  ignoreHardDeletes: boolean;
  /** The record at a position as it is after chunk execution; undefined when it is gone. */
  readAt: (position: number) => LogRecord | undefined;
  trace?: ScavengeTrace | undefined;
}

export async function runIndexExecution(parts: IndexExecutionParts): Promise<void> {
  const { tables, control, outcome } = parts;
  control.enter('indexExecution', 'tables', tables.count);
  const keep = entryPredicate(parts);
  let sinceRest = 0;
  const breathe = async () => {
    // Called by the copy a few thousand entries apart.
    sinceRest += BLOCK_ENTRIES;
    if (sinceRest >= REST_EVERY) {
      sinceRest = 0;
      await control.rest();
    } else {
      control.throwIfStopped();
    }
  };
  for (let i = 0; i < tables.count; i++) {
    const startMs = control.elapsedMs;
    const result = await tables.filter(i, keep, breathe);
    outcome.setElapsed(result, control.elapsedMs - startMs);
    outcome.tables.push(result);
    control.saved(result.bytesBefore - result.bytesAfter);
    control.advance(1);
    await control.breathe();
  }
}

const BLOCK_ENTRIES = 4096;

function entryPredicate(parts: IndexExecutionParts): EntryPredicate {
  const { state, verdicts, point, ignoreHardDeletes, readAt, trace, control } = parts;
  const { collisions } = state;
  return (hashHigh, hashLow, number, position) => {
    if (trace?.executingIndexEntryOf) {
      trace.executingIndexEntryOf(hashHigh, hashLow);
      control.throwIfStopped();
    }
    if (position >= point.position) return true;
    if (!collisions.isCollidingHash(hashHigh, hashLow)) {
      return !shouldDiscardEntry(number, verdicts.ofEntry(hashHigh, hashLow), ignoreHardDeletes);
    }
    const record = readAt(position);
    if (record?.kind !== 'prepare') return false; // nobody can tell any more whose entry this was
    return !shouldDiscardEntry(number, verdicts.ofCollidingStream(record.stream), ignoreHardDeletes);
  };
}
