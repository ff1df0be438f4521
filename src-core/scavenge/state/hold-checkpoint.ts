/**
 * Looks at the checkpoint of a stored scavenge state as a text that may have been changed. What cannot be understood counts as none,
 * for the server too: the next scavenge begins again, with all that the state has of earlier ones. That is no damage,
 * but it was not written so.
 */
import { chunkNumberOf } from '../../units/log-position.ts';
import { LAST_HANDLE, type StreamHandle } from '../decisions/stream-handle.ts';
import type { ScavengeState } from './scavenge-state.ts';
import { stateUntrue } from './state-error.ts';

const MEMBERS = {
  root: ['scavengePoint', 'schemaVersion', 'checkpointStage', 'doneLogicalChunkNumber', 'doneStreamHandle'],
  scavengePoint: ['position', 'eventNumber', 'effectiveNow', 'threshold'],
  doneStreamHandle: ['kind', 'streamId', 'streamHash']
} as const;

/** What is odd about the stored text, as the end of a sentence; undefined: nothing, or there is none. */
export function checkpointOddity({ storage, checkpoint }: ScavengeState): string | undefined {
  const text = storage.checkpointText;
  if (text === undefined) return undefined;
  if (!checkpoint) return 'its checkpoint cannot be understood';
  const root = JSON.parse(text) as Record<string, unknown>;
  const unknown =
    unknownMember(root, MEMBERS.root) ??
    unknownMember(root['scavengePoint'], MEMBERS.scavengePoint) ??
    unknownMember(root['doneStreamHandle'], MEMBERS.doneStreamHandle);
  return unknown === undefined ? undefined : `its checkpoint has a member "${unknown}", which is not known`;
}

function unknownMember(value: unknown, known: readonly string[]): string | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  return Object.keys(value).find((name) => !known.includes(name));
}

/** Throws if it says of a stream or a chunk that it is done, and there is none such below the scavenge point. */
export function holdProgress(
  { checkpoint, originals }: ScavengeState,
  chunkSizeBytes: number,
  statePath: string
): void {
  switch (checkpoint?.stage) {
    case 'calculating': {
      const { doneStream } = checkpoint;
      if (doneStream === null || isLast(doneStream) || originals.get(doneStream)) return;
      throw stateUntrue(statePath, 'its calculation has come to a stream that it does not know');
    }
    case 'accumulating':
    case 'executingChunks': {
      const last = chunkNumberOf(checkpoint.scavengePoint.position, chunkSizeBytes);
      if ((checkpoint.doneChunk ?? 0) <= last) return;
      throw stateUntrue(
        statePath,
        `it has come to chunk ${checkpoint.doneChunk}, its scavenge ends in chunk ${last}`
      );
    }
    default:
  }
}

/** In a bundle, whose hashes are others, that is what a calculation that was at its end has come to. */
function isLast(handle: StreamHandle): boolean {
  return handle.kind === 'hash' && handle.high === LAST_HANDLE.high && handle.low === LAST_HANDLE.low;
}
