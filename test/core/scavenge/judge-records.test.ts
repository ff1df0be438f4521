/** Which records of a chunk are kept: the same whether its heads are known or read, and nothing after the point. */
import { describe, expect, it } from 'vitest';
import { uncontrolled } from '../../../src-core/database/operation-control.ts';
import { ChunkDigests } from '../../../src-core/digest/chunk-digests.ts';
import { PreparedHeads } from '../../../src-core/digest/prepared-heads.ts';
import { hashStream, type StreamHasher } from '../../../src-core/index/stream-hash.ts';
import { judgeRecords } from '../../../src-core/scavenge/decisions/judge-records.ts';
import { StreamVerdicts } from '../../../src-core/scavenge/decisions/stream-verdicts.ts';
import { RunControl } from '../../../src-core/scavenge/run-control.ts';
import { MemoryState } from '../../../src-core/scavenge/state/memory/memory-state.ts';
import { ScavengeState } from '../../../src-core/scavenge/state/scavenge-state.ts';
import { StreamStatus } from '../../../src-core/scavenge/state/stream-data.ts';
import { appendedLog, someEvents } from '../../support/appended-log.ts';
import { guidsFrom } from '../../support/crash-database.ts';
import { SAMPLE_NOW } from '../../support/restore-fixture.ts';

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
