/**
 * The order of backups, oldest first: the one place that decides which backup is the newest. Pure.
 *
 * A wall clock runs backwards: a machine starts with a wrong date, a dead battery, a clock that is set back. So a
 * backup says itself where it stands: its generation is one above the highest in its target when it was taken. Of
 * backups with the same generation (older programs wrote none), a backup comes after the one it is based on, and of
 * two of the same history the one whose log reaches further is the later. Only where nothing else tells them apart,
 * as after a fork between two backups without a generation, the clock decides.
 */
import { compareHistories } from './compare-history.ts';
import type { Manifest, ManifestNote } from './manifest.ts';

export type OrderedBackup = Pick<
  Manifest,
  | 'id'
  | 'basedOn'
  | 'generation'
  | 'startedAt'
  | 'epochs'
  | 'checkpoints'
  | 'databaseTag'
  | 'node'
  | 'rewrite'
>;

/** A manifest that claims more is still ordered; the backups after it then share this generation. */
export const LAST_GENERATION = 2 ** 40;

/** A new array, oldest first. */
export function inOrder<T extends OrderedBackup>(backups: readonly T[]): T[] {
  const generations = effectiveGenerations(backups);
  const byGeneration = Map.groupBy(backups, ({ id }) => generations.get(id) ?? 0);
  return [...byGeneration.keys()].sort((a, b) => a - b).flatMap((key) => sortPeers(byGeneration.get(key)!));
}

/** Of the next backup in a target with these. */
export function nextGeneration(backups: readonly Pick<Manifest, 'generation'>[]): number {
  const highest = backups.reduce((most, { generation }) => Math.max(most, generation ?? 0), 0);
  return Math.min(highest + 1, LAST_GENERATION);
}

/** Which node a backup is of, for counting the backups of each node apart. */
export function nodeKeyOf({ databaseTag, node }: Pick<Manifest, 'databaseTag' | 'node'>): string {
  return databaseTag ?? node.address ?? node.dataDirectory;
}

/** Of each node the backup whose log reaches furthest; of several the newest. `ordered`: oldest first. */
export function furthestOfEachNode<T extends OrderedBackup>(ordered: readonly T[]): T[] {
  const furthest = new Map<string, T>();
  for (const backup of ordered) {
    const other = furthest.get(nodeKeyOf(backup));
    if (!other || backup.checkpoints.writer >= other.checkpoints.writer) {
      furthest.set(nodeKeyOf(backup), backup);
    }
  }
  return [...furthest.values()];
}

/**
 * Where the clock contradicts the order: a backup dated before the one that its node had before it, or the last one
 * of a node dated after `now`.
 * `ordered`: oldest first; `now`: ISO 8601 with seven fraction digits, as the times of backups.
 */
export function clockWarnings(ordered: readonly OrderedBackup[], now: string): ManifestNote[] {
  const warnings: ManifestNote[] = [];
  const last = new Map<string, OrderedBackup>();
  for (const backup of ordered) {
    const key = nodeKeyOf(backup);
    const before = last.get(key);
    if (before && backup.startedAt < before.startedAt) {
      warnings.push(
        ranBackwards(
          `The backup ${backup.id} was taken after ${before.id} but is dated before it (${backup.startedAt}, ${before.startedAt}).`
        )
      );
    }
    last.set(key, backup);
  }
  for (const { id, startedAt } of last.values()) {
    if (startedAt > now)
      warnings.push(ranBackwards(`The backup ${id} is dated ${startedAt}, after the present time (${now}).`));
  }
  return warnings;
}

function ranBackwards(what: string): ManifestNote {
  return {
    code: 'clockRanBackwards',
    message: `${what} The clock ran backwards.`,
    remedy:
      'Check the clock of the machine that takes the backups. Backups are ordered as they were taken; only --keep-daily, --keep-weekly and --keep-monthly use their dates.'
  };
}

/** A backup never comes before the one it is based on, also when a program without generations took it. */
function effectiveGenerations(backups: readonly OrderedBackup[]): Map<string, number> {
  const byId = new Map(backups.map((backup) => [backup.id, backup]));
  const known = new Map<string, number>();
  for (const backup of backups) {
    // Up to the first backup whose generation is known; a forged circle of parents ends where it began.
    const line: OrderedBackup[] = [];
    const seen = new Set<string>();
    let at: OrderedBackup | undefined = backup;
    while (at && !known.has(at.id) && !seen.has(at.id)) {
      seen.add(at.id);
      line.push(at);
      at = at.basedOn === null ? undefined : byId.get(at.basedOn);
    }
    let generation = at ? (known.get(at.id) ?? 0) : 0;
    for (const { id, generation: own } of line.reverse()) {
      generation = Math.max(generation, own ?? 0);
      known.set(id, generation);
    }
  }
  return known;
}

/** Backups that their generations do not tell apart: each after those that prove to be earlier, else by the clock. */
function sortPeers<T extends OrderedBackup>(peers: readonly T[]): T[] {
  const left = [...peers].sort(byClock);
  const sorted: T[] = [];
  while (left.length > 0) {
    const free = left.findIndex((backup) => !left.some((other) => isEarlier(other, backup)));
    // Nothing is free where forged manifests contradict each other: then the clock decides.
    sorted.push(...left.splice(Math.max(0, free), 1));
  }
  return sorted;
}

function isEarlier(a: OrderedBackup, b: OrderedBackup): boolean {
  if (a === b) return false;
  // Another generation takes the place of the one that it was made of, wherever its log was cut.
  if (b.rewrite?.of === a.id) return true;
  if (a.rewrite?.of === b.id) return false;
  if (b.basedOn === a.id) return true;
  if (a.basedOn === b.id || a.checkpoints.writer === b.checkpoints.writer) return false;
  if (a.checkpoints.writer > b.checkpoints.writer) return false;
  const { relation } = compareHistories(a.epochs, b.epochs);
  return relation === 'same' || (relation === 'unknown' && nodeKeyOf(a) === nodeKeyOf(b));
}

function byClock(a: OrderedBackup, b: OrderedBackup): number {
  if (a.startedAt !== b.startedAt) return a.startedAt < b.startedAt ? -1 : 1;
  return a.id < b.id ? -1 : 1;
}
