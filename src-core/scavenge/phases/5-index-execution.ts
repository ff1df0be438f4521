/**
 * Copies each table of the index without the entries of discarded events, newest table first, and switches each
 * copy into the index map before the next one begins. Weights, thresholds and the fate of records play no part:
 * an entry goes by its number alone. Entries that only the log holds are not on disk and stay.
 *
 * A rescue leaves a table whose copy finds no room; where the room is short it counts first what the copy would take.
 */
import type { LogRecord } from '../../records/log-record.ts';
import type { RescueBudget } from '../rescue/rescue-budget.ts';
import { tablesLeftWarning, type WaitingFile } from '../rescue/rescue-warnings.ts';
import type { RunControl } from '../run-control.ts';
import type { ScavengePoint } from '../points/scavenge-point.ts';
import type { ScavengeOutcome, TableOutcome } from '../scavenge-result.ts';
import type { ScavengeTrace } from '../scavenge-trace.ts';
import type { ScavengeState } from '../state/scavenge-state.ts';
import type { StreamVerdicts } from '../decisions/stream-verdicts.ts';
import { entryPredicate } from '../decisions/entry-predicate.ts';
import type { EntryPredicate } from '../../index/filter-table.ts';

/** Entries between two rests. */
const REST_EVERY = 32768;

/** One implementation writes tables and replaces the index map, the other only counts. */
export interface TableOutput {
  /** Tables, newest first. */
  readonly count: number;
  /** Name of the table at this place, its size and that of its filter, which a copy has too. */
  describe(index: number): { fileName: string; sizeBytes: number; filterBytes: number };
  /** Counts what `filter` would do. */
  measure(index: number, keep: EntryPredicate, breathe: () => Promise<void>): Promise<TableOutcome>;
  /** Filters the table at this place of the list. */
  filter(index: number, keep: EntryPredicate, breathe: () => Promise<void>): Promise<TableOutcome>;
  /** Of the filters of the tables filtered so far. */
  readonly filterBytesSaved: number;
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
  /** Only tables for which there is room. */
  rescue?: RescueBudget | undefined;
  trace?: ScavengeTrace | undefined;
}

/** False when a rescue has left tables for which there was no room. */
export async function runIndexExecution(parts: IndexExecutionParts): Promise<boolean> {
  const { tables, control, outcome, rescue } = parts;
  control.enter('indexExecution', 'tables', tables.count);
  const keep = entryPredicate(parts);
  const left: WaitingFile[] = [];
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
  try {
    for (let i = 0; i < tables.count; i++) {
      const startMs = control.elapsedMs;
      const { filterBytes } = tables.describe(i); // of the old one, which goes with its table
      const fitted = rescue ? await whatFits(parts, { at: i, keep, breathe }, rescue) : 'fits';
      if (typeof fitted === 'object' && 'newFileSize' in fitted) {
        left.push(fitted);
        control.advance(1);
        continue;
      }
      const result = fitted === 'fits' ? await tables.filter(i, keep, breathe) : fitted;
      rescue?.replacedTable({ ...result, besideBytes: filterBytes });
      outcome.setElapsed(result, control.elapsedMs - startMs);
      outcome.tables.push(result);
      control.saved(result.bytesBefore - result.bytesAfter);
      control.advance(1);
      await control.breathe();
    }
  } finally {
    outcome.addBesides('filters', tables.filterBytesSaved);
  }
  if (rescue && left.length > 0) outcome.warnings.push(tablesLeftWarning(left, rescue.tableRoom));
  return left.length === 0;
}

interface TableWork {
  at: number;
  keep: EntryPredicate;
  breathe: () => Promise<void>;
}

/** A table of which nothing goes needs no copy: then the answer is its row, as it would be after one. */
async function whatFits(
  { tables }: IndexExecutionParts,
  { at, keep, breathe }: TableWork,
  rescue: RescueBudget
): Promise<'fits' | TableOutcome | WaitingFile> {
  const { fileName, sizeBytes, filterBytes } = tables.describe(at);
  if (sizeBytes + filterBytes + MAP_BYTES <= rescue.tableRoom) return 'fits';
  const measured = await tables.measure(at, keep, breathe);
  if (measured.entriesAfter === measured.entriesBefore) return measured;
  const newFileSize = measured.bytesAfter + filterBytes + MAP_BYTES;
  return newFileSize <= rescue.tableRoom ? 'fits' : { fileName, newFileSize };
}

/** The index map is rewritten with each table. */
const MAP_BYTES = 16384;

const BLOCK_ENTRIES = 4096;
