/** A schedule of the window, for callers over HTTP. */
import type { AutoScavengeDoor } from '../cluster/auto-scavenge.ts';
import type { ClusterSchedule } from './cluster-schedule.ts';

/** The window's schedule in the form that the routes of the service need. The window starts and ends it. */
export function doorOf(schedule: ClusterSchedule): AutoScavengeDoor {
  return {
    isOff: false,
    holder: () => Promise.resolve(undefined),
    isEnabled: async () => {
      await schedule.updateCoordination();
      return schedule.isEnabled;
    },
    start: () => Promise.resolve(),
    call: async (call) => {
      await schedule.updateCoordination();
      if (schedule.isEnabled) return schedule.answer(call);
      return { status: 503, detail: 'AutoScavenge is not enabled' };
    },
    close: () => Promise.resolve()
  };
}
