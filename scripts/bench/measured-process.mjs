// The one way a benchmark starts a measured process: a script in a Node of its own, with the most memory and the
// processor time that it has had. Worker threads count as a part of it; so do processes that it starts.
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { buildStale, root } from '../build.mjs';
import { residentBytes, processesBelow } from './process-tree.mjs';

/** Of every Node process of a benchmark: what is experimental has been decided on. */
export const NODE_FLAGS = ['--disable-warning=ExperimentalWarning'];
const reportUsage = path.join(import.meta.dirname, 'report-usage.mjs');
const operationTime = path.join(root, 'out/measured/operation-time.js');
const SAMPLE_MS = 100;

/** A measured process that did not end in the time it was given. */
export class TimeIsUp extends Error {}

/**
 * Runs a script of Node and gives what it printed (as JSON, or as text where `isText`), how long the whole process took
 * (ms), the most memory of it and of the processes that it started (bytes), and the processor time of itself (ms).
 * What it prints on stderr goes to ours. Rejects with TimeIsUp once `limitMs` has passed, and if it ends with an exit code
 * that is none of `codes`.
 */
export async function runMeasured(
  script,
  args = [],
  { env = {}, isText = false, limitMs, flags = [], codes = [0] } = {}
) {
  const place = mkdtempSync(path.join(tmpdir(), 'winnow-bench-process-'));
  const usageFile = path.join(place, 'usage.json');
  const startedMs = performance.now();
  try {
    const words = [...NODE_FLAGS, ...flags, '--import', reportUsage, script, ...args.map(String)];
    const child = spawn(process.execPath, words, {
      env: { ...process.env, ...env, BENCH_USAGE: usageFile },
      stdio: ['ignore', 'pipe', 'inherit']
    });
    const { printed, childrenBytes } = await endOf(child, { limitMs, codes, name: nameOf(script, args) });
    const ms = performance.now() - startedMs;
    const { peakBytes, processorMs } = JSON.parse(readFileSync(usageFile, 'utf8'));
    const result = isText ? printed : JSON.parse(printed);
    return { result, ms, peakBytes: peakBytes + childrenBytes, processorMs };
  } finally {
    rmSync(place, { recursive: true, force: true });
  }
}

/**
 * One operation of the engine in a process of its own, built as users run it: from source each of its threads would begin with
 * the types of what it loads. As runMeasured and operation-time.mjs say; `ms` of the operation.
 */
export async function runOperation(name, request, options) {
  buildStale('measured', { quiet: true });
  const run = await runMeasured(operationTime, [name, JSON.stringify(request)], options);
  return { ...run, ...run.result };
}

function nameOf(script, args) {
  return `${path.basename(script)} ${args[0] ?? ''}`.trim();
}

function endOf(child, { limitMs, codes, name }) {
  return new Promise((resolve, reject) => {
    const parts = [];
    let childrenBytes = 0;
    let isLate = false;
    child.stdout.on('data', (part) => parts.push(part));
    const sampling = setInterval(
      () => (childrenBytes = Math.max(childrenBytes, residentBytes(processesBelow(child.pid)))),
      SAMPLE_MS
    );
    const late =
      limitMs === undefined
        ? undefined
        : setTimeout(() => {
            isLate = true;
            child.kill('SIGKILL');
          }, limitMs);
    child.once('error', reject);
    child.once('close', (code, signal) => {
      clearInterval(sampling);
      clearTimeout(late);
      if (isLate) reject(new TimeIsUp(`${name} took more than ${(limitMs / 1000).toFixed(0)} s.`));
      else if (!codes.includes(code)) reject(new Error(`${name} ended with ${code ?? signal}.`));
      else resolve({ printed: Buffer.concat(parts).toString('utf8'), childrenBytes });
    });
  });
}
