/**
 * A plan put into the nights of a maintenance window: how hard the run works, what is done in each night, what that
 * frees, and when it is through. By the speed of earlier scavenges, or of this disk, whichever is known; without either
 * nothing is foreseen, and the run works with one thread and no throttle.
 */
import os from 'node:os';
import {
  choosePace,
  invalidRequest,
  paceOptions,
  planMembers,
  speedAt,
  type Night,
  type NightPiece,
  type PaceOption,
  type ScavengeReportData
} from '../../../src-core/index.ts';
import type { ScavengeOptions } from '../../contract/operations/operation-contract.ts';
import type { WindowPlan } from '../../contract/operations/window-reports.ts';
import type { OperationContext } from '../operation.ts';
import { bytesOfWork, limitOf, msOfWork, workOfPlan, type ScavengeWork } from './estimate-scavenge.ts';
import { nightsOf, parseWindow } from './night-times.ts';
import { isPaceAsked } from './window-pace.ts';

/** A year; a plan that takes longer is none. */
const MOST_NIGHTS = 366;
/** Opening the database, choosing the point, comparing the state with the log: what it takes at the least. */
const LEAST_BEGINNING_MS = 10_000;

export async function planWindow(
  options: ScavengeOptions & { window: string },
  report: ScavengeReportData,
  context: OperationContext
): Promise<WindowPlan> {
  const work = report.scavengePoint === null ? null : await workOfPlan(options, report, context);
  const nothing = nothingPlanned(options);
  if (report.scavengePoint === null) return { ...nothing, why: 'There is nothing to scavenge.' };
  if (!work) return { ...nothing, why: 'How fast this machine scavenges is not known.' };
  const plan = {
    nights: nightsAhead(options, context),
    pieces: piecesOf(work, report),
    beginningMs: Math.max(LEAST_BEGINNING_MS, report.resumed ? work.resumeMs : work.beginMs),
    resumingMs: Math.max(LEAST_BEGINNING_MS, work.resumeMs),
    mostNights: MOST_NIGHTS
  };
  const { members } = nothing;
  const mostThreads = Math.max(1, Math.min(os.availableParallelism(), work.readBytes.length));
  const pace = paceOf(options, plan, { work, mostThreads });
  if (!pace) {
    const why = `How fast ${options.threads} threads are on this machine was not measured.`;
    return { ...nothing, mostThreads, measuredThreads: threadsOf(work), rate: work.rate, why };
  }
  const found = planMembers({ ...plan, speed: pace.speed, members });
  return {
    ...nothing,
    threads: pace.threads,
    throttlePercent: pace.throttlePercent,
    measuredThreads: threadsOf(work),
    mostThreads,
    bytesPerSecond: Math.round((bytesOfWork(work) / msOfWork(work, pace.speed)) * 1000),
    rate: work.rate,
    nights: found.nights.map(({ fromMs, toMs, endsMs, member, chunksRead, chunks, bytesFreed, lostMs }) => ({
      from: isoOf(fromMs),
      to: isoOf(toMs),
      endsAt: isoOf(endsMs),
      member,
      chunksRead,
      chunks,
      bytesFreed,
      lostMs: Math.round(lostMs)
    })),
    throughAt: found.throughMs === null ? null : isoOf(found.throughMs),
    why: whyNotThrough(found, pace, plan.resumingMs)
  };
}

function nothingPlanned(options: ScavengeOptions & { window: string }): WindowPlan {
  const { window, members = 1, threads, throttlePercent } = options;
  return {
    window,
    timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone,
    threads,
    throttlePercent,
    chosenBy: isPaceAsked(options) ? 'asked' : 'plan',
    measuredThreads: [],
    mostThreads: null,
    members,
    bytesPerSecond: null,
    rate: null,
    nights: [],
    throughAt: null,
    why: null
  };
}

function nightsAhead(
  { window, nightsFrom }: ScavengeOptions & { window: string },
  { clock }: Pick<OperationContext, 'clock'>
): Night[] {
  const nights: Night[] = [];
  const fromMs = Math.max(clock(), nightsFrom === undefined ? 0 : Date.parse(nightsFrom));
  if (Number.isNaN(fromMs)) throw invalidRequest(`"${nightsFrom}" is not a time in ISO 8601.`, 'nightsFrom');
  for (const night of nightsOf(parseWindow(window, 'window'), fromMs)) {
    nights.push(night);
    if (nights.length === MOST_NIGHTS) break;
  }
  return nights;
}

/** As asked; otherwise the gentlest of those that were measured. undefined: what was asked for was not measured. */
function paceOf(
  options: ScavengeOptions,
  plan: Parameters<typeof choosePace>[0],
  { work, mostThreads }: { work: ScavengeWork; mostThreads: number }
): PaceOption | undefined {
  const limitPerMs = limitOf(options);
  const asked = isPaceAsked(options) ? Math.min(options.threads, mostThreads) : 1;
  const { throttlePercent } = options;
  const measured = work.speeds.find(({ threads }) => threads === asked);
  const stays = measured && {
    threads: asked,
    throttlePercent,
    speed: speedAt(measured, throttlePercent, limitPerMs)
  };
  if (isPaceAsked(options)) return stays;
  const possible = work.speeds.filter(({ threads }) => threads <= mostThreads);
  return choosePace(plan, paceOptions(possible, limitPerMs)) ?? stays;
}

function threadsOf({ speeds }: ScavengeWork): number[] {
  return speeds.map(({ threads }) => threads);
}

function isoOf(ms: number): string {
  return new Date(ms).toISOString();
}

function whyNotThrough(
  { throughMs, tooLongBytes }: { throughMs: number | null; tooLongBytes: number | null },
  { speed, threads }: PaceOption,
  resumingMs: number
): string | null {
  if (throughMs !== null) return null;
  if (tooLongBytes === null) return `It is not through after ${MOST_NIGHTS} nights.`;
  const minutes = Math.ceil(((tooLongBytes * threads) / speed.workPerMs + resumingMs) / 60_000);
  return `One chunk alone takes about ${minutes} minutes, longer than a night: it would be begun again each time.`;
}

/** In the order of a run. The index comes last; its time is part of that of the chunks. */
function piecesOf({ readBytes, worked }: ScavengeWork, report: ScavengeReportData): NightPiece[] {
  // A resumed run that has read the log does not read it again.
  const isRead = report.resumed && !report.phases.some(({ phase }) => phase === 'accumulation');
  const reads = (isRead ? [] : readBytes).map((bytes): NightPiece => ({
    kind: 'read',
    bytes,
    bytesFreed: 0
  }));
  const rewrites = worked.map(({ bytesBefore, bytesAfter }): NightPiece => {
    return { kind: 'rewrite', bytes: bytesBefore + bytesAfter, bytesFreed: bytesBefore - bytesAfter };
  });
  const pieces = [...reads, ...rewrites];
  const freed = pieces.reduce((sum, { bytesFreed }) => sum + bytesFreed, 0);
  return [...pieces, { kind: 'index', bytes: 0, bytesFreed: report.spaceSavedBytes - freed }];
}
