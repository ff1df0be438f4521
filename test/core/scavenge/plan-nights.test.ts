/** Nights of a scavenge against a clock that ticks: one unit of time after the other, night after night. */
import { describe, expect, it } from 'vitest';
import { choosePace, paceOptions } from '../../../src-core/scavenge/choose-pace.ts';
import {
  planMembers,
  planNights,
  type Night,
  type NightPiece,
  type Speed
} from '../../../src-core/scavenge/plan-nights.ts';
import { Prng } from '../../support/prng.ts';
import { seedsFrom } from '../../support/seeds.ts';

/** Ticks that a piece takes in one thread. */
type Takes = (piece: NightPiece) => number;

/**
 * Works tick by tick, each thread on its own piece; what is cut by the end of a night is begun again the next one. All
 * that is read comes first, in one thread.
 */
function ticking(
  nights: readonly Night[],
  pieces: readonly NightPiece[],
  { beginningMs, threads, takes }: { beginningMs: number; threads: number; takes: Takes }
) {
  const done = nights.map(() => ({ chunks: 0, chunksRead: 0, bytesFreed: 0, endsMs: -1 }));
  let left = [...pieces];
  let through: number | null = null;
  nights.forEach(({ fromMs, toMs }, night) => {
    if (through !== null) return;
    const waiting = [...left];
    const inWork: { piece: NightPiece; ticks: number }[] = [];
    const takeMore = (): void => {
      const isReading = [...inWork.map(({ piece }) => piece), ...waiting].some(({ kind }) => kind === 'read');
      const most = isReading ? 1 : threads;
      while (inWork.length < most && waiting.length > 0) {
        const piece = waiting.shift()!;
        inWork.push({ piece, ticks: takes(piece) });
      }
    };
    takeMore();
    for (let now = fromMs + beginningMs; now + 1 <= toMs && through === null; now++) {
      let hasEnded = false;
      for (const work of inWork) hasEnded = --work.ticks <= 0 || hasEnded;
      if (!hasEnded) continue;
      const ended = inWork.filter(({ ticks }) => ticks <= 0);
      for (const work of ended) {
        const { kind, bytesFreed } = work.piece;
        if (kind === 'read') done[night]!.chunksRead++;
        else done[night]!.chunks++;
        done[night]!.bytesFreed += bytesFreed;
        inWork.splice(inWork.indexOf(work), 1);
        left = left.filter((piece) => piece !== work.piece);
      }
      takeMore();
      if (left.length === 0) through = now + 1;
    }
    done[night]!.endsMs = through ?? toMs;
  });
  return { done, through };
}

function randomCase(seed: number) {
  const random = new Prng(seed);
  const nights: Night[] = [];
  for (let day = 0, at = 0; day < 60; day++, at += 200) {
    const fromMs = at + random.below(50);
    nights.push({ fromMs, toMs: fromMs + 20 + random.below(100) });
  }
  const pieces: NightPiece[] = Array.from({ length: 1 + random.below(60) }, (_, i) => ({
    kind: i < 20 ? 'read' : 'rewrite',
    bytes: 1 + random.below(random.chance(0.02) ? 140 : 18),
    bytesFreed: i < 20 ? 0 : random.below(1000) - 100
  }));
  return { nights, pieces, beginningMs: random.below(4) };
}

/** One byte is one tick of one thread. */
const plain = (threads: number): Speed => ({ readPerMs: 1, workPerMs: threads, threads });

describe('the nights of a scavenge', () => {
  it.each(seedsFrom(0, 90))('are those of a clock that ticks (seed %i)', (seed) => {
    const { nights, pieces, beginningMs } = randomCase(seed);
    const threads = 1 + (seed % 3) * 2;
    const speed = plain(threads);
    const plan = planNights({ nights, pieces, speed, beginningMs, mostNights: 60 });
    const { done, through } = ticking(nights, pieces, {
      beginningMs,
      threads,
      takes: ({ bytes }) => bytes
    });
    expect(plan.throughMs, `seed ${seed}`).toBe(through);
    plan.nights.forEach(({ chunks, chunksRead, bytesFreed, endsMs }, night) => {
      expect({ chunks, chunksRead, bytesFreed, endsMs }, `seed ${seed}, night ${night}`).toEqual(done[night]);
    });
    if (through !== null) {
      expect(plan.nights.reduce((sum, night) => sum + night.bytesFreed, 0)).toBe(
        pieces.reduce((sum, piece) => sum + piece.bytesFreed, 0)
      );
      expect(plan.tooLongBytes).toBeNull();
    }
  });

  it('say of a piece that no night has room for that it is too long', () => {
    const nights = [0, 1, 2].map((day) => ({ fromMs: day * 100, toMs: day * 100 + 10 }));
    const pieces = [
      { kind: 'read' as const, bytes: 4, bytesFreed: 0 },
      { kind: 'rewrite' as const, bytes: 11, bytesFreed: 5 }
    ];
    const plan = planNights({ nights, pieces, speed: plain(1), beginningMs: 0, mostNights: 3 });
    expect(plan).toMatchObject({ throughMs: null, tooLongBytes: 11 });
    expect(plan.nights.map(({ lostMs }) => lostMs)).toEqual([6, 10, 10]);
  });

  it.each([1, 2, 3])(
    'of several members follow one another, each beginning a night of its own (seed %i)',
    (seed) => {
      const { nights, pieces, beginningMs } = randomCase(seed + 900);
      const plan = { nights, pieces: pieces.slice(0, 12), speed: plain(1), beginningMs, mostNights: 60 };
      const one = planNights(plan);
      const all = planMembers({ ...plan, members: 3 });
      const ofMember = (member: number) => all.nights.filter((night) => night.member === member);
      expect(ofMember(1).map(({ member: _, ...night }) => night)).toEqual(one.nights);
      for (const member of [2, 3]) {
        const from = all.nights.findIndex((night) => night.member === member);
        const alone = planNights({ ...plan, nights: nights.slice(from) });
        expect(ofMember(member).map(({ member: _, ...night }) => night)).toEqual(alone.nights);
      }
      expect(all.throughMs).toBe(all.nights.at(-1)!.endsMs);
    }
  );
});

