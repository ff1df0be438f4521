/**
 * Writes into the log what a server writes of its own scavenge: for a run with a new point on a node that is known
 * to be alone, and for no other, because these records would make the log of a member differ from the others'.
 *
 * The start is written behind the scavenge point before the first phase, each chunk, merge and table when it is
 * done, the end at the end; all by the log writer, under the run's lock, and on disk before the run goes on: cut
 * anywhere, the log ends at a whole record and tells what was done. To the run itself these records do not exist:
 * it works with the log as it was opened before the first of them. A killed run stays without an end; the next run
 * of this host that writes here gives it one. What cannot be written is a warning and no failure, since the scavenge
 * itself does not depend on its history; only a flush that failed ends the run.
 */
import type { ServerResult } from '../../units/scavenge-terms.ts';
import { EventAppender, type NewEvent } from '../../database/event-appender.ts';
import { requireFaultBut } from '../../errors.ts';
import type { StreamIndex } from '../../index/stream-index.ts';
import { LogWriter } from '../../log/log-writer.ts';
import { isFailedFlush, type FileSystem } from '../../storage/file-system.ts';
import type { Ticks } from '../../units/ticks.ts';
import type { ScavengeOutcome } from '../scavenge-result.ts';
import type { ScavengeSession } from '../scavenge-session.ts';
import {
  SCAVENGES_STREAM,
  completedEvent,
  historyMetadata,
  isHistoryMetadata,
  linkEvent,
  runStreamOf,
  startedEvent,
  type RunEnd,
  type RunOfNode
} from './history-events.ts';
import { readLogHistory, type LoggedRun } from './read-log-history.ts';
import { eventOfRow, maxChunkScavengedOf, type OutcomeRow } from './row-events.ts';
import { timeTakenFromMs } from './time-taken.ts';

export interface LogHistoryParts extends RunOfNode {
  fileSystem: FileSystem;
  dataDirectory: string;
  maxAgeDays: number;
  now: () => Ticks;
  newGuid: () => string;
  /** Takes the warnings, and says what is done. */
  outcome: ScavengeOutcome;
}

export interface RunResult {
  result: ServerResult;
  /** Of an errored run. */
  message?: string;
  elapsedMs: number;
}

/** What a run had done before it paused. */
export interface DoneBefore {
  spaceSavedBytes: number;
  maxChunkScavenged: number;
}

interface OpenEnd {
  writer: LogWriter;
  appender: EventAppender;
}

const NOTHING_BEFORE: DoneBefore = { spaceSavedBytes: 0, maxChunkScavenged: 0 };
const INTERRUPTED = 'The node was restarted.';

export class LogHistory {
  readonly #parts: LogHistoryParts;
  /** The end of the log; undefined once something could not be written. */
  #end: OpenEnd | undefined;
  readonly #before: DoneBefore;

  private constructor(parts: LogHistoryParts, before: DoneBefore = NOTHING_BEFORE) {
    this.#parts = parts;
    this.#before = before;
  }

  /**
   * Writes the start of a run, and the end of earlier ones of this host, and follows the run from then on.
   * undefined when that is impossible.
   */
  static async start(
    parts: LogHistoryParts,
    session: ScavengeSession,
    breathe: () => Promise<void>
  ): Promise<LogHistory | undefined> {
    const history = new LogHistory(parts);
    try {
      const { database, index } = session;
      const runs = await readLogHistory({ log: database.log, index, breathe });
      history.#end = openEnd(parts, session);
      history.#write((appender) => history.#appendStart(appender, runs, index));
    } catch (error) {
      history.#giveUp(error);
    }
    return history.#follow();
  }

  /** Follows a run of which the start is in the log already. undefined when that is impossible. */
  static resume(
    parts: LogHistoryParts,
    session: ScavengeSession,
    before: DoneBefore
  ): LogHistory | undefined {
    const history = new LogHistory(parts, before);
    try {
      history.#end = openEnd(parts, session);
    } catch (error) {
      history.#giveUp(error);
    }
    return history.#follow();
  }

  #follow(): LogHistory | undefined {
    if (!this.#end) return undefined;
    this.#parts.outcome.onRow = (row, elapsedMs) => this.#tell(row, elapsedMs);
    return this;
  }

  /** The run pauses: nothing is written of an end, and the log is closed. */
  pause(): void {
    this.#parts.outcome.onRow = undefined;
    const open = this.#end;
    this.#end = undefined;
    try {
      open?.writer.close();
    } catch (error) {
      open?.writer.abandon();
      this.#giveUp(error);
    }
  }

