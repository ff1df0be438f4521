/** What a scavenge state says of one stream. */

/** Values are those of the `status` column. */
export const StreamStatus = { none: 0, active: 1, archived: 2, spent: 3 } as const;

/** A row of an original stream. */
export interface OriginalStreamData {
  status: number;
  isTombstoned: boolean;
  discardPoint: number;
  maybeDiscardPoint: number;
  /** -1: not set. */
  maxAgeSeconds: number;
  maxCount: number;
  truncateBefore: number;
}

export interface MetastreamData {
  isTombstoned: boolean;
  discardPoint: number;
}

/** The three limits of a stream as they are stored, replaced together; null: not set. */
export interface StreamLimits {
  maxAgeSeconds: bigint | null;
  maxCount: bigint | null;
  truncateBefore: bigint | null;
}

export interface DiscardPoints {
  status: number;
  discardPoint: number;
  maybeDiscardPoint: number;
}
