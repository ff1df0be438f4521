/** Which names are known to share a hash, and which hashes are shared: found pair by pair, and forgotten when undone. */
import { beforeEach, expect, it } from 'vitest';
import { StreamCollisions } from '../../../src-core/scavenge/decisions/stream-collisions.ts';

/** By the first letter; the rest tells names apart. */
const hashOf = (stream: string) => ({ high: stream.charCodeAt(0), low: stream.charCodeAt(0) % 2 });

let users: Map<string, string>;
let stored: Set<string>;
let collisions: StreamCollisions;
const collisionStore = { add: (stream: string) => void stored.add(stream), all: () => [...stored] };

beforeEach(() => {
  users = new Map();
  stored = new Set();
  const key = (high: number, low: number) => `${high} ${low}`;
  collisions = new StreamCollisions(
    {
      get: (high, low) => users.get(key(high, low)),
      put: (high, low, stream) => void users.set(key(high, low), stream)
    },
    collisionStore,
    hashOf
  );
});

const detect = (stream: string) => {
  const { high, low } = hashOf(stream);
  return collisions.detect(stream, high, low);
};
const isShared = (stream: string) => {
  const { high, low } = hashOf(stream);
  return collisions.isCollidingHash(high, low);
};

it('the first user of a hash is none, the second is new, and both are known from then on', () => {
  expect(detect('a-one')).toEqual({ kind: 'none' });
  expect(detect('a-one')).toEqual({ kind: 'none' });
  expect(detect('b')).toEqual({ kind: 'none' });
  expect([isShared('a'), collisions.isColliding('a-one')]).toEqual([false, false]);
  expect(detect('a-two')).toEqual({ kind: 'new', collidesWith: 'a-one' });
  expect(detect('a-three')).toEqual({ kind: 'new', collidesWith: 'a-one' });
  expect(['a-one', 'a-two', 'a-three'].map((name) => detect(name).kind)).toEqual(['old', 'old', 'old']);
  expect(collisions.names).toEqual(['a-one', 'a-three', 'a-two']);
  expect([isShared('a'), isShared('b'), collisions.isColliding('b')]).toEqual([true, false, false]);
});

it('a hash is shared where both of its halves are', () => {
  for (const name of ['a-one', 'a-two']) detect(name);
  const { high, low } = hashOf('a');
  expect(collisions.isCollidingHash(high, low + 1)).toBe(false);
  expect(collisions.isCollidingHash(high + 1, low)).toBe(false);
});

it('what an undone transaction has found is not known, neither by name nor by hash', () => {
  for (const name of ['a-one', 'a-two', 'c-one', 'c-two']) detect(name);
  for (const name of ['c-one', 'c-two']) stored.delete(name);
  collisions.reload();
  expect(collisions.names).toEqual(['a-one', 'a-two']);
  expect([isShared('a'), isShared('c'), collisions.isColliding('c-one')]).toEqual([true, false, false]);
  stored.clear();
  collisions.reload();
  expect([isShared('a'), collisions.names]).toEqual([false, []]);
});
