/**
 * What is known of a database's scavenges for the next one in a maintenance window, one small file for each database in
 * WINNOW_HOME: how fast the last runs went, by their number of threads, and the pace that the last plan of a window
 * named, until a run in that window is through. Unreadable content counts as nothing known.
 */
import { createHash } from 'node:crypto';
import path from 'node:path';
import { z } from 'zod';
import { editAlone } from './edit-lock.ts';
import { readJsonFile, writeJsonFile } from './json-file.ts';

/** Of each number of threads: older ones tell of another disk, or of another load. */
const RUNS_KEPT = 3;

const amount = z.number().nonnegative();
const measuredRun = z.object({
  scavengeId: z.string(),
  /** ISO 8601. */
  at: z.string(),
  /** It was not to read and write more than so many bytes in a second: it says nothing about the machine. */
  isLimited: z.boolean(),
  threads: z.number().int().positive(),
  /** It resumed what another run had left. */
  isResumed: z.boolean(),
  /** Until there was a point to work to: opening, and comparing an earlier state with the log. Not throttled. */
  beginMs: amount,
  /** Of the log, and how long that took without the rests of a throttle. */
  readBytes: amount,
  readMs: amount,
  /** Read and written of chunks that were replaced, with the index. */
  workBytes: amount,
  workMs: amount
});
const namedPace = z.object({
  /** `02:00-04:00`. */
  window: z.string(),
  threads: z.number().int().positive(),
  throttlePercent: z.number().int().min(1).max(100),
  /** When it was planned, ISO 8601. */
  at: z.string()
});
const pacesFile = z.object({
  /** For people who read the file: its name is a hash. */
  dataDirectory: z.string(),
  runs: z.array(measuredRun),
  named: namedPace.nullable()
});

export type MeasuredRun = z.infer<typeof measuredRun>;
export type NamedPace = z.infer<typeof namedPace>;

export class ScavengePaces {
  readonly #file: string;
  readonly #dataDirectory: string;

  /** Both absolute. */
  constructor(home: string, dataDirectory: string) {
    const name = createHash('sha256').update(dataDirectory).digest('hex').slice(0, 32);
    this.#file = path.join(home, 'scavenge-paces', `${name}.json`);
    this.#dataDirectory = dataDirectory;
  }

  /** Oldest first. */
  get runs(): MeasuredRun[] {
    return this.#read().runs;
  }

  get named(): NamedPace | null {
    return this.#read().named;
  }

  addRun(run: MeasuredRun): void {
    this.#edit((paces) => {
      const isAlike = ({ threads, isLimited }: MeasuredRun): boolean =>
        threads === run.threads && isLimited === run.isLimited;
      const alike = paces.runs.filter(isAlike);
      const others = paces.runs.filter((other) => !isAlike(other));
      return { ...paces, runs: [...others, ...alike.slice(1 - RUNS_KEPT), run] };
    });
  }

  name(named: NamedPace): void {
    this.#edit((paces) => ({ ...paces, named }));
  }

  /** What was named for this window, or for any, is over. */
  forgetNamed(window?: string): void {
    const isOver = (named: NamedPace | null): boolean =>
      named !== null && (window === undefined || named.window === window);
    if (!isOver(this.named)) return;
    this.#edit((paces) => ({ ...paces, named: isOver(paces.named) ? null : paces.named }));
  }

  #read(): z.infer<typeof pacesFile> {
    return (
      readJsonFile(this.#file, pacesFile) ?? { dataDirectory: this.#dataDirectory, runs: [], named: null }
    );
  }

  #edit(change: (paces: z.infer<typeof pacesFile>) => z.infer<typeof pacesFile>): void {
    editAlone(this.#file, () => writeJsonFile(this.#file, change(this.#read())));
  }
}
