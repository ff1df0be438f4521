/** The state that a run acts by, compared with the log before it replaces a file on its word. */
import type { ScavengePoint } from '../points/scavenge-point.ts';
import type { RunControl } from '../run-control.ts';
import type { ScavengeSession } from '../scavenge-session.ts';
import { holdStateAgainstLog } from './hold-state.ts';
import type { ScavengeState } from './scavenge-state.ts';

export interface ActingState {
  state: ScavengeState;
  /** For messages. */
  statePath: string;
  session: ScavengeSession;
  /** The scavenge's; the state holds all that there is to know before it. */
  point: ScavengePoint;
  control: RunControl;
}

/** Throws what the log contradicts. */
export async function holdActingState(held: ActingState): Promise<void> {
  const { state, statePath, session, point, control } = held;
  await holdStateAgainstLog({
    state,
    statePath,
    log: session.database.log,
    index: session.index,
    beforePosition: point.position,
    effectiveNow: point.effectiveNow,
    replacedFrom: Infinity,
    isActing: true,
    ...pacedBy(control)
  });
}

/** When a comparison gives way, and how. */
export function pacedBy(control: RunControl): { isDue: () => boolean; breathe: () => Promise<void> } {
  return { isDue: () => control.isDue(), breathe: () => control.breathe() };
}
