/**
 * A scavenge of ours that runs in another process on the database to be backed up: found, stopped as Ctrl+C would,
 * waited for. Ours for certain, or not at all: it holds the exclusive lock (a server's is shared), our records say
 * that it began and has not ended, and the process was there before it began.
 */
import fs from 'node:fs';
import os from 'node:os';
import { EngineError, ticksFromIso, ticksToMs, type FileSystem } from '../../src-core/index.ts';
import { ScavengeRecords } from '../settings/scavenge-records.ts';

export interface OwnScavenge {
  pid: number;
  scavengeId: string;
  placement: 'existing' | 'detached' | 'new';
  threshold: number;
}

const POLL_MS = 100;
/** A run stops at the next record; a merge of large chunks may take a while. */
const LIMIT_MS = 10 * 60 * 1000;
const CLOCK_TICKS_PER_SECOND = 100;

export function findOwnScavenge(parts: {
  fileSystem: FileSystem;
  dataDirectory: string;
  winnowHome: string | undefined;
}): OwnScavenge | undefined {
  const { fileSystem, dataDirectory, winnowHome } = parts;
  if (winnowHome === undefined || process.platform !== 'linux') return undefined;
  const writer = fileSystem.join(dataDirectory, 'writer.chk');
  const pid = fileSystem.lockHolder(writer)?.pid ?? null;
  const run = new ScavengeRecords(winnowHome, dataDirectory).list().at(-1);
  if (pid === null || !run || run.end !== undefined || run.start.hostName !== os.hostname()) return undefined;
  const startedMs = processStartMs(pid);
  const beganMs = ticksToMs(ticksFromIso(run.start.at) ?? 0n);
  if (!holdsExclusively(pid, writer) || startedMs === undefined || beganMs < startedMs) return undefined;
  const { scavengeId, placement, threshold } = run.start;
  return { pid, scavengeId, placement, threshold };
}

/** Asks it to stop and returns when the database is free. */
export async function stopOwnScavenge(
  run: OwnScavenge,
  parts: { fileSystem: FileSystem; dataDirectory: string; wait: (ms: number) => Promise<void> }
): Promise<void> {
  const { fileSystem, dataDirectory, wait } = parts;
  if (run.pid === process.pid) throw stillRunning(run, 'it runs in this very process');
  process.kill(run.pid, 'SIGINT');
  for (let waitedMs = 0; waitedMs < LIMIT_MS; waitedMs += POLL_MS) {
    if (fileSystem.lockHolder(fileSystem.join(dataDirectory, 'writer.chk'))?.pid !== run.pid) return;
    await wait(POLL_MS);
  }
  throw stillRunning(run, `it has not stopped within ${LIMIT_MS / 60_000} minutes`);
}

function stillRunning(run: OwnScavenge, reason: string): EngineError {
  return new EngineError({
    code: 'DatabaseInUse',
    message: `The scavenge ${run.scavengeId} (process ${run.pid}) works on this database: ${reason}.`,
    remedy: 'Stop the scavenge, take the backup, and start the scavenge again: it goes on where it stopped.',
    details: { scavengeId: run.scavengeId, pid: run.pid }
  });
}

/** Lines look like `12: FLOCK ADVISORY WRITE 19991 fe:00:1835012 0 EOF`. */
function holdsExclusively(pid: number, file: string): boolean {
  try {
    const { ino } = fs.statSync(file);
    const line = new RegExp(`FLOCK\\s+\\S+\\s+WRITE\\s+${pid}\\s+[0-9a-f]+:[0-9a-f]+:${ino}\\s`);
    return fs
      .readFileSync('/proc/locks', 'utf8')
      .split('\n')
      .some((text) => line.test(text));
  } catch {
    return false; // cannot be told: then it is not ours to stop
  }
}

function processStartMs(pid: number): number | undefined {
  try {
    // The name in brackets may hold spaces; what is counted comes behind it.
    const fields = fs.readFileSync(`/proc/${pid}/stat`, 'utf8').split(')').at(-1)!.trim().split(' ');
    const bootSeconds = /^btime (\d+)$/m.exec(fs.readFileSync('/proc/stat', 'utf8'))?.[1];
    const ticks = Number(fields[19]);
    if (bootSeconds === undefined || !Number.isFinite(ticks)) return undefined;
    return Number(bootSeconds) * 1000 + (ticks / CLOCK_TICKS_PER_SECOND) * 1000;
  } catch {
    return undefined; // it has ended
  }
}
