/**
 * A call to the schedule of a cluster that nobody coordinates at the moment: its state is loaded, changed and left.
 * Nothing is started by it; a run that a pause is to end is asked to stop all the same.
 */
import { Coordinator, type CallAnswer, type NodeReply, type NodeRequest } from '../../src-core/index.ts';
import { answerOf, type AutoScavengeCall, type CoordinatorParts } from '../http/auto-scavenge.ts';

/** For anything but `status` the caller holds the lease. */
export async function askAtRest(parts: CoordinatorParts, call: AutoScavengeCall): Promise<CallAnswer> {
  const coordinator = coordinatorAtRest(parts, call === 'status');
  await coordinator.receiveGossip([]);
  return answerOf(coordinator, call);
}

/** Loaded, for looking at. */
export async function stateAtRest(parts: CoordinatorParts): Promise<Coordinator> {
  const coordinator = coordinatorAtRest(parts, true);
  await coordinator.receiveGossip([]);
  return coordinator;
}

function coordinatorAtRest({ options, ...ports }: CoordinatorParts, isReadOnly: boolean): Coordinator {
  const { store, scavenger, log } = ports;
  return new Coordinator(
    // What quiet hours are to change is left to whoever coordinates.
    { ...options, ignoresQuietHours: true },
    {
      ...ports,
      scavenger: (request) => (request.kind === 'stop' && !isReadOnly ? scavenger(request) : notNow(request)),
      log: (level, message) => (level === 'info' ? undefined : log(level, message)),
      store: {
        load: () => store.load(),
        probe: () => store.probe(),
        append: (event) => (isReadOnly ? Promise.resolve('notLeader' as const) : store.append(event))
      }
    }
  );
}

function notNow({ kind }: NodeRequest): Promise<NodeReply> {
  return Promise.resolve({ kind: kind === 'poll' ? 'unknown' : 'failed' });
}
