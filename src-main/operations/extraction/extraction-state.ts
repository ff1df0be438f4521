/**
 * How far an extraction is: kept beside its output, so that the next one with the same question continues. Written only
 * after what it counts is on the disk. Read as something that anybody may have written.
 */
import path from 'node:path';
import { z } from 'zod';
import { EngineError, readWholeFile, replaceFile, type FileSystem } from '../../../src-core/index.ts';
import { noCounts } from './tally.ts';

const count = z.number().int().nonnegative();
const amount = z.object({ events: count, bytes: count });
const names = z.object({ names: z.array(amount.extend({ name: z.string() })), others: amount });
const part = z.object({ file: z.string(), events: count, bytes: count, sha256: z.string() });
const range = z.object({ file: z.string(), from: count, to: count, why: z.string() });

/** As `Counts` of tally.ts. */
export const keptCounts = {
  events: count,
  bytes: count,
  streams: names,
  types: names,
  unreadable: z.array(range),
  unreadableCount: count,
  unreadableBytes: count
};

const state = z.object({
  version: z.literal(1),
  /** Hash of the question: another one never continues this. */
  question: z.string(),
  /** Where the walk ends: the end of the log when it began. */
  end: count,
  /** Everything that begins before it is written or counted. */
  position: count,
  /** The file is whole and only needs its name. */
  isWhole: z.boolean(),
  /** Those that are whole. */
  parts: z.array(part),
  /**
   * Of the file that is being written: what is durable, how large its rows are roughly, and what its format needs to go on
   * (RowWriter.left).
   */
  current: amount.extend({ rough: count, left: z.unknown().optional() }),
  notCommitted: count,
  ...keptCounts
});
export type ExtractionState = z.infer<typeof state>;

const MOST_STATE_BYTES = 64 * 1024 * 1024;

export function newState(question: string, range: { from: number; end: number }): ExtractionState {
  return {
    version: 1,
    question,
    end: range.end,
    position: range.from,
    isWhole: false,
    parts: [],
    current: { events: 0, bytes: 0, rough: 0 },
    notCommitted: 0,
    ...noCounts()
  };
}

/** undefined: there is none. Throws InvalidRequest for one that cannot be understood. */
export function readState(fileSystem: FileSystem, file: string): ExtractionState | undefined {
  return readKept(fileSystem, file, state);
}

export function writeState(fileSystem: FileSystem, file: string, current: ExtractionState): void {
  writeKept(fileSystem, file, current);
}

export function readKept<S>(fileSystem: FileSystem, file: string, shape: z.ZodType<S>): S | undefined {
  const bytes = readWholeFile(fileSystem, file, MOST_STATE_BYTES);
  if (!bytes) return undefined;
  try {
    return shape.parse(JSON.parse(new TextDecoder().decode(bytes)));
  } catch (error) {
    throw new EngineError({
      code: 'InvalidRequest',
      message: `${file} is not the state of an unfinished extraction that this version can continue.`,
      remedy: 'Begin again with --start-afresh, or choose another output.',
      details: { file },
      cause: error
    });
  }
}

export function writeKept(fileSystem: FileSystem, file: string, current: object): void {
  const name = path.basename(file);
  replaceFile(fileSystem, {
    directory: path.dirname(file),
    name,
    temporaryName: `${name}.tmp`,
    bytes: Buffer.from(JSON.stringify(current), 'utf8')
  });
}
