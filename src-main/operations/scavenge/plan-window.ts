/**
 * A plan put into the nights of a maintenance window: what is done in each, what it frees, and when it is through. By the
 * speed of earlier scavenges, or of this disk, whichever is known; without either nothing is foreseen.
 */
import {
  chooseThrottle,
  planMembers,
  type NightPiece,
  type ScavengeReportData
} from '../../../src-core/index.ts';
import type { ScavengeOptions } from '../../contract/operations/operation-contract.ts';
import type { WindowPlan } from '../../contract/operations/reports.ts';
import type { OperationContext } from '../operation.ts';
import { bytesPerMs, workOfPlan, type ScavengeWork } from './estimate-scavenge.ts';
import { nightsOf, parseWindow } from './night-times.ts';

/** A year; a plan that takes longer is none. */
const MOST_NIGHTS = 366;
/** Opening the database, choosing the point, reading the state. */
const BEGINNING_MS = 10_000;

export async function planWindow(
  options: ScavengeOptions & { window: string },
  report: ScavengeReportData,
  context: OperationContext
): Promise<WindowPlan> {
  const times = parseWindow(options.window, 'window');
  const { threads, members = 1 } = options;
  const asked = { window: options.window, timeZone: localZone(), threads, members };
  const nothing = {
    ...asked,
    throttlePercent: options.throttlePercent,
    bytesPerSecond: null,
    nights: [],
    throughAt: null
  };
  if (report.scavengePoint === null) {
    return { ...nothing, rate: null, why: 'There is nothing to scavenge.' };
  }
  const work = await workOfPlan(options, report, context);
  if (!work) return { ...nothing, rate: null, why: 'How fast this machine scavenges is not known.' };
  const nights = [];
  for (const night of nightsOf(times, context.clock())) {
    nights.push(night);
    if (nights.length === MOST_NIGHTS) break;
  }
  const pieces = piecesOf(work, report);
  const limited = (percent: number): number => bytesPerMs(work, { ...options, throttlePercent: percent });
  const plan = { nights, pieces, beginningMs: BEGINNING_MS, mostNights: MOST_NIGHTS };
  // Only one thread can rest; what somebody has chosen stays.
  const isFree = threads === 1 && options.throttlePercent === 100;
  const throttlePercent = isFree
    ? chooseThrottle({ ...plan, bytesPerMs: limited(100) })
    : options.throttlePercent;
  const found = planMembers({ ...plan, bytesPerMs: limited(throttlePercent), members });
  const at = (ms: number): string => new Date(ms).toISOString();
  return {
    ...asked,
    throttlePercent,
    bytesPerSecond: Math.round(limited(throttlePercent) * 1000),
    rate: work.rate,
    nights: found.nights.map(({ fromMs, toMs, endsMs, member, chunksRead, chunks, bytesFreed, lostMs }) => ({
      from: at(fromMs),
      to: at(toMs),
      endsAt: at(endsMs),
      member,
      chunksRead,
      chunks,
      bytesFreed,
      lostMs: Math.round(lostMs)
    })),
    throughAt: found.throughMs === null ? null : at(found.throughMs),
    why: whyNotThrough(found, limited(throttlePercent))
  };
}

function whyNotThrough(
  { throughMs, tooLongBytes }: { throughMs: number | null; tooLongBytes: number | null },
  perMs: number
): string | null {
  if (throughMs !== null) return null;
  if (tooLongBytes === null) return `It is not through after ${MOST_NIGHTS} nights.`;
  const minutes = Math.ceil((tooLongBytes / perMs + BEGINNING_MS) / 60_000);
  return `One chunk alone takes about ${minutes} minutes, longer than a night: it would be begun again each time.`;
}

/** In the order of a run. What is freed in the index comes with the last of them. */
function piecesOf({ readBytes, worked }: ScavengeWork, report: ScavengeReportData): NightPiece[] {
  const reads = readBytes.map((bytes): NightPiece => ({ kind: 'read', bytes, bytesFreed: 0 }));
  const rewrites = worked.map(({ bytesBefore, bytesAfter }): NightPiece => {
    return { kind: 'rewrite', bytes: bytesBefore + bytesAfter, bytesFreed: bytesBefore - bytesAfter };
  });
  const pieces = [...reads, ...rewrites];
  const last = pieces.at(-1);
  const freed = pieces.reduce((sum, { bytesFreed }) => sum + bytesFreed, 0);
  if (last) last.bytesFreed += report.spaceSavedBytes - freed;
  return pieces;
}

function localZone(): string {
  return Intl.DateTimeFormat().resolvedOptions().timeZone;
}
