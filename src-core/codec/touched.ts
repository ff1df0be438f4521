/**
 * Values that lie far from each other in memory come near the processor when they are read, and many of them are waited for at once
 * by a loop that does nothing else. Who works on a block of such values reads all of them before, for nothing but that.
 */

const made = new Uint32Array(1);

/** Takes what a loop has made of the values that it read: what nobody takes would not be read. */
export function takeTouched(value: number): void {
  made[0]! ^= value;
}
