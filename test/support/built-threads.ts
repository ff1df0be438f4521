/**
 * Threads of the product run as users have them, built, and so do the commands (command-line.ts). Run from its sources each
 * thread resolves, strips and compiles some hundred files before its first answer: several times the processor time of
 * the built one, and hundreds of tests start several. What is built is what the sources say: build-command-line.mjs
 * sees to it before the first test.
 * A setup file of vitest. Not while it watches: after the first change the build would be older than the sources.
 */
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import workerThreads, { type WorkerOptions } from 'node:worker_threads';

const SOURCES = fileURLToPath(new URL('../../src-main/', import.meta.url));
const BUILT = fileURLToPath(new URL('../../out/main/', import.meta.url));
const { Worker } = workerThreads;

/** The built entry of a thread of src-main; of every other thread what was asked for. */
function builtOf(entry: string | URL): string | URL {
  const file = entry instanceof URL && entry.protocol === 'file:' ? fileURLToPath(entry) : '';
  if (!file.startsWith(SOURCES) || !file.endsWith('.ts')) return entry;
  const built = path.join(BUILT, `${path.basename(file, '.ts')}.js`);
  // Not as if nothing were amiss: a thread that is not built would be one that users do not have.
  if (!fs.existsSync(built)) throw new Error(`${file} is no entry of electron.vite.config.ts.`);
  return built;
}

class BuiltThread extends Worker {
  constructor(entry: string | URL, options?: WorkerOptions) {
    super(builtOf(entry), options);
  }
}

// Once in a process: this file runs before each test file, and they share processes.
if (process.env['VITEST_MODE'] !== 'WATCH' && Worker.name !== BuiltThread.name) {
  workerThreads.Worker = BuiltThread;
  syncBuiltinESMExports();
}
