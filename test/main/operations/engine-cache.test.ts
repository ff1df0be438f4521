import { describe, expect, test } from 'vitest';
import { OperationControl, OperationStopped, uncontrolled } from '../../../src-core/index.ts';
import { EngineCache } from '../../../src-main/operations/database/engine-cache.ts';

function stoppable(): { control: OperationControl; stop: () => void } {
  const abort = new AbortController();
  const control = new OperationControl({
    signal: abort.signal,
    elapsedMs: () => 0,
    yieldTurn: () => Promise.resolve()
  });
  return { control, stop: () => abort.abort() };
}

const mustNotMake = (): Promise<string> => Promise.reject(new Error('made twice'));

describe('a question that waits for a value that another makes', () => {
  test('ends at its own stop, and the value is kept for the others', async () => {
    const cache = new EngineCache<string>(3);
    const slow = Promise.withResolvers<string>();
    const maker = cache.get('key', '1', () => slow.promise, uncontrolled());
    const { control, stop } = stoppable();
    const waiting = cache.get('key', '1', mustNotMake, control);
    stop();
    await expect(waiting).rejects.toBeInstanceOf(OperationStopped);
    slow.resolve('value');
    expect(await maker).toBe('value');
    expect(await cache.get('key', '1', mustNotMake, uncontrolled())).toBe('value');
  });

  test('makes the value itself when the one that made it is stopped', async () => {
    const cache = new EngineCache<string>(3);
    const stopped = Promise.withResolvers<string>();
    const maker = cache.get('key', '1', () => stopped.promise, uncontrolled());
    const waiting = cache.get('key', '1', () => Promise.resolve('own'), stoppable().control);
    stopped.reject(new OperationStopped());
    await expect(maker).rejects.toBeInstanceOf(OperationStopped);
    expect(await waiting).toBe('own');
    expect(await cache.get('key', '1', mustNotMake, uncontrolled())).toBe('own');
  });

  test('makes nothing when it was stopped together with the one that made it', async () => {
    const cache = new EngineCache<string>(3);
    const made = Promise.withResolvers<string>();
    const maker = cache.get('key', '1', () => made.promise, uncontrolled());
    const { control, stop } = stoppable();
    const waiting = cache.get('key', '1', mustNotMake, control);
    made.reject(new OperationStopped());
    stop();
    await expect(maker).rejects.toBeInstanceOf(OperationStopped);
    await expect(waiting).rejects.toBeInstanceOf(OperationStopped);
  });
});
