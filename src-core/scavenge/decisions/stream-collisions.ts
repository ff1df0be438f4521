/**
 * Knows, for every stream name met so far, whether its hash is its own. Only then may a stream be handled by
 * hash alone. The first user of a hash is remembered for ever, so a collision of many is found pair by pair;
 * the colliding names themselves are few and held in memory.
 */

/** `none`: the hash is its own. `new`: just found to collide, with the stream named. `old`: known to collide. */
export type CollisionResult = { kind: 'none' | 'old' } | { kind: 'new'; collidesWith: string };

/** What is remembered durably; the scavenge state is behind it, or a map in a test. */
export interface HashUserStore {
  get(high: number, low: number): string | undefined;
  put(high: number, low: number, stream: string): void;
}

export interface CollisionStore {
  add(stream: string): void;
  all(): string[];
}

const NONE: CollisionResult = { kind: 'none' };
const OLD: CollisionResult = { kind: 'old' };

export class StreamCollisions {
  #users: HashUserStore;
  #collisions: CollisionStore;
  readonly #hashOf: (stream: string) => { high: number; low: number };
  readonly #names = new Set<string>();
  /** Lower halves by upper half. */
  readonly #hashes = new Map<number, Set<number>>();

  constructor(
    users: HashUserStore,
    collisions: CollisionStore,
    hashOf: (stream: string) => { high: number; low: number }
  ) {
    this.#users = users;
    this.#collisions = collisions;
    this.#hashOf = hashOf;
    this.reload();
  }

  /** From now on these remember what was found, and all of it. */
  moveTo(users: HashUserStore, collisions: CollisionStore): void {
    this.#users = users;
    this.#collisions = collisions;
  }

  /** Takes the stored collisions again: what an undone transaction found must not look known. */
  reload(): void {
    this.#names.clear();
    this.#hashes.clear();
    for (const stream of this.#collisions.all()) this.#remember(stream);
  }

  /** All colliding names, sorted. */
  get names(): string[] {
    return [...this.#names].sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
  }

  isColliding(stream: string): boolean {
    return this.#names.size > 0 && this.#names.has(stream);
  }

  /** Some streams are known to share this hash. */
  isCollidingHash(high: number, low: number): boolean {
    return this.#hashes.size > 0 && this.#hashes.get(high)?.has(low) === true;
  }

  /** Takes note of a stream with this hash. */
  detect(stream: string, high: number, low: number): CollisionResult {
    if (this.isColliding(stream)) return OLD;
    const user = this.#users.get(high, low);
    if (user === undefined) {
      this.#users.put(high, low, stream);
      return NONE;
    }
    if (user === stream) return NONE;
    for (const name of [stream, user]) {
      this.#collisions.add(name);
      this.#remember(name);
    }
    return { kind: 'new', collidesWith: user };
  }

  #remember(stream: string): void {
    this.#names.add(stream);
    const { high, low } = this.#hashOf(stream);
    const lows = this.#hashes.get(high) ?? new Set<number>();
    lows.add(low);
    this.#hashes.set(high, lows);
  }
}
