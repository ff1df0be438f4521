/** Records that a scavenge left in their chunk while it removed their entries: why, and what removes them. */
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openDatabase } from '../../../src-core/database/database.ts';
import { uncontrolled } from '../../../src-core/database/operation-control.ts';
import type { WeightOf } from '../../../src-core/verify/compare-index-with-log.ts';
import { verifyDatabase } from '../../../src-core/verify/verify-database.ts';
import { AskedLog, event } from '../insight/explain/asked-log.ts';

let asked: AskedLog;
beforeEach(async () => {
  asked = new AskedLog();
  asked.events.append('cut', [event(3000), event()]);
  asked.events.setMetadata('cut', '{"$tb":1}');
  asked.finish();
  await asked.writeIndex();
  await asked.scavenge({ scavengePoint: 'new', singleNode: true, threshold: 10 });
});
afterEach(() => asked.remove());

async function told(weightOf?: WeightOf) {
  const database = openDatabase({ fileSystem: asked.fileSystem, dataDirectory: asked.directory });
  try {
    const { findings } = await verifyDatabase({ database, quick: false, control: uncontrolled(), weightOf });
    return findings.filter(({ code }) => code === 'recordWithoutIndexEntry');
  } finally {
    database.close();
  }
}

it('of a chunk whose weight nobody knows both reasons are named', async () => {
  expect(await told()).toMatchObject([
    {
      severity: 'hint',
      file: 'chunk-000000.000000',
      message:
        'The record at position 0 (event 0 of stream "cut") has no index entry: a scavenge removed the entry and left the record in its chunk, whose weight was below the threshold or whose new file would not have been smaller.'
    }
  ]);
});

it.each([
  [0, 10, '10', '-1'],
  [1, 10, '10', '0'],
  [5, 10, '10', '5'],
  [0, 0, '1, the lowest possible', '-1']
])(
  'of a chunk of weight %i, below a threshold of %i, the one that reaches it is named',
  async (weight, threshold, below, least) => {
    const [found] = await told(() => ({ weight, threshold, isReached: false }));
    expect(found?.message).toContain(`whose weight of ${weight} is below the threshold of ${below}.`);
    expect(found?.remedy).toBe(
      `Nothing to do; a scavenge with "--threshold ${least}" processes the chunk again.`
    );
  }
);

it('of a chunk that was visited it is named what removes a record whatever the size', async () => {
  const [found] = await told(() => ({ weight: 12, threshold: 10, isReached: true }));
  expect(found?.message).toContain('its weight of 12 reached the threshold of 10');
  expect(found?.remedy).toContain('"--always-keep-scavenged"');
});
