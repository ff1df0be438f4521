/**
 * A scavenge. Being stopped is a result: the report says so, and the next run resumes. A run that the log does
 * not record is recorded in WINNOW_HOME; if that is impossible, a warning says so and the run continues.
 */
import { randomUUID } from 'node:crypto';
import os from 'node:os';
import {
  EngineError,
  eventOfRow,
  runScavenge as run,
  ticksFromMs,
  ticksToIso,
  winnowNodeOf,
  type OutcomeRow,
  type ScavengeRequest,
  type ScavengeRunStart
} from '../../../src-core/index.ts';
import {
  ScavengeRecords,
  type RecordedEvent,
  type ScavengeEndLine
} from '../../settings/scavenge-records.ts';
import { digestsOf } from '../database/digests-of.ts';
import { ExchangeWatch } from '../database/exchanged-directory.ts';
import { expireReplaced } from './expire-replaced.ts';
import { limitedContext } from '../limited-context.ts';
import type { OperationContext } from '../operation.ts';
import type { CheckedRequestOf, ScavengeOptions } from '../../contract/operations/operation-contract.ts';
import { runPausable, type BeginScavenge } from './pausable-scavenge.ts';
import { endOfOpenNight } from './night-times.ts';
import { keepPace, PaceMeter } from './pace-meter.ts';
import { plannedRun } from './planned-scavenge.ts';
import { stoppedAt } from './stopped-at.ts';
import { forgetPace, pacedRequest } from './window-pace.ts';
import type { ScavengeReport } from '../../contract/operations/reports.ts';
import {
  asScavengeReport,
  engineRequest,
  progressOf,
  refuseEncrypted,
  scavengeEnvironment
} from './scavenge-run.ts';

export async function runScavenge(
  request: CheckedRequestOf<'runScavenge'>,
  context: OperationContext
): Promise<ScavengeReport> {
  const planned = plannedRun('runScavenge', request, context);
  const { underLock, reported } = planned;
  const paced = pacedRequest(planned.request, context);
  const meter = new PaceMeter(() => context.control.elapsedMs);
  const report = await runRecorded(paced.request, context, (checked, environment) => {
    meter.begin();
    return run(checked, {
      ...environment,
      underLock,
      onStart: (start) => {
        meter.started();
        environment.onStart?.(start);
      },
      onWork: (work) => meter.done(work)
    });
  });
  keepPace(meter, report, paced.request, context);
  forgetPace(request, report);
  return { ...reported(report), ...(paced.pace && { pace: paced.pace }) };
}

/** Runs a scavenge, or a rescue, and records it in the history. */
export async function runRecorded(
  request: ScavengeOptions,
  unlimited: OperationContext,
  begin: BeginScavenge
): Promise<ScavengeReport> {
  const timed = stoppedAt(endOf(request, unlimited), unlimited);
  const context = limitedContext(timed.context, request);
  const checked = engineRequest(request);
  const watch = new ExchangeWatch(context.fileSystem, checked);
  let hasBegun = false;
  await refuseEncrypted(request, context);
  expireReplaced(request, context);
  const recording = new Recording(checked, context);
  try {
    const environment = {
      ...scavengeEnvironment(context),
      ...progressOf(request),
      ...(checked.winnowHome === undefined ? {} : { digests: digestsOf(checked, unlimited) }),
      scavengeId: request.scavengeId ?? randomUUID(),
      onStart: (start: ScavengeRunStart) => {
        hasBegun = true;
        recording.start(start);
      },
      onRow: (row: OutcomeRow, elapsedMs: number) => recording.done(row, elapsedMs)
    };
    const report = await runPausable(checked, environment, context, begin);
    const { result, spaceSavedBytes } = report;
    recording.end({ result, error: null, spaceSavedBytes });
    return { ...asScavengeReport(report), ...timed.remark(report) };
  } catch (error) {
    const message = error instanceof EngineError ? error.message : String(error);
    recording.end({ result: 'errored', error: message, spaceSavedBytes: recording.savedBytes });
    // Until it has begun it only reads, and nothing keeps a restore or an undo away.
    throw hasBegun ? error : watch.faultAtStart(error);
  } finally {
    timed.end();
  }
}

