/**
 * Where a cluster's scavenging stands: everything the coordinator decides by, made of stored events only, so
 * that a restart finds the same. Replayed and new events change it by the same rules. It decides nothing itself;
 * coordinator-rules.ts does.
 */
import type { ScheduleState } from '../units/scavenge-terms.ts';
import { requireFault } from '../errors.ts';
import { parseCron, type CronSchedule } from './cron-schedule.ts';
import { isSameMember, memberKey, type MemberId } from './cluster-view.ts';
import type { CoordinatorEvent, CycleOptions } from './coordinator-event.ts';
import { MemberSlots } from './member-slots.ts';
import type { QuietHours } from './quiet-hours.ts';
import { instantOfWallTime, type WallTime } from './wall-time.ts';

export type CoordinatorStatus =
  | 'NotConfigured'
  | 'Waiting'
  | 'ContinuingClusterScavenge'
  | 'StartingNodeScavenge'
  | 'MonitoringNodeScavenge'
  | 'Pausing'
  | 'PausedWhileIdle'
  | 'PausedWhileScavengingCluster';

/** The word of the status answer. */
const PUBLIC_STATUS: Record<CoordinatorStatus, ScheduleState> = {
  NotConfigured: 'NotConfigured',
  Waiting: 'Waiting',
  ContinuingClusterScavenge: 'InProgress',
  StartingNodeScavenge: 'InProgress',
  MonitoringNodeScavenge: 'InProgress',
  Pausing: 'Pausing',
  PausedWhileIdle: 'Paused',
  PausedWhileScavengingCluster: 'Paused'
};

export class CoordinatorState {
  status: CoordinatorStatus = 'NotConfigured';
  /** undefined as long as no schedule was set. */
  schedule: CronSchedule | undefined;
  /** The schedule as it was entered. */
  configuredSchedule: string | undefined;
  /** Of the schedule, an IANA name; undefined: not set. */
  timeZone: string | undefined;
  /** null: a person set none; undefined: not set. */
  quietHours: QuietHours | null | undefined;
  /** Set while it is paused or being paused. */
  pausedBy: 'person' | 'quietHours' | undefined;
  /** When it was paused, or quiet hours were set since. */
  pausedMs = -Infinity;
  /** When a person resumed it last; the end of a cycle ends what that meant. */
  resumedAt: WallTime | undefined;
  /** Ticks on the clock's face; the next cycle is the first occurrence after it. */
  anchor: bigint | undefined;
  /** An occurrence of this schedule that does not become a cycle, nor do those before it. */
  skipped: WallTime | undefined;
  /** Set while a cycle is open, a paused one too. */
  clusterScavengeId: string | undefined;
  /** What a person asked of the cycle that is open. */
  cycleOptions: CycleOptions = {};
  members = new MemberSlots();
  /** The member that is worked on, also while it is asked to stop. */
  designated: MemberId | undefined;
  /** Run of the present designation; undefined: perhaps started, its id is not known. */
  nodeScavengeId: string | undefined;
  #scavenged = new Set<string>();
  #configuredMs = 0;

  get publicStatus(): ScheduleState {
    return PUBLIC_STATUS[this.status];
  }

  get isCycleOpen(): boolean {
    return this.clusterScavengeId !== undefined;
  }

  isScavenged(member: MemberId): boolean {
    return this.#scavenged.has(memberKey(member));
  }

