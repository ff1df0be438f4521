// Loaded before a measured command (`--import`): says at its end how much memory the process had at most, worker
// threads included, and how much processor time it used. Goes to the file that BENCH_USAGE names.
import { writeFileSync } from 'node:fs';
import { isMainThread } from 'node:worker_threads';

if (isMainThread) {
  process.on('exit', () => {
    const { maxRSS, userCPUTime, systemCPUTime } = process.resourceUsage();
    const usage = { peakBytes: maxRSS * 1024, processorMs: (userCPUTime + systemCPUTime) / 1000 };
    writeFileSync(process.env.BENCH_USAGE, JSON.stringify(usage));
  });
}
