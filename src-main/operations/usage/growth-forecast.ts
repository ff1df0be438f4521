/** How fast a log grows, by category, and when its disk is full: without scavenges, and with regular ones. */
import path from 'node:path';
import {
  forecastDisk,
  newestEvents,
  readGrowth,
  requireDataDirectory,
  ticksToIso,
  usageSavings,
  type Usage
} from '../../../src-core/index.ts';
import type { CheckedRequestOf } from '../../contract/operations/operation-contract.ts';
import type { GrowthReport } from '../../contract/operations/usage-reports.ts';
import { isAnsweredByDigests } from '../database/known-digests.ts';
import { limitedContext } from '../limited-context.ts';
import type { OperationContext } from '../operation.ts';
import { withUsage } from './usage-access.ts';

const CALENDAR_DAYS = 90;
const TICKS_PER_DAY = 864_000_000_000n;

type Request = CheckedRequestOf<'forecastGrowth'>;

export async function forecastGrowth(request: Request, unlimited: OperationContext): Promise<GrowthReport> {
  const context = limitedContext(unlimited, request);
  const volumes = volumesOf(request, context);
  if (request.onlyKnown && !(await isAnsweredByDigests(request, context))) {
    return unknown('notRead', volumes);
  }
  return withUsage(request, context, (usage) => reportOf(usage, request, volumes, context));
}

interface Volumes {
  freeBytes: number;
  indexFreeBytes: number | null;
}

function volumesOf({ dataDirectory, indexDirectory }: Request, { fileSystem }: OperationContext): Volumes {
  const data = path.resolve(dataDirectory);
  requireDataDirectory(fileSystem, data);
  const freeBytes = fileSystem.freeBytes(data);
  const index = indexDirectory === undefined ? undefined : path.resolve(indexDirectory);
  const deviceOf = (place: string): number | undefined => fileSystem.describe(place)?.device;
  const isApart = index !== undefined && deviceOf(index) !== undefined && deviceOf(index) !== deviceOf(data);
  return { freeBytes, indexFreeBytes: isApart ? fileSystem.freeBytes(index) : null };
}

function unknown(reason: 'tooShort' | 'notRead', volumes: Volumes): GrowthReport {
  return {
    unknown: reason,
    ...volumes,
    growth: null,
    freedNowBytes: null,
    full: { withoutScavenges: null, withScavenges: null },
    curve: [],
    warnings: []
  };
}

async function reportOf(
  usage: Usage,
  { top, days: curveDays }: Request,
  volumes: Volumes,
  { control }: OperationContext
): Promise<GrowthReport> {
  const breathe = async (): Promise<void> => {
    if (control.isDue) await control.breathe();
  };
  const { spaceSaved } = await usageSavings(usage, control);
  const isIndexApart = volumes.indexFreeBytes !== null;
  const read = await readGrowth(usage, { top, breathe, entryBytes: isIndexApart ? 0 : undefined });
  if (!read) return { ...unknown('tooShort', volumes), warnings: usage.warnings };
  const { from, to, ...growth } = read;
  const { calendar } = await newestEvents(usage, breathe);
  const freedNowBytes = isIndexApart ? spaceSaved.log : spaceSaved.total;
  const forecast = forecastDisk(
    {
      ...growth,
      freeBytes: volumes.freeBytes,
      freedNowBytes,
      releases: calendar.days(CALENDAR_DAYS).map(({ bytes }) => bytes)
    },
    curveDays
  );
  const now = usage.effectiveNow;
  const at = (days: number | null) =>
    days === null ? null : { days, at: ticksToIso(now + BigInt(Math.round(days * Number(TICKS_PER_DAY)))) };
  return {
    unknown: null,
    ...volumes,
    growth: {
      from: ticksToIso(from),
      to: ticksToIso(to),
      ...wholeRates(growth),
      categories: growth.categories.map(wholeRates)
    },
    freedNowBytes,
    full: { withoutScavenges: at(forecast.withoutDays), withScavenges: at(forecast.withDays) },
    curve: forecast.curve.map((point, day) => ({
      day: ticksToIso(now + BigInt(day) * TICKS_PER_DAY).slice(0, 10),
      ...point
    })),
    warnings: usage.warnings
  };
}

/** Rates in whole bytes: more is not known of them. */
function wholeRates<T extends object>(rates: T): T {
  const whole = Object.entries(rates).map(([name, value]: [string, unknown]) => [
    name,
    name.endsWith('PerDay') && typeof value === 'number' ? Math.round(value) : value
  ]);
  return Object.fromEntries(whole) as T;
}
