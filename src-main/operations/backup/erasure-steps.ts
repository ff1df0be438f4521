/**
 * How far an erasure inside a backup has come in its scratch directory, so that the same command goes on there after a
 * stop or a kill. What the note says is believed only of a directory of this user's alone, for the same backup and the same
 * question; everything else begins afresh.
 */
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import type { Manifest } from '../../../src-core/index.ts';
import { readJsonFile, writeJsonFile } from '../../settings/json-file.ts';

const note = z.object({
  /** Backup, target and question, as a hash. */
  identity: z.string(),
  /** The time as of which the work is done. ISO 8601. */
  asOf: z.string(),
  /** `erasing`: the database is there; `erased`: what was asked for is done in it. */
  step: z.enum(['gathering', 'erasing', 'erased']),
  /** Runs that have worked in the gathered database. */
  attempts: z.number().int().nonnegative(),
  /** Of the scavenge that was begun last. */
  placement: z.enum(['existing', 'detached']).nullable(),
  /** SHA-256 of the files without a hash of their own, which no scavenge changes. */
  unsealed: z.record(z.string(), z.string()),
  /** How far a redaction came, for its certificate; undefined in a note of a version that did not keep it. */
  redaction: z.unknown(),
  /** What `erased` gave. */
  erased: z.unknown()
});
export type ErasureNote = z.infer<typeof note>;

const NOTE = 'steps.json';
const OTHERS = 0o077;

export class ErasureSteps {
  /** An earlier run left it. */
  readonly isContinued: boolean;
  readonly #scratch: string;
  #note: ErasureNote;

  private constructor(scratch: string, known: ErasureNote, isContinued: boolean) {
    this.isContinued = isContinued;
    this.#scratch = scratch;
    this.#note = known;
  }

  /** undefined: nothing there can be used again. `asOf`: required of the note, if an earlier attempt left a time elsewhere too. */
  static read(scratch: string, identity: string, asOf: string | undefined): ErasureSteps | undefined {
    if (!isOwn(scratch)) return undefined;
    const known = readJsonFile(path.join(scratch, NOTE), note);
    if (known?.identity !== identity || (asOf !== undefined && known.asOf !== asOf)) return undefined;
    return new ErasureSteps(scratch, known, true);
  }

  /** In a directory that has just been made. */
  static begin(scratch: string, identity: string, asOf: string): ErasureSteps {
    const begun = { identity, asOf, step: 'gathering', attempts: 0, placement: null } as const;
    const steps = new ErasureSteps(scratch, { ...begun, unsealed: {}, redaction: null, erased: null }, false);
    steps.enter({});
    return steps;
  }

  get note(): Readonly<ErasureNote> {
    return this.#note;
  }

  /** Returns once it is on the disk. */
  enter(change: Partial<ErasureNote>): void {
    this.#note = { ...this.#note, ...change };
    writeJsonFile(path.join(this.#scratch, NOTE), this.#note);
  }
}

/** A real directory that nobody else may write or read: the temporary directory belongs to everybody. */
function isOwn(directory: string): boolean {
  try {
    const { uid, mode } = fs.lstatSync(directory);
    const isDirectory = fs.lstatSync(directory).isDirectory();
    const user = process.getuid?.();
    return isDirectory && (user === undefined || (uid === user && (mode & OTHERS) === 0));
  } catch {
    return false;
  }
}

/** Of the files that are in the gathered log and say nothing of their own content. */
export async function unsealedHashes(
  { files }: Manifest,
  dataDirectory: string
): Promise<Record<string, string>> {
  const hashes: Record<string, string> = {};
  for (const { area, name, chunk, tableMd5 } of files) {
    if (area !== 'data' || chunk?.isCompleted === true || tableMd5 !== null) continue;
    const hash = createHash('sha256');
    try {
      for await (const block of fs.createReadStream(path.join(dataDirectory, name)))
        hash.update(block as Buffer);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') continue; // the cut of the log removed it
      throw error;
    }
    hashes[name] = hash.digest('hex');
  }
  return hashes;
}

/** Chunks and tables that the backup does not have: a scavenge made them. */
export function hasNewFiles(
  { files }: Manifest,
  { dataDirectory, indexDirectory }: { dataDirectory: string; indexDirectory: string }
): boolean {
  const known = new Set(files.map(({ area, name }) => `${area}/${name}`));
  const chunks = fs.readdirSync(dataDirectory).filter((name) => /^chunk-\d{6}\.\d{6}$/.test(name));
  const tables = fs.readdirSync(indexDirectory).filter((name) => /^[\da-f-]{36}$/i.test(name));
  return (
    chunks.some((name) => !known.has(`data/${name}`)) || tables.some((name) => !known.has(`index/${name}`))
  );
}
