/**
 * An engine that records its operations as they begin and end. Window, command line and HTTP all use one, so that the
 * record is complete; it changes nothing about a call, its result or its timing.
 */
import { randomUUID } from 'node:crypto';
import os from 'node:os';
import packageFacts from '../../package.json' with { type: 'json' };
import { OperationStopped, ticksFromMs, ticksToIso } from '../../src-core/index.ts';
import type { CallOptions, EngineHost } from '../engine/engine-host.ts';
import { errorReportOf } from '../contract/error-report.ts';
import type { Replies, ReportOperation, RequestOf } from '../contract/operations/operation-contract.ts';
import { ownProcessPlace } from '../settings/process-place.ts';
import type { ActivityLog } from './activity-log.ts';
import {
  detailsOf,
  isRecorded,
  logLine,
  LOG_LINES,
  scalarsOf,
  textMember,
  verdictOf
} from './activity-record.ts';
import type { ActivityEntry, Door } from '../contract/operations/activity-reports.ts';

/** Hears of the same operations as they happen: the log of a service. */
export interface OperationListener {
  begun: (entry: ActivityEntry) => void;
  ended: (entry: ActivityEntry) => void;
}

export interface RecorderParts {
  log: Pick<ActivityLog, 'write'>;
  listeners?: readonly OperationListener[];
  clock: () => number;
  door: Door;
  /** Door of requests from a page, if the same engine serves pages and others. */
  pageDoor?: Door;
}

export function recordedEngine(engine: EngineHost, parts: RecorderParts): EngineHost {
  return {
    call: (name, request, options) =>
      isRecorded(name) && !isAutomatic(request)
        ? call(engine, parts, name, request, options ?? {})
        : engine.call(name, request, options),
    stream: (name, request, options) => engine.stream(name, request, options),
    onDeath: (listener) => engine.onDeath(listener),
    restart: () => engine.restart(),
    close: () => engine.close()
  };
}

/** What a window asks by itself, each time a directory is opened or has changed. */
function isAutomatic(request: object): boolean {
  return (request as { unasked?: unknown }).unasked === true;
}

async function call<N extends ReportOperation>(
  engine: EngineHost,
  { log, listeners = [], clock, door, pageDoor }: RecorderParts,
  name: N,
  request: RequestOf<N>,
  options: CallOptions
): Promise<Replies[N]> {
  const startedMs = clock();
  const lines: string[] = [];
  const begun: ActivityEntry = {
    id: options.workId ?? randomUUID(),
    operation: name,
    door: options.workId === undefined ? door : (pageDoor ?? door),
    dataDirectory: textMember(request, 'dataDirectory'),
    target: textMember(request, 'target'),
    startedAt: timeText(startedMs),
    endedAt: null,
    elapsedMs: null,
    outcome: 'running',
    verdict: null,
    options: scalarsOf(request),
    figures: {},
    log: [],
    error: null,
    version: packageFacts.version,
    hostName: os.hostname(),
    pid: process.pid,
    place: ownProcessPlace()
  };
  log.write(begun);
  for (const listener of listeners) listener.begun(begun);
  const end = (outcome: Pick<ActivityEntry, 'outcome'> & Partial<ActivityEntry>): void => {
    const endedMs = clock();
    const entry: ActivityEntry = {
      ...begun,
      endedAt: timeText(endedMs),
      elapsedMs: Math.max(0, Math.round(endedMs - startedMs)),
      log: lines.slice(-LOG_LINES),
      ...outcome
    };
    log.write(entry);
    for (const listener of listeners) listener.ended(entry);
  };
  try {
    const reply = await engine.call(name, request, {
      ...options,
      onLog: (line) => {
        lines.push(logLine(line.message));
        if (lines.length > 2 * LOG_LINES) lines.splice(0, LOG_LINES);
        options.onLog?.({ ...line, operationId: begun.id });
      }
    });
    end({
      outcome: isStopped(reply) ? 'stopped' : 'done',
      verdict: verdictOf(reply),
      figures: scalarsOf(reply)
    });
    return reply;
  } catch (error) {
    if (error instanceof OperationStopped) end({ outcome: 'stopped' });
    else {
      const { code, message, remedy, details } = errorReportOf(error);
      end({ outcome: 'failed', error: { code, message, remedy, details: detailsOf({ ...details }) } });
    }
    throw error;
  }
}

/** Work that is stopped in an orderly way returns a report that says so. */
function isStopped(reply: unknown): boolean {
  return (reply as { result?: unknown } | null)?.result === 'stopped';
}

function timeText(ms: number): string {
  return ticksToIso(ticksFromMs(Math.round(ms)));
}
