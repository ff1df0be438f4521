/**
 * Sizes and numbers as people write them: `64MiB` read from an option, `1.5 MiB` and `12,345` written in
 * a table. Units are powers of two with their proper names; plain digits are bytes.
 */
import { InvalidArgumentError } from 'commander';
import { byteCount } from '../settings/byte-count.ts';

const UNITS = ['B', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB'] as const;

/** Reads `65536`, `64KiB`, `1.5 GiB`; `k`, `kb` and `KiB` all mean 1024 bytes. */
export function parseByteSize(text: string): number {
  const bytes = byteCount(text);
  if (bytes === undefined) {
    throw new InvalidArgumentError(
      'A size is a number with or without a unit, such as 65536, 64KiB or 1.5GiB.'
    );
  }
  if (bytes === Infinity) throw new InvalidArgumentError('The size is too large.');
  return bytes;
}

/** As `parseByteSize`, from `least` to `most` bytes. */
export function byteSize(least: number, most = Infinity): (text: string) => number {
  return (text) => {
    const bytes = parseByteSize(text);
    if (bytes >= least && bytes <= most) return bytes;
    const bound =
      most === Infinity
        ? `of at least ${formatBytes(least)}`
        : `from ${formatBytes(least)} to ${formatBytes(most)}`;
    throw new InvalidArgumentError(`Give a size ${bound}.`);
  };
}

/** `1.5 MiB`; three significant digits. */
export function formatBytes(bytes: number): string {
  const absolute = Math.abs(bytes);
  let power = 0;
  while (power < UNITS.length - 1 && absolute >= 1024 ** (power + 1) * 0.9995) power += 1;
  const value = bytes / 1024 ** power;
  const digits = power === 0 || Math.abs(value) >= 99.95 ? 0 : Math.abs(value) >= 9.995 ? 1 : 2;
  return `${value.toFixed(digits)} ${UNITS[power] ?? 'B'}`;
}

/** `1,234,567`; event numbers above 2^53 arrive as decimal strings already. */
export function formatCount(value: number | string): string {
  if (typeof value === 'string') return value;
  // By hand what has no fraction: the first use of the language's tables takes longer than a short command.
  if (!Number.isSafeInteger(value)) return value.toLocaleString('en-US');
  return String(value).replace(/\B(?=(?:\d{3})+$)/g, ',');
}

/** `1 file`, `55 files`: every count of the command line with its noun. */
export function formatNoun(count: number, singular: string, plural = `${singular}s`): string {
  return `${formatCount(count)} ${count === 1 ? singular : plural}`;
}
