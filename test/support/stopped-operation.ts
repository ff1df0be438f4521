/** An operation that is asked to stop as soon as it lets others run for the first time. */
import { OperationControl } from '../../src-core/database/operation-control.ts';

export function stoppedAtFirstTurn(): OperationControl {
  const stop = new AbortController();
  let nowMs = 0;
  return new OperationControl({
    signal: stop.signal,
    elapsedMs: () => (nowMs += 1000),
    yieldTurn: () => Promise.resolve(stop.abort())
  });
}
