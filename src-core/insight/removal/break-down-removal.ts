/** What the scavenge of a plan would remove, by rule, by category and by stream. Reads only. */
import type {
  ScavengeEnvironment,
  ScavengeReportData,
  ScavengeRequest
} from '../../scavenge/scavenge-request.ts';
import { openPlannedScavenge } from '../explain/planned-scavenge.ts';
import type { Removal } from './removal.ts';
import { sumRemoval } from './sum-removal.ts';

export interface BreakDownRemoval {
  /** That of the plan. */
  request: ScavengeRequest;
  plan: Pick<ScavengeReportData, 'scavengePoint' | 'chunks' | 'recordsDiscarded'>;
  /** Streams and categories named at most. */
  top: number;
  mostNames?: number | undefined;
}

/** undefined: there is nothing to break down, or the files are no longer those of the plan. */
export async function breakDownRemoval(
  { request, plan, top, mostNames }: BreakDownRemoval,
  environment: ScavengeEnvironment
): Promise<Removal | undefined> {
  const { scavengePoint: point } = plan;
  if (point === null) return undefined;
  // The point of the plan, whatever chose it.
  const asked: ScavengeRequest = {
    ...request,
    scavengePoint: point.placement,
    syncOnly: false,
    now: point.effectiveNow
  };
  const planned = await openPlannedScavenge(asked, environment);
  try {
    const { decisions } = planned;
    if (decisions?.point.position !== point.position) return undefined;
    const replaced = new Set(
      plan.chunks
        .filter(({ decision }) => decision === 'rewritten' || decision === 'emptied')
        .map(({ chunkStart }) => chunkStart)
    );
    const chunks = planned.session.database.log.chunks.filter(({ startNumber }) => replaced.has(startNumber));
    const removal = await sumRemoval({ planned, decisions, chunks, top, mostNames });
    return removal.records === plan.recordsDiscarded ? removal : undefined;
  } finally {
    planned.close();
  }
}
