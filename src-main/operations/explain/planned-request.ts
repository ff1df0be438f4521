/**
 * The scavenge that an explanation is about, as the engine asks for it. The state of the planned scavenge is in its own
 * temporary directory; an unencoded backup is read in place.
 */
import { rm } from 'node:fs/promises';
import {
  ticksToIso,
  type ExplainAnswer,
  type ScavengeEnvironment,
  type ScavengeRequest,
  isFileGone
} from '../../../src-core/index.ts';

import { digestsOfPlan } from '../database/digests-of.ts';
import type { EventExplanation } from '../../contract/operations/explain-reports.ts';
import { requests, type CheckedRequestOf } from '../../contract/operations/operation-contract.ts';
import type { OperationContext } from '../operation.ts';
import { engineRequest, refuseEncrypted, scavengeEnvironment } from '../scavenge/scavenge-run.ts';
import { explainLocation } from './explain-location.ts';
import { makeScratchDirectory } from '../scratch-directory.ts';

/** If a server or a Winnow scavenge replaces files meanwhile, everything is read again. */
const ATTEMPTS = 4;

/** Runs `ask` with the scavenge that the request describes. */
export async function withPlannedRequest<T>(
  request: CheckedRequestOf<'explain' | 'explainRecords'>,
  context: OperationContext,
  ask: (planned: ScavengeRequest, environment: ScavengeEnvironment) => Promise<T>
): Promise<T> {
  const options = requests.planScavenge.parse({
    ...request,
    ...explainLocation(request, context.fileSystem)
  });
  await refuseEncrypted(options, context);
  const scratchDirectory = makeScratchDirectory(request.scratchDirectory, 'explain');
  try {
    for (let attempt = 1; ; attempt++) {
      try {
        const planned = { ...engineRequest(options), scratchDirectory };
        const digests = digestsOfPlan(planned, context);
        return await ask(planned, { ...scavengeEnvironment(context), digests });
      } catch (error) {
        if (attempt === ATTEMPTS || !isFileGone(error)) throw error;
      }
    }
  } finally {
    await rm(scratchDirectory, { recursive: true, force: true });
  }
}

export function scavengeOf({
  point,
  placement,
  isResumed
}: ExplainAnswer['scavenge']): EventExplanation['scavenge'] {
  return {
    placement,
    resumed: isResumed,
    point: point && { ...point, effectiveNow: ticksToIso(point.effectiveNow) }
  };
}
