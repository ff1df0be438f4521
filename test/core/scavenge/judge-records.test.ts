/** Which records of a chunk are kept: the same whether its heads are known or read, and nothing after the point. */
import { describe, expect, it } from 'vitest';
import { uncontrolled } from '../../../src-core/database/operation-control.ts';
import { ChunkDigests } from '../../../src-core/digest/chunk-digests.ts';
import { PreparedHeads } from '../../../src-core/digest/prepared-heads.ts';
import { OperationStopped } from '../../../src-core/errors.ts';
import { hashStream, type StreamHasher } from '../../../src-core/index/stream-hash.ts';
import { refuseKeptLeftovers } from '../../../src-core/scavenge/decisions/hard-deleted-leftovers.ts';
import { judgeRecords, type Judging } from '../../../src-core/scavenge/decisions/judge-records.ts';
import { StreamVerdicts } from '../../../src-core/scavenge/decisions/stream-verdicts.ts';
import { scavengedChunkOf, type ScavengedChunk } from '../../../src-core/scavenge/output/scavenged-chunk.ts';
import { RunControl } from '../../../src-core/scavenge/run-control.ts';
import { MemoryState } from '../../../src-core/scavenge/state/memory/memory-state.ts';
import { ScavengeState } from '../../../src-core/scavenge/state/scavenge-state.ts';
import { StreamStatus } from '../../../src-core/scavenge/state/stream-data.ts';
import { appendedLog, someEvents, type AppendedLog } from '../../support/appended-log.ts';
import { guidsFrom } from '../../support/crash-database.ts';
import { SAMPLE_NOW } from '../../support/restore-fixture.ts';
import { stoppedAtFirstTurn } from '../../support/stopped-operation.ts';

describe('of ten events that may go', () => {
  const positions: number[] = [];
  const { fileSystem, log } = appendedLog((after) => {
    const appender = after(-1);
    for (let i = 0; i < 10; i++) positions.push(appender.append('cut', someEvents(1)).position);
    positions.push(appender.append('cut', someEvents(1)).position);
  });
  const chunk = log.chunks[0]!;

  it.each([0, 1, 5, 10])('those go that lie before the point: %d', async (count) => {
    const state = new ScavengeState({ store: new MemoryState(), hasher: hashStream });
    state.originals.setDiscardPoints(state.handleOf('cut'), {
      ...{ status: StreamStatus.spent, discardPoint: 10, maybeDiscardPoint: 10 }
    });
    const verdicts = new StreamVerdicts({ state, hasher: hashStream, effectiveNow: SAMPLE_NOW });
    const digests = new ChunkDigests({ fileSystem, newGuid: guidsFrom(5), threads: 1 });
    const heads = new PreparedHeads({ digests, fileSystem, operation: uncontrolled() });
    await heads.prepare(log.chunks);
    const judging = {
      ...{ fileSystem, verdicts, pointPosition: positions[count]!, ignoreHardDeletes: false },
      control: new RunControl({ operation: uncontrolled() })
    };
    const read = await judgeRecords({ ...judging, heads: undefined }, chunk);
    const known = await judgeRecords({ ...judging, heads }, chunk);
    expect(read.discardedCount).toBe(count);
    expect(known.counts).toEqual(read.counts);
  });
});

it('a stream that nobody has taken note of keeps all, though others share its hash', () => {
  const one: StreamHasher = (_, into = { high: 0, low: 0 }) => Object.assign(into, { high: 7, low: 9 });
  const state = new ScavengeState({ store: new MemoryState(), hasher: one });
  for (const stream of ['first', 'second']) state.detectCollision(stream);
  for (const stream of ['first', 'second']) state.originals.setTombstone(state.handleOf(stream));
  const verdicts = new StreamVerdicts({ state, hasher: one, effectiveNow: SAMPLE_NOW });
  const isKnown = (stream: string) => verdicts.ofStream(7, 9, false, { stream }).isKnown;
  expect(['first', 'second', 'third'].map(isKnown)).toEqual([true, true, false]);
});

