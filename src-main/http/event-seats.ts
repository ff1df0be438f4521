/**
 * Limits the number of open event streams of any kind: of all users together, and of each. One user
 * with many pages leaves room for others, and for ordinary requests.
 */
export const MOST_STREAMS = 40;
export const MOST_STREAMS_OF_USER = 10;

export class EventSeats {
  readonly #taken = new Map<string, number>();

  /** Returns a function that gives the seat back; undefined: there is none. */
  take(user: string): (() => void) | undefined {
    const own = this.#taken.get(user) ?? 0;
    const all = [...this.#taken.values()].reduce((sum, count) => sum + count, 0);
    if (own >= MOST_STREAMS_OF_USER || all >= MOST_STREAMS) return undefined;
    this.#taken.set(user, own + 1);
    let isTaken = true;
    return () => {
      if (!isTaken) return;
      isTaken = false;
      const left = (this.#taken.get(user) ?? 0) - 1;
      if (left > 0) this.#taken.set(user, left);
      else this.#taken.delete(user);
    };
  }
}
