/** Accumulation by itself: a point that is not where it is said to be, and batches that fill up where heads are known. */
import { describe, expect, it } from 'vitest';
import { uncontrolled } from '../../../src-core/database/operation-control.ts';
import { ChunkDigests } from '../../../src-core/digest/chunk-digests.ts';
import { PreparedHeads } from '../../../src-core/digest/prepared-heads.ts';
import { hashStream } from '../../../src-core/index/stream-hash.ts';
import { StreamEntries } from '../../../src-core/scavenge/decisions/stream-entries.ts';
import { runAccumulation } from '../../../src-core/scavenge/phases/1-accumulation.ts';
import { RunControl } from '../../../src-core/scavenge/run-control.ts';
import { ScavengeOutcome } from '../../../src-core/scavenge/scavenge-result.ts';
import { MemoryState } from '../../../src-core/scavenge/state/memory/memory-state.ts';
import { ScavengeState } from '../../../src-core/scavenge/state/scavenge-state.ts';
import { WAITING_LIMITS } from '../../../src-core/scavenge/state/waiting-limits.ts';
import { appendedLog, someEvents, type AppendedLog } from '../../support/appended-log.ts';
import { guidsFrom } from '../../support/crash-database.ts';
import { SAMPLE_NOW } from '../../support/restore-fixture.ts';

const STREAMS = ['a', 'b', 'c', 'd', 'e'];
let points: number[] = [];

function opened(): AppendedLog {
  points = [];
  return appendedLog((after) => {
    const appender = after(-1);
    for (const stream of STREAMS) {
      appender.append(stream, someEvents(3));
      appender.setMetadata(stream, '{"$maxCount":1}');
      if (stream < 'c') appender.hardDelete(stream);
    }
    points.push(appender.append('$scavengePoints', someEvents(1)).position);
    points.push(appender.append('after', someEvents(1)).position);
  });
}

async function accumulated(
  { log, index }: AppendedLog,
  position: number,
  waiting = WAITING_LIMITS
): Promise<ScavengeState> {
  const state = new ScavengeState({ store: new MemoryState(), hasher: hashStream });
  const readAt = (at: number) => log.readAt(at);
  const entries = new StreamEntries({ lookup: index.entries, state, readAt, beforePosition: position });
  const point = { number: 0, position, effectiveNow: SAMPLE_NOW, threshold: 0 };
  const control = new RunControl({ operation: uncontrolled() });
  const outcome = new ScavengeOutcome();
  await runAccumulation({ log, entries, state, control, outcome, point, isPointInLog: true, waiting }, null);
  return state;
}

const limitsOf = (state: ScavengeState): unknown[] =>
  STREAMS.map((stream) => state.originals.get(state.handleOf(stream)));

describe('accumulation', () => {
  it.each([-1, 1])('ends with the record of the point, and is refused %d bytes beside it', async (beside) => {
    const position = () => points[0]!;
    await expect(accumulated(opened(), position())).resolves.toBeDefined();
    await expect(accumulated(opened(), position() + beside)).rejects.toMatchObject({
      code: 'LogCorrupt',
      message: `The record of scavenge point 0 is not at position ${position() + beside}.`,
      details: { position: position() + beside }
    });
  });

  it.each([false, true])('comes to the same in batches of one, heads known: %s', async (isKnown) => {
    const all = opened();
    const expected = limitsOf(await accumulated(all, points[0]!));
    expect(expected).toContainEqual(expect.objectContaining({ isTombstoned: true }));
    expect(expected).toContainEqual(expect.objectContaining({ isTombstoned: false, maxCount: 1 }));
    const { fileSystem, log } = all;
    if (isKnown) {
      const digests = new ChunkDigests({ fileSystem, newGuid: guidsFrom(5), threads: 1 });
      const heads = new PreparedHeads({ digests, fileSystem, operation: uncontrolled() });
      await heads.prepare(log.chunks);
      log.useHeads(heads);
    }
    const narrow = { ...WAITING_LIMITS, metadata: 1, tombstones: 1 };
    expect(limitsOf(await accumulated(all, points[0]!, narrow))).toEqual(expected);
  });
});
