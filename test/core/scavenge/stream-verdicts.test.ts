import { describe, expect, it } from 'vitest';
import { hashStream } from '../../../src-core/index/stream-hash.ts';
import { encodePrepare } from '../../../src-core/records/encode-record.ts';
import { LogRecord, PrepareFlag } from '../../../src-core/records/log-record.ts';
import { ScavengeState } from '../../../src-core/scavenge/state/scavenge-state.ts';
import { StateStore } from '../../../src-core/scavenge/state/state-store.ts';
import { MemoryState } from '../../../src-core/scavenge/state/memory/memory-state.ts';
import type { StateStorage } from '../../../src-core/scavenge/state/state-tables.ts';
import { StreamStatus } from '../../../src-core/scavenge/state/stream-data.ts';
import { StreamVerdicts } from '../../../src-core/scavenge/decisions/stream-verdicts.ts';
import { emptyVerdict, type StreamVerdict } from '../../../src-core/scavenge/decisions/should-discard.ts';
import { DELETED_STREAM_EVENT_NUMBER } from '../../../src-core/units/event-number.ts';
import { ticksFromIso } from '../../../src-core/units/ticks.ts';
import { Prng } from '../../support/prng.ts';

const STREAMS = 3000;
const effectiveNow = ticksFromIso('2026-01-01T00:00:00Z')!;

/** A state in which every third stream is unknown and every other kind of row occurs. */
function filledState(store: StateStorage = StateStore.open({ path: ':memory:' })): ScavengeState {
  const prng = new Prng(7);
  const state = new ScavengeState({ store, hasher: hashStream });
  state.begin();
  for (let i = 0; i < STREAMS; i++) {
    if (i % 3 === 0) continue;
    const handle = state.handleOf(`stream-${i}`);
    const maxAgeSeconds = i % 5 === 0 ? BigInt(1 + prng.below(1_000_000)) : null;
    state.originals.setMetadata(handle, { maxAgeSeconds, maxCount: 3n, truncateBefore: null });
    if (i % 7 === 0) state.originals.setTombstone(handle);
    const discardPoint = i % 11 === 0 ? DELETED_STREAM_EVENT_NUMBER : prng.below(1000);
    const maybeDiscardPoint = prng.below(2000);
    state.originals.setDiscardPoints(handle, {
      status: StreamStatus.active,
      discardPoint,
      maybeDiscardPoint
    });
    const metastream = state.handleOf(`$$stream-${i}`);
    if (i % 2 === 0) state.metastreams.setDiscardPoint(metastream, prng.below(50));
    if (i % 13 === 0) state.metastreams.setTombstone(metastream);
  }
  state.commit();
  return state;
}

/** A prepare of the stream, as it is read from a chunk. */
function recordOf(stream: string): LogRecord {
  const nothing = new Uint8Array(0);
  const payload = encodePrepare({
    position: 0,
    flags: PrepareFlag.data | PrepareFlag.isCommitted,
    transactionPosition: 0,
    transactionOffset: 0,
    expectedVersion: -1,
    stream,
    eventId: '00000000-0000-4000-8000-000000000001',
    correlationId: '00000000-0000-4000-8000-000000000002',
    ticks: effectiveNow,
    eventType: 'tested',
    data: nothing,
    metadata: nothing
  });
  const record = new LogRecord();
  const view = new DataView(payload.buffer, payload.byteOffset, payload.length);
  expect(record.parse(payload, view, 0, payload.length)).toBeUndefined();
  return record;
}

function copyOf({ cutoff, ...verdict }: StreamVerdict): StreamVerdict {
  return { ...verdict, cutoff: { ...cutoff } };
}

/** Of an unknown stream nothing else counts, and of a cut-off that is not set neither does its time. */
function asFarAsItCounts(verdict: StreamVerdict): StreamVerdict {
  if (!verdict.isKnown) return emptyVerdict();
  return verdict.cutoff.isSet ? verdict : { ...verdict, cutoff: emptyVerdict().cutoff };
}

describe('stream verdicts', () => {
  it('are the same from memory, also as other threads see it, from the cache, from the rows, and from a state in memory', () => {
    const state = filledState();
    try {
      const inMemory = new StreamVerdicts({ state, hasher: hashStream, effectiveNow });
      const shared = structuredClone(inMemory.shared());
      expect(shared).toBeDefined();
      const elsewhere = new StreamVerdicts({
        state,
        hasher: hashStream,
        effectiveNow,
        memoryBytes: 0,
        shared
      });
      const cached = new StreamVerdicts({ state, hasher: hashStream, effectiveNow, memoryBytes: 0 });
      expect(cached.shared()).toBeUndefined();
      const memory = filledState(new MemoryState());
      const ofColumns = new StreamVerdicts({ state: memory, hasher: hashStream, effectiveNow });
      let known = 0;
      for (let round = 0; round < 2; round++) {
        for (let i = 0; i < STREAMS; i++) {
          for (const name of [`stream-${i}`, `$$stream-${i}`]) {
            const { high, low } = hashStream(name);
            const found = asFarAsItCounts(copyOf(inMemory.ofEntry(high, low)));
            expect(found).toEqual(asFarAsItCounts(copyOf(cached.ofEntry(high, low))));
            expect(found).toEqual(asFarAsItCounts(copyOf(ofColumns.ofEntry(high, low))));
            expect(found).toEqual(asFarAsItCounts(copyOf(elsewhere.ofEntry(high, low))));
            expect(asFarAsItCounts(copyOf(ofColumns.ofRecord(recordOf(name))))).toEqual(
              asFarAsItCounts(copyOf(inMemory.ofRecord(recordOf(name))))
            );
            expect(found).toEqual(asFarAsItCounts(copyOf(cached.ofCollidingStream(name))));
            expect(asFarAsItCounts(copyOf(inMemory.ofRecord(recordOf(name))))).toEqual(
              asFarAsItCounts(copyOf(cached.ofRecord(recordOf(name))))
            );
            if (found.isKnown) known++;
          }
        }
      }
      expect(known).toBeGreaterThan(STREAMS);
    } finally {
      state.close();
    }
  });

  it('are found row by row in the order of an index table, all hashes or a few', () => {
    const state = filledState();
    try {
      const inMemory = new StreamVerdicts({ state, hasher: hashStream, effectiveNow });
      for (const step of [1, 2, 50, 1]) {
        const onDisk = new StreamVerdicts({ state, hasher: hashStream, effectiveNow, memoryBytes: 0 });
        const names = Array.from({ length: STREAMS }, (_, i) => [`stream-${i}`, `$$stream-${i}`]).flat();
        const hashes = names
          .filter((_, i) => i % step === 0)
          .map((name) => hashStream(name))
          .sort((a, b) => b.high - a.high || b.low - a.low);
        let known = 0;
        for (const { high, low } of hashes) {
          const found = asFarAsItCounts(copyOf(onDisk.ofEntry(high, low)));
          expect(found).toEqual(asFarAsItCounts(copyOf(inMemory.ofEntry(high, low))));
          if (found.isKnown) known++;
        }
        expect(known).toBeGreaterThan(hashes.length / 4);
      }
    } finally {
      state.close();
    }
  });
});
