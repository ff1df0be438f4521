import { counted } from './counted.ts';

/** `40 seconds`, `4 minutes`, `3 hours`: an estimate is not more exact than that. Seconds are rounded up, and at least one. */
export function durationWords(ms: number): string {
  if (ms < 90_000) return counted(Math.max(1, Math.ceil(ms / 1000)), 'second');
  if (ms < 5_400_000) return counted(Math.round(ms / 60_000), 'minute');
  return counted(Math.round(ms / 3_600_000), 'hour');
}
