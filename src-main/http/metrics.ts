/**
 * Metrics for monitoring. The scavenge status has the server's name and form: for each phase the second of the
 * epoch at which it was last entered, so that the newest is the current one.
 */
import type { WorkingPhase } from '../../src-core/index.ts';
import type { LogCoverageReport } from '../contract/operations/coverage-reports.ts';
import type { GrowthReport } from '../contract/operations/usage-reports.ts';
import { Counter, Gauge, Registry, collectDefaultMetrics } from 'prom-client';
import type { FleetNode } from '../contract/operations/fleet-reports.ts';
import type { NodeScavenges } from '../cluster/node-scavenges.ts';
import { addClusterMetrics, type MeasuredClusters } from './cluster-metrics.ts';
import { addComparisonMetrics } from './comparison-metrics.ts';
import type { LastComparison } from '../settings/last-comparison.ts';
import { addStandingMetrics } from './standing-metrics.ts';

/** The server's words for the phases. */
const PHASES: Readonly<Record<string, string>> = {
  accumulation: 'Accumulation',
  calculation: 'Calculation',
  chunkExecution: 'Chunk Execution',
  chunkMerging: 'Chunk Merging',
  indexExecution: 'Index Execution',
  cleaning: 'Cleaning'
} satisfies Record<WorkingPhase, string>;
const UNITS = ['bytes', 'records', 'chunks', 'streams', 'entries', 'tables', 'files'];

/** Computing it reads a part of the log, and scrapes come every few seconds. */
const STATISTICS_KEPT_MS = 10 * 60_000;
/** A verification in another process shows after this. */
const COVERAGE_KEPT_MS = 60_000;
/** It is counted from all that is known of the log, and moves by days. */
const GROWTH_KEPT_MS = 60 * 60_000;
/** The service may be reading what is missing. */
const UNKNOWN_GROWTH_KEPT_MS = 60_000;

export interface MeasuredNode {
  scavenges: NodeScavenges;
  /** Whether statistics events accumulate in the log. */
  haveStatisticsPiledUp: () => Promise<boolean>;
  /** How much of the log was verified; undefined: not known. */
  coverage: () => Promise<LogCoverageReport | undefined>;
  /** Bytes of what scavenges replaced and is kept. */
  replacedBytes: () => Promise<number>;
  /** How fast the log grows, as far as that is known. */
  growth: (asked: { days: number; top: number }) => Promise<GrowthReport>;
  /** How it stands among all nodes. */
  standing: () => Promise<FleetNode>;
  /** The last comparison with others; undefined: none is known. */
  lastComparison: () => LastComparison | undefined;
}

export interface Measured {
  /** The hosted one; undefined: there is none. */
  node: MeasuredNode | undefined;
  /** Undefined: they are told elsewhere. */
  clusters?: MeasuredClusters['read'] | undefined;
}

export function createMetrics({ node, clusters }: Measured, clock: () => number): Registry {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  if (clusters) {
    // Both would wait for the same engine.
    const isOccupied = (): boolean => node?.scavenges.current !== undefined;
    addClusterMetrics(registry, { read: clusters, isOccupied }, clock);
  }
  if (node) {
    addScavengeMetrics(registry, node.scavenges, clock);
    addStatisticsMetric(registry, node, clock);
    addCoverageMetrics(registry, node, clock);
    addReplacedMetric(registry, node, clock);
    addGrowthMetrics(registry, node, clock);
    addStandingMetrics(registry, node, clock);
    addComparisonMetrics(registry, node.lastComparison);
  }
  return registry;
}

/** Left out of scrapes while the directory cannot be read: a scavenge writes to it, or a server runs. */
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
        this.remove(); // an absent metric means "not known"
      }
    }
  });
}

/** Left out of scrapes while it is not known: nobody is to take that for verified. */
function addCoverageMetrics(
  registry: Registry,
  { coverage, scavenges }: MeasuredNode,
  clock: () => number
): void {
  let knownUntilMs = 0;
  let known: Promise<LogCoverageReport | undefined> = Promise.resolve(undefined);
  scavenges.events.on('ended', () => (knownUntilMs = 0));
  const look = () => {
    // Both would wait for the same engine.
    if (clock() >= knownUntilMs && scavenges.current === undefined) {
      knownUntilMs = clock() + COVERAGE_KEPT_MS;
      known = coverage().catch(() => undefined);
    }
    return known;
  };
  const gauge = (name: string, help: string, read: (told: LogCoverageReport) => number | undefined): Gauge =>
    new Gauge({
      name,
      help,
      registers: [registry],
      async collect() {
        const told = await look();
        const value = told && read(told);
        if (value === undefined) this.remove();
        else this.set(value);
      }
    });
  gauge(
    'winnow_log_verified_ratio',
    'Share of the bytes of completed chunks whose hash was verified in the last 30 days, from 0 to 1.',
    // Rounding never makes a part the whole; of a log without completed chunks all is verified.
    ({ isWhole, verifiedBytes, bytes }) =>
      isWhole ? 1 : Math.min(verifiedBytes / Math.max(1, bytes), 0.9999)
  );
  gauge(
    'winnow_verification_oldest_age_seconds',
    'Time since the completed chunk was read that was verified longest ago; absent while none is verified.',
    ({ oldest }) =>
      oldest === null ? undefined : Math.max(0, Math.floor((clock() - Date.parse(oldest)) / 1000))
  );
  gauge(
    'winnow_verification_damaged_chunks',
    'Chunks that were damaged when they were read last, and have not changed since.',
    ({ damagedFiles }) => damagedFiles
  );
}

