/** Durations for people: two units at most, none below a millisecond. */
import { texts } from '../texts.ts';
import { styledNumber } from './number-style.svelte.ts';

export function formatDuration(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)} ms`;
  if (ms < 59_950) return `${styledNumber((ms / 1000).toFixed(1))} s`;
  const seconds = Math.round(ms / 1000);
  if (seconds < 3600) return pair(Math.floor(seconds / 60), 'min', seconds % 60, 's');
  const minutes = Math.round(seconds / 60);
  if (minutes < 24 * 60) return pair(Math.floor(minutes / 60), texts.times.units.hour, minutes % 60, 'min');
  const hours = Math.round(minutes / 60);
  return pair(Math.floor(hours / 24), texts.times.units.day, hours % 24, texts.times.units.hour);
}

/** Time that is left: coarse, because it is an estimate. */
export function formatTimeLeft(ms: number): string {
  if (ms < 1500) return texts.times.left('1 s');
  if (ms < 60_000) return texts.times.left(`${Math.round(ms / 1000)} s`);
  const minutes = Math.round(ms / 60_000);
  if (minutes < 90) return texts.times.left(`${minutes} min`);
  return texts.times.left(`${Math.round(minutes / 60)} ${texts.times.units.hour}`);
}

/** `$maxAge` in words: whole units where it is a whole number of them. */
export function formatSeconds(seconds: number): string {
  const { spans } = texts.times;
  const units = [
    [86_400, spans.day],
    [3600, spans.hour],
    [60, spans.minute]
  ] as const;
  for (const [size, words] of units) {
    if (seconds >= size && seconds % size === 0) return words(seconds / size);
  }
  return spans.second(seconds);
}

function pair(large: number, largeUnit: string, small: number, smallUnit: string): string {
  return small === 0 ? `${large} ${largeUnit}` : `${large} ${largeUnit} ${small} ${smallUnit}`;
}
