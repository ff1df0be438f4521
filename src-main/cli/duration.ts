/** Lengths of time read from an option, and written for people. */
import { InvalidArgumentError } from 'commander';
import { durationMs } from '../settings/duration.ts';
import { formatNoun } from './byte-size.ts';

/** Reads `10min`, `2h`, `30d`. */
export function parseDuration(text: string): number {
  const ms = durationMs(text);
  if (ms === undefined) {
    throw new InvalidArgumentError(
      'A length of time is a number with a unit (s, min, h, d, w), such as 10min or 30d.'
    );
  }
  return ms;
}

/** As `parseDuration`, but longer than nothing. */
export function parsePositiveDuration(text: string): number {
  const ms = parseDuration(text);
  if (ms < 1) throw new InvalidArgumentError('The length of time must be more than nothing.');
  return ms;
}

const UNITS = [
  [86_400_000, 'day'],
  [3_600_000, 'hour'],
  [60_000, 'minute'],
  [1000, 'second']
] as const;

/** `3 days`, `10 minutes`: in the largest unit of which it has at least one, rounded down. */
export function formatDuration(ms: number): string {
  for (const [unit, name] of UNITS) if (ms >= unit) return formatNoun(Math.floor(ms / unit), name);
  return formatNoun(Math.round(ms), 'millisecond');
}
