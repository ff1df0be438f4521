/**
 * The history of scavenges that no log tells of: runs to an existing point, detached ones, members of clusters.
 * One file for each database in WINNOW_HOME, a line of JSON when a run begins, now and then what it has freed, and
 * one when it ends, only ever appended to: a run that was killed has a beginning and no end. Files go by the name of the data directory, as
 * the state of detached runs does. Lines that cannot be read (a cut last one) are passed over.
 */
import { createHash } from 'node:crypto';
import { closeSync, fsyncSync, mkdirSync, openSync, readFileSync, writeSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';

const startLine = z.object({
  kind: z.literal('start'),
  scavengeId: z.string(),
  /** ISO 8601 with seven fraction digits, as all times here. */
  at: z.string(),
  /** For people who look into the file: its name is a hash. */
  dataDirectory: z.string(),
  hostName: z.string(),
  placement: z.enum(['existing', 'detached', 'new']),
  /** Of the scavenge point. */
  number: z.number().int(),
  position: z.number().int(),
  threshold: z.number().int(),
  /** The run goes on with the work of an earlier one. */
  resumed: z.boolean()
});
const endLine = z.object({
  kind: z.literal('end'),
  scavengeId: z.string(),
  at: z.string(),
  result: z.enum(['success', 'stopped', 'errored']),
  error: z.string().nullable(),
  spaceSavedBytes: z.number().int()
});
/** While it goes on: of a run that is killed this is all that is known. */
const savedLine = z.object({
  kind: z.literal('saved'),
  scavengeId: z.string(),
  at: z.string(),
  spaceSavedBytes: z.number().int()
});
const recordLine = z.discriminatedUnion('kind', [startLine, savedLine, endLine]);

export type ScavengeStartLine = Omit<z.infer<typeof startLine>, 'kind' | 'dataDirectory'>;
export type ScavengeEndLine = Omit<z.infer<typeof endLine>, 'kind'>;
export type ScavengeSavedLine = Omit<z.infer<typeof savedLine>, 'kind'>;

export interface RecordedScavenge {
  start: ScavengeStartLine;
  /** The last one. */
  saved: ScavengeSavedLine | undefined;
  /** undefined: killed, or still running. */
  end: ScavengeEndLine | undefined;
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
    for (const text of this.#text().split('\n')) {
      const line = decodeLine(text);
      if (line?.kind === 'start') {
        runs.set(line.scavengeId, { start: line, saved: undefined, end: undefined });
        continue;
      }
      const run = line && runs.get(line.scavengeId);
      if (run && line.kind === 'saved') run.saved = line;
      if (run && line.kind === 'end') run.end = line;
    }
    return [...runs.values()];
  }

  #append(line: z.infer<typeof recordLine>): void {
    mkdirSync(path.dirname(this.#file), { recursive: true, mode: 0o700 });
    // A line that a power cut left without its end must not swallow the next one.
    const text = this.#text();
    const before = text === '' || text.endsWith('\n') ? '' : '\n';
    const descriptor = openSync(this.#file, 'a', 0o600);
    try {
      writeSync(descriptor, `${before}${JSON.stringify(line)}\n`);
      fsyncSync(descriptor);
    } finally {
      closeSync(descriptor);
    }
  }

  #text(): string {
    try {
      return readFileSync(this.#file, 'utf8');
    } catch {
      return ''; // no run was recorded yet, or the file cannot be read: a history without it is still one
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
