/** Ticks as the two 32-bit halves in which loops compare them. */
export interface TickHalves {
  /** Signed. */
  high: number;
  /** Unsigned. */
  low: number;
}

export function halvesOfTicks(ticks: bigint, into: TickHalves = { high: 0, low: 0 }): TickHalves {
  into.high = Number(BigInt.asIntN(32, ticks >> 32n));
  into.low = Number(BigInt.asUintN(32, ticks));
  return into;
}
