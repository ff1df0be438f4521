/**
 * What a plan says when a scavenge would remove nothing: that it need not be run, and that a point which it would
 * write is better not written. Only plans say so; running the scavenge anyway is a choice.
 */
import type { ChosenPlacement } from '../units/scavenge-terms.ts';
import type { ScavengeOutcome, ScavengeWarning } from './scavenge-result.ts';

/**
 * A run that writes a point completes a chunk for it, and may merge this chunk with the one before: header, footer
 * and padding of a file that was not there without the run. That frees nothing.
 */
const OWN_CHUNK_BYTES = 8192;

/** No record and no index entry goes, and no byte but those that the run itself brings. */
export function freesNothing(outcome: ScavengeOutcome, placement: ChosenPlacement): boolean {
  const { recordsDiscarded, indexEntriesDiscarded, spaceSaved } = outcome;
  const ownBytes = placement === 'new' ? OWN_CHUNK_BYTES : 0;
  return recordsDiscarded === 0 && indexEntriesDiscarded === 0 && spaceSaved.total <= ownBytes;
}

export function nothingToFree(placement: ChosenPlacement): ScavengeWarning {
  const nothing = 'This scavenge would free nothing: no record and no index entry would be removed';
  if (placement !== 'new') {
    return { code: 'nothingToFree', message: `${nothing}.`, remedy: 'There is no need to run it.' };
  }
  return {
    code: 'nothingToFree',
    message: `${nothing}. It would only write a scavenge point to the log and complete the active chunk.`,
    remedy:
      'Do not run it, so that no point is written and the log stays as it is. "--scavenge-point detached" looks for ' +
      'something to free without writing a point.'
  };
}
