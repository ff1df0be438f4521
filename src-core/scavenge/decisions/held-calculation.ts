/** A calculation that is kept, for those who keep what they made of it. */
export interface HeldCalculation {
  /** Of all that it was made of. */
  identity: string;
  /** The last time for which it holds, ticks. */
  upTo: bigint;
}
