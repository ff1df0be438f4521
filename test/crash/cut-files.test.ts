/**
 * A database of a few dozen KiB of which one file is cut: at every length of a small file, at every 29th of a larger one (all of
 * them by `npm run crash -- --all`). `verify` names the file or refuses with an error of its own; only the room behind the
 * writer checkpoint may be missing, which the server makes again.
 */
import { expect, test } from 'vitest';
import { fileNodes, verifyLines, withLength, writeByteFixture } from '../support/byte-fixture.ts';
import { recordCampaign, sampled } from '../support/proof-record.ts';

const SAMPLED = 29;
const SEED = 5;
/** Of the chunk being written: its header, and what lies before the writer checkpoint. */
const ACTIVE = { file: 'chunk-000002.000000', usedBytes: 310 };

test('a file of any length ends in a finding or in an error that is ours', async () => {
  const memory = await writeByteFixture();
  const clean = await verifyLines(memory);
  const every = sampled(SAMPLED);
  const unnoticed: string[] = [];
  const counts = { files: 0, cases: 0, findings: 0, refused: 0, room: 0 };
  for (const [file, node] of fileNodes(memory)) {
    counts.files++;
    const { size } = node.bytes;
    const step = size <= 64 ? 1 : every;
    for (let length = step === 1 ? 0 : SEED % step; length < size; length += step) {
      counts.cases++;
      const said = await withLength(node, length, () => verifyLines(memory));
      if (said.startsWith('refused')) counts.refused++;
      else if (said !== clean) counts.findings++;
      else if (file === ACTIVE.file && length >= ACTIVE.usedBytes) counts.room++;
      else unnoticed.push(`${file} cut to ${length} bytes`);
    }
  }
  recordCampaign({
    name: 'one file of a database cut short',
    promise: 'lengths',
    operation: 'verify',
    faults: 'any length',
    counts,
    seed: SEED
  });
  expect(unnoticed).toEqual([]);
});
