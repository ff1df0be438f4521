/** A throttled run works the share of the time that was asked for, on a clock of its own. */
import { expect, it } from 'vitest';
import { OperationControl } from '../../../src-core/database/operation-control.ts';
import { RunControl } from '../../../src-core/scavenge/run-control.ts';

/** Share of the time a loop works that takes `sliceMs` between two rests. */
async function shareOf(throttlePercent: number, { sliceMs, runMs }: { sliceMs: number; runMs: number }) {
  let nowMs = 0;
  let workedMs = 0;
  const operation = new OperationControl({ elapsedMs: () => nowMs, yieldTurn: () => Promise.resolve() });
  const sleep = (ms: number) => {
    nowMs += ms;
    return Promise.resolve();
  };
  const control = new RunControl({ operation, throttlePercent, sleep });
  while (nowMs < runMs) {
    nowMs += sliceMs;
    workedMs += sliceMs;
    await control.rest();
  }
  return (workedMs / nowMs) * 100;
}

it.each([1, 5, 25, 50, 75, 90, 99, 100])('works %d percent of the time', async (percent) => {
  for (const sliceMs of [1, 20, 700]) {
    const share = await shareOf(percent, { sliceMs, runMs: 600_000 });
    expect(Math.abs(share - percent), `slices of ${sliceMs} ms`).toBeLessThan(1);
  }
});

it('works between 45 and 55 percent of 30 seconds at 50 percent', async () => {
  for (const sliceMs of [1, 5, 20, 100, 250]) {
    const share = await shareOf(50, { sliceMs, runMs: 30_000 });
    expect(share).toBeGreaterThan(45);
    expect(share).toBeLessThan(55);
  }
});
