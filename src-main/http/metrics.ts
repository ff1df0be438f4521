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

/** `scavenges`: of the hosted node; undefined: there is none. */
export function createMetrics(scavenges: NodeScavenges | undefined, clock: () => number): Registry {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  if (scavenges) addScavengeMetrics(registry, scavenges, clock);
  return registry;
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
