/** When what was calculated for one question is taken up by the next, and when nothing is kept. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { uncontrolled } from '../../../src-core/database/operation-control.ts';
import { ChunkDigests } from '../../../src-core/digest/chunk-digests.ts';
import { PreparedHeads } from '../../../src-core/digest/prepared-heads.ts';
import { hashFromBigInt, hashStream } from '../../../src-core/index/stream-hash.ts';
import { ScavengeOutcome } from '../../../src-core/scavenge/scavenge-result.ts';
import { KeptCalculation } from '../../../src-core/scavenge/state/memory/kept-calculation.ts';
import { MemoryState } from '../../../src-core/scavenge/state/memory/memory-state.ts';
import { ScavengeState } from '../../../src-core/scavenge/state/scavenge-state.ts';
import { StateStore } from '../../../src-core/scavenge/state/state-store.ts';
import type { StateStorage } from '../../../src-core/scavenge/state/state-tables.ts';
import type { Ticks } from '../../../src-core/units/ticks.ts';
import { appendedLog, someEvents, type AppendedLog } from '../../support/appended-log.ts';
import { guidsFrom } from '../../support/crash-database.ts';
import { SAMPLE_NOW, writeText } from '../../support/restore-fixture.ts';

const BEFORE = (SAMPLE_NOW - 1n) as Ticks;
const AFTER = (SAMPLE_NOW + 1n) as Ticks;

let opened: AppendedLog;
let indexDirectory: string;
beforeEach(() => {
  opened = appendedLog((after) => void after(-1).append('orders', someEvents(3)));
  ({ indexDirectory } = opened.database);
});

async function newKept(isPrepared = true): Promise<KeptCalculation> {
  const { fileSystem, log, index } = opened;
  const digests = new ChunkDigests({ fileSystem, newGuid: guidsFrom(5), threads: 1, directory: '/kept' });
  const heads = new PreparedHeads({ digests, fileSystem, operation: uncontrolled() });
  if (isPrepared) await heads.prepare(log.chunks);
  return new KeptCalculation(heads, index.directory);
}

function questionOf(effectiveNow = SAMPLE_NOW, store: StateStorage = new MemoryState()) {
  const state = new ScavengeState({ store, hasher: hashStream });
  const point = { number: 0, position: opened.log.end, effectiveNow, threshold: 0 };
  const outcome = new ScavengeOutcome();
  return { state, point, outcome, isPointInLog: false, keepMetadataFrom: undefined };
}

/** Streams with so many different ages are found out and kept. */
async function keepAges(count: number, beforeKeeping = () => {}): Promise<KeptCalculation> {
  const kept = await newKept();
  const question = questionOf();
  expect(kept.restore(question)).toBe(false);
  for (let i = 1n; i <= count; i++)
    question.state.originals.setMetadata(
      { kind: 'hash', ...hashFromBigInt(i) },
      { maxAgeSeconds: i, maxCount: null, truncateBefore: null }
    );
  beforeKeeping();
  kept.keep(question, []);
  return kept;
}

describe('a calculation', () => {
  it('with few ages answers at other times too', async () => {
    await keepAges(3);
    const later = questionOf(AFTER);
    expect((await newKept()).restore(later)).toBe(true);
    expect(later.state.originals.count).toBe(3);
  });

  it('with more ages than are compared answers at its own time alone', async () => {
    const kept = await keepAges(257);
    expect(kept.held?.upTo).toBe(SAMPLE_NOW);
    expect((await newKept()).restore(questionOf(BEFORE))).toBe(false);
    expect((await newKept()).restore(questionOf(AFTER))).toBe(false);
    const same = questionOf();
    expect((await newKept()).restore(same)).toBe(true);
    expect(same.state.originals.count).toBe(257);
  });

  it.each([
    ['not kept where both kinds of streams together take more than 1 GiB', 1, false],
    ['kept where they take as much', 0, true]
  ])('is %s', async (_, more, isKept) => {
    const kept = await newKept();
    const store = new MemoryState();
    const question = questionOf(SAMPLE_NOW, store);
    expect(kept.restore(question)).toBe(false);
    Object.defineProperty(store.tables.originals, 'bytes', { value: 2 ** 29 });
    Object.defineProperty(store.tables.metastreams, 'bytes', { value: 2 ** 29 + more });
    kept.keep(question, []);
    expect((await newKept()).restore(questionOf())).toBe(isKept);
  });

  it('is not kept where the index has changed meanwhile', async () => {
    const kept = await keepAges(3, () => writeText(opened.fileSystem, `${indexDirectory}/more`, 'x'));
    expect(kept.held).toBeUndefined();
    expect((await newKept()).restore(questionOf())).toBe(false);
  });
});

describe('nothing is taken up', () => {
  beforeEach(() => keepAges(3));

  it('where nothing tells which log it is', async () => {
    const kept = await newKept(false);
    const question = questionOf();
    expect(kept.restore(question)).toBe(false);
    kept.keep(question, []);
    expect(kept.held).toBeUndefined();
  });

  it('by a state in a file', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'winnow-kept-'));
    const store = StateStore.open({ path: join(directory, 'state.db') });
    expect((await newKept()).restore(questionOf(SAMPLE_NOW, store))).toBe(false);
    store.close();
    rmSync(directory, { recursive: true });
  });

  it('by a state that has a stream', async () => {
    const question = questionOf();
    question.state.originals.setTombstone({ kind: 'id', stream: 'known' });
    expect((await newKept()).restore(question)).toBe(false);
  });
});

it('in which order the files of the index are listed makes no difference', async () => {
  for (const name of ['b', 'a', 'c']) writeText(opened.fileSystem, `${indexDirectory}/${name}`, 'x');
  const kept = await newKept();
  const before = kept.identityOf(questionOf());
  const list = opened.fileSystem.list.bind(opened.fileSystem);
  opened.fileSystem.list = (path) => list(path)?.toReversed();
  expect(kept.identityOf(questionOf())).toBe(before);
  expect(before).toContain('["a",1,');
});
