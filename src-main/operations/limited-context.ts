/** The context of an operation that reads and writes no more than so many bytes in a second. */
import { ByteRate, RatedFileSystem, rateSetup, type RateSetup } from '../../src-core/index.ts';
import { monotonicMs } from '../threads/thread-files.ts';
import type { OperationContext } from './operation.ts';

export interface LimitedContext extends OperationContext {
  /** For the threads of the operation, which count against the same rate; undefined: as fast as it goes. */
  readonly rate: RateSetup | undefined;
}

/** `bytesPerSecond`: 0 or absent for no limit. */
export function limitedContext(
  context: OperationContext,
  { bytesPerSecond = 0 }: { bytesPerSecond?: number | undefined }
): LimitedContext {
  if (bytesPerSecond === 0) return { ...context, rate: undefined };
  const setup = rateSetup(bytesPerSecond);
  const rate = new ByteRate(setup, monotonicMs);
  return {
    ...context,
    fileSystem: new RatedFileSystem(context.fileSystem, rate),
    control: context.control.restingFor(rate),
    rate: setup
  };
}
