/**
 * Columns of rows in memory that every thread can see: workers judge by the same rows, which are never copied for them.
 */
export function wordColumn(length: number): Uint32Array {
  return new Uint32Array(new SharedArrayBuffer(length * Uint32Array.BYTES_PER_ELEMENT));
}

export function byteColumn(length: number): Uint8Array {
  return new Uint8Array(new SharedArrayBuffer(length));
}

export function numberColumn(length: number): Float64Array {
  return new Float64Array(new SharedArrayBuffer(length * Float64Array.BYTES_PER_ELEMENT));
}

/** A longer column with the same beginning. */
export function longerWords(old: Uint32Array, length: number): Uint32Array {
  const larger = wordColumn(length);
  larger.set(old);
  return larger;
}

export function longerBytes(old: Uint8Array, length: number): Uint8Array {
  const larger = byteColumn(length);
  larger.set(old);
  return larger;
}

export function longerNumbers(old: Float64Array, length: number): Float64Array {
  const larger = numberColumn(length);
  larger.set(old);
  return larger;
}
