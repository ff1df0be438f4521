/**
 * How many bytes an examination may read of what the server reads at its start. A quick one stays below a few
 * seconds whatever the size of the database; the caller names what did not fit.
 */
const QUICK_BYTES = 512 * 1024 * 1024;

export class CheckBudget {
  #left: number;

  constructor({ isThorough, quickBytes }: { isThorough: boolean; quickBytes?: number | undefined }) {
    this.#left = isThorough ? Number.POSITIVE_INFINITY : (quickBytes ?? QUICK_BYTES);
  }

  /** Whether there is room for so many bytes; they are taken if so. */
  take(bytes: number): boolean {
    if (bytes > this.#left) return false;
    this.#left -= bytes;
    return true;
  }
}
