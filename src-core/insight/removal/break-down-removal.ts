/** What the scavenge of a plan would remove, by rule, by category and by stream. Reads only. */
import type {
  ScavengeEnvironment,
  ScavengeReportData,
  ScavengeRequest
} from '../../scavenge/scavenge-request.ts';
import { openPlannedScavenge } from '../explain/planned-scavenge.ts';
import { KeptRemoval } from './kept-removal.ts';
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
    const { effectiveNow } = decisions.point;
    // Of deleted streams that a run is asked to ignore, no judgements are kept.
    const kept = request.unsafeIgnoreHardDeletes
      ? undefined
      : KeptRemoval.of({ kept: planned.session.kept, effectiveNow, chunks, top });
    const known = kept?.load();
    const removal = known ?? (await sumRemoval({ planned, decisions, chunks, top, mostNames }));
    if (removal.records !== plan.recordsDiscarded) return undefined;
    if (!known) kept?.save(removal);
    return removal;
  } finally {
    planned.close();
  }
}
