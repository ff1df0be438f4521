/** Columns of numbers that grow: a longer one of the same kind with the same values first. */
export type Column = Uint8Array | Uint16Array | Uint32Array | Int32Array | Float64Array;

export function longerColumn<T extends Column>(old: T, length: number): T {
  const longer = new (old.constructor as new (length: number) => T)(length);
  longer.set(old);
  return longer;
}