  /** Writes how the run ended. */
  finish({ result, message, elapsedMs }: RunResult): void {
    const { scavengeId, outcome } = this.#parts;
    outcome.onRow = undefined;
    const end: RunEnd = {
      result,
      error: message === undefined ? null : `Error while scavenging DB: ${message.replace(/\.$/, '')}.`,
      timeTaken: timeTakenFromMs(elapsedMs),
      spaceSavedBytes: this.#before.spaceSavedBytes + outcome.spaceSaved.total,
      maxChunkScavenged: Math.max(this.#before.maxChunkScavenged, maxChunkScavengedOf(outcome.chunks))
    };
    const open = this.#end;
    this.#end = undefined;
    try {
      if (open) appendLinked(open.appender, scavengeId, completedEvent(this.#parts, end));
      open?.writer.close();
    } catch (error) {
      open?.writer.abandon();
      this.#giveUp(error);
    }
  }

  #appendStart(appender: EventAppender, runs: readonly LoggedRun[], index: StreamIndex): void {
    const { maxAgeDays, nodeEndpoint, scavengeId } = this.#parts;
    const metadata = historyMetadata(maxAgeDays);
    if (!hasHistoryMetadata(index, maxAgeDays)) appender.setMetadata(SCAVENGES_STREAM, metadata);
    for (const run of runs) {
      if (run.ended !== undefined || run.nodeEndpoint !== nodeEndpoint) continue;
      const end: RunEnd = { ...run, result: 'Interrupted', error: INTERRUPTED };
      appendLinked(appender, run.scavengeId, completedEvent({ ...this.#parts, ...run, nodeEndpoint }, end));
    }
    appender.setMetadata(runStreamOf(scavengeId), metadata);
    appendLinked(appender, scavengeId, startedEvent(this.#parts));
  }

  /** Writes what has just been done. */
  #tell(row: OutcomeRow, elapsedMs: number): void {
    const event = eventOfRow(this.#parts, row, elapsedMs);
    if (event) this.#write((appender) => appender.append(runStreamOf(this.#parts.scavengeId), [event]));
  }

  /** Lets `write` append, and returns once all of it is on disk. */
  #write(write: (appender: EventAppender) => void): void {
    if (!this.#end) return;
    const { writer, appender } = this.#end;
    try {
      write(appender);
      writer.flush();
    } catch (error) {
      this.#giveUp(error);
    }
  }

  /**
   * After a failure it is not known what of the last write is on disk, so nothing more is appended by this run: what
   * lies behind the writer checkpoint does not count.
   */
  #giveUp(error: unknown): void {
    this.#end?.writer.abandon();
    this.#end = undefined;
    requireFaultBut(error, 'AssertionFailed');
    // The disk has lost something of the log's end, so this run must not say that all went well.
    if (isFailedFlush(error)) throw error;
    this.#parts.outcome.warnings.push({
      code: 'historyNotWritten',
      message: `The history of this scavenge could not be written to the log: ${error.message}`,
      remedy: `The scavenge itself is not affected. ${error.remedy}`
    });
  }
}

function openEnd(parts: LogHistoryParts, { database, index }: ScavengeSession): OpenEnd {
  const { fileSystem, dataDirectory: directory, newGuid, now } = parts;
  const writer = LogWriter.open({ fileSystem, directory, newGuid }, database.chunkSet);
  const lastEventNumber = (stream: string) => index.lastEventNumber(stream);
  return { writer, appender: new EventAppender({ writer, newGuid, now, lastEventNumber }) };
}

function appendLinked(appender: EventAppender, scavengeId: string, event: NewEvent): void {
  const { firstEventNumber } = appender.append(runStreamOf(scavengeId), [event]);
  appender.append(SCAVENGES_STREAM, [linkEvent(scavengeId, firstEventNumber)]);
}

function hasHistoryMetadata(index: StreamIndex, maxAgeDays: number): boolean {
  const metastream = `$$${SCAVENGES_STREAM}`;
  const last = index.lastEventNumber(metastream);
  const position = last < 0 ? undefined : index.firstWritten(metastream, last);
  const record = position === undefined ? undefined : index.recordOf(metastream, position);
  return record !== undefined && isHistoryMetadata(record.data, maxAgeDays);
}
