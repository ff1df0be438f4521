/**
 * Erasure reports of random databases against a plain search of all bytes of all files. More of them:
 * `npm run erasure-campaign -- --databases 100`, and one again: `-- --seed N --databases 1`.
 */
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { runCase } from './erasure-case.ts';

const FIRST_SEED = Number(process.env['ERASURE_SEED'] ?? 1);
const DATABASES = Number(process.env['ERASURE_DATABASES'] ?? 15);
const seeds = Array.from({ length: DATABASES }, (_, i) => FIRST_SEED + i);
let erased = 0;

it.each(seeds)('says exactly where bytes are left, in the database of seed %i', async (seed) => {
  const root = fs.mkdtempSync(path.join(os.tmpdir(), 'winnow-erasure-'));
  try {
    const { story, faults, isErased } = await runCase(seed, root);
    expect({ seed, story, faults }).toEqual({ seed, story, faults: [] });
    if (isErased) erased++;
  } finally {
    fs.rmSync(root, { recursive: true, force: true });
  }
});

afterAll(() => {
  // A campaign in which nothing is ever erased would prove half of the sentence only.
  if (DATABASES >= 15) expect(erased).toBeGreaterThan(0);
});
