/**
 * A long campaign, in a thread that scripts/crash.mjs watches: it says which case it begins, so that one that never
 * ends can be named and run again.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parentPort, workerData } from 'node:worker_threads';
import { runCase, type Interruption } from './campaign-case.ts';
import { SmallDisk } from './small-disk.ts';

interface Campaign {
  seed: number;
  minutes: number;
  first: number;
  /** Runs just this many cases; 0: until the time is up. */
  count: number;
  commandLine: string;
}

const { seed, minutes, first, count, commandLine } = workerData as Campaign;
const interruptions: Interruption[] = [
  'stop',
  'powerCut',
  'powerCut',
  'quota',
  'kill',
  'fullDisk',
  'fullDisk'
];

const scratch = mkdtempSync(join(tmpdir(), 'winnow-campaign-'));
const disk = SmallDisk.mount(join(scratch, 'disk'));
disk?.unmount();
rmSync(scratch, { recursive: true });
if (!disk) {
  parentPort?.postMessage({
    kind: 'note',
    text: 'Volumes cannot be mounted here: disks run full within the process only.'
  });
}

const end = performance.now() + minutes * 60_000;
for (let number = first; count > 0 ? number < first + count : performance.now() < end; number++) {
  parentPort?.postMessage({ kind: 'begin', number });
  const result = await runCase({ seed, number, interruptions, commandLine });
  parentPort?.postMessage({ kind: 'end', number, ...result });
}
