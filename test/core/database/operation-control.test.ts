/** How a long operation shares its thread: slices, reports, rests, and every way in which it is asked to stop. */
import { beforeEach, describe, expect, it } from 'vitest';
import {
  OperationControl,
  type OperationControlParts,
  type ProgressSnapshot
} from '../../../src-core/database/operation-control.ts';
import { OperationStopped } from '../../../src-core/errors.ts';

let nowMs: number;
let turns: number;
beforeEach(() => {
  nowMs = 0;
  turns = 0;
});

function controlled(parts: Partial<OperationControlParts> = {}): OperationControl {
  return new OperationControl({
    elapsedMs: () => nowMs,
    yieldTurn: () => Promise.resolve(void turns++),
    ...parts
  });
}

it('a slice is used up after 15 ms, and begins again with the turn of others', async () => {
  const control = controlled();
  nowMs = 14;
  expect(control.isDue).toBe(false);
  nowMs = 15;
  expect(control.isDue).toBe(true);
  await control.breathe();
  expect([control.isDue, turns, control.elapsedMs]).toEqual([false, 1, 15]);
});

it('it is told ten times a second how far it is, and always at the end of a phase', () => {
  const told: number[] = [];
  const control = controlled({ onProgress: ({ done }) => told.push(done) });
  const at = (ms: number, done: number, isForced?: boolean): void => {
    nowMs = ms;
    const snapshot: ProgressSnapshot = { phase: 'a', done, total: 9, unit: 'bytes' };
    control.report(snapshot, isForced);
  };
  at(0, 1);
  at(99, 2);
  at(100, 3);
  at(101, 4, true);
  at(200, 5);
  at(201, 6);
  expect(told).toEqual([1, 3, 4, 6]);
});

describe('a request to stop', () => {
  const stops = (control: OperationControl): boolean => {
    try {
      control.throwIfStopped();
    } catch (error) {
      expect(error).toBeInstanceOf(OperationStopped);
      return true;
    }
    return false;
  };

  it('is noticed before others have their turn, and after it', async () => {
    const before = new AbortController();
    before.abort();
    await expect(controlled({ signal: before.signal }).breathe()).rejects.toBeInstanceOf(OperationStopped);
    expect(turns).toBe(0);
    const meanwhile = new AbortController();
    const yieldTurn = (): Promise<void> => Promise.resolve(meanwhile.abort());
    await expect(controlled({ signal: meanwhile.signal, yieldTurn }).breathe()).rejects.toBeInstanceOf(
      OperationStopped
    );
  });

  it.each([0, 1])(
    'of the whole or of a part of it stops the part, and that of the part not the whole',
    (which) => {
      const signals = [new AbortController(), new AbortController()];
      const whole = controlled({ signal: signals[0]!.signal });
      const part = whole.stoppedAlsoBy(signals[1]!.signal);
      expect([stops(whole), stops(part)]).toEqual([false, false]);
      signals[which]!.abort();
      expect([stops(whole), stops(part)]).toEqual([which === 0, true]);
    }
  );

  it('comes with a time that is asked for at each turn, after what the whole asks there', () => {
    const asked: string[] = [];
    let isOver = false;
    const whole = controlled({ onTurn: () => asked.push('whole') });
    const part = whole.stoppedOnce(() => {
      asked.push('time');
      return isOver;
    });
    expect(stops(part)).toBe(false);
    isOver = true;
    expect(stops(part)).toBe(true);
    expect(asked).toEqual(['whole', 'time', 'whole', 'time']);
    expect(stops(whole)).toBe(false);
    expect(stops(controlled().stoppedOnce(() => true))).toBe(true);
  });
});

describe('an operation that owes time for the bytes it has moved', () => {
  const sleeps: number[] = [];
  const owing = (owedMs: number, more: Partial<OperationControlParts> = {}): OperationControl => {
    let owed = owedMs;
    const rate = {
      get owes() {
        return owed > 0;
      },
      takeRest: () => {
        const rest = owed;
        owed = 0;
        return rest;
      }
    };
    sleeps.length = 0;
    const sleep = (ms: number): Promise<void> => {
      sleeps.push(ms);
      nowMs += ms;
      return Promise.resolve();
    };
    return controlled({ sleep, ...more }).restingFor(rate);
  };

  it('ends its slice at once, and rests in pieces in which a stop is noticed', async () => {
    const control = owing(250);
    expect([control.owesRest, control.isDue]).toEqual([true, true]);
    await control.breathe();
    expect(sleeps).toEqual([100, 100, 50]);
    expect([control.owesRest, control.isDue]).toEqual([false, false]);
  });

  it('stops within its rest', async () => {
    const stop = new AbortController();
    const sleep = (ms: number): Promise<void> => {
      sleeps.push(ms);
      nowMs += ms;
      if (sleeps.length === 2) stop.abort();
      return Promise.resolve();
    };
    await expect(owing(1000, { signal: stop.signal, sleep }).breathe()).rejects.toBeInstanceOf(
      OperationStopped
    );
    expect(sleeps).toEqual([100, 100]);
  });
});
