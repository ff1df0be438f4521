/** Which entries of the index stay: for the phase that copies tables, and for predictions of its result. */
import type { EntryPredicate } from '../../index/filter-table.ts';
import type { LogRecord } from '../../records/log-record.ts';
import type { RunControl } from '../run-control.ts';
import type { ScavengePoint } from '../points/scavenge-point.ts';
import type { ScavengeTrace } from '../scavenge-trace.ts';
import { shouldDiscardEntry } from './should-discard.ts';
import type { ScavengeState } from '../state/scavenge-state.ts';
import type { StreamVerdicts } from './stream-verdicts.ts';

export interface EntryPredicateParts {
  state: ScavengeState;
  verdicts: StreamVerdicts;
  control: RunControl;
  point: ScavengePoint;
  ignoreHardDeletes: boolean;
  /** The record at a position as it is after chunk execution; undefined when it is gone. */
  readAt: (position: number) => LogRecord | undefined;
  trace?: ScavengeTrace | undefined;
}

/** Which entries stay. */
export function entryPredicate(parts: EntryPredicateParts): EntryPredicate {
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
    if (record?.kind !== 'prepare') return false; // it is no longer known whose entry this was
    return !shouldDiscardEntry(number, verdicts.ofCollidingStream(record.stream), ignoreHardDeletes);
  };
}
