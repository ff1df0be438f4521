/**
 * Changes of a file of ours that several processes read, change and replace as a whole: one after another, so that no
 * change is lost. The lock is the system's, on a file beside it, and ends with its process; a killed one leaves nothing
 * that is held.
 */
import path from 'node:path';
import { EngineError, NodeFileSystem } from '../../src-core/index.ts';
import { makeLockFile, makePrivateDirectory } from './private-file.ts';

const WAIT_MS = 5;
/** A change takes milliseconds. One that is held longer hangs, and must not keep a window from opening. */
const PATIENCE_MS = 3000;
const fileSystem = new NodeFileSystem();
const nobodyWakes = new Int32Array(new SharedArrayBuffer(4));

/**
 * Runs `edit`, which reads the file, changes it and writes it, without waiting in between. Where the system has no locks (a
 * network share, Windows) or the home takes no file it runs all the same: then a change at the same moment may be lost.
 */
export function editAlone<T>(file: string, edit: () => T): T {
  const release = waitForLock(`${file}.lock`);
  try {
    return edit();
  } finally {
    release?.();
  }
}

function waitForLock(lockFile: string): (() => void) | undefined {
  const deadline = performance.now() + PATIENCE_MS;
  try {
    makePrivateDirectory(path.dirname(lockFile));
    makeLockFile(lockFile);
    for (;;) {
      const release = fileSystem.tryLock(lockFile);
      if (release || performance.now() > deadline) return release;
      Atomics.wait(nobodyWakes, 0, 0, WAIT_MS);
    }
  } catch (error) {
    // What is wrong with the home is said by the write, if it is the home.
    if (error instanceof EngineError || (error as NodeJS.ErrnoException).code !== undefined) return undefined;
    throw error;
  }
}
