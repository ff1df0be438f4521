// The machine that figures come from, without anything that names it.
import os from 'node:os';

export function describeMachine() {
  const [processor] = os.cpus();
  return {
    processor: processor?.model.replaceAll(/\s+/g, ' ').trim() ?? 'unknown',
    processors: os.availableParallelism(),
    memoryBytes: os.totalmem(),
    // The numbers only: what follows them may name who built the kernel.
    kernel: `${os.type()} ${/^[\d.]+/.exec(os.release())?.[0] ?? ''}`.trim(),
    node: process.versions.node
  };
}
