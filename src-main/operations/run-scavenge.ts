/**
 * A scavenge. Being stopped is an outcome: the report says so, and the next run goes on. A run that the log does
 * not tell of is recorded in WINNOW_HOME; that it cannot be is said, and is no reason to fail.
 */
import { randomUUID } from 'node:crypto';
import os from 'node:os';
import {
  EngineError,
  runScavenge as run,
  ticksFromMs,
  ticksToIso,
  type ScavengeEnvironment,
  type ScavengeReportData,
  type ScavengeRequest,
  type ScavengeRunStart
} from '../../src-core/index.ts';
import { ScavengeRecords, type ScavengeEndLine } from '../settings/scavenge-records.ts';
import type { OperationContext } from './operation.ts';
import type { CheckedRequestOf, ScavengeOptions } from './operation-contract.ts';
import { plannedRun } from './planned-scavenge.ts';
import type { ScavengeReport } from './reports.ts';
import { asScavengeReport, engineRequest, refuseEncrypted, scavengeEnvironment } from './scavenge-run.ts';

export function runScavenge(
  request: CheckedRequestOf<'runScavenge'>,
  context: OperationContext
): Promise<ScavengeReport> {
  const planned = plannedRun('runScavenge', request, context);
  const { underLock, reported } = planned;
  return runRecorded(planned.request, context, (checked, environment) =>
    run(checked, { ...environment, underLock })
  ).then(reported);
}

/** Runs a scavenge, or what is one in the end, and tells the history of it. */
export async function runRecorded(
  request: ScavengeOptions,
  context: OperationContext,
  begin: (request: ScavengeRequest, environment: ScavengeEnvironment) => Promise<ScavengeReportData>
): Promise<ScavengeReport> {
  const checked = engineRequest(request);
  await refuseEncrypted(request, context);
  const recording = new Recording(checked, context);
  try {
    const report = await begin(checked, {
      ...scavengeEnvironment(context),
      scavengeId: request.scavengeId ?? randomUUID(),
      hostName: os.hostname(),
      onStart: (start) => recording.start(start),
      onSaved: (spaceSavedBytes) => recording.saved(spaceSavedBytes)
    });
    const { result, spaceSavedBytes } = report;
    recording.end({ result, error: null, spaceSavedBytes });
    return asScavengeReport(report);
  } catch (error) {
    const message = error instanceof EngineError ? error.message : String(error);
    recording.end({ result: 'errored', error: message, spaceSavedBytes: recording.savedBytes });
    throw error;
  }
}

const SAVED_INTERVAL_MS = 2000;

/** The lines of one run in WINNOW_HOME; none when the log tells of it or there is no such place. */
class Recording {
  readonly #context: OperationContext;
  readonly #records: ScavengeRecords | undefined;
  /** Of the run, once its start is recorded. */
  #scavengeId: string | undefined;
  #savedAtMs = -Infinity;
  /** What the run has freed so far. */
  savedBytes = 0;

  constructor({ winnowHome, dataDirectory }: ScavengeRequest, context: OperationContext) {
    this.#context = context;
    this.#records = winnowHome === undefined ? undefined : new ScavengeRecords(winnowHome, dataDirectory);
  }

  start({ scavengeId, point, placement, resumed, isInLog }: ScavengeRunStart): void {
    if (isInLog) return;
    this.#try((records, at) => {
      const { number, position, threshold } = point;
      const hostName = os.hostname();
      records.appendStart({ scavengeId, at, hostName, placement, number, position, threshold, resumed });
      this.#scavengeId = scavengeId;
    });
  }

  /** Every few seconds: each line goes to the disk, and small chunks are done in milliseconds. */
  saved(spaceSavedBytes: number): void {
    this.savedBytes = spaceSavedBytes;
    const scavengeId = this.#scavengeId;
    const { elapsedMs } = this.#context.control;
    if (scavengeId === undefined || elapsedMs < this.#savedAtMs + SAVED_INTERVAL_MS) return;
    this.#savedAtMs = elapsedMs;
    this.#try((records, at) => records.appendSaved({ scavengeId, at, spaceSavedBytes }));
  }

  end(end: Pick<ScavengeEndLine, 'result' | 'error' | 'spaceSavedBytes'>): void {
    const scavengeId = this.#scavengeId;
    if (scavengeId === undefined) return;
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
