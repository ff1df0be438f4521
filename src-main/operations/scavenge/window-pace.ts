/**
 * How hard a run in a maintenance window works: as asked, or as the last plan of that window named. The plan is kept in
 * WINNOW_HOME until a run in the window is through; without one a run works with one thread and no throttle.
 */
import path from 'node:path';
import { ticksFromMs, ticksToIso } from '../../../src-core/index.ts';
import type { ScavengeOptions } from '../../contract/operations/operation-contract.ts';
import type { ScavengeReport } from '../../contract/operations/reports.ts';
import type { WindowPlan } from '../../contract/operations/window-reports.ts';
import { openNight, parseWindow } from './night-times.ts';
import { ScavengePaces } from '../../settings/scavenge-paces.ts';
import type { OperationContext } from '../operation.ts';

type Asked = Pick<ScavengeOptions, 'pace' | 'threads' | 'throttlePercent'>;

/** Whether threads or throttle were given: they stay as they are. What is not the default was. */
export function isPaceAsked({ pace, threads, throttlePercent }: Asked): boolean {
  return pace === 'asked' || threads > 1 || throttlePercent < 100;
}

export interface PacedRequest<R> {
  request: R;
  /** Of the report; undefined: no window. */
  pace: ScavengeReport['pace'];
}

/** The request with what the plan named. */
export function pacedRequest<R extends ScavengeOptions>(
  request: R,
  { clock }: Pick<OperationContext, 'clock'>
): PacedRequest<R> {
  const { window, threads, throttlePercent } = request;
  if (window === undefined && request.pace !== 'planned') return { request, pace: undefined };
  const stays = { threads, throttlePercent };
  if (isPaceAsked(request)) return { request, pace: { ...stays, chosenBy: 'asked', plannedAt: null } };
  const named = pacesOf(request)?.named ?? undefined;
  if (!named || !isFor(named.window, window, clock())) {
    return { request, pace: { ...stays, chosenBy: 'none', plannedAt: null } };
  }
  const chosen = { threads: named.threads, throttlePercent: named.throttlePercent };
  return {
    request: { ...request, ...chosen },
    pace: { ...chosen, chosenBy: 'plan', plannedAt: named.at }
  };
}

/** A run that names no window is in the one that was planned while that is open. */
function isFor(planned: string, window: string | undefined, nowMs: number): boolean {
  if (window !== undefined) return planned === window;
  return openNight(parseWindow(planned, 'window'), nowMs) !== undefined;
}

/** For the runs that follow. What was asked for, and what is not known, is not kept. */
export function namePace(
  plan: WindowPlan,
  request: ScavengeOptions,
  { clock, log }: Pick<OperationContext, 'clock' | 'log'>
): void {
  const { window, threads, throttlePercent } = plan;
  if (plan.chosenBy !== 'plan' || plan.bytesPerSecond === null) return;
  const at = ticksToIso(ticksFromMs(clock()));
  try {
    pacesOf(request)?.name({ window, threads, throttlePercent, at });
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    const message = `Runs in this window will not know what this plan names: ${reason}`;
    log({ level: 'warning', message });
  }
}

/** A run in a window is through: the next scavenge is another work. */
export function forgetPace(request: ScavengeOptions, { result }: Pick<ScavengeReport, 'result'>): void {
  if (result !== 'success' || (request.window === undefined && request.pace !== 'planned')) return;
  try {
    pacesOf(request)?.forgetNamed(request.window);
  } catch {
    // A home that takes no file kept none.
  }
}

function pacesOf({ winnowHome, dataDirectory }: ScavengeOptions): ScavengePaces | undefined {
  if (winnowHome === undefined) return undefined;
  return new ScavengePaces(path.resolve(winnowHome), path.resolve(dataDirectory));
}
