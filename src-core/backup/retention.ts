/**
 * Which backups are kept: the last ones, and the last one of each of so many days, weeks and months. Pure. Days,
 * weeks (from Monday) and months are those of UTC. Each node of a cluster is counted for itself. The backup of each
 * node whose log reaches furthest is kept by any retention: after a fork it may be the only one with that part.
 */
import { invalidRequest } from '../errors.ts';
import { furthestOfEachNode, inOrder, nodeKeyOf, type OrderedBackup } from './backup-order.ts';

export interface Retention {
  last: number;
  daily: number;
  weekly: number;
  monthly: number;
}

/** `position`: its log reaches further than that of any other backup of its node. */
export type RetentionRule = keyof Retention | 'position';

export interface RetentionVerdict {
  id: string;
  isKept: boolean;
  /** The rules that keep it. */
  rules: RetentionRule[];
}

/** A verdict for each backup, in the order given. Refuses a retention that would keep nothing. */
export function judgeRetention(backups: readonly OrderedBackup[], retention: Retention): RetentionVerdict[] {
  if (retention.last + retention.daily + retention.weekly + retention.monthly === 0) {
    throw invalidRequest(
      'No rule says which backups to keep: all would be removed.',
      '--keep-last',
      'Give --keep-last, --keep-daily, --keep-weekly or --keep-monthly with a number above zero.'
    );
  }
  const verdicts = new Map<string, RetentionVerdict>(
    backups.map(({ id }) => [id, { id, isKept: false, rules: [] }])
  );
  const ordered = inOrder(backups);
  for (const ofNode of Map.groupBy(ordered, nodeKeyOf).values()) {
    const newestFirst = ofNode.toReversed();
    keep(newestFirst, retention.last, 'last', ({ id }) => id, verdicts);
    keep(newestFirst, retention.daily, 'daily', ({ startedAt }) => startedAt.slice(0, 10), verdicts);
    keep(newestFirst, retention.weekly, 'weekly', ({ startedAt }) => mondayOf(startedAt), verdicts);
    keep(newestFirst, retention.monthly, 'monthly', ({ startedAt }) => startedAt.slice(0, 7), verdicts);
  }
  for (const { id } of furthestOfEachNode(ordered)) {
    const verdict = verdicts.get(id)!;
    if (!verdict.isKept) verdict.rules.push('position');
    verdict.isKept = true;
  }
  return backups.map(({ id }) => verdicts.get(id)!);
}

/** Keeps the newest backup of each of the last `count` periods that have one. */
function keep(
  newestFirst: readonly OrderedBackup[],
  count: number,
  rule: RetentionRule,
  periodOf: (backup: OrderedBackup) => string,
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
