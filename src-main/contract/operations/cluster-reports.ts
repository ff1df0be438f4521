/** Answers about all members of a stopped cluster at once. */

/** The scavenge point that all members' logs end with. */
export interface ClusterPointReport {
  /** null: a dry run that would write one. */
  point: { number: number; position: number; effectiveNow: string; threshold: number } | null;
  /** Data directories to whose logs it was written (would be, in a dry run). */
  written: string[];
  /** Data directories whose logs already had it. */
  heldBefore: string[];
}
