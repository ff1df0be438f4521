/**
 * Who coordinates a cluster: one process for each WINNOW_HOME and cluster. The lease is a lock on a file, so it
 * ends with its process; the file says where the holder can be reached.
 */
import { closeSync, existsSync, mkdirSync, openSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { NodeFileSystem } from '../../src-core/index.ts';
import { readJsonFile, writeJsonFile } from '../settings/json-file.ts';

const holder = z.object({
  pid: z.number().int(),
  /** Of its HTTP service; null while it has none. */
  url: z.string().nullable()
});
export type LeaseHolder = z.infer<typeof holder>;

export interface Lease {
  /** Tells others where this process can be reached. */
  publish(url: string): void;
  release(): void;
}

/** The lease, or who has it. `directory`: of the cluster in WINNOW_HOME. */
export function takeLease(directory: string): Lease | LeaseHolder {
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const lockFile = path.join(directory, 'coordinator.lock');
  const holderFile = path.join(directory, 'coordinator.json');
  if (!existsSync(lockFile)) closeSync(openSync(lockFile, 'a', 0o600));
  const unlock = new NodeFileSystem().tryLock(lockFile);
  if (unlock === undefined) return readJsonFile(holderFile, holder) ?? { pid: 0, url: null };
  writeJsonFile(holderFile, { pid: process.pid, url: null });
  return {
    publish: (url) => writeJsonFile(holderFile, { pid: process.pid, url }),
    release: unlock
  };
}

export function isLease(taken: Lease | LeaseHolder): taken is Lease {
  return 'release' in taken;
}
