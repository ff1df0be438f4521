/** Running work in one line: phase, how far, how fast, how long still, what is freed already. */
import type { Progress, WorkSnapshot } from '../../src-main/contract/verbs/workbench-contract.ts';
import { texts } from '../texts.ts';
import { formatBytes } from './bytes.ts';
import { byCount, formatCount } from './count.ts';
import { formatTimeLeft } from './duration.ts';

/** Between 0 and 1; 0 while the total is unknown. */
export function progressShare(progress: Progress | null): number {
  if (!progress?.total) return 0;
  return Math.max(0, Math.min(1, progress.done / progress.total));
}

export function formatAmount(value: number, unit: Progress['unit']): string {
  return unit === 'bytes' ? formatBytes(value) : formatCount(Math.round(value));
}

/** "14 / 55 chunks", "1.2 GiB / 3.4 GiB". What is done in part is not done; the bar shows it. */
export function formatDone(progress: Progress): string {
  const { unit, total } = progress;
  const done = formatAmount(Math.floor(progress.done), unit);
  const amount = total === null ? done : `${done} / ${formatAmount(total, unit)}`;
  if (unit === 'bytes') return amount;
  // Of all of them there may be one, whatever part of it is done.
  const [one, more] = texts.units[unit];
  return `${amount} ${byCount(total ?? Math.floor(progress.done), one, more)}`;
}

export function formatRate(ratePerSecond: number, unit: Progress['unit']): string {
  const amount =
    unit === 'bytes'
      ? formatBytes(ratePerSecond)
      : `${ratePerSecond < 10 ? ratePerSecond.toFixed(1) : formatCount(Math.round(ratePerSecond))} ${texts.units[unit][1]}`;
  return texts.work.perSecond(amount);
}

export function phaseName(phase: string): string {
  const names: Record<string, string> = texts.scavenge.phases;
  return names[phase] ?? phase;
}

export function progressWords(work: WorkSnapshot): string {
  const { progress } = work;
  if (work.state === 'stopping') return texts.work.stopping;
  if (!progress) return '';
  const words = [`${texts.language.within(phaseName(progress.phase))} ${formatDone(progress)}`];
  if (work.ratePerSecond) words.push(formatRate(work.ratePerSecond, progress.unit));
  if (work.remainingMs !== null) words.push(formatTimeLeft(work.remainingMs));
  if (progress.savedBytes > 0) words.push(texts.work.freed(formatBytes(progress.savedBytes)));
  return words.join(' · ');
}
