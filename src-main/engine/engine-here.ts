/**
 * The engine in the thread of its caller: for one short operation of the command line that only looks. Starting a thread and
 * loading the engine there takes longer than such an operation does. Nothing else would run in this thread meanwhile, and the
 * operation gives way between its slices, so a signal is noticed as ever. The protocol is that of the other engines.
 */
import { NodeFileSystem } from '../../src-core/index.ts';
import { hostOf, type EngineHost } from './engine-host.ts';
import { EngineServer } from './engine-server.ts';

export function startEngineHere(): EngineHost {
  return hostOf((listeners) => {
    let hasEnded = false;
    const end = (): void => {
      hasEnded = true;
    };
    const server = new EngineServer({
      fileSystem: new NodeFileSystem(),
      clock: () => Date.now(),
      send: (message) => {
        if (!hasEnded) listeners.onMessage(message);
      },
      onBroken: (reason) => listeners.onEnd(reason)
    });
    return {
      // Not at once: the host expects no answer before its call has returned.
      post: (message) =>
        queueMicrotask(() => {
          if (!hasEnded) server.handle(message);
        }),
      end: () => Promise.resolve(end()),
      kill: end
    };
  });
}
