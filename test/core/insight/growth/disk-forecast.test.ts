/** When a disk is full, against a simulation that keeps every day's bytes apart. */
import { describe, expect, it } from 'vitest';
import { forecastDisk, type ForecastFacts } from '../../../../src-core/insight/growth/disk-forecast.ts';
import { Prng } from '../../../support/prng.ts';
import { seedsFrom } from '../../../support/seeds.ts';

const NOTHING: ForecastFacts = {
  freeBytes: 1000,
  freedNowBytes: 0,
  writtenPerDay: 0,
  lastingPerDay: 0,
  expiringPerDay: 0,
  expiringDays: 0,
  releases: []
};

/** Day after day: what is written is put aside with the day on which it goes. */
function simulate(facts: ForecastFacts, days: number): number[] {
  const batches: { bytes: number; goesAfter: number }[] = [];
  let released = 0;
  return Array.from({ length: days }, (_, day) => {
    batches.push({ bytes: facts.lastingPerDay, goesAfter: Infinity });
    batches.push({ bytes: facts.expiringPerDay, goesAfter: day + facts.expiringDays });
    released += facts.releases[day] ?? 0;
    const kept = batches
      .filter(({ goesAfter }) => goesAfter > day)
      .reduce((sum, { bytes }) => sum + bytes, 0);
    return kept - released - facts.freedNowBytes;
  });
}

describe('the forecast of a disk', () => {
  it.each(seedsFrom(0, 60))('says what a day-by-day simulation says (seed %i)', (seed) => {
    const prng = new Prng(seed);
    const facts: ForecastFacts = {
      freeBytes: prng.below(50_000),
      freedNowBytes: prng.below(3000),
      writtenPerDay: prng.below(2000),
      lastingPerDay: prng.below(300),
      expiringPerDay: prng.below(700),
      expiringDays: 1 + prng.below(60),
      releases: Array.from({ length: prng.below(40) }, () => prng.below(200))
    };
    const forecast = forecastDisk(facts, 120);
    const simulated = simulate(facts, 400);
    expect(forecast.curve.map((point) => point.with)).toEqual(simulated.slice(0, 120));
    expect(forecast.curve[9]!.without).toBe(facts.writtenPerDay * 10);
    const day = simulated.findIndex((taken) => taken >= facts.freeBytes);
    if (day >= 0) expect(forecast.withDays).toBe(day + 1);
    else expect(forecast.withDays ?? Infinity).toBeGreaterThan(400);
    if (facts.writtenPerDay > 0)
      expect(forecast.withoutDays).toBeCloseTo(facts.freeBytes / facts.writtenPerDay, 9);
  });

  it('never comes where nothing grows, or only what goes again', () => {
    expect(forecastDisk(NOTHING, 1)).toEqual({
      withoutDays: null,
      withDays: null,
      curve: [{ without: 0, with: 0 }]
    });
    const level = { ...NOTHING, writtenPerDay: 10, expiringPerDay: 10, expiringDays: 30 };
    expect(forecastDisk(level, 1)).toMatchObject({ withoutDays: 100, withDays: null });
  });

  it('is today on a full disk', () => {
    const full = { ...NOTHING, freeBytes: 0, writtenPerDay: 5, lastingPerDay: 5 };
    expect(forecastDisk(full, 1)).toMatchObject({ withoutDays: 0, withDays: 1 });
    expect(forecastDisk({ ...full, freedNowBytes: 50 }, 1)).toMatchObject({ withoutDays: 0, withDays: 10 });
  });
});
