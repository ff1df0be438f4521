/**
 * A database of a few dozen KiB of which one byte is changed, by its lowest and by its highest bit: `verify` finds it, or the
 * byte is on the list of those that nobody can find, with the reason. In each run every 29th byte from a seeded one on; all
 * of them by `npm run crash -- --all`.
 */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { fileNodes, verifyLines, withFlip, writeByteFixture } from '../support/byte-fixture.ts';
import { recordCampaign, sampled } from '../support/proof-record.ts';

const MASKS = [0x01, 0x80];
const SAMPLED = 29;
const SEED = 11;

const places = z
  .array(
    z.strictObject({
      file: z.string(),
      what: z.string(),
      reason: z.string().min(20),
      /** Half-open. */
      ranges: z.array(z.tuple([z.number(), z.number()])).min(1)
    })
  )
  .parse(JSON.parse(readFileSync(new URL('undetectable-bytes.json', import.meta.url), 'utf8')));

/** The place on the list that a byte belongs to. */
function placeOf(file: string, at: number): (typeof places)[number] | undefined {
  return places.find(
    (place) => place.file === file && place.ranges.some(([from, end]) => from <= at && at < end)
  );
}

test('a changed byte is found, or stands on the list with its reason', async () => {
  const memory = await writeByteFixture();
  const clean = await verifyLines(memory);
  expect(clean).not.toMatch(/damage|refused/);
  const every = sampled(SAMPLED);
  const unknown: string[] = [];
  const met = new Set<string>();
  const counts = { files: 0, bytes: 0, cases: 0, found: 0, listed: 0 };
  for (const [file, node] of fileNodes(memory)) {
    counts.files++;
    // A file of a few bytes is tested whole.
    const step = node.bytes.size <= 64 ? 1 : every;
    for (let at = step === 1 ? 0 : SEED % step; at < node.bytes.size; at += step) {
      counts.bytes++;
      for (const mask of MASKS) {
        counts.cases++;
        const place = placeOf(file, at);
        if ((await withFlip(node, at, mask, () => verifyLines(memory))) !== clean) counts.found++;
        else if (place) {
          counts.listed++;
          met.add(place.what);
        } else unknown.push(`${file} at ${at}, changed by ${mask}`);
      }
    }
  }
  recordCampaign({
    name: 'one byte of a database changed',
    promise: 'bytes',
    operation: 'verify',
    faults: 'lowest or highest bit of a byte',
    counts,
    seed: SEED
  });
  expect(unknown).toEqual([]);
  // With all bytes tested: the list names nothing that is found.
  if (every === 1) expect([...met].sort()).toEqual(places.map(({ what }) => what).sort());
});