/** Whole ticks for every share of the time, for all of these rates, and for a quarter more of each. */
const UNIT = 10_080;
const RATES = [6, 7, 8, 10];

function randomPaces(seed: number) {
  const random = new Prng(seed);
  const rate = (): number => RATES[random.below(RATES.length)]!;
  const readPerMs = rate();
  const measured = [1, 2, 4]
    .filter((threads) => threads === 1 || random.chance(0.6))
    .map((threads) => ({ threads, readPerMs, workPerMs: rate() * threads }));
  const nightMs = (2 + random.below(20)) * 1000;
  // No piece ends exactly with a night: both sides would round it their own way.
  const nights = Array.from({ length: 40 }, (_, day) => {
    const fromMs = day * 100_000;
    return { fromMs, toMs: fromMs + nightMs + random.below(3000) + 0.5 };
  });
  const pieces: NightPiece[] = Array.from({ length: 1 + random.below(24) }, (_, i) => ({
    kind: i < 6 ? 'read' : 'rewrite',
    bytes: UNIT * (1 + random.below(3)),
    bytesFreed: 0
  }));
  return {
    measured,
    nights,
    pieces,
    beginningMs: random.below(400),
    limit: random.chance(0.2) ? 5 : Infinity
  };
}

/** Every pace with its nights by the clock that ticks: the first, from gentle to hard, that has the fewest. */
function naiveChoice({ measured, nights, pieces, beginningMs, limit }: ReturnType<typeof randomPaces>) {
  const outcome = (speed: Speed, percent: number, reserve: number) => {
    const at = (perMs: number): number => Math.min((perMs * percent) / 100, limit) / reserve;
    const takes: Takes = ({ kind, bytes }) =>
      Math.round(
        kind === 'read' ? bytes / at(speed.readPerMs) : (bytes * speed.threads) / at(speed.workPerMs)
      );
    const { done, through } = ticking(nights, pieces, { beginningMs, threads: speed.threads, takes });
    return { nights: through === null ? Infinity : done.filter(({ endsMs }) => endsMs >= 0).length, through };
  };
  const settings = measured.flatMap((speed) =>
    (speed.threads > 1 ? [100] : [30, 40, 50, 60, 70, 80, 90, 100]).map((percent) => ({
      threads: speed.threads,
      throttlePercent: percent,
      ...outcome(speed, percent, 1),
      reserved: outcome(speed, percent, 1.25).nights
    }))
  );
  const fewest = Math.min(...settings.map((setting) => setting.nights));
  if (fewest === Infinity) return undefined;
  const gentle = settings.find(({ reserved }) => reserved === fewest);
  const soonest = settings
    .filter((setting) => setting.nights === fewest)
    .reduce((best, setting) => (setting.through! < best.through! ? setting : best));
  const { threads, throttlePercent } = gentle ?? soonest;
  return { threads, throttlePercent };
}

describe('the pace of a scavenge in a window', () => {
  it.each(seedsFrom(2000, 40))(
    'is the gentlest measured one that needs no more nights, by a clock that ticks (seed %i)',
    (seed) => {
      const drawn = randomPaces(seed);
      const { measured, nights, pieces, beginningMs, limit } = drawn;
      const chosen = choosePace(
        { nights, pieces, beginningMs, mostNights: nights.length },
        paceOptions(measured, limit)
      );
      const { threads, throttlePercent } = chosen ?? {};
      expect(chosen && { threads, throttlePercent }, `seed ${seed}`).toEqual(naiveChoice(drawn));
    }
  );

  it('is of every kind in these cases: throttled, free, of several threads, none', () => {
    const kinds = new Set(
      Array.from({ length: 40 }, (_, i) => {
        const { measured, nights, pieces, beginningMs, limit } = randomPaces(i + 2000);
        const plan = { nights, pieces, beginningMs, mostNights: nights.length };
        const chosen = choosePace(plan, paceOptions(measured, limit));
        if (!chosen) return 'none';
        return chosen.threads > 1 ? 'several' : chosen.throttlePercent < 100 ? 'throttled' : 'free';
      })
    );
    expect([...kinds].toSorted()).toEqual(['free', 'none', 'several', 'throttled']);
  });

  it('never is one whose speed was not measured', () => {
    const nights = [{ fromMs: 0, toMs: 1000 }];
    const pieces: NightPiece[] = [{ kind: 'rewrite', bytes: 900, bytesFreed: 1 }];
    const plan = { nights, pieces, beginningMs: 0, mostNights: 1 };
    const one = { threads: 1, readPerMs: 1, workPerMs: 1 };
    expect(choosePace(plan, paceOptions([one]))).toMatchObject({ threads: 1, throttlePercent: 100 });
    const two = { threads: 2, readPerMs: 1, workPerMs: 3 };
    expect(choosePace(plan, paceOptions([one, two]))).toMatchObject({ threads: 2, throttlePercent: 100 });
  });
});