describe.each([false, true])('of a chunk whose heads are known: %s', (isKnown) => {
  const judgingOf = async (
    { fileSystem, log }: AppendedLog,
    state: ScavengeState,
    { pointPosition = log.end, operation = uncontrolled(), ignoreHardDeletes = true } = {}
  ): Promise<Judging> => {
    const digests = new ChunkDigests({ fileSystem, newGuid: guidsFrom(5), threads: 1 });
    const heads = new PreparedHeads({ digests, fileSystem, operation: uncontrolled() });
    if (isKnown) await heads.prepare(log.chunks);
    return {
      ...{ fileSystem, pointPosition, ignoreHardDeletes, heads: isKnown ? heads : undefined },
      verdicts: new StreamVerdicts({ state, hasher: hashStream, effectiveNow: SAMPLE_NOW }),
      control: new RunControl({ operation })
    };
  };
  const newState = () => new ScavengeState({ store: new MemoryState(), hasher: hashStream });

  describe('with a deleted stream', () => {
    const opened = appendedLog((after) => {
      const appender = after(-1);
      appender.append('stays', someEvents(3));
      appender.append('gone', someEvents(4));
      appender.append('cut', someEvents(5));
      appender.hardDelete('gone');
    });
    const state = newState();
    state.originals.setTombstone(state.handleOf('gone'));
    const points = { status: StreamStatus.spent, discardPoint: 2, maybeDiscardPoint: 2 };
    state.originals.setDiscardPoints(state.handleOf('cut'), points);
    const [chunk] = opened.log.chunks;

    it('those are counted apart that go because it was deleted', async () => {
      const kept = await judgeRecords(await judgingOf(opened, state), chunk!);
      expect(kept).toMatchObject({ discardedCount: 7, hardDeletedCount: 5 });
    });

    it('such a record may not stay only because the new file would be no smaller', async () => {
      const judging = await judgingOf(opened, state);
      const kept = await judgeRecords(judging, chunk!);
      const newSize = kept.fileSize(4);
      const refusalAt = (fileSize: number, change: Partial<ScavengedChunk> = {}) =>
        refuseKeptLeftovers(
          judging,
          [{ ...scavengedChunkOf(chunk!), isCompleted: true, fileSize, ...change }],
          4
        ).catch((error: unknown) => error);
      for (const fileSize of [newSize, newSize - 1])
        expect(await refusalAt(fileSize)).toMatchObject({
          code: 'InvalidRequest',
          message: expect.stringContaining(
            `${chunk!.fileName} holds 5 records of hard-deleted streams`
          ) as string,
          details: { file: chunk!.fileName, field: 'alwaysKeepScavenged' }
        });
      expect(await refusalAt(newSize + 1)).toBeUndefined();
      expect(await refusalAt(newSize, { isCompleted: false })).toBeUndefined();
      const harmless = await judgingOf(opened, newState());
      const other = [{ ...scavengedChunkOf(chunk!), isCompleted: true, fileSize: 0 }];
      await expect(refuseKeptLeftovers(harmless, other, 4)).resolves.toBeUndefined();
    });
  });

  it.each([
    ['streams', 600, 1],
    ['events', 1, 2000]
  ])('the judging of many %s can be stopped', async (_, streams, events) => {
    const opened = appendedLog((after) => {
      for (let i = 0; i < streams; i++) after(-1).append(`s-${i}`, someEvents(events));
    }, 1024 * 1024);
    const operation = stoppedAtFirstTurn();
    const pointPosition = streams > 1 ? 0 : opened.log.end;
    // Half of them go: records of streams without limits are passed over at once where they are known.
    const state = newState();
    const points = { status: StreamStatus.spent, discardPoint: 1000, maybeDiscardPoint: 1000 };
    state.originals.setDiscardPoints(state.handleOf('s-0'), points);
    const judging = await judgingOf(opened, state, { operation, pointPosition });
    await expect(judgeRecords(judging, opened.log.chunks[0]!)).rejects.toBeInstanceOf(OperationStopped);
  });
});
