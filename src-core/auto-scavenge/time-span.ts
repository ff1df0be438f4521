/**
 * Lengths of time as the status answer writes them: `[-][d.]hh:mm:ss[.fffffff]`, in ticks of 100 ns. A dot before
 * the first colon ends the days, a dot behind the last one begins the fraction.
 */
import { TICKS_PER_SECOND } from '../units/ticks.ts';

const TEXT = /^(-?)(?:(\d{1,8})\.)?(\d{2}):(\d{2}):(\d{2})(?:\.(\d{1,7}))?$/;
const INT64_MAX = 2n ** 63n - 1n;

export function formatTimeSpan(ticks: bigint): string {
  const size = ticks < 0n ? -ticks : ticks;
  const seconds = size / TICKS_PER_SECOND;
  const fraction = size % TICKS_PER_SECOND;
  const days = seconds / 86_400n;
  const two = (value: bigint): string => value.toString().padStart(2, '0');
  const clock = `${two((seconds / 3600n) % 24n)}:${two((seconds / 60n) % 60n)}:${two(seconds % 60n)}`;
  const head = days === 0n ? clock : `${days}.${clock}`;
  const tail = fraction === 0n ? '' : `.${fraction.toString().padStart(7, '0')}`;
  return `${ticks < 0n ? '-' : ''}${head}${tail}`;
}

/** undefined for any other text, or if it exceeds 64 bits. */
export function parseTimeSpan(text: string): bigint | undefined {
  const match = TEXT.exec(text);
  if (!match) return undefined;
  const [, sign, days, hours, minutes, seconds, fraction] = match;
  if (Number(hours) > 23 || Number(minutes) > 59 || Number(seconds) > 59) return undefined;
  const whole =
    BigInt(days ?? 0) * 86_400n + BigInt(hours!) * 3600n + BigInt(minutes!) * 60n + BigInt(seconds!);
  const size = whole * TICKS_PER_SECOND + BigInt((fraction ?? '').padEnd(7, '0'));
  if (size > INT64_MAX + (sign === '-' ? 1n : 0n)) return undefined;
  return sign === '-' ? -size : size;
}
