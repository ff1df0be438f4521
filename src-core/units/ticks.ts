/**
 * Times as the log stores them: ticks of 100 ns since 0001-01-01T00:00:00 UTC, int64. A double would round to
 * 12.8 microseconds, so they are bigint at the edges and two 32-bit halves in hot loops.
 */
export type Ticks = bigint & { readonly unit: 'Ticks' };

export const UNIX_EPOCH_TICKS = 621355968000000000n as Ticks;
/** 9999-12-31T23:59:59.9999999Z, the last representable time. */
export const MAX_TICKS = 3155378975999999999n as Ticks;
export const TICKS_PER_SECOND = 10_000_000n;
const TICKS_PER_MS = 10_000n;

export function ticksFromHalves(high: number, low: number): Ticks {
  return BigInt.asIntN(64, (BigInt(high >>> 0) << 32n) | BigInt(low >>> 0)) as Ticks;
}

export function ticksFromMs(unixMs: number): Ticks {
  return (UNIX_EPOCH_TICKS + BigInt(Math.trunc(unixMs)) * TICKS_PER_MS) as Ticks;
}

/** Milliseconds since 1970, rounded down: for display arithmetic only. */
export function ticksToMs(ticks: bigint): number {
  return Number((ticks - UNIX_EPOCH_TICKS) / TICKS_PER_MS);
}

/** ISO 8601 in UTC with all seven fraction digits, as the contract writes times. Out of range: clamped. */
export function ticksToIso(ticks: bigint): string {
  const inRange = ticks < 0n ? 0n : ticks > MAX_TICKS ? MAX_TICKS : ticks;
  const seconds = inRange / TICKS_PER_SECOND;
  const fraction = (inRange % TICKS_PER_SECOND).toString().padStart(7, '0');
  const date = new Date(Number(seconds - UNIX_EPOCH_TICKS / TICKS_PER_SECOND) * 1000);
  return `${date.toISOString().slice(0, 19)}.${fraction}Z`;
}

const ISO = /^(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d)(?::(\d\d)(?:\.(\d{1,9}))?)?(Z|[+-]\d\d:\d\d)?$/;

/**
 * Reads ISO 8601 (without zone: UTC) at tick precision; undefined when it is not such a time. A day that its month does
 * not have is none (`Date.parse` would take the 30th of February for the 2nd of March), nor is one before year 1.
 */
export function ticksFromIso(text: string): Ticks | undefined {
  const match = ISO.exec(text.trim());
  if (!match) return undefined;
  const [, year, month, day, hour, minute, second, fraction, zone] = match;
  const clock = `${year}-${month}-${day}T${hour}:${minute}:${second ?? '00'}`;
  const onClock = Date.parse(`${clock}.000Z`);
  const ms = Date.parse(`${clock}.000${zone ?? 'Z'}`);
  if (Number.isNaN(ms) || !new Date(onClock).toISOString().startsWith(clock)) return undefined;
  const rest = BigInt((fraction ?? '').slice(0, 7).padEnd(7, '0'));
  const ticks = UNIX_EPOCH_TICKS + BigInt(ms) * TICKS_PER_MS + rest;
  return ticks < 0n || ticks > MAX_TICKS ? undefined : (ticks as Ticks);
}
