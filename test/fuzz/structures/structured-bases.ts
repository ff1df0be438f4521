/**
 * Small databases with every feature, before and after a scavenge: what structured mutations change. The state of the
 * scavenge, which is SQLite's, is kept beside the image, at each stage that a run can be stopped at.
 */
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { runScavenge } from '../../../src-core/scavenge/run-scavenge.ts';
import type { ScavengeRequest } from '../../../src-core/scavenge/scavenge-request.ts';
import type { FileSystem } from '../../../src-core/storage/file-system.ts';
import { NodeFileSystem } from '../../../src-core/storage/node-file-system.ts';
import { CRASH_TIME, guidsFrom, writeCrashDatabase } from '../../support/crash-database.ts';
import type { MemoryFileSystem } from '../../support/memory-file-system.ts';
import { scavengeEnvironment, scavengeRequest } from '../../support/scavenge-environment.ts';
import { SplitFileSystem } from '../../support/split-file-system.ts';
import { readDatabaseImage, type DatabaseImage } from '../database-image.ts';

export interface StructuredBase {
  image: DatabaseImage;
  /** What a scavenge of it is asked. */
  request: Partial<ScavengeRequest>;
  /** Bytes of scavenging.db where there is one. */
  state: Uint8Array | undefined;
}

/** Where SQLite's flushes cost nothing. */
const MEMORY_DISK = '/dev/shm';

/** A directory for the states of a campaign; the caller removes it. */
export function stateRoot(): string {
  return fs.mkdtempSync(
    path.join(fs.existsSync(MEMORY_DISK) ? MEMORY_DISK : os.tmpdir(), 'winnow-structures-')
  );
}

export const STATE_BELOW = 'index/scavenging';
const STATE = `${STATE_BELOW}/scavenging.db`;

/** Memory, but the state of the scavenge, which lies at the same path on a real disk. */
export function withRealState(memory: MemoryFileSystem, dataDirectory: string): FileSystem {
  return new SplitFileSystem(memory, new NodeFileSystem(), path.posix.join(dataDirectory, STATE_BELOW));
}

export function scavengeOf(fileSystem: FileSystem, dataDirectory: string, change: Partial<ScavengeRequest>) {
  const request = scavengeRequest(dataDirectory, { now: CRASH_TIME, pageSize: 512, ...change });
  return runScavenge(request, scavengeEnvironment({ fileSystem, newGuid: guidsFrom(1000) }));
}

const STAGES = ['accumulation', 'calculation', 'chunkExecution', 'chunkMerging', 'indexExecution'] as const;
const AGAIN = { scavengePoint: 'new', singleNode: true } as const;

/** Made once; `root`: for the states of the runs that make them. */
export async function structuredBases(root: string): Promise<StructuredBase[]> {
  const dataDirectory = path.join(root, 'base');
  const bases: StructuredBase[] = [];
  for (const stopAfter of [undefined, ...STAGES]) {
    for (const merge of [false, true]) {
      if (merge && stopAfter !== undefined && stopAfter !== 'chunkMerging') continue;
      const memory = await writeCrashDatabase({ dataDirectory, point: { threshold: 0 } });
      const imageOf = (name: string): DatabaseImage => readDatabaseImage(memory, dataDirectory, name);
      const request = { scavengePoint: 'existing', merge } as const;
      if (stopAfter === undefined && !merge)
        bases.push({ image: imageOf('before'), request, state: undefined });
      await scavengeOf(withRealState(memory, dataDirectory), dataDirectory, {
        ...request,
        ...(stopAfter === undefined ? {} : { stopAfter })
      });
      const state = new Uint8Array(fs.readFileSync(path.join(dataDirectory, STATE)));
      const name = `${stopAfter === undefined ? 'scavenged' : `stopped after ${stopAfter}`}${merge ? ', merged' : ''}`;
      bases.push({ image: imageOf(name), request: stopAfter === undefined ? AGAIN : request, state });
      fs.rmSync(dataDirectory, { recursive: true, force: true });
    }
  }
  return bases;
}

/** Puts the state in its place below a directory; none where there is none. */
export function placeState(dataDirectory: string, state: Uint8Array | undefined): string {
  const file = path.join(dataDirectory, STATE);
  fs.rmSync(path.dirname(file), { recursive: true, force: true });
  fs.mkdirSync(path.dirname(file), { recursive: true });
  if (state) fs.writeFileSync(file, state);
  return file;
}
