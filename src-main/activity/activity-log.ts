/**
 * Every operation requested on this machine, however it was requested: `activity.jsonl` in WINNOW_HOME, one line
 * of JSON when an operation begins and one, complete in itself, when it ends. Only appended to; when it has grown
 * large it is renamed, and the oldest renamed files are removed. A killed operation
 * has a start and no end. Unreadable lines (such as a cut last one) are skipped.
 *
 * Recording must never fail an operation: what cannot be written is left out.
 */
import { readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { NodeFileSystem, readLines } from '../../src-core/index.ts';
import { appendPrivateLine } from '../settings/private-file.ts';
import { isContainer, ownProcessPlace, type ProcessPlace } from '../settings/process-place.ts';
import { activityEntry, type ActivityEntry } from '../contract/operations/activity-reports.ts';

/** A file of this size is renamed. */
const LARGEST_FILE_BYTES = 1024 * 1024;
/** A larger file is not ours and is not read. */
const MOST_FILE_BYTES = 64 * LARGEST_FILE_BYTES;
/** Renamed files are kept up to this total. */
const KEPT_ASIDE_BYTES = 3 * 1024 * 1024;

const ASIDE = /^activity-[\d-]+\.jsonl$/;

export interface ActivityLogParts {
  /** WINNOW_HOME. */
  home: string;
  /** Milliseconds since 1970. */
  clock: () => number;
  largestFileBytes?: number;
  keptAsideBytes?: number;
}

export class ActivityLog {
  readonly #parts: ActivityLogParts;
  readonly #file: string;

  constructor(parts: ActivityLogParts) {
    this.#parts = parts;
    this.#file = path.join(parts.home, 'activity.jsonl');
  }

  /** Records the current state of an operation: first as running, last as ended. */
  write(entry: ActivityEntry): void {
    try {
      this.#putAside();
      this.#append(entry);
    } catch {
      // A full or read-only disk: the operation itself reports it if it matters; only the record is missing.
    }
  }

  /** Newest first. `isAlive` says whether a process of this machine still runs; `here` is where this one does. */
  list(
    isAlive: (pid: number) => boolean = isProcessAlive,
    here: ProcessPlace | null = ownProcessPlace()
  ): ActivityEntry[] {
    const entries = new Map<string, ActivityEntry>();
    for (const name of [...this.#asideNames(), path.basename(this.#file)]) {
      for (const line of this.#linesOf(name)) {
        const entry = decodeLine(line);
        if (entry) entries.set(entry.id, entry);
      }
    }
    return [...entries.values()]
      .map((entry) => (isGone(entry, isAlive, here) ? { ...entry, outcome: 'interrupted' as const } : entry))
      .sort((a, b) => (a.startedAt < b.startedAt ? 1 : a.startedAt > b.startedAt ? -1 : 0));
  }

  #append(entry: ActivityEntry): void {
    appendPrivateLine({ file: this.#file, line: JSON.stringify(entry), isSoleWriter: false });
  }

  /** Two processes may do this at once: each renames what it finds to a different name, and nothing is lost. */
  #putAside(): void {
    const largest = this.#parts.largestFileBytes ?? LARGEST_FILE_BYTES;
    const size = statSync(this.#file, { throwIfNoEntry: false })?.size ?? 0;
    if (size < largest) return;
    const name = `activity-${this.#parts.clock()}-${process.pid}.jsonl`;
    renameSync(this.#file, path.join(this.#parts.home, name));
    let kept = 0;
    for (const aside of this.#asideNames().reverse()) {
      const file = path.join(this.#parts.home, aside);
      kept += statSync(file, { throwIfNoEntry: false })?.size ?? 0;
      if (kept > (this.#parts.keptAsideBytes ?? KEPT_ASIDE_BYTES)) rmSync(file, { force: true });
    }
  }

  /** Oldest first. */
  #asideNames(): string[] {
    try {
      return readdirSync(this.#parts.home)
        .filter((name) => ASIDE.test(name))
        .sort((a, b) => Number(a.split('-')[1]) - Number(b.split('-')[1]));
    } catch {
      return []; // there is no WINNOW_HOME yet
    }
  }

  #linesOf(name: string): string[] {
    try {
      return readLines(new NodeFileSystem(), path.join(this.#parts.home, name), MOST_FILE_BYTES);
    } catch {
      return []; // another process has just renamed it
    }
  }
}

function decodeLine(line: string): ActivityEntry | undefined {
  if (line === '') return undefined;
  try {
    const entry = activityEntry.safeParse(JSON.parse(line)).data;
    // Before there were verdicts the report's own word was kept among the figures.
    return entry?.verdict === null && entry.figures['ok'] === false ? { ...entry, verdict: 'damage' } : entry;
  } catch {
    return undefined;
  }
}

/**
 * For another machine (a shared home directory) this is not known. Which machine it was is told by its start, which no
 * other one has; its name may be another one by now. After a new start of the same machine nothing of the earlier one runs.
 */
function isGone(entry: ActivityEntry, isAlive: (pid: number) => boolean, here: ProcessPlace | null): boolean {
  if (entry.outcome !== 'running') return false;
  const { place, pid } = entry;
  const hasOurName = entry.hostName === os.hostname();
  if (!place || !here) return hasOurName && !isAlive(pid);
  if (place.boot !== here.boot) {
    const areMachinesKnown = place.machine !== null && here.machine !== null;
    return areMachinesKnown ? place.machine === here.machine : hasOurName;
  }
  if (place.processes === here.processes) return !isAlive(pid);
  // Its numbers say nothing here. A container has its name for itself: an earlier one of this name has ended. One that
  // shares the name with the machine below it may still be there.
  return hasOurName && isContainer(place) && isContainer(here);
}

function isProcessAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
