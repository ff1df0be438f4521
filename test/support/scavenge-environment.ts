/** What scavenge tests have in common: a request with all its members, and an environment on the real file system. */
import { randomUUID } from 'node:crypto';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { OperationControl } from '../../src-core/database/operation-control.ts';
import type { ScavengeEnvironment, ScavengeRequest } from '../../src-core/scavenge/scavenge-request.ts';
import { NodeFileSystem } from '../../src-core/storage/node-file-system.ts';
import { ticksFromIso } from '../../src-core/units/ticks.ts';

export function scavengeRequest(
  dataDirectory: string,
  change: Partial<ScavengeRequest> = {}
): ScavengeRequest {
  return {
    dataDirectory,
    scavengePoint: 'existing',
    threshold: 0,
    threads: 1,
    throttlePercent: 100,
    syncOnly: false,
    merge: true,
    unsafeIgnoreHardDeletes: false,
    alwaysKeepScavenged: true,
    assumeStopped: false,
    startAfresh: false,
    singleNode: false,
    ...change
  };
}

export function scavengeEnvironment(
  change: Partial<ScavengeEnvironment> & { signal?: AbortSignal } = {}
): ScavengeEnvironment {
  const { signal, ...members } = change;
  return {
    fileSystem: new NodeFileSystem(),
    now: () => ticksFromIso('2026-01-01T00:00:00Z')!,
    newGuid: () => randomUUID(),
    operation: new OperationControl({
      signal,
      elapsedMs: () => performance.now(),
      yieldTurn: () => new Promise((resolve) => setImmediate(resolve))
    }),
    ...members
  };
}

/** A fresh directory; the caller removes it. */
export function temporaryDirectory(): string {
  return mkdtempSync(join(tmpdir(), 'winnow-scavenge-'));
}
