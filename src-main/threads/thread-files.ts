/** The files of a worker thread, and the control of its questions: at the rate of the operation that started it. */
import {
  ByteRate,
  NodeFileSystem,
  OperationControl,
  RatedFileSystem,
  type FileSystem,
  type RateSetup
} from '../../src-core/index.ts';

/** Milliseconds that only rise, the same in all threads. */
export function monotonicMs(): number {
  return performance.timeOrigin + performance.now();
}

export interface ThreadFiles {
  fileSystem: FileSystem;
  controlFor: (signal: AbortSignal) => OperationControl;
}

export function threadFiles(setup: RateSetup | undefined): ThreadFiles {
  const rate = setup && new ByteRate(setup, monotonicMs);
  const fileSystem = new NodeFileSystem();
  return {
    fileSystem: rate ? new RatedFileSystem(fileSystem, rate) : fileSystem,
    controlFor: (signal) =>
      new OperationControl({
        signal,
        elapsedMs: () => performance.now(),
        yieldTurn: () => new Promise((resolve) => setImmediate(resolve)),
        rate
      })
  };
}
