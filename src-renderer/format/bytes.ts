/** Sizes for people, as on the command line: three significant digits with a binary unit, such as "13.4 GiB". */
import { formatCount } from './count.ts';
import { styledNumber } from './number-style.svelte.ts';

const UNITS = ['B', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB'];

export function formatBytes(bytes: number): string {
  const sign = bytes < 0 ? '−' : '';
  let value = Math.abs(bytes);
  let unit = 0;
  while (value >= 1023.5 && unit < UNITS.length - 1) {
    value /= 1024;
    unit++;
  }
  const number =
    unit === 0 || value >= 99.95
      ? formatCount(Math.round(value))
      : styledNumber(value.toFixed(value >= 9.995 ? 1 : 2));
  return `${sign}${number} ${UNITS[unit] ?? 'B'}`;
}

/** With a sign, for changes; empty when nothing changed. */
export function formatBytesChange(bytes: number): string {
  if (bytes === 0) return '';
  return bytes > 0 ? `+${formatBytes(bytes)}` : formatBytes(bytes);
}
