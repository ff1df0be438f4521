/**
 * What scavenges replaced and kept goes by itself when its time is over: whatever writes to a database asks here first. It is
 * no part of the work, which goes on if it cannot be done now.
 */
import path from 'node:path';
import { expireKept, ticksFromMs, requireFaultBut } from '../../../src-core/index.ts';
import type { OperationContext } from '../operation.ts';

export interface ExpireReplaced {
  dataDirectory: string;
  indexDirectory?: string | undefined;
  assumeStopped?: boolean | undefined;
}

export function expireReplaced(request: ExpireReplaced, { fileSystem, clock, log }: OperationContext): void {
  const dataDirectory = path.resolve(request.dataDirectory);
  const indexDirectory = path.resolve(request.indexDirectory ?? path.join(dataDirectory, 'index'));
  const assumeStopped = request.assumeStopped === true;
  try {
    const outcome = expireKept({
      fileSystem,
      dataDirectory,
      indexDirectory,
      assumeStopped,
      now: ticksFromMs(clock())
    });
    if (!outcome || outcome.forgotten.length === 0) return;
    const ids = outcome.forgotten.join(', ');
    log({
      level: 'info',
      message: `What was replaced on ${ids} has expired: ${outcome.freedBytes} bytes freed.`
    });
  } catch (error) {
    requireFaultBut(error, 'AssertionFailed');
    log({
      level: 'warning',
      message: `Replaced files that have expired could not be removed. ${error.message}`
    });
  }
}
