/**
 * The rescue of a full disk: a scavenge that takes the chunks in the order of what they free for each byte that their
 * new file takes, and never takes more than it may. In all else it is a scavenge: interrupted anywhere, the next run
 * resumes it, and so does `scavenge` or the server where the point is one of the log.
 *
 * What would cost space stays out: no new scavenge point (a new chunk comes with it), no merges, one chunk at a time.
 */
import { invalidRequest } from '../../errors.ts';
import type { RescueLimits } from './rescue-budget.ts';
import { planScavenge, runScavenge } from '../run-scavenge.ts';
import type { ScavengeEnvironment, ScavengeReportData, ScavengeRequest } from '../scavenge-request.ts';

/** A scavenge within limits; members that contradict a rescue are set as it needs them. */
export type RescueRequest = ScavengeRequest & { rescue: RescueLimits };

/** `stopped` also says that chunks or tables were left for which there was no room. */
export function runRescue(
  request: RescueRequest,
  environment: ScavengeEnvironment
): Promise<ScavengeReportData> {
  return runScavenge(asRescue(request), environment);
}

/** The numbers that `runRescue` would end with, as long as nothing else fills or empties the volume. */
export function planRescue(
  request: RescueRequest,
  environment: ScavengeEnvironment
): Promise<ScavengeReportData> {
  return planScavenge(asRescue(request), environment);
}

function asRescue(request: RescueRequest): RescueRequest {
  if (request.scavengePoint === 'new') {
    throw invalidRequest(
      'A rescue writes no scavenge point: a point needs a new chunk, and that needs space.',
      'scavengePoint',
      'Leave the placement out, or choose "existing" or "detached".'
    );
  }
  return {
    ...request,
    threads: 1,
    merge: false,
    unsafeIgnoreHardDeletes: false,
    alwaysKeepScavenged: false
  };
}
