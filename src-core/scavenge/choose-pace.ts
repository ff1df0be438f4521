/**
 * How hard a run in a maintenance window works: the gentlest pace with which it needs no more nights than with any that
 * is known. Pure. Only paces that were measured are compared; of others nothing is said.
 *
 * The order of gentleness: one thread that rests for most of the time, one that rests less, one that never rests, then
 * more threads, which never rest (a run of several threads takes no throttle).
 */
import { planNights, type PlanNights, type Speed } from './plan-nights.ts';

export interface PaceOption {
  threads: number;
  /** 1..100; 100 for several threads. */
  throttlePercent: number;
  speed: Speed;
}

/** What a run is slowed to, at the least, and by how much at a time. */
const LEAST_PERCENT = 30;
const STEP_PERCENT = 10;
/** A measurement is not that exact: so much longer may it take, and the nights are still the same. */
const RESERVE = 1.25;

/**
 * The paces to choose from, the gentlest first. `measured`: speeds without a throttle, by threads; `limitPerMs`: the bytes
 * that the run may move at most.
 */
export function paceOptions(measured: readonly Speed[], limitPerMs = Infinity): PaceOption[] {
  return measured
    .toSorted((a, b) => a.threads - b.threads)
    .flatMap((speed) =>
      percentsOf(speed).map((throttlePercent) => ({
        threads: speed.threads,
        throttlePercent,
        speed: speedAt(speed, throttlePercent, limitPerMs)
      }))
    );
}

/** With a throttle, and a limit of bytes. */
export function speedAt(
  { readPerMs, workPerMs, threads }: Speed,
  throttlePercent: number,
  limitPerMs = Infinity
): Speed {
  const limited = (perMs: number): number => Math.min((perMs * throttlePercent) / 100, limitPerMs);
  return { readPerMs: limited(readPerMs), workPerMs: limited(workPerMs), threads };
}

function percentsOf({ threads }: Speed): number[] {
  if (threads > 1) return [100];
  const steps = (100 - LEAST_PERCENT) / STEP_PERCENT;
  return Array.from({ length: steps + 1 }, (_, step) => LEAST_PERCENT + step * STEP_PERCENT);
}

/**
 * The first of `options`, which are ordered from gentle to hard, that needs the fewest nights even if all takes a quarter
 * longer. Where none has that reserve: of those with the fewest nights the one that is through first, of equals the
 * gentler. undefined: none is ever through.
 */
export function choosePace(
  plan: Omit<PlanNights, 'speed'>,
  options: readonly PaceOption[]
): PaceOption | undefined {
  const outcomes = options.map((option) => ({
    option,
    ...outcomeAt(plan, option.speed),
    reservedNights: outcomeAt(plan, slower(option.speed)).nights
  }));
  const fewest = Math.min(...outcomes.map(({ nights }) => nights));
  if (fewest === Infinity) return undefined;
  const gentlest = outcomes.find(({ reservedNights }) => reservedNights === fewest);
  const [first] = outcomes
    .filter(({ nights }) => nights === fewest)
    .toSorted((a, b) => a.throughMs - b.throughMs);
  return (gentlest ?? first)!.option;
}

function outcomeAt(plan: Omit<PlanNights, 'speed'>, speed: Speed): { nights: number; throughMs: number } {
  const { nights, throughMs } = planNights({ ...plan, speed });
  return { nights: throughMs === null ? Infinity : nights.length, throughMs: throughMs ?? Infinity };
}

function slower({ readPerMs, workPerMs, threads }: Speed): Speed {
  return { readPerMs: readPerMs / RESERVE, workPerMs: workPerMs / RESERVE, threads };
}
