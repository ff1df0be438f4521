/**
 * A call to the schedule of a cluster that no process coordinates now: its state is loaded, changed and stored.
 * It starts nothing; but a pause still asks a running node scavenge to stop.
 */
import { Coordinator, type CallAnswer, type NodeReply, type NodeRequest } from '../../src-core/index.ts';
import { answerOf, type AutoScavengeCall, type CoordinatorParts } from './auto-scavenge.ts';

/** For anything but `status` the caller must hold the lease. */
export async function askAtRest(parts: CoordinatorParts, call: AutoScavengeCall): Promise<CallAnswer> {
  const coordinator = coordinatorAtRest(parts, call === 'status');
  await coordinator.receiveGossip([]);
  return answerOf(coordinator, call);
}

/** Loaded read-only. */
export async function stateAtRest(parts: CoordinatorParts): Promise<Coordinator> {
  const coordinator = coordinatorAtRest(parts, true);
  await coordinator.receiveGossip([]);
  return coordinator;
}

function coordinatorAtRest({ options, ...ports }: CoordinatorParts, isReadOnly: boolean): Coordinator {
  const { store, scavenger, log } = ports;
  return new Coordinator(
    // Quiet hours take effect only in a coordinating process.
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
