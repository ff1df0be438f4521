/**
 * The history of scavenges that no log records: runs to an existing point, detached ones, members of clusters.
 * One file for each database in WINNOW_HOME: a line of JSON when a run begins, now and then one with what it has done
 * and freed, and one when it ends. A killed run has a start and no end. Runs older than the retention are
 * removed when the next one begins, as the scavenge removes them from a log; lists leave them out before that. Files are
 * named after the data directory, like the state of detached runs. Unreadable lines (such as a cut last one) are
 * skipped.
 */
import { createHash } from 'node:crypto';
import path from 'node:path';
import { z } from 'zod';
import { CHOSEN_PLACEMENTS, NodeFileSystem, readLines, SCAVENGE_RESULTS } from '../../src-core/index.ts';
import { appendPrivateLine, writePrivateFile } from './private-file.ts';

/** Enough for a long history; a larger file is not ours and is not read. */
const MOST_BYTES = 64 * 1024 * 1024;

const startLine = z.object({
  kind: z.literal('start'),
  scavengeId: z.string(),
  /** ISO 8601 with seven fraction digits, as all times here. */
  at: z.string(),
  /** For people who read the file: its name is a hash. */
  dataDirectory: z.string(),
  hostName: z.string(),
  placement: z.enum(CHOSEN_PLACEMENTS),
  /** Of the scavenge point. */
  number: z.number().int(),
  position: z.number().int(),
  threshold: z.number().int(),
  /** The run resumes the work of an earlier one. */
  resumed: z.boolean()
});
const endLine = z.object({
  kind: z.literal('end'),
  scavengeId: z.string(),
  at: z.string(),
  result: z.enum(SCAVENGE_RESULTS),
  error: z.string().nullable(),
  spaceSavedBytes: z.number().int()
});
const recordedEvent = z.object({ at: z.string(), type: z.string(), data: z.string() });
/** Written while it runs: all that is known about a killed run. */
const savedLine = z.object({
  kind: z.literal('saved'),
  scavengeId: z.string(),
  at: z.string(),
  spaceSavedBytes: z.number().int(),
  /** What was done since the previous line: events as a log would have them. Older programs wrote none. */
  events: z.array(recordedEvent).default([])
});
/** Replaces runs that were removed for their age: the number of their events that were listed before the others. */
const removedLine = z.object({ kind: z.literal('removed'), listedEvents: z.number().int().nonnegative() });
const recordLine = z.discriminatedUnion('kind', [startLine, savedLine, endLine, removedLine]);

export type ScavengeStartLine = Omit<z.infer<typeof startLine>, 'kind' | 'dataDirectory'>;
export type ScavengeEndLine = Omit<z.infer<typeof endLine>, 'kind'>;
export type RecordedEvent = z.infer<typeof recordedEvent>;
export type ScavengeSavedLine = Omit<z.infer<typeof savedLine>, 'kind'>;

export interface RecordedScavenge {
  start: ScavengeStartLine;
  /** The last one. */
  saved: ScavengeSavedLine | undefined;
  /** undefined: killed, or still running. */
  end: ScavengeEndLine | undefined;
  /** For its chunks, merges and tables, in the order in which they were done. */
  events: RecordedEvent[];
}

/** Default of the server's setting, in days; 0 or less keeps everything, like the server's `$maxAge`. */
export const DEFAULT_MAX_AGE_DAYS = 30;
const MS_PER_DAY = 86_400_000;

/** Whether events of this time are past the retention. */
export function isExpired(at: string, nowMs: number, maxAgeDays = DEFAULT_MAX_AGE_DAYS): boolean {
  return maxAgeDays > 0 && Date.parse(at) < nowMs - maxAgeDays * MS_PER_DAY;
}

export class ScavengeRecords {
  readonly #file: string;
  readonly #dataDirectory: string;

  /** `dataDirectory`: absolute. */
  constructor(home: string, dataDirectory: string) {
    const name = createHash('sha256').update(dataDirectory).digest('hex').slice(0, 32);
    this.#file = path.join(home, 'scavenge-history', `${name}.jsonl`);
    this.#dataDirectory = dataDirectory;
  }

  appendStart(start: ScavengeStartLine): void {
    this.#append({ kind: 'start', dataDirectory: this.#dataDirectory, ...start });
  }

  appendSaved(saved: ScavengeSavedLine): void {
    this.#append({ kind: 'saved', ...saved });
  }

  appendEnd(end: ScavengeEndLine): void {
    this.#append({ kind: 'end', ...end });
  }

  /** In the order they began. */
  list(): RecordedScavenge[] {
    const runs = new Map<string, RecordedScavenge>();
    for (const line of this.#lines()) {
      if (line.kind === 'removed') continue;
      if (line.kind === 'start') {
        runs.set(line.scavengeId, { start: line, saved: undefined, end: undefined, events: [] });
        continue;
      }
      const run = runs.get(line.scavengeId);
      if (run && line.kind === 'saved') {
        run.saved = line;
        run.events.push(...line.events);
      }
      if (run && line.kind === 'end') run.end = line;
    }
    return [...runs.values()];
  }

  /** Number of starts and ends of removed runs before the remaining ones. */
  get removedEvents(): number {
    return this.#lines().reduce((sum, line) => sum + (line.kind === 'removed' ? line.listedEvents : 0), 0);
  }

  /** Removes the runs without any event within the retention. */
  removeExpired(nowMs: number, maxAgeDays: number | undefined): void {
    const gone = new Map<string, number>();
    for (const { start, saved, end } of this.list()) {
      const last = (end ?? saved ?? start).at;
      if (isExpired(last, nowMs, maxAgeDays)) gone.set(start.scavengeId, end ? 2 : 1);
    }
    if (gone.size === 0) return;
    const listedEvents = [...gone.values()].reduce((sum, count) => sum + count, this.removedEvents);
    const left = this.#lines().filter((line) => line.kind !== 'removed' && !gone.has(line.scavengeId));
    const text = [{ kind: 'removed', listedEvents }, ...left].map((line) => `${JSON.stringify(line)}\n`);
    writePrivateFile({ file: this.#file, content: text.join('') });
  }

  #append(line: z.infer<typeof recordLine>): void {
    appendPrivateLine({ file: this.#file, line: JSON.stringify(line), isSoleWriter: false });
  }

  #lines(): z.infer<typeof recordLine>[] {
    try {
      return readLines(new NodeFileSystem(), this.#file, MOST_BYTES)
        .map(decodeLine)
        .filter((line) => line !== undefined);
    } catch {
      return []; // unreadable: the history is shown without it
    }
  }
}

function decodeLine(text: string): z.infer<typeof recordLine> | undefined {
  try {
    return recordLine.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}
