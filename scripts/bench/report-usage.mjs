// Loaded before a measured command (`--import`): says at its end how much memory the process had at most, worker
// threads included, and how much processor time it used. Goes to the file that BENCH_USAGE names.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { isMainThread } from 'node:worker_threads';

/** On Linux the kernel's word about this program: what `getrusage` says begins with the memory of the process that started it. */
function peakBytes() {
  const file = '/proc/self/status';
  const kibibytes = existsSync(file) ? /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(file, 'utf8')) : null;
  return (kibibytes ? Number(kibibytes[1]) : process.resourceUsage().maxRSS) * 1024;
}

if (isMainThread) {
  process.on('exit', () => {
    const { userCPUTime, systemCPUTime } = process.resourceUsage();
    const usage = { peakBytes: peakBytes(), processorMs: (userCPUTime + systemCPUTime) / 1000 };
    writeFileSync(process.env.BENCH_USAGE, JSON.stringify(usage));
  });
}