/** When it is stopped: at the time that was named, or when the maintenance window ends, whichever is first. */
function endOf({ until, window }: ScavengeOptions, { clock }: OperationContext): string | undefined {
  if (window === undefined) return until;
  const end = endOfOpenNight(window, clock());
  return until !== undefined && Date.parse(until) < Date.parse(end) ? until : end;
}

const SAVED_INTERVAL_MS = 2000;

/** The lines of one run in WINNOW_HOME; none if the log records it or there is no such directory. */
class Recording {
  readonly #context: OperationContext;
  readonly #records: ScavengeRecords | undefined;
  /** Id of the run, once its start is recorded. */
  #scavengeId: string | undefined;
  #savedAtMs = -Infinity;
  #events: RecordedEvent[] = [];
  /** Bytes that the run has freed so far. */
  savedBytes = 0;

  readonly #maxAgeDays: number | undefined;

  constructor(request: ScavengeRequest, context: OperationContext) {
    const { winnowHome, dataDirectory, scavengeHistoryMaxAgeDays } = request;
    this.#context = context;
    this.#maxAgeDays = scavengeHistoryMaxAgeDays;
    this.#records = winnowHome === undefined ? undefined : new ScavengeRecords(winnowHome, dataDirectory);
  }

  start({ scavengeId, point, placement, resumed, isInLog }: ScavengeRunStart): void {
    if (isInLog) return;
    this.#try((records, at) => {
      records.removeExpired(this.#context.clock(), this.#maxAgeDays);
      const { number, position, threshold } = point;
      const hostName = os.hostname();
      records.appendStart({ scavengeId, at, hostName, placement, number, position, threshold, resumed });
      this.#scavengeId = scavengeId;
    });
  }

  /** Written every few seconds: each line is flushed to disk, and small chunks take milliseconds. */
  done(row: OutcomeRow, rowMs: number): void {
    this.savedBytes += row.bytesBefore - row.bytesAfter;
    const scavengeId = this.#scavengeId;
    if (scavengeId === undefined) return;
    const event = eventOfRow({ scavengeId, nodeEndpoint: winnowNodeOf(os.hostname()) }, row, rowMs);
    if (event) {
      const at = ticksToIso(ticksFromMs(this.#context.clock()));
      this.#events.push({ at, type: event.eventType, data: Buffer.from(event.data).toString('utf8') });
    }
    const { elapsedMs } = this.#context.control;
    if (elapsedMs < this.#savedAtMs + SAVED_INTERVAL_MS) return;
    this.#savedAtMs = elapsedMs;
    this.#writeDone(scavengeId);
  }

  #writeDone(scavengeId: string): void {
    const events = this.#events;
    this.#events = [];
    const spaceSavedBytes = this.savedBytes;
    this.#try((records, at) => records.appendSaved({ scavengeId, at, spaceSavedBytes, events }));
  }

  end(end: Pick<ScavengeEndLine, 'result' | 'error' | 'spaceSavedBytes'>): void {
    const scavengeId = this.#scavengeId;
    if (scavengeId === undefined) return;
    if (this.#events.length > 0) this.#writeDone(scavengeId);
    this.#try((records, at) => records.appendEnd({ scavengeId, at, ...end }));
  }

  #try(write: (records: ScavengeRecords, at: string) => void): void {
    if (!this.#records) return;
    try {
      write(this.#records, ticksToIso(ticksFromMs(this.#context.clock())));
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      const message = `This scavenge is missing in the history: it could not be recorded. ${reason}`;
      this.#context.log({ level: 'warning', message });
    }
  }
}
