/**
 * Names of two streams that the server's own hash does not tell apart, all 64 bits of it. Found by chaining pieces of four
 * characters of which two leave the same state in Murmur3, and looking among what they make for names with one xxHash.
 */
export const COLLIDING_ORDERS: readonly [string, string] = [
  'order-bIxSYF75lmgTb2ZN3WC0V805JtpLoZ6aPsUIT6Em1vlzJUDst0jeSoCQBSfVotPrtNnMgiMk',
  'order-bIxSSOCzycqcXwNdJqAhV8057Pl82ZAUtu3n7ZsgDSSAByzlFeJXMkcIBSfVyXnPB4amtSaU'
];

/** Two more, with another hash. */
export const OTHER_COLLIDING_ORDERS: readonly [string, string] = [
  'order-uUMGYF75ycqcXwNd3WC0V8057Pl8oZ6aPsUI7Zsg1vlzJUDst0jeMkcIBSfVotPrB4amgiMk',
  'order-uUMGYF75ycqcb2ZN3WC0ZQuC7Pl8oZ6aPsUI7Zsg1vlzJUDst0jeSoCQVEBGotPrtNnMtSaU'
];
