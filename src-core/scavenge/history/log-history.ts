/**
 * Writes into the log what a server writes of its own scavenge: for a run with a new point on a node that is known
 * to be alone, and for no other, because these records would make the log of a member differ from the others'.
 *
 * The start is written behind the scavenge point before the first phase, all else at the end, both by the log
 * writer and under the run's lock: cut anywhere, the log ends at a whole record. A killed run stays without an end;
 * the next run of this host that writes here gives it one. What cannot be written is a warning, never a failure:
 * the scavenge itself does not depend on its history.
 */
import { EventAppender, type NewEvent } from '../../database/event-appender.ts';
import { openDatabase } from '../../database/database.ts';
import { EngineError } from '../../errors.ts';
import type { StreamIndex } from '../../index/stream-index.ts';
import type { ChunkSet } from '../../log/chunk-set.ts';
import { LogWriter } from '../../log/log-writer.ts';
import type { FileSystem } from '../../storage/file-system.ts';
import type { Ticks } from '../../units/ticks.ts';
import type { ScavengeOutcome } from '../scavenge-result.ts';
import type { ScavengeSession } from '../scavenge-session.ts';
import {
  SCAVENGES_STREAM,
  chunksCompletedEvent,
  completedEvent,
  historyMetadata,
  indexCompletedEvent,
  isHistoryMetadata,
  linkEvent,
  mergeCompletedEvent,
  runStreamOf,
  startedEvent,
  type RunEnd,
  type RunOfNode
} from './history-events.ts';
import { readLogHistory, type LoggedRun } from './read-log-history.ts';
import { timeTakenFromMs } from './time-taken.ts';

export interface LogHistoryParts extends RunOfNode {
  fileSystem: FileSystem;
  dataDirectory: string;
  maxAgeDays: number;
  now: () => Ticks;
  newGuid: () => string;
  /** Takes the warnings. */
  outcome: ScavengeOutcome;
}

export interface RunResult {
  result: 'Success' | 'Stopped' | 'Errored';
  /** Of an errored run. */
  message?: string;
  elapsedMs: number;
}

const INTERRUPTED = 'The node was restarted.';

export class LogHistory {
  readonly #parts: LogHistoryParts;
  /** Numbers of the last events: between start and end nobody else writes. */
  readonly #last = new Map<string, number>();

  private constructor(parts: LogHistoryParts) {
    this.#parts = parts;
  }

  /** Writes the start of a run, and the end of earlier ones of this host. undefined when that is impossible. */
  static async start(
    parts: LogHistoryParts,
    { database, index }: ScavengeSession,
    breathe: () => Promise<void>
  ): Promise<LogHistory | undefined> {
    const history = new LogHistory(parts);
    try {
      const runs = await readLogHistory({ log: database.log, index, breathe });
      history.#writeStart(runs, index, database.chunkSet);
      return history;
    } catch (error) {
      history.#warn(error);
      return undefined;
    }
  }

  /** Writes what the run did and how it ended. */
  finish(end: RunResult): void {
    const { fileSystem, dataDirectory } = this.#parts;
    try {
      // The chunks are no longer those that the run began with.
      const database = openDatabase({ fileSystem, dataDirectory });
      const { chunkSet } = database;
      database.close();
      this.#append(
        chunkSet,
        () => -1,
        (appender) => this.#appendEnd(appender, end)
      );
    } catch (error) {
      this.#warn(error);
    }
  }

  #writeStart(runs: readonly LoggedRun[], index: StreamIndex, chunkSet: ChunkSet): void {
    const { maxAgeDays, nodeEndpoint, scavengeId } = this.#parts;
    const metadata = historyMetadata(maxAgeDays);
    const isMetadataRight = hasHistoryMetadata(index, maxAgeDays);
    this.#append(
      chunkSet,
      (stream) => index.lastEventNumber(stream),
      (appender) => {
        if (!isMetadataRight) appender.setMetadata(SCAVENGES_STREAM, metadata);
        for (const run of runs) {
          if (run.ended !== undefined || run.nodeEndpoint !== nodeEndpoint) continue;
          const end: RunEnd = { ...run, result: 'Interrupted', error: INTERRUPTED };
          appendLinked(
            appender,
            run.scavengeId,
            completedEvent({ ...this.#parts, ...run, nodeEndpoint }, end)
          );
        }
        appender.setMetadata(runStreamOf(scavengeId), metadata);
        appendLinked(appender, scavengeId, startedEvent(this.#parts));
      }
    );
  }

  #appendEnd(appender: EventAppender, { result, message, elapsedMs }: RunResult): void {
    const { scavengeId, outcome } = this.#parts;
    const stream = runStreamOf(scavengeId);
    let maxChunkScavenged = 0;
    for (const row of outcome.chunks) {
      const { chunkStart, chunkEnd, decision, bytesBefore, bytesAfter } = row;
      if (decision === 'skipped' || decision === 'keptLarger') continue;
      const timeTaken = timeTakenFromMs(outcome.elapsedMsOf(row));
      const done = { chunkStart, chunkEnd, timeTaken, spaceSavedBytes: bytesBefore - bytesAfter };
      if (decision === 'merged') {
        appender.append(stream, [mergeCompletedEvent(this.#parts, done)]);
      } else {
        appender.append(stream, [chunksCompletedEvent(this.#parts, done)]);
        maxChunkScavenged = Math.max(maxChunkScavenged, chunkEnd);
      }
    }
    for (const row of outcome.tables) {
      const done = {
        level: row.level,
        order: row.order,
        timeTaken: timeTakenFromMs(outcome.elapsedMsOf(row)),
        entriesDeleted: row.entriesBefore - row.entriesAfter,
        entriesKept: row.entriesAfter,
        spaceSavedBytes: row.bytesBefore - row.bytesAfter
      };
      appender.append(stream, [indexCompletedEvent(this.#parts, done)]);
    }
    const end: RunEnd = {
      result,
      error: message === undefined ? null : `Error while scavenging DB: ${message.replace(/\.$/, '')}.`,
      timeTaken: timeTakenFromMs(elapsedMs),
      spaceSavedBytes: outcome.spaceSavedBytes,
      maxChunkScavenged
    };
    appendLinked(appender, scavengeId, completedEvent(this.#parts, end));
  }

  /** Opens the end of the log, lets `write` append, and returns once all of it is on disk. */
  #append(
    chunkSet: ChunkSet,
    lastEventNumber: (stream: string) => number,
    write: (appender: EventAppender) => void
  ): void {
    const { fileSystem, dataDirectory: directory, newGuid, now, scavengeId } = this.#parts;
    const writer = LogWriter.open({ fileSystem, directory, newGuid }, chunkSet);
    const appender = new EventAppender({
      writer,
      newGuid,
      now,
      lastEventNumber: (stream) => this.#last.get(stream) ?? lastEventNumber(stream)
    });
    write(appender);
    writer.close();
    for (const stream of [SCAVENGES_STREAM, runStreamOf(scavengeId)]) {
      this.#last.set(stream, appender.lastEventNumber(stream));
    }
  }

  #warn(error: unknown): void {
    if (!(error instanceof EngineError) || error.code === 'AssertionFailed') throw error;
    this.#parts.outcome.warnings.push({
      code: 'historyNotWritten',
      message: `The history of this scavenge could not be written to the log: ${error.message}`,
      remedy: `The scavenge itself is not affected. ${error.remedy}`
    });
  }
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
