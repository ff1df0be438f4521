import { describe, expect, test, vi } from 'vitest';
import { askAfterRest, askUntilStopped } from '../../../src-renderer/api/ask-until-stopped.ts';

describe('a question that may be stopped', () => {
  test('hears the answer, or the failure as an error to show', async () => {
    const [answered, failed] = [vi.fn(), vi.fn()];
    askUntilStopped({ ask: () => Promise.resolve(7), answered, failed });
    askUntilStopped({ ask: () => Promise.reject(new Error('no disk')), answered, failed });
    await vi.waitFor(() => expect(failed).toHaveBeenCalledOnce());
    expect(answered.mock.calls).toEqual([[7]]);
    expect(failed.mock.calls[0]![0]).toMatchObject({ message: 'no disk' });
  });

  test('hears nothing once it is stopped, and tells the engine', async () => {
    const [answered, failed] = [vi.fn(), vi.fn()];
    const signals: AbortSignal[] = [];
    const { promise, resolve } = Promise.withResolvers<number>();
    const ask = (signal: AbortSignal) => {
      signals.push(signal);
      return promise;
    };
    askUntilStopped({ ask, answered, failed })();
    resolve(7);
    await promise;
    await Promise.resolve();
    expect(signals.map(({ aborted }) => aborted)).toEqual([true]);
    expect(answered).not.toHaveBeenCalled();
    expect(failed).not.toHaveBeenCalled();
  });

  test('is not asked when it is stopped before the rest is over', () => {
    vi.useFakeTimers();
    try {
      const ask = vi.fn(() => Promise.resolve(7));
      askAfterRest(60, { ask, answered: () => undefined })();
      vi.advanceTimersByTime(100);
      expect(ask).not.toHaveBeenCalled();
      askAfterRest(60, { ask, answered: () => undefined });
      vi.advanceTimersByTime(60);
      expect(ask).toHaveBeenCalledOnce();
    } finally {
      vi.useRealTimers();
    }
  });
});
