/**
 * Which backups are kept: the last ones, and the last one of each of so many days, weeks and months. Pure. Days,
 * weeks (from Monday) and months are those of UTC. Each node of a cluster is counted for itself.
 */
import { invalidRequest } from '../errors.ts';
import type { Manifest } from './manifest.ts';

export interface Retention {
  last: number;
  daily: number;
  weekly: number;
  monthly: number;
}

export type RetentionRule = keyof Retention;

export interface RetentionVerdict {
  id: string;
  isKept: boolean;
  /** The rules that keep it. */
  rules: RetentionRule[];
}

type Dated = Pick<Manifest, 'id' | 'startedAt' | 'databaseTag' | 'node'>;

/** A verdict for each backup, in the order given. Refuses a retention that would keep nothing. */
export function judgeRetention(backups: readonly Dated[], retention: Retention): RetentionVerdict[] {
  if (retention.last + retention.daily + retention.weekly + retention.monthly === 0) {
    throw invalidRequest(
      'No rule says which backups are kept: all would be removed.',
      '--keep-last',
      'Give --keep-last, --keep-daily, --keep-weekly or --keep-monthly with a number above zero.'
    );
  }
  const verdicts = new Map<string, RetentionVerdict>(
    backups.map(({ id }) => [id, { id, isKept: false, rules: [] }])
  );
  for (const ofNode of byNode(backups)) {
    const newestFirst = [...ofNode].sort((a, b) => (a.id < b.id ? 1 : -1));
    keep(newestFirst, retention.last, 'last', ({ id }) => id, verdicts);
    keep(newestFirst, retention.daily, 'daily', ({ startedAt }) => startedAt.slice(0, 10), verdicts);
    keep(newestFirst, retention.weekly, 'weekly', ({ startedAt }) => mondayOf(startedAt), verdicts);
    keep(newestFirst, retention.monthly, 'monthly', ({ startedAt }) => startedAt.slice(0, 7), verdicts);
  }
  return backups.map(({ id }) => verdicts.get(id)!);
}

function byNode(backups: readonly Dated[]): Dated[][] {
  const groups = new Map<string, Dated[]>();
  for (const backup of backups) {
    const key = backup.databaseTag ?? backup.node.address ?? backup.node.dataDirectory;
    const group = groups.get(key);
    if (group) group.push(backup);
    else groups.set(key, [backup]);
  }
  return [...groups.values()];
}

/** Keeps the newest backup of each of the last `count` periods that have one. */
function keep(
  newestFirst: readonly Dated[],
  count: number,
  rule: RetentionRule,
  periodOf: (backup: Dated) => string,
  verdicts: Map<string, RetentionVerdict>
): void {
  const seen = new Set<string>();
  for (const backup of newestFirst) {
    if (seen.size >= count) return;
    const period = periodOf(backup);
    if (seen.has(period)) continue;
    seen.add(period);
    const verdict = verdicts.get(backup.id)!;
    verdict.isKept = true;
    verdict.rules.push(rule);
  }
}

function mondayOf(time: string): string {
  const day = new Date(`${time.slice(0, 10)}T00:00:00Z`);
  day.setUTCDate(day.getUTCDate() - ((day.getUTCDay() + 6) % 7));
  return day.toISOString().slice(0, 10);
}
