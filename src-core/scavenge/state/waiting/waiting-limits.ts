/**
 * How much of what accumulation meets is collected before it is taken into account or written: it is asked and stored in the
 * order of hashes then, which is worth the more the more there is. The same state comes of any limits.
 */
export interface WaitingLimits {
  /** Metadata records: some 80 MB, a third of that where many are alike. */
  metadata: number;
  /** Deleted streams: some 10 MB. */
  tombstones: number;
  /**
   * First users of hashes: some 60 MB with names of 25 bytes. Each time they are written, all of the tree is. At most 2^20
   * (pending-users.ts).
   */
  users: number;
  /** Names whose hash is stored already, and which may be another one: some 20 MB. */
  doubted: number;
  /** Metadata records and deleted streams of a question that needs no names: some 40 bytes each. */
  hashed: number;
  /** Hashes that may be stored, a power of two: 256 MiB. */
  seenSlots: number;
}

export const WAITING_LIMITS: WaitingLimits = {
  metadata: 2 ** 18,
  tombstones: 2 ** 16,
  users: 2 ** 20,
  doubted: 2 ** 18,
  hashed: 2 ** 23,
  seenSlots: 2 ** 26
};
