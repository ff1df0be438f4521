/**
 * The nights of a cluster of directories in a maintenance window, member by member: never two at once. Each is planned by
 * its own log and speed, the next one from the night after the one before it is through. Only reads.
 */
import { requireFault } from '../../../src-core/index.ts';
import {
  requests,
  type CheckedRequestOf,
  type DatabaseLocation
} from '../../contract/operations/operation-contract.ts';
import type { ScavengeReport } from '../../contract/operations/reports.ts';
import type { MembersPlan, PlannedMember } from '../../contract/operations/window-reports.ts';
import type { OperationContext } from '../operation.ts';
import { NOT_KNOWN, sumOf } from '../../contract/operations/planned-members.ts';
import { parseWindow } from './night-times.ts';
import { planScavenge } from './plan-scavenge.ts';

type Request = CheckedRequestOf<'planCluster'>;

export async function planCluster(request: Request, context: OperationContext): Promise<MembersPlan> {
  parseWindow(request.window, 'window');
  const planned: PlannedMember[] = [];
  /** From when the next member may have the nights; null: not known. */
  let nightsFrom: string | null | undefined;
  for (const member of membersOf(request)) {
    const row = await planMember(request, { member, nightsFrom }, context);
    row.nights &&= row.nights.map((night) => ({ ...night, member: planned.length + 1 }));
    planned.push(row);
    nightsFrom = nextNight(row, nightsFrom);
  }
  return {
    window: request.window,
    timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone,
    ...sumOf(planned)
  };
}

function membersOf({ dataDirectory, indexDirectory, others }: Request): DatabaseLocation[] {
  return [{ dataDirectory, ...(indexDirectory !== undefined && { indexDirectory }) }, ...others];
}

interface InTurn {
  member: DatabaseLocation;
  /** null: it is not known when the members before it are through. */
  nightsFrom: string | null | undefined;
}

/** A member that cannot be planned is not known; it does not keep the others from being planned. */
async function planMember(
  { window, scavengePoint, threshold, others, winnowHome }: Request,
  { member, nightsFrom }: InTurn,
  context: OperationContext
): Promise<PlannedMember> {
  const request = requests.planScavenge.parse({
    ...member,
    scavengePoint,
    threshold,
    singleNode: others.length === 0,
    window,
    ...(winnowHome !== undefined && { winnowHome }),
    ...(typeof nightsFrom === 'string' && { nightsFrom })
  });
  const node = member.dataDirectory;
  try {
    return plannedDirectory(node, await planScavenge(request, context), nightsFrom === null);
  } catch (error) {
    requireFault(error);
    return { node, kind: 'local', state: null, ...NOT_KNOWN, why: error.message };
  }
}

/** `isWaiting`: it is not known when the members before it are through. */
function plannedDirectory(node: string, report: ScavengeReport, isWaiting: boolean): PlannedMember {
  const { scavengePoint, spaceSavedBytes, window } = report;
  const found = { node, kind: 'local' as const, state: null, ...NOT_KNOWN };
  if (window === undefined) return { ...found, why: 'It was not planned.' };
  const bytesFreed = scavengePoint === null ? 0 : spaceSavedBytes;
  const { threads, throttlePercent, nights, throughAt, why } = window;
  if (scavengePoint === null) return { ...found, bytesFreed, nights: [], why };
  if (window.rate === null) return { ...found, bytesFreed, why };
  if (isWaiting) {
    const waits = 'It is not known when the members before it are through.';
    return { ...found, bytesFreed, threads, throttlePercent, why: waits };
  }
  return { ...found, bytesFreed, threads, throttlePercent, nights, throughAt, why };
}

/** The next member begins in the night after; one with nothing to do takes none. */
function nextNight(
  { nights, throughAt }: PlannedMember,
  before: string | null | undefined
): string | null | undefined {
  if (before === null || nights === null) return null;
  const last = nights.at(-1);
  if (last === undefined) return before;
  return throughAt === null ? null : last.to;
}
