/**
 * A coordinator whose actions are recorded among the operations: cycles with their end, pauses, resumptions and
 * requests to leaders. It does not change them.
 */
import os from 'node:os';
import { randomUUID } from 'node:crypto';
import packageFacts from '../../package.json' with { type: 'json' };
import { memberKey, ticksFromMs, ticksToIso, type MemberId, type StoredEvent } from '../../src-core/index.ts';
import type { CoordinatorParts } from './auto-scavenge.ts';
import { ownProcessPlace } from '../settings/process-place.ts';
import type { ActivityLog } from '../activity/activity-log.ts';
import type { ActivityEntry, Door, Scalar } from '../contract/operations/activity-reports.ts';

export interface ScheduleRecord {
  log: Pick<ActivityLog, 'write'>;
  door: Door;
  cluster: string;
  /** Milliseconds since 1970. */
  clock: () => number;
}

export function recordedSchedule(parts: CoordinatorParts, record: ScheduleRecord): CoordinatorParts {
  const written = new WrittenSchedule(record);
  const { store } = parts;
  return {
    ...parts,
    store: {
      load: () => store.load(),
      probe: () => store.probe(),
      append: async (event) => {
        const outcome = await store.append(event);
        if (outcome === 'stored') written.happened(event);
        return outcome;
      }
    },
    scavenger: async (request) => {
      const reply = await parts.scavenger(request);
      if (reply.kind === 'resigning') written.resigning(request.member);
      return reply;
    }
  };
}

class WrittenSchedule {
  readonly #record: ScheduleRecord;
  #cycle: ActivityEntry | undefined;
  #results: Record<string, number> = {};
  /** Asked at every tick until it no longer leads: one entry for all requests. */
  #resigning: string | undefined;

  constructor(record: ScheduleRecord) {
    this.#record = record;
  }

  happened({ type, data }: StoredEvent): void {
    const by: Record<string, Scalar> = data['by'] === 'quietHours' ? { by: 'quietHours' } : {};
    switch (type) {
      case '$cluster-scavenge-started':
        this.#results = {};
        this.#cycle = this.#entry('scavengeCluster', { 'members.count': lengthOf(data['members']) });
        this.#record.log.write({ ...this.#cycle, outcome: 'running' });
        break;
      case '$node-scavenge-completed':
        this.#resigning = undefined;
        this.#count(String(data['result']));
        break;
      case '$cluster-scavenge-completed':
        this.#end();
        break;
      case '$pause-requested':
      case '$paused':
        this.#record.log.write(this.#entry(type === '$paused' ? 'pauseSchedule' : 'requestPause', by));
        break;
      case '$resumed':
        this.#record.log.write(this.#entry('resumeSchedule', by));
        break;
      case '$cycle-skipped':
        this.#record.log.write(this.#entry('skipCycle', { occurrence: String(data['occurrence']) }));
        break;
      case '$configuration-updated':
        this.#record.log.write(this.#entry('configureSchedule', { schedule: String(data['schedule']) }));
        break;
      default:
        break;
    }
  }

  resigning(member: MemberId): void {
    const node = memberKey(member);
    if (this.#resigning === node) return;
    this.#resigning = node;
    this.#record.log.write(this.#entry('resignLeader', { node }));
  }

  #count(result: string): void {
    const name = result.toLowerCase();
    this.#results[name] = (this.#results[name] ?? 0) + 1;
  }

  /** A cycle that another process began has no start here. */
  #end(): void {
    const begun = this.#cycle ?? this.#entry('scavengeCluster', {});
    this.#cycle = undefined;
    const elapsedMs = Math.max(0, Math.round(this.#record.clock() - Date.parse(begun.startedAt)));
    this.#record.log.write({
      ...begun,
      endedAt: this.#time(),
      elapsedMs,
      outcome: 'done',
      figures: this.#results
    });
  }

  /** An entry for something instantaneous. */
  #entry(operation: string, options: Record<string, Scalar>): ActivityEntry {
    const { door, cluster } = this.#record;
    const now = this.#time();
    return {
      id: randomUUID(),
      operation,
      door,
      dataDirectory: null,
      target: null,
      startedAt: now,
      endedAt: operation === 'scavengeCluster' ? null : now,
      elapsedMs: operation === 'scavengeCluster' ? null : 0,
      outcome: 'done',
      verdict: null,
      options: { cluster, ...options },
      figures: {},
      log: [],
      error: null,
      version: packageFacts.version,
      hostName: os.hostname(),
      pid: process.pid,
      place: ownProcessPlace()
    };
  }

  #time(): string {
    return ticksToIso(ticksFromMs(Math.round(this.#record.clock())));
  }
}

function lengthOf(value: unknown): number {
  return Array.isArray(value) ? value.length : 0;
}
