/**
 * What monitoring sees. The status of scavenging has the server's name and form: for each phase the second of the
 * epoch at which it was last entered, so that the newest is the present one.
 */
import { Counter, Gauge, Registry, collectDefaultMetrics } from 'prom-client';
import type { NodeScavenges } from './node-scavenges.ts';

const PHASES: Readonly<Record<string, string>> = {
  accumulation: 'Accumulation',
  calculation: 'Calculation',
  chunkExecution: 'Chunk Execution',
  chunkMerging: 'Chunk Merging',
  indexExecution: 'Index Execution',
  cleaning: 'Cleaning'
};
const UNITS = ['bytes', 'records', 'chunks', 'streams', 'entries', 'tables', 'files'];

/** Finding it out reads a part of the log, and scrapes come every few seconds. */
const STATISTICS_KEPT_MS = 10 * 60_000;

export interface MeasuredNode {
  scavenges: NodeScavenges;
  /** Whether statistics events pile up in the log. */
  haveStatisticsPiledUp: () => Promise<boolean>;
}

/** `node`: the hosted one; undefined: there is none. */
export function createMetrics(node: MeasuredNode | undefined, clock: () => number): Registry {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  if (node) {
    addScavengeMetrics(registry, node.scavenges, clock);
    addStatisticsMetric(registry, node, clock);
  }
  return registry;
}

/** Scrapes go on without it while the directory cannot be read: it is written to by a scavenge, or a server runs. */
function addStatisticsMetric(
  registry: Registry,
  { haveStatisticsPiledUp, scavenges }: MeasuredNode,
  clock: () => number
): void {
  let knownUntilMs = 0;
  scavenges.events.on('ended', () => (knownUntilMs = 0));
  new Gauge({
    name: 'winnow_statistics_pile_up',
    help: '1 when statistics events expire unremoved: the last finished scavenge is older than seven days.',
    registers: [registry],
    async collect() {
      // Both would wait for the same engine.
      if (clock() < knownUntilMs || scavenges.current !== undefined) return;
      knownUntilMs = clock() + STATISTICS_KEPT_MS;
      try {
        this.set((await haveStatisticsPiledUp()) ? 1 : 0);
      } catch {
        this.remove(); // absent is the form in which a metric says that it is not known
      }
    }
  });
}

function addScavengeMetrics(registry: Registry, scavenges: NodeScavenges, clock: () => number): void {
  const registers = [registry];
  const statuses = new Gauge({
    name: 'kurrentdb_statuses',
    help: 'Second of the epoch at which a status was last entered; the newest is the present one.',
    labelNames: ['name', 'status'],
    registers
  });
  const ended = new Counter({
    name: 'winnow_scavenges_total',
    help: 'Scavenges that ended since the start of the service, by result.',
    labelNames: ['result'],
    registers
  });
  const done = new Gauge({
    name: 'winnow_scavenge_phase_done',
    help: 'How far the present phase of the running scavenge is, in the unit of the label.',
    labelNames: ['unit'],
    registers
  });
  const saved = new Gauge({
    name: 'winnow_scavenge_saved_bytes',
    help: 'Bytes freed so far by the scavenge that runs, or that ran last.',
    registers
  });
  const enter = (status: string): void =>
    statuses.set({ name: 'Scavenge', status }, Math.floor(clock() / 1000));
  let phase = '';
  enter('Idle');
  scavenges.events.on('progress', (_scavengeId, progress) => {
    const status = PHASES[progress.phase];
    if (status !== undefined && progress.phase !== phase) enter(status);
    phase = progress.phase;
    for (const unit of UNITS) if (unit !== progress.unit) done.remove({ unit });
    done.set({ unit: progress.unit }, progress.done);
    saved.set(progress.savedBytes);
  });
  scavenges.events.on('ended', (_scavengeId, result) => {
    phase = '';
    enter('Idle');
    done.reset();
    ended.inc({ result: result.toLowerCase() });
  });
}
