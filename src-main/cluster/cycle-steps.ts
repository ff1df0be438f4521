/** The progress of a cycle's members, from the stored events of the coordinator, in whichever process. */
import {
  decodeCoordinatorEvent,
  formatWallTime,
  memberKey,
  scavengeResultOf,
  type CycleStep,
  type MemberId,
  type StoredEvent
} from '../../src-core/index.ts';

export interface Cycle {
  /** null: it is over. */
  openId: string | null;
  /** By the member's key; finished members in the order they finished. */
  steps: Map<string, { member: MemberId; step: CycleStep }>;
}

/** When the last cycles began and ended, newest first; those that are still open are not among them. */
export function endedCycles(
  events: readonly StoredEvent[],
  count: number
): { startedAt: string; endedAt: string }[] {
  const started = new Map<string, string>();
  const ended: { startedAt: string; endedAt: string }[] = [];
  for (const stored of events) {
    const event = decodeCoordinatorEvent(stored);
    if (event?.type === '$cluster-scavenge-started') {
      started.set(event.clusterScavengeId, formatWallTime(event.at));
    } else if (event?.type === '$cluster-scavenge-completed') {
      const startedAt = started.get(event.clusterScavengeId);
      if (startedAt !== undefined) ended.unshift({ startedAt, endedAt: formatWallTime(event.at) });
    }
  }
  return ended.slice(0, count);
}

/** The last cycle; undefined if the events contain none. */
export function lastCycle(events: readonly StoredEvent[]): Cycle | undefined {
  let cycle: Cycle | undefined;
  for (const stored of events) {
    const event = decodeCoordinatorEvent(stored);
    if (event?.type === '$cluster-scavenge-started') {
      const steps = new Map(event.members.map((member) => [memberKey(member), waiting(member)]));
      cycle = { openId: event.clusterScavengeId, steps };
    }
    if (!cycle || !event) continue;
    const { steps } = cycle;
    switch (event.type) {
      case '$cluster-members-changed':
        for (const member of event.removed) steps.delete(memberKey(member));
        for (const member of event.added) steps.set(memberKey(member), waiting(member));
        break;
      case '$node-designated':
        steps.set(memberKey(event.nodeId), { member: event.nodeId, step: 'designated' });
        break;
      case '$node-scavenge-started':
        steps.set(memberKey(event.nodeId), { member: event.nodeId, step: 'running' });
        break;
      case '$node-scavenge-completed':
        // After those that finished before.
        steps.delete(memberKey(event.nodeId));
        steps.set(memberKey(event.nodeId), {
          member: event.nodeId,
          step: scavengeResultOf(event.result) ?? 'errored'
        });
        break;
      case '$paused':
        // A resumed cycle chooses its current member again.
        for (const entry of steps.values()) if (isUnderWay(entry.step)) entry.step = 'waiting';
        break;
      case '$cluster-scavenge-completed':
        cycle.openId = null;
        break;
      default:
        break;
    }
  }
  return cycle;
}

export function isUnderWay(step: CycleStep | null): boolean {
  return step === 'designated' || step === 'running';
}

function waiting(member: MemberId): { member: MemberId; step: CycleStep } {
  return { member, step: 'waiting' };
}
