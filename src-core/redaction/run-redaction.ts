/**
 * Overwrites the data of single events in a stopped node, in the form that the server's own redaction leaves. Chunk by
 * chunk; each step is harmless when it is repeated, so a run that was cut is finished by running it again.
 *
 * Refused as a whole, before the first write, when one of the events cannot be redacted or is not there: half of what
 * was asked for looks like all of it.
 */
import { requireChunkChecksum } from '../chunks/chunk-checksum.ts';
import type { OperationControl } from '../database/operation-control.ts';
import { openDatabase, type DatabasePlace } from '../database/database.ts';
import { invalidRequest, OperationStopped } from '../errors.ts';
import { lockDirectory } from '../storage/directory-lock.ts';
import { planRedaction, type RedactionPlan, type RefusalReason } from './plan-redaction.ts';
import { redactChunk, type RedactedChunk, type WrittenChunk } from './redact-chunk.ts';
import type { AskedEvent, RedactionQuestion } from './redaction-question.ts';

export interface RunRedaction {
  place: DatabasePlace;
  question: RedactionQuestion;
  assumeStopped: boolean;
  newGuid: () => string;
  control: OperationControl;
  /** Under the lock, before anything is read or written; throws to refuse. */
  underLock?: () => void;
  /** What is going to be done, before the first write. */
  onPlan?: ((plan: RedactionPlan) => void) | undefined;
  /** Before a new file takes the place of the old one. */
  onWritten?: ((written: WrittenChunk) => void) | undefined;
  onChunk?: (redacted: RedactedChunk) => void;
}

export interface RedactionOutcome {
  plan: RedactionPlan;
  chunks: RedactedChunk[];
  /** Older versions and temporary files that were removed. */
  swept: string[];
  /** False: stopped between two chunks; the same command does the rest. */
  isFinished: boolean;
}

export async function runRedaction(options: RunRedaction): Promise<RedactionOutcome> {
  const { place, question, assumeStopped, control, newGuid } = options;
  const { fileSystem, dataDirectory } = place;
  const release = lockDirectory({ fileSystem, dataDirectory, assumeStopped });
  try {
    options.underLock?.();
    const database = openDatabase(place);
    let plan: RedactionPlan;
    try {
      plan = await planRedaction({ database, question, control });
    } finally {
      database.close();
    }
    requireRedactable(plan);
    options.onPlan?.(plan);
    const outcome: RedactionOutcome = { plan, chunks: [], swept: [], isFinished: false };
    try {
      for (const planned of plan.chunks) {
        if (planned.records.length === 0) continue;
        const redacted = await redactChunk({
          ...planned,
          fileSystem,
          directory: dataDirectory,
          newGuid,
          control,
          onWritten: options.onWritten
        });
        outcome.chunks.push(redacted);
        options.onChunk?.(redacted);
      }
    } catch (error) {
      // What is done stays done, and is told of.
      if (!(error instanceof OperationStopped) || outcome.chunks.length === 0) throw error;
      return outcome;
    }
    await requireSoundOnes(options, plan);
    outcome.swept = sweep(options, plan);
    return { ...outcome, isFinished: true };
  } finally {
    release();
  }
}

/** Older versions go only where the newest is whole; those that were written just now were read again. */
async function requireSoundOnes(
  { place: { fileSystem }, control }: RunRedaction,
  { chunks, sweeps }: RedactionPlan
): Promise<void> {
  if (sweeps.length === 0) return;
  for (const { chunk, records } of chunks) {
    if (records.length > 0) continue;
    await requireChunkChecksum(fileSystem, chunk, async () => {
      if (control.isDue) await control.breathe();
    });
  }
}

function sweep({ place: { fileSystem, dataDirectory } }: RunRedaction, { sweeps }: RedactionPlan): string[] {
  for (const file of sweeps) fileSystem.remove(fileSystem.join(dataDirectory, file));
  if (sweeps.length > 0) fileSystem.syncDirectory(dataDirectory);
  return sweeps;
}

/** Throws InvalidRequest when something of what was asked for cannot be redacted. */
export function requireRedactable({ notFound, records }: RedactionPlan): void {
  const missing = notFound[0];
  if (missing) {
    throw invalidRequest(
      `The log holds no record of ${wordsOf(missing)}. Nothing was written.`,
      'eventIds',
      'Check the id; of an event of an explicit transaction only the id finds it.'
    );
  }
  const refused = records.find(({ state }) => state === 'refused');
  if (!refused) return;
  const { why, remedy } = REFUSALS[refused.refusal!];
  throw invalidRequest(
    `Event ${refused.eventId} at position ${refused.position} in ${refused.chunk.fileName} cannot be redacted: ${why}. Nothing was written.`,
    'eventIds',
    remedy
  );
}

export function wordsOf({ eventId, stream, number }: AskedEvent): string {
  return eventId === null ? `event ${number ?? 0} of ${stream ?? ''}` : `event ${eventId}`;
}

/** Why a record is not touched, and what to do. */
export const REFUSALS: Readonly<Record<RefusalReason, { why: string; remedy: string }>> = {
  activeChunk: {
    why: 'its chunk is still being written, and only a completed chunk can be redacted',
    remedy:
      'Complete the chunk first: "winnow scavenge --scavenge-point new" does so, or the server once the chunk is full.'
  },
  systemStream: {
    why: 'it is an event of a system stream, whose data the server itself reads',
    remedy: 'Leave this event out; delete or change the stream by the server.'
  },
  link: {
    why: 'it is a link: its data only name the event it points to',
    remedy: 'Redact the event that it points to.'
  },
  noEvent: {
    why: 'it is the begin or the end of a transaction and holds no event',
    remedy: 'Name an event of the transaction.'
  }
};
