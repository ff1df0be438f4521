/** Digests are bounded over all databases: those that were used least recently go first, never those in use. */
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { evictDigests, markUsed } from '../../../src-main/operations/database/evict-digests.ts';

const DIGEST_BYTES = 1000;
let digests: string;

beforeEach(() => {
  digests = fs.mkdtempSync(path.join(os.tmpdir(), 'winnow-digests-'));
  for (const [age, name] of ['newest', 'older', 'oldest'].entries()) {
    const directory = path.join(digests, name);
    fs.mkdirSync(directory);
    for (const file of ['a.digest', 'b.digest']) {
      fs.writeFileSync(path.join(directory, file), Buffer.alloc(DIGEST_BYTES / 2));
    }
    const used = new Date(Date.UTC(2026, 0, 10 - age));
    fs.utimesSync(directory, used, used);
  }
});
afterEach(() => {
  fs.rmSync(digests, { recursive: true, force: true });
});

const left = () => fs.readdirSync(digests).sort();

it.each([
  { room: 3, stays: ['newest', 'older', 'oldest'] },
  { room: 2, stays: ['newest', 'older'] },
  { room: 1, stays: ['newest'] },
  { room: 0, stays: ['newest'] }
])('with room for $room of three, $stays stay', ({ room, stays }) => {
  evictDigests(digests, { inUse: path.join(digests, 'newest'), mostBytes: room * DIGEST_BYTES });
  expect(left()).toEqual(stays);
});

it('those in use stay, however long ago they were made', () => {
  evictDigests(digests, { inUse: path.join(digests, 'oldest'), mostBytes: DIGEST_BYTES });
  expect(left()).toEqual(['oldest']);
});

it('a question makes a database the one that was used last', () => {
  markUsed(path.join(digests, 'oldest'));
  evictDigests(digests, { inUse: path.join(digests, 'none'), mostBytes: DIGEST_BYTES });
  expect(left()).toEqual(['oldest']);
});

it('a home that is not there is no fault', () => {
  const missing = path.join(digests, 'missing');
  markUsed(missing);
  evictDigests(missing, { inUse: missing, mostBytes: 0 });
  expect(left()).toHaveLength(3);
});
