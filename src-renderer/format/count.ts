/** Whole numbers with thousands separators: counts, positions, event numbers. */
import { styledNumber } from './number-style.svelte.ts';
import { pluralRules } from './plural-rules.ts';

const grouped = new Intl.NumberFormat('en-US', { maximumFractionDigits: 0 });

/** Decimal strings (event numbers above 2^53-1) are grouped digit by digit, never rounded. */
export function formatCount(value: number | string): string {
  return styledNumber(grouped.format(typeof value === 'number' ? value : BigInt(value)));
}

/** "1 chunk", "55 chunks": for the catalogue. What shows a number of something asks `formatNoun`. */
export function counted(count: number, one: string, more = `${one}s`): string {
  return `${formatCount(count)} ${byCount(count, one, more)}`;
}

/** Words that go by a number: "is" with one, "are" with more. */
export function byCount(count: number, one: string, more: string): string {
  return pluralRules().select(count) === 'one' ? one : more;
}

/** A share of 1 as a percentage; never shows 0 % for something, nor 100 % for not quite all. */
export function formatShare(share: number): string {
  if (!Number.isFinite(share)) return '';
  const percent = share * 100;
  if (percent > 0 && percent < 0.1) return styledNumber('< 0.1 %');
  if (percent < 100 && percent > 99.9) return styledNumber('> 99.9 %');
  return `${styledNumber(percent >= 10 || percent === 0 ? String(Math.round(percent)) : percent.toFixed(1))} %`;
}
