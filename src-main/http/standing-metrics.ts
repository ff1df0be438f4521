/** Metrics of how the node stands: what the page of all nodes shows of it, of the same answer. */
import { Gauge, type Registry } from 'prom-client';
import { FLEET_NOTES, type FleetNode } from '../contract/operations/fleet-reports.ts';
import { HEALTH_STATES } from '../contract/operations/health-reports.ts';
import type { NodeScavenges } from '../cluster/node-scavenges.ts';

/** It lists the backups of a target, which may be an object store. */
const STANDING_KEPT_MS = 10 * 60_000;

export interface StandingMetricsParts {
  scavenges: NodeScavenges;
  standing: () => Promise<FleetNode>;
}

const second = (time: string | null | undefined): number | null =>
  time == null ? null : Math.floor(Date.parse(time) / 1000);

/** Each with one value; null: not known, or there is none. */
const VALUES: readonly { name: string; help: string; read: (node: FleetNode) => number | null }[] = [
  { name: 'winnow_log_bytes', help: 'Bytes of the files of the log.', read: ({ logBytes }) => logBytes },
  {
    name: 'winnow_index_bytes',
    help: 'Bytes of the files of the index.',
    read: ({ indexBytes }) => indexBytes
  },
  {
    name: 'winnow_disk_free_bytes',
    help: 'Free bytes of the volume with the log.',
    read: ({ freeBytes }) => freeBytes
  },
  {
    name: 'winnow_removable_bytes',
    help: 'Bytes that a scavenge would free now; absent until the log was read once.',
    read: ({ removableBytes }) => removableBytes
  },
  {
    name: 'winnow_last_scavenge_timestamp_seconds',
    help: 'Second of the epoch of the last scavenge; absent where none is known.',
    read: ({ lastScavenged }) => second(lastScavenged)
  },
  {
    name: 'winnow_last_backup_timestamp_seconds',
    help: 'Second of the epoch at which the newest backup of this directory ended.',
    read: ({ lastBackup }) => second(lastBackup?.endedAt)
  },
  {
    name: 'winnow_last_backup_rehearsed_timestamp_seconds',
    help: 'Second of the epoch at which the restore of the newest backup was rehearsed, and went well.',
    read: ({ lastBackup }) => (lastBackup?.isRehearsedWell === true ? second(lastBackup.rehearsedAt) : null)
  },
  {
    name: 'winnow_next_backup_timestamp_seconds',
    help: 'Second of the epoch at which the schedule of backups makes the next one.',
    read: ({ nextBackup }) => second(nextBackup)
  }
];

/** Left out of scrapes while they are not known. */
export function addStandingMetrics(
  registry: Registry,
  { standing, scavenges }: StandingMetricsParts,
  clock: () => number
): void {
  let knownUntilMs = 0;
  let known: Promise<FleetNode | undefined> = Promise.resolve(undefined);
  scavenges.events.on('ended', () => (knownUntilMs = 0));
  const look = () => {
    // Both would wait for the same engine.
    if (clock() >= knownUntilMs && scavenges.current === undefined) {
      knownUntilMs = clock() + STANDING_KEPT_MS;
      known = standing().catch(() => undefined);
    }
    return known;
  };
  const registers = [registry];
  for (const { name, help, read } of VALUES) {
    new Gauge({
      name,
      help,
      registers,
      async collect() {
        const node = await look();
        const value = node ? read(node) : null;
        if (value === null) this.remove();
        else this.set(value);
      }
    });
  }
  new Gauge({
    name: 'winnow_node_health',
    help: '1 for the state of health that the node has, as it was checked last, 0 for the others.',
    labelNames: ['state'],
    registers,
    async collect() {
      this.reset();
      const state = (await look())?.health?.state;
      if (state === undefined) return;
      for (const one of HEALTH_STATES) this.set({ state: one }, one === state ? 1 : 0);
    }
  });
  new Gauge({
    name: 'winnow_node_note',
    help: '1 for what deserves a look at the node, as "winnow fleet" says it, 0 for what does not.',
    labelNames: ['note'],
    registers,
    async collect() {
      this.reset();
      const notes = (await look())?.notes;
      if (notes === undefined) return;
      for (const note of FLEET_NOTES) this.set({ note }, notes.includes(note) ? 1 : 0);
    }
  });
}
