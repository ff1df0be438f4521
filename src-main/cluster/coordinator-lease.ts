/**
 * Who coordinates a cluster: one process for each WINNOW_HOME and cluster. The lease is a lock on a file, so it
 * ends with its process; the file says where the holder can be reached.
 */
import { existsSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { makeDirectories, NodeFileSystem } from '../../src-core/index.ts';
import { readJsonFile, writeJsonFile } from '../settings/json-file.ts';
import { makeLockFile } from '../settings/private-file.ts';

const holder = z.object({
  pid: z.number().int(),
  /** Address of its HTTP service; null while it has none. */
  url: z.string().nullable(),
  /** Lets another process of the same WINNOW_HOME call it: any process that can read this file could change the users too. */
  key: z.string().nullable().default(null),
  /** PEM, for a self-signed certificate. */
  certificateFile: z.string().nullable().default(null)
});
export type LeaseHolder = z.infer<typeof holder>;

export interface Lease {
  /** Tells others where this process can be reached. */
  publish(at: { url: string; key?: string | undefined; certificateFile?: string | undefined }): void;
  release(): void;
}

const LOCK_FILE = 'coordinator.lock';
const HOLDER_FILE = 'coordinator.json';
const NOBODY: LeaseHolder = { pid: 0, url: null, key: null, certificateFile: null };

/** The holder of the lease now; undefined: none. Only reads: another process can take it meanwhile. */
export function leaseHolder(directory: string): LeaseHolder | undefined {
  const lockFile = path.join(directory, LOCK_FILE);
  if (!existsSync(lockFile) || !new NodeFileSystem().lockHolder(lockFile)) return undefined;
  return readHolder(directory) ?? NOBODY;
}

/** The current or last holder of the lease. */
function readHolder(directory: string): LeaseHolder | undefined {
  return readJsonFile(path.join(directory, HOLDER_FILE), holder);
}

/** The lease, or its holder. `directory`: of the cluster in WINNOW_HOME. */
export function takeLease(directory: string): Lease | LeaseHolder {
  makeDirectories(directory, 0o700);
  const lockFile = path.join(directory, LOCK_FILE);
  const holderFile = path.join(directory, HOLDER_FILE);
  makeLockFile(lockFile);
  const unlock = new NodeFileSystem().tryLock(lockFile);
  if (unlock === undefined) return readHolder(directory) ?? NOBODY;
  writeJsonFile(holderFile, { ...NOBODY, pid: process.pid });
  return {
    publish: ({ url, key = null, certificateFile = null }) =>
      writeJsonFile(holderFile, { pid: process.pid, url, key, certificateFile } satisfies LeaseHolder),
    release: unlock
  };
}

export function isLease(taken: Lease | LeaseHolder): taken is Lease {
  return 'release' in taken;
}
