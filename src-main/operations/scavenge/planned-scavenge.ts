/**
 * A scavenge or a rescue by its plan: run at the plan's time, refused if request or state differ, and the
 * rest of it after it was stopped. The rest needs no new plan: the user has already agreed to it.
 */
import { ticksFromIso } from '../../../src-core/index.ts';
import type { OperationContext } from '../operation.ts';
import {
  planIdOf,
  requirePlan,
  timeOfPlan,
  type PlanParts,
  type PlannedOperation
} from '../plan/plan-identity.ts';
import { databaseState } from '../plan/plan-state.ts';
import type { ScavengeReport } from '../../contract/operations/reports.ts';

export interface Timed {
  /** ISO 8601. */
  now?: string | undefined;
}

interface Planned extends Timed {
  dataDirectory: string;
  indexDirectory?: string | undefined;
  scratchDirectory?: string | undefined;
  winnowHome?: string | undefined;
  plan?: string | undefined;
  startAfresh: boolean;
  stopAfter?: string | undefined;
}

/** The request to plan or run, and the current state that it is based on. */
export function identifyScavenge<R extends object>(
  operation: PlannedOperation,
  request: R,
  { fileSystem }: Pick<OperationContext, 'fileSystem'>
): PlanParts {
  const asked = request as R & Planned;
  const isRescue = operation === 'planRescue' || operation === 'runRescue';
  const home = isRescue ? (asked.scratchDirectory ?? asked.winnowHome) : asked.winnowHome;
  return { operation, request, state: databaseState(fileSystem, { ...asked, home }) };
}

export interface PlannedRun<R> {
  /** The request, with the time of the plan. */
  request: R;
  /** For the engine: refuses anything but the plan. */
  underLock: () => void;
  /** The report, with the identity of the rest if it was stopped. */
  reported: (report: ScavengeReport) => ScavengeReport;
}

export function plannedRun<R extends Planned>(
  operation: 'runScavenge' | 'runRescue',
  asked: R,
  context: OperationContext
): PlannedRun<R> {
  const { plan } = asked;
  // Compared with the request before its time is filled in: another time is another plan.
  const underLock = (): void => requirePlan(plan, () => identifyScavenge(operation, asked, context));
  const request = plan === undefined ? asked : { ...asked, now: timeOfPlan(plan, operation) };
  return {
    request,
    underLock,
    reported: (report) => {
      if (report.result !== 'stopped') return report;
      const time = request.now ?? report.scavengePoint?.effectiveNow;
      if (time === undefined || ticksFromIso(time) === undefined) return report;
      // A state that was moved aside is not moved again, and the phase to stop after is over.
      const rest = { ...asked, startAfresh: false, stopAfter: undefined };
      return { ...report, planId: planIdOf(identifyScavenge(operation, rest, context), time) };
    }
  };
}