/** Left out of scrapes while the directory cannot be read. */
function addReplacedMetric(
  registry: Registry,
  { replacedBytes, scavenges }: MeasuredNode,
  clock: () => number
): void {
  let knownUntilMs = 0;
  scavenges.events.on('ended', () => (knownUntilMs = 0));
  new Gauge({
    name: 'winnow_replaced_files_bytes',
    help: 'Bytes of files that scavenges replaced, kept so that these can be undone.',
    registers: [registry],
    async collect() {
      // Both would wait for the same engine.
      if (clock() < knownUntilMs || scavenges.current !== undefined) return;
      knownUntilMs = clock() + COVERAGE_KEPT_MS;
      try {
        this.set(await replacedBytes());
      } catch {
        this.remove(); // an absent metric means "not known"
      }
    }
  });
}

/** Left out of scrapes while they are not known, a date also when it does not come within a hundred years. */
function addGrowthMetrics(
  registry: Registry,
  { growth, scavenges }: MeasuredNode,
  clock: () => number
): void {
  let knownUntilMs = 0;
  let known: Promise<GrowthReport | undefined> = Promise.resolve(undefined);
  scavenges.events.on('ended', () => (knownUntilMs = 0));
  const look = () => {
    // Both would wait for the same engine.
    if (clock() >= knownUntilMs && scavenges.current === undefined) {
      knownUntilMs = clock() + GROWTH_KEPT_MS;
      known = growth({ days: 1, top: 1 }).then(
        (report) => {
          if (report.unknown === 'notRead') knownUntilMs = clock() + UNKNOWN_GROWTH_KEPT_MS;
          return report;
        },
        () => undefined
      );
    }
    return known;
  };
  const registers = [registry];
  new Gauge({
    name: 'winnow_disk_full_timestamp_seconds',
    help: 'Second of the epoch at which the volume of the log is full if it goes on growing as it did of late.',
    labelNames: ['scavenges'],
    registers,
    async collect() {
      this.reset();
      const full = (await look())?.full;
      for (const [scavenges, date] of [
        ['none', full?.withoutScavenges],
        ['regular', full?.withScavenges]
      ] as const) {
        if (date) this.set({ scavenges }, Math.floor(Date.parse(date.at) / 1000));
      }
    }
  });
  new Gauge({
    name: 'winnow_log_growth_known',
    help: 'Whether growth and the date are known: 1, or 0 with the reason (notRead: the log was not read yet; tooShort).',
    labelNames: ['reason'],
    registers,
    async collect() {
      this.reset();
      const report = await look();
      if (report) this.set({ reason: report.unknown ?? '' }, report.unknown === null ? 1 : 0);
    }
  });
  new Gauge({
    name: 'winnow_log_growth_bytes_per_day',
    help: 'Bytes of log and index that were written a day, up to the newest record; of them those that nothing limits.',
    labelNames: ['kind'],
    registers,
    async collect() {
      this.reset();
      const rates = (await look())?.growth;
      if (!rates) return;
      this.set({ kind: 'written' }, rates.writtenPerDay);
      this.set({ kind: 'lasting' }, rates.lastingPerDay);
    }
  });
}

function addScavengeMetrics(registry: Registry, scavenges: NodeScavenges, clock: () => number): void {
  const registers = [registry];
  const statuses = new Gauge({
    name: 'kurrentdb_statuses',
    help: 'Second of the epoch at which a status was last entered; the newest is the current one.',
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
    help: 'Progress of the current phase of the running scavenge, in the unit of the label.',
    labelNames: ['unit'],
    registers
  });
  const saved = new Gauge({
    name: 'winnow_scavenge_saved_bytes',
    help: 'Bytes freed so far by the running scavenge, or by the last one.',
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
