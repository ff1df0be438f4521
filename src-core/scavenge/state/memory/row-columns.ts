/** Columns of rows, made longer as rows come. */
export function wordColumn(length: number): Uint32Array {
  return new Uint32Array(length);
}

export function byteColumn(length: number): Uint8Array {
  return new Uint8Array(length);
}

export function numberColumn(length: number): Float64Array {
  return new Float64Array(length);
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
