/** Events by name, of so many names at most: what comes after them is counted together. */

export interface NameCount {
  name: string;
  events: number;
  /** Bytes of their records. */
  bytes: number;
}

export interface NameCountsState {
  names: NameCount[];
  others: { events: number; bytes: number };
}

/** Names that are counted one by one, and how long they are together. */
const MOST_NAMES = 20_000;
const MOST_NAME_LENGTH = 2 * 1024 * 1024;

export class NameCounts {
  readonly #counts = new Map<string, NameCount>();
  #length = 0;
  readonly #others: { events: number; bytes: number };

  /** `state`: of an earlier run that is continued. */
  constructor(state?: NameCountsState) {
    this.#others = { ...(state?.others ?? { events: 0, bytes: 0 }) };
    for (const count of state?.names ?? []) {
      this.#counts.set(count.name, { ...count });
      this.#length += count.name.length;
    }
  }

  add(name: string, bytes: number): void {
    const count = this.#counts.get(name);
    if (count) {
      count.events++;
      count.bytes += bytes;
    } else if (this.#counts.size < MOST_NAMES && this.#length + name.length <= MOST_NAME_LENGTH) {
      this.#counts.set(name, { name, events: 1, bytes });
      this.#length += name.length;
    } else {
      this.#others.events++;
      this.#others.bytes += bytes;
    }
  }

  /** Every name was counted by itself. */
  get isComplete(): boolean {
    return this.#others.events === 0;
  }

  get size(): number {
    return this.#counts.size;
  }

  /** Those with the most events, by events and then by name. */
  largest(most: number): NameCount[] {
    const order = (a: NameCount, b: NameCount): number =>
      b.events - a.events || (a.name < b.name ? -1 : a.name > b.name ? 1 : 0);
    return [...this.#counts.values()].sort(order).slice(0, most);
  }

  get state(): NameCountsState {
    return { names: [...this.#counts.values()], others: { ...this.#others } };
  }
}