  /**
   * Returns false, with nothing changed, for an event that does not fit: about another member than the one
   * worked on, about a cycle that is not open, with a schedule that is none.
   */
  apply(event: CoordinatorEvent): boolean {
    switch (event.type) {
      case '$configuration-updated':
        this.timeZone = event.timeZone ?? this.timeZone;
        return this.#configure(event);
      case '$quiet-hours-updated':
        this.quietHours = event.quietHours;
        this.pausedMs = instantOfWallTime(event.at);
        // New hours count from the moment they are set.
        this.resumedAt = undefined;
        return true;
      case '$cycle-skipped':
        if (this.schedule === undefined) return false;
        // History is replayed after the schedule: what was skipped of an earlier one is over.
        if (instantOfWallTime(event.at) >= this.#configuredMs) this.skipped = event.occurrence;
        return true;
      case '$cluster-scavenge-started':
        this.#scavenged.clear();
        this.clusterScavengeId = event.clusterScavengeId;
        this.cycleOptions = {
          ...(event.threshold !== undefined && { threshold: event.threshold }),
          ...(event.scavengePoint !== undefined && { scavengePoint: event.scavengePoint })
        };
        this.members = new MemberSlots(event.members);
        this.#undesignate();
        this.pausedBy = undefined;
        this.status = 'ContinuingClusterScavenge';
        return true;
      case '$cluster-members-changed':
        return this.#changeMembers(event.added, event.removed);
      case '$node-designated':
        if (!this.isCycleOpen) return false;
        this.designated = event.nodeId;
        // A new designation is a new run, even on the same member.
        this.nodeScavengeId = undefined;
        this.status = 'StartingNodeScavenge';
        return true;
      case '$node-scavenge-started':
        if (!this.#isDesignated(event.nodeId)) return false;
        this.nodeScavengeId = event.scavengeId;
        this.status = 'MonitoringNodeScavenge';
        return true;
      case '$node-scavenge-completed':
        if (!this.#isDesignated(event.nodeId)) return false;
        this.#undesignate();
        this.#scavenged.add(memberKey(event.nodeId));
        this.status = 'ContinuingClusterScavenge';
        return true;
      case '$cluster-scavenge-completed':
        if (this.clusterScavengeId !== event.clusterScavengeId) return false;
        this.#endCycle();
        this.#anchorAt(event.at.ticks);
        this.status = this.#idleStatus();
        return true;
      case '$pause-requested':
        if (!this.isCycleOpen) return false;
        this.status = 'Pausing';
        this.pausedMs = instantOfWallTime(event.at);
        this.pausedBy = event.by ?? 'person';
        this.resumedAt = undefined;
        return true;
      case '$paused':
        // The pause ends with the request, no matter who paused.
        if (this.status !== 'Pausing') {
          this.pausedBy = event.by ?? 'person';
          this.pausedMs = instantOfWallTime(event.at);
        }
        this.resumedAt = undefined;
        this.#undesignate();
        this.status = this.isCycleOpen ? 'PausedWhileScavengingCluster' : 'PausedWhileIdle';
        return true;
      case '$resumed':
        this.pausedBy = undefined;
        this.resumedAt = event.by === undefined ? event.at : undefined;
        this.#anchorAt(event.by === undefined ? event.at.ticks : this.#endOfQuietHours(event.at));
        this.status = this.isCycleOpen ? 'ContinuingClusterScavenge' : this.#idleStatus();
        return true;
    }
  }

  /** After loading: occurrences missed meanwhile are not caught up. */
  anchorAtLoading(now: bigint): void {
    this.#anchorAt(now);
  }

  #configure({
    schedule,
    configuredSchedule,
    at
  }: Extract<CoordinatorEvent, { type: '$configuration-updated' }>): boolean {
    const parsed = tryParseCron(schedule);
    if (parsed === undefined) return false;
    this.schedule = parsed;
    this.configuredSchedule = configuredSchedule ?? schedule;
    this.anchor = at.ticks;
    this.#configuredMs = instantOfWallTime(at);
    // It was an occurrence of the schedule before.
    this.skipped = undefined;
    if (this.status === 'NotConfigured') this.status = 'Waiting';
    return true;
  }

  #changeMembers(added: MemberId[], removed: MemberId[]): boolean {
    if (!this.isCycleOpen) return false;
    for (const member of added) this.members.add(member);
    for (const member of removed) {
      this.members.remove(member);
      this.#scavenged.delete(memberKey(member));
      if (!this.#isDesignated(member)) continue;
      this.#undesignate();
      if (this.status !== 'Pausing') this.status = 'ContinuingClusterScavenge';
    }
    return true;
  }

  #isDesignated(member: MemberId): boolean {
    return this.designated !== undefined && isSameMember(this.designated, member);
  }

  #undesignate(): void {
    this.designated = undefined;
    this.nodeScavengeId = undefined;
  }

  #endCycle(): void {
    this.clusterScavengeId = undefined;
    this.members = new MemberSlots();
    this.#scavenged.clear();
    this.resumedAt = undefined;
    this.#undesignate();
  }

  /** From where the next cycle is looked for: one at their end is due; what was loaded since is not caught up. */
  #endOfQuietHours({ ticks }: WallTime): bigint {
    const last = ticks - 1n;
    return this.anchor !== undefined && this.anchor > last ? this.anchor : last;
  }

  #anchorAt(ticks: bigint): void {
    if (this.schedule !== undefined) this.anchor = ticks;
  }

  #idleStatus(): CoordinatorStatus {
    return this.schedule === undefined ? 'NotConfigured' : 'Waiting';
  }
}

/** undefined for a text that is not a schedule. */
export function tryParseCron(text: string): CronSchedule | undefined {
  try {
    return parseCron(text);
  } catch (error) {
    requireFault(error, 'InvalidRequest');
    return undefined;
  }
}
