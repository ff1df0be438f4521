/** Accumulation by itself: a point that is not where it is said to be, and batches that fill up where heads are known. */
import { describe, expect, it } from 'vitest';
import { uncontrolled } from '../../../src-core/database/operation-control.ts';
import { ChunkDigests } from '../../../src-core/digest/chunk-digests.ts';
import { PreparedHeads } from '../../../src-core/digest/prepared-heads.ts';
import { hashStream } from '../../../src-core/index/stream-hash.ts';
import { DISCARD_WEIGHT } from '../../../src-core/scavenge/decisions/chunk-weights.ts';
import { StreamEntries } from '../../../src-core/scavenge/decisions/stream-entries.ts';
import { runAccumulation } from '../../../src-core/scavenge/phases/1-accumulation.ts';
import { RunControl } from '../../../src-core/scavenge/run-control.ts';
import { ScavengeOutcome } from '../../../src-core/scavenge/scavenge-result.ts';
import type { MemoryMetastreams } from '../../../src-core/scavenge/state/memory/memory-metastreams.ts';
import type { MemoryOriginals } from '../../../src-core/scavenge/state/memory/memory-originals.ts';
import { MemoryState } from '../../../src-core/scavenge/state/memory/memory-state.ts';
import type { MemoryStreams } from '../../../src-core/scavenge/state/memory/memory-streams.ts';
import { ScavengeState } from '../../../src-core/scavenge/state/scavenge-state.ts';
import {
  WAITING_LIMITS,
  type WaitingLimits
} from '../../../src-core/scavenge/state/waiting/waiting-limits.ts';
import { TICKS_PER_SECOND } from '../../../src-core/units/ticks.ts';
import { appendedLog, someEvents, type AppendedLog } from '../../support/appended-log.ts';
import { COLLIDING_ORDERS } from '../../support/colliding-names.ts';
import { guidsFrom } from '../../support/crash-database.ts';
import { Prng } from '../../support/prng.ts';
import { SAMPLE_NOW } from '../../support/restore-fixture.ts';

const CHUNK_BYTES = 65_536;
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
  {
    waiting = WAITING_LIMITS,
    keepMetadataFrom,
    mayDoWithoutNames = true,
    outcome = new ScavengeOutcome()
  }: {
    waiting?: WaitingLimits;
    keepMetadataFrom?: number | undefined;
    mayDoWithoutNames?: boolean;
    outcome?: ScavengeOutcome;
  } = {}
): Promise<ScavengeState> {
  const state = new ScavengeState({ store: new MemoryState(), hasher: hashStream });
  const readAt = (at: number) => log.readAt(at);
  const entries = new StreamEntries({ lookup: index.entries, state, readAt, beforePosition: position });
  const point = { number: 0, position, effectiveNow: SAMPLE_NOW, threshold: 0 };
  const control = new RunControl({ operation: uncontrolled() });
  await runAccumulation(
    {
      log,
      entries,
      state,
      control,
      outcome,
      point,
      isPointInLog: true,
      waiting,
      keepMetadataFrom,
      mayDoWithoutNames
    },
    null
  );
  return state;
}

/** The heads of its records are known, and need not be read. */
async function withKnownHeads(all: AppendedLog): Promise<AppendedLog> {
  const { fileSystem, log } = all;
  const digests = new ChunkDigests({ fileSystem, newGuid: guidsFrom(5), threads: 1 });
  const heads = new PreparedHeads({ digests, fileSystem, operation: uncontrolled() });
  await heads.prepare(log.chunks);
  log.useHeads(heads);
  return all;
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
    if (isKnown) await withKnownHeads(all);
    const waiting = { ...WAITING_LIMITS, metadata: 1, tombstones: 1, hashed: 1 };
    expect(limitsOf(await accumulated(all, points[0]!, { waiting }))).toEqual(expected);
  });
});

describe.each([false, true])('accumulation where heads are known: %s', (isKnown) => {
  const ready = async (all: AppendedLog): Promise<AppendedLog> => (isKnown ? withKnownHeads(all) : all);

  it.each([
    ['rise', [1, 2, 3, 4, 5]],
    ['fall', [5, 4, 3, 2, 1]],
    ['fall by minutes', [2500, 2000, 1500, 1000, 500]],
    ['rise and fall', [3, 1, 5, 4, 2]],
    ['fall, and rise by hours', [9000, 1, 2, 18_000, 17_999]],
    ['stay', [7, 7, 7, 7, 7]]
  ])('knows the first and the last time of a chunk where times %s', async (_, seconds) => {
    const times = seconds.map((second) => SAMPLE_NOW + BigInt(second) * TICKS_PER_SECOND);
    let next = 0;
    let position = 0;
    const all = appendedLog(
      (after) => {
        const appender = after(-1);
        for (let i = 1; i < times.length; i++) appender.append(`s-${i}`, someEvents(1));
        position = appender.append('$scavengePoints', someEvents(1)).position;
      },
      CHUNK_BYTES,
      () => times[next++]!
    );
    const { timeRanges } = await accumulated(await ready(all), position);
    const [min, max] = [Math.min(...seconds), Math.max(...seconds)];
    expect(timeRanges.get(0)).toEqual({
      min: SAMPLE_NOW + BigInt(min) * TICKS_PER_SECOND,
      max: SAMPLE_NOW + BigInt(max) * TICKS_PER_SECOND
    });
  });

  it('weighs each chunk by the metadata in it that were replaced, but for what has to stay', async () => {
    const metadata: number[] = [];
    let position = 0;
    const all = appendedLog((after) => {
      const appender = after(-1);
      for (let i = 0; i < 6; i++) {
        metadata.push(appender.setMetadata('limited', `{"$maxCount":${i + 1}}`).position);
        appender.append('filling', someEvents(2, 15_000));
      }
      appender.setMetadata('once', '{"$maxCount":1}');
      position = appender.append('$scavengePoints', someEvents(1)).position;
    }, CHUNK_BYTES);
    await ready(all);
    const weightsOf = (replaced: readonly number[]): [number, number][] => {
      const chunks = replaced.map((at) => Math.floor(at / CHUNK_BYTES));
      return [...new Set(chunks)].map((chunk) => [
        chunk,
        DISCARD_WEIGHT * chunks.filter((one) => one === chunk).length
      ]);
    };
    const weights = async (keepMetadataFrom?: number) => {
      const { weights: table } = await accumulated(all, position, { keepMetadataFrom });
      const chunks = all.log.chunks.map(({ startNumber }) => startNumber);
      return chunks.map((chunk) => [chunk, table.sum(chunk, chunk)]).filter(([, weight]) => weight !== 0);
    };
    expect(new Set(metadata.map((at) => Math.floor(at / CHUNK_BYTES))).size).toBeGreaterThan(2);
    expect(await weights()).toEqual(weightsOf(metadata.slice(0, -1)));
    // What held when the fourth was written: the third one, and all from there on.
    expect(await weights(metadata[3])).toEqual(weightsOf(metadata.slice(0, 2)));
    expect(await weights(metadata[3]! + 1)).toEqual(weightsOf(metadata.slice(0, 3)));
    expect(await weights(0)).toEqual([]);
  });
});

