/** A scavenge that is resumed with hard deletes ignored, or no longer: refused where a deleted stream would come back. */
import { describe, expect, it } from 'vitest';
import { uncontrolled } from '../../../src-core/database/operation-control.ts';
import { hashStream } from '../../../src-core/index/stream-hash.ts';
import { refuseOtherHardDeletes } from '../../../src-core/scavenge/decisions/hard-deleted-leftovers.ts';
import { StreamVerdicts } from '../../../src-core/scavenge/decisions/stream-verdicts.ts';
import { RunControl } from '../../../src-core/scavenge/run-control.ts';
import { MemoryState } from '../../../src-core/scavenge/state/memory/memory-state.ts';
import type { ScavengeCheckpoint } from '../../../src-core/scavenge/state/scavenge-checkpoint.ts';
import { ScavengeState } from '../../../src-core/scavenge/state/scavenge-state.ts';
import { appendedLog, someEvents } from '../../support/appended-log.ts';
import { SAMPLE_NOW } from '../../support/restore-fixture.ts';

/** Events of a deleted stream are in chunk 1, its tombstone in the last. */
const { fileSystem, log, index } = appendedLog((after) => {
  const appender = after(-1);
  const fill = () => {
    for (let i = 0; i < 4; i++) appender.append('filling', someEvents(1, 15_000));
  };
  fill();
  appender.append('gone', someEvents(1, 15_000));
  fill();
  fill();
  appender.hardDelete('gone');
});
const point = { number: 0, position: log.end, effectiveNow: SAMPLE_NOW, threshold: 0 };
const executing = (doneChunk: number | null): ScavengeCheckpoint => ({
  ...{ stage: 'executingChunks', scavengePoint: point, doneChunk }
});

async function refusal(
  checkpoint: ScavengeCheckpoint,
  { deleted = 'gone', ignoreHardDeletes = true, pointPosition = log.end } = {}
): Promise<unknown> {
  const state = new ScavengeState({ store: new MemoryState(), hasher: hashStream });
  state.originals.setTombstone(state.handleOf(deleted));
  const verdicts = new StreamVerdicts({ state, hasher: hashStream, effectiveNow: SAMPLE_NOW });
  const control = new RunControl({ operation: uncontrolled() });
  const judging = { fileSystem, verdicts, control, pointPosition, ignoreHardDeletes };
  return refuseOtherHardDeletes({ judging, checkpoint, log, index, state }).catch((error: unknown) => error);
}

describe('resumed with hard deletes ignored', () => {
  it.each([
    ['nothing was decided on', { stage: 'accumulating', scavengePoint: point, doneChunk: 1 }, undefined],
    ['no chunk is done', executing(null), undefined],
    ['the chunk with its events is still to come', executing(0), undefined],
    ['that chunk is done', executing(1), 'chunk-000001.000000 with 1 record of'],
    ['all chunks are done', { stage: 'mergingChunks', scavengePoint: point }, '1 record of']
  ] as const)('where %s', async (_, checkpoint, words) => {
    const error = await refusal(checkpoint);
    if (words === undefined) expect(error).toBeUndefined();
    else
      expect(error).toMatchObject({
        code: 'InvalidRequest',
        message: expect.stringContaining(words) as string,
        details: { field: 'unsafeIgnoreHardDeletes' }
      });
  });

  it('nothing is refused of streams that were not deleted, nor of chunks after the point', async () => {
    expect(await refusal(executing(1), { deleted: 'another' })).toBeUndefined();
    const pointPosition = log.chunks[1]!.startPosition;
    expect(await refusal(executing(1), { pointPosition })).toBeUndefined();
  });
});

describe('resumed with hard deletes respected', () => {
  it('is refused where the tombstone of a stream that counts as deleted is gone', async () => {
    expect(await refusal(executing(0), { ignoreHardDeletes: false })).toBeUndefined();
    for (const change of [{ deleted: 'filling' }, { pointPosition: log.chunks[2]!.startPosition }])
      expect(await refusal(executing(0), { ...change, ignoreHardDeletes: false })).toMatchObject({
        code: 'InvalidRequest',
        message: expect.stringContaining('has already removed tombstones') as string
      });
  });
});
