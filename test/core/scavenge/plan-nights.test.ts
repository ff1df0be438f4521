/** Nights of a scavenge against a clock that ticks: one unit of time after the other, night after night. */
import { describe, expect, it } from 'vitest';
import {
  chooseThrottle,
  planMembers,
  planNights,
  type Night,
  type NightPiece
} from '../../../src-core/scavenge/plan-nights.ts';
import { Prng } from '../../support/prng.ts';

/** Works tick by tick; what is cut by the end of a night is begun again the next one. */
function ticking(nights: readonly Night[], pieces: readonly NightPiece[], beginningMs: number) {
  const done = nights.map(() => ({ chunks: 0, chunksRead: 0, bytesFreed: 0, endsMs: -1 }));
  let at = 0;
  let through: number | null = pieces.length === 0 ? 0 : null;
  nights.forEach(({ fromMs, toMs }, night) => {
    if (through !== null) return;
    let left = pieces[at]!.bytes;
    let begins = beginningMs;
    for (let now = fromMs; now < toMs && through === null; now++) {
      if (begins > 0) {
        begins--;
        continue;
      }
      if (--left > 0) continue;
      const { kind, bytesFreed } = pieces[at]!;
      if (kind === 'read') done[night]!.chunksRead++;
      else done[night]!.chunks++;
      done[night]!.bytesFreed += bytesFreed;
      at++;
      if (at === pieces.length) {
        through = now + 1;
        done[night]!.endsMs = now + 1;
      } else left = pieces[at]!.bytes;
    }
    if (through === null) done[night]!.endsMs = toMs;
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

describe('the nights of a scavenge', () => {
  it.each(Array.from({ length: 60 }, (_, seed) => seed))(
    'are those of a clock that ticks (seed %i)',
    (seed) => {
      const { nights, pieces, beginningMs } = randomCase(seed);
      const plan = planNights({ nights, pieces, bytesPerMs: 1, beginningMs, mostNights: 60 });
      const { done, through } = ticking(nights, pieces, beginningMs);
      expect(plan.throughMs, `seed ${seed}`).toBe(through);
      plan.nights.forEach(({ chunks, chunksRead, bytesFreed, endsMs }, night) => {
        expect({ chunks, chunksRead, bytesFreed, endsMs }, `seed ${seed}, night ${night}`).toEqual(
          done[night]
        );
      });
      if (through !== null) {
        expect(plan.nights.reduce((sum, night) => sum + night.bytesFreed, 0)).toBe(
          pieces.reduce((sum, piece) => sum + piece.bytesFreed, 0)
        );
        expect(plan.tooLongBytes).toBeNull();
      }
    }
  );

  it('say of a piece that no night has room for that it is too long', () => {
    const nights = [0, 1, 2].map((day) => ({ fromMs: day * 100, toMs: day * 100 + 10 }));
    const pieces = [
      { kind: 'read' as const, bytes: 4, bytesFreed: 0 },
      { kind: 'rewrite' as const, bytes: 11, bytesFreed: 5 }
    ];
    const plan = planNights({ nights, pieces, bytesPerMs: 1, beginningMs: 0, mostNights: 3 });
    expect(plan).toMatchObject({ throughMs: null, tooLongBytes: 11 });
    expect(plan.nights.map(({ lostMs }) => lostMs)).toEqual([6, 10, 10]);
  });

  it.each(Array.from({ length: 30 }, (_, seed) => seed))(
    'are no more at the chosen share of the time, with a reserve (seed %i)',
    (seed) => {
      const { nights, pieces, beginningMs } = randomCase(seed + 500);
      const plan = { nights, pieces, bytesPerMs: 1, beginningMs, mostNights: 60 };
      const percent = chooseThrottle(plan);
      const slowed = planNights({ ...plan, bytesPerMs: percent === 100 ? 1 : percent / 125 });
      const fast = planNights(plan);
      expect(slowed.nights.length, `seed ${seed}, ${percent} %`).toBe(fast.nights.length);
      expect(slowed.throughMs === null).toBe(fast.throughMs === null);
    }
  );

  it.each([1, 2, 3])(
    'of several members follow one another, each beginning a night of its own (seed %i)',
    (seed) => {
      const { nights, pieces, beginningMs } = randomCase(seed + 900);
      const plan = { nights, pieces: pieces.slice(0, 12), bytesPerMs: 1, beginningMs, mostNights: 60 };
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
