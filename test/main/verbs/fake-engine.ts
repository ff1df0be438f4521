/** An engine for tests of the gate: answers by operation, can be told to die, remembers what it was asked. */
import type { CallOptions, EngineHost } from '../../../src-main/engine/engine-host.ts';
import type { OperationName } from '../../../src-main/contract/operations/operation-contract.ts';

export interface FakeEngine extends EngineHost {
  readonly asked: { name: OperationName; request: unknown }[];
  readonly answers: Partial<Record<OperationName, (request: unknown, options: CallOptions) => unknown>>;
  die: (reason: string) => void;
  restarts: number;
}

export function fakeEngine(): FakeEngine {
  const listeners: ((reason: string) => void)[] = [];
  const engine = {
    asked: [] as FakeEngine['asked'],
    answers: {} as FakeEngine['answers'],
    restarts: 0,
    async call(name: OperationName, request: unknown, options: CallOptions = {}) {
      engine.asked.push({ name, request });
      return engine.answers[name]?.(request, options);
    },
    async *stream(name: OperationName, request: unknown) {
      engine.asked.push({ name, request });
      for (const batch of engine.answers[name]?.(request, {}) as unknown[][])
        yield await Promise.resolve(batch);
    },
    onDeath: (listener: (reason: string) => void) => void listeners.push(listener),
    restart: () => void engine.restarts++,
    close: async () => undefined,
    die: (reason: string) => listeners.forEach((listener) => listener(reason))
  };
  return engine as unknown as FakeEngine;
}
