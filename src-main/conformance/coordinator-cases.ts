/** The small cases of the coordinator: schedules, lengths of time, enabling, stored events. */
import { isDeepStrictEqual } from 'node:util';
import {
  decideEnablement,
  decodeCoordinatorEvent,
  encodeCoordinatorEvent,
  formatTimeSpan,
  formatWallTime,
  nextTicks,
  parseCron,
  parseTimeSpan,
  parseWallTime,
  requireFault
} from '../../src-core/index.ts';
import type { ConformanceCase, Differences } from './case-format.ts';
import { storedEvent } from './coordinator-world.ts';

interface ScheduleExpectation {
  error?: { reason?: string };
  normalised?: string;
  next?: { base: string; next: string }[];
  /** The occurrences after `base`, each from the previous one. */
  following?: { base: string; times: string[] };
}

export function runSchedule(conformanceCase: ConformanceCase): Differences {
  const expected = conformanceCase['expect'] as ScheduleExpectation;
  let schedule;
  try {
    schedule = parseCron(conformanceCase['expression'] as string);
  } catch (error) {
    requireFault(error);
    if (!expected.error) return [`refused: ${error.message}`];
    return compare('reason', expected.error.reason ?? error.details['reason'], error.details['reason']);
  }
  if (expected.error) return [`accepted as ${schedule.normalised}`];
  const differences = compare('normalised', expected.normalised, schedule.normalised);
  const after = (base: string): string => {
    const ticks = nextTicks(schedule, parseWallTime(base)!.ticks);
    return formatWallTime({ ticks, offsetMinutes: null });
  };
  for (const { base, next } of expected.next ?? []) {
    differences.push(...compare(`next after ${base}`, next, after(base)));
  }
  let base = expected.following?.base ?? '';
  for (const time of expected.following?.times ?? []) {
    differences.push(...compare(`next after ${base}`, time, after(base)));
    base = time;
  }
  return differences;
}

export function runDuration(conformanceCase: ConformanceCase): Differences {
  const differences: Differences = [];
  for (const { ticks, text } of (conformanceCase['write'] ?? []) as { ticks: string; text: string }[]) {
    differences.push(...compare(`text of ${ticks}`, text, formatTimeSpan(BigInt(ticks))));
  }
  const reads = (conformanceCase['read'] ?? []) as { text: string; expect: { ticks: string } | null }[];
  for (const { text, expect } of reads) {
    differences.push(...compare(`ticks of "${text}"`, expect?.ticks, parseTimeSpan(text)?.toString()));
  }
  return differences;
}

export function runEnabled(conformanceCase: ConformanceCase): Differences {
  const settings = conformanceCase['settings'] as Partial<Record<'enabled' | 'dev' | 'memDb', string>>;
  const { result, names } = conformanceCase['expect'] as { result: string; names?: string };
  const found = decideEnablement({
    enabled: settings.enabled ? isTrue(settings.enabled) : undefined,
    isDevMode: isTrue(settings.dev),
    isMemoryDatabase: isTrue(settings.memDb)
  });
  const differences = compare('result', result, found.result);
  if (names === undefined || found.result !== 'startFails') return differences;
  return [...differences, ...compare('setting named', names, found.setting)];
}

export function runEventData(conformanceCase: ConformanceCase): Differences {
  const type = conformanceCase['type'] as string;
  const at = conformanceCase['now'] as string;
  const values = conformanceCase['values'] as Record<string, unknown>;
  const event = decodeCoordinatorEvent(storedEvent({ ...values, type, at }));
  if (event === undefined) return ['the event cannot be read'];
  if (event.type === '$configuration-updated') event.schedule = parseCron(event.schedule).normalised;
  const { data } = conformanceCase['expect'] as { data: unknown };
  return compare('data', data, encodeCoordinatorEvent(event).data);
}

function isTrue(text: string | undefined): boolean {
  return text?.toLowerCase() === 'true';
}

function compare(what: string, wanted: unknown, found: unknown): Differences {
  if (isDeepStrictEqual(wanted, found)) return [];
  return [`${what}: ${JSON.stringify(found)} instead of ${JSON.stringify(wanted)}`];
}