describe('accumulation of streams that are known to be apart', () => {
  const stateOf = ({ originals, metastreams, weights, timeRanges }: ScavengeState, chunks: number) => {
    const rows = (table: MemoryStreams<unknown>) => {
      const found: unknown[] = [];
      table.forEachHash((high, low, data) => found.push([high, low, data]));
      return found;
    };
    return {
      originals: rows(originals as MemoryOriginals),
      metastreams: rows(metastreams as MemoryMetastreams),
      weights: Array.from({ length: chunks }, (_, chunk) => weights.get(chunk)),
      times: Array.from({ length: chunks }, (_, chunk) => timeRanges.get(chunk))
    };
  };

  const metadataOf = (json: string) => ({ eventType: '$metadata', data: Buffer.from(json), isJson: false });

  function written(seed: number, [one, other]: readonly [string, string]): AppendedLog {
    const random = new Prng(seed);
    points = [];
    return appendedLog((after) => {
      const lasts = new Map<string, number>();
      const gone = new Set<string>();
      for (let i = 0; i < 250; i++) {
        const drawn = random.below(14);
        const stream = drawn === 0 ? one : drawn === 1 ? other : `stream-${random.below(25)}`;
        if (gone.has(stream)) continue;
        const last = lasts.get(stream) ?? -1;
        if (drawn < 7) {
          after(last).append(stream, someEvents(1, 60));
          lasts.set(stream, last + 1);
        } else if (drawn < 12) {
          const metastream = `$$${stream}`;
          // Now and then with a number that was used before.
          const lastMetadata = random.below(9) === 0 ? -1 : (lasts.get(metastream) ?? -1);
          const json = `{"$maxCount":${1 + random.below(4)}}`;
          if (random.below(9) > 0) after(lastMetadata).setMetadata(stream, json);
          else after(lastMetadata).append(metastream, [metadataOf(json)]); // readers ignore it
          lasts.set(metastream, lastMetadata + 1);
        } else if (drawn < 13) {
          after(last).softDelete(stream);
        } else if (random.below(4) === 0) {
          after(last).hardDelete(stream);
          gone.add(stream);
        }
      }
      points.push(after(-1).append('$scavengePoints', someEvents(1)).position);
      for (let i = 0; i < 5; i++) after(-1).append(`after-${i}`, someEvents(1));
    }, 8192);
  }

  it.each([1, 2, 3, 4, 5, 6, 7, 8])('comes to what it comes to name by name (seed %i)', async (seed) => {
    const all = written(seed, ['one', 'other']);
    const chunks = all.log.chunks.length;
    expect(chunks).toBeGreaterThan(2);
    const keepMetadataFrom = seed % 2 === 0 ? points[0]! / 2 : undefined;
    const [outcome, knownOutcome] = [new ScavengeOutcome(), new ScavengeOutcome()];
    const expected = stateOf(await accumulated(all, points[0]!, { keepMetadataFrom, outcome }), chunks);
    await withKnownHeads(all);
    const known = await accumulated(all, points[0]!, { keepMetadataFrom, outcome: knownOutcome });
    expect(stateOf(known, chunks)).toEqual(expected);
    expect(knownOutcome.warnings).toEqual(outcome.warnings);
    expect(outcome.warnings.map(({ code }) => code)).toEqual(['metadataWithoutJsonFlag']);
    expect(known.hashUsers.isEmpty).toBe(true);
    const small = { ...WAITING_LIMITS, hashed: 3 };
    const inSmall = await accumulated(all, points[0]!, { keepMetadataFrom, waiting: small });
    expect(stateOf(inSmall, chunks)).toEqual(expected);
  });

  it('takes note of names where somebody will ask for them', async () => {
    const all = written(2, ['one', 'other']);
    await withKnownHeads(all);
    const state = await accumulated(all, points[0]!, { mayDoWithoutNames: false });
    const { high, low } = hashStream('one');
    expect(state.hashUsers.get(high, low)).toBe('one');
  });

  it('goes by names where two streams share a hash', async () => {
    const all = written(3, COLLIDING_ORDERS);
    await withKnownHeads(all);
    const state = await accumulated(all, points[0]!);
    expect(state.collisions.names).toEqual([...COLLIDING_ORDERS].sort());
    expect(state.hashUsers.isEmpty).toBe(false);
  });
});
