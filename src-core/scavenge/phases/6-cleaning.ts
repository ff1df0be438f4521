/**
 * Forgets what no later scavenge needs: metastreams, and streams whose discard points never move again. Only when
 * no chunk has any weight left; a chunk with weight still holds records that these rows discard.
 */
import { EngineError } from '../../errors.ts';
import type { RunControl } from '../run-control.ts';
import type { ScavengePoint } from '../points/scavenge-point.ts';
import type { ScavengeState } from '../state/scavenge-state.ts';
import { StreamStatus } from '../state/stream-data.ts';

export interface CleaningParts {
  state: ScavengeState;
  control: RunControl;
  point: ScavengePoint;
  ignoreHardDeletes: boolean;
  /** Chunks may have kept their weight because their new file would not have been smaller. */
  alwaysKeepScavenged: boolean;
  /** Chunks may have been passed by an earlier run, with other options; this one has looked into them. */
  isResumed: boolean;
}

export async function runCleaning(parts: CleaningParts): Promise<void> {
  const { state, control, point } = parts;
  control.enter('cleaning', 'streams');
  control.throwIfStopped();
  state.begin();
  try {
    if (state.weights.areAllZero) {
      state.metastreams.deleteAll();
      state.originals.deleteWithStatus(StreamStatus.spent);
      if (parts.ignoreHardDeletes) state.originals.deleteWithStatus(StreamStatus.archived);
    } else if (parts.ignoreHardDeletes && (parts.isResumed || !parts.alwaysKeepScavenged)) {
      // Chunks that were kept, now or before the run was resumed, hold nothing of deleted streams, or the run would have been refused. Those streams may
      // be written again, and what is remembered of the old ones would be held against the new.
      state.metastreams.deleteTombstoned();
      state.originals.deleteWithStatus(StreamStatus.archived);
    } else if (parts.ignoreHardDeletes) {
      throw new EngineError({
        code: 'LogCorrupt',
        message:
          'Chunks have weight left after a scavenge that ignored hard deletes: tombstones may be gone while ' +
          'events of their streams remain.',
        remedy: 'Run a scavenge with threshold -1 that ignores hard deletes.',
        details: { position: point.position }
      });
    }
    state.setCheckpoint({ stage: 'cleaning', scavengePoint: point });
    state.commit();
  } catch (error) {
    state.rollback();
    throw error;
  }
}
