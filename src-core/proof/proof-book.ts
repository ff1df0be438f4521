/**
 * What verifications said of the files of one database, and when: kept in one small file outside of it. A proof counts only
 * for the file that it was made of; that is asked each time, never remembered. The book is flushed and replaced as a whole,
 * each entry that two processes have is the newer one, and what is damaged, of another form or of another database is no
 * book: then nothing is known, and everything is verified again.
 */
import { decodeColumns, encodeColumns } from '../codec/column-file.ts';
import { EngineError, requireFault } from '../errors.ts';
import { namesIn } from '../storage/directory-entries.ts';
import { readWholeFile, type FileSystem } from '../storage/file-system.ts';
import { replaceFile } from '../storage/replace-file.ts';
import type { ProvableFile } from './provable-file.ts';

export interface Proof {
  /** Of the file that was read. */
  identity: string;
  /** When the reading began; milliseconds since 1970. */
  atMs: number;
  /** Every byte was read, and all was as it should be; false: it was damaged. */
  isSound: boolean;
}

export interface ProofBookParts {
  fileSystem: FileSystem;
  /** Where the book is kept; undefined: in memory only. Need not exist. */
  place?: { directory: string; name: string } | undefined;
  /** What the book is about. A proof goes when its file is no longer in one of them. */
  directories: readonly string[];
  newGuid: () => string;
}

/** Changes whenever what the book holds, or how, changes. */
const FORM = 'WNWPRF01';
/** A log of 64 TiB has fewer files. */
const MOST_PROOFS = 500_000;
const MOST_BYTES = 128 * 2 ** 20;
/** Names of files and times only, but nobody else's business. */
const MODE = 0o600;
const DIRECTORY_MODE = 0o700;
const TEMPORARY = '.tmp';
const IDENTITY = /^[0-9a-f]{40}$/;
const LONGEST_NAME = 255;

type Row = [name: string, identity: string, atMs: number, isSound: number];

export class ProofBook {
  readonly #parts: ProofBookParts;
  #proofs: Map<string, Proof> | undefined;
  /** Since the last save. */
  #hasNew = false;

  constructor(parts: ProofBookParts) {
    this.#parts = parts;
  }

  /** Where it is kept; undefined: nowhere. */
  get directory(): string | undefined {
    return this.#parts.place?.directory;
  }

  /** What is known of just this file. */
  of({ name, identity }: Pick<ProvableFile, 'name' | 'identity'>): Proof | undefined {
    const proof = this.#known().get(name);
    return proof?.identity === identity ? proof : undefined;
  }

  /** The last look at a file of this name, whatever has become of it since. */
  lastLook(name: string): Proof | undefined {
    return this.#known().get(name);
  }

  note({ name, identity }: Pick<ProvableFile, 'name' | 'identity'>, said: Omit<Proof, 'identity'>): void {
    this.#known().set(name, { identity, ...said });
    this.#hasNew = true;
  }

  /** Keeps what is new. Returns why that was impossible: a verification has its answer all the same. */
  save(): EngineError | undefined {
    const { fileSystem, place, newGuid } = this.#parts;
    if (!place || !this.#hasNew) return undefined;
    try {
      const own = this.#known();
      for (const [name, proof] of this.#read() ?? []) {
        const mine = own.get(name);
        if (!mine || mine.atMs < proof.atMs) own.set(name, proof);
      }
      this.#forgetGone(own);
      if (!fileSystem.describe(place.directory)) {
        fileSystem.makeDirectory(place.directory);
        fileSystem.changeMode(place.directory, DIRECTORY_MODE);
      }
      const temporaryName = `${newGuid()}${TEMPORARY}`;
      replaceFile(fileSystem, { ...place, temporaryName, bytes: this.#encode(own), mode: MODE });
      this.#hasNew = false;
      return undefined;
    } catch (error) {
      requireFault(error);
      return error;
    }
  }

  #known(): Map<string, Proof> {
    return (this.#proofs ??= this.#read() ?? new Map<string, Proof>());
  }

  #forgetGone(proofs: Map<string, Proof>): void {
    const { fileSystem, directories } = this.#parts;
    const names = new Set<string>();
    for (const directory of directories) {
      for (const name of namesIn(fileSystem, directory)) names.add(name);
    }
    for (const name of proofs.keys()) if (!names.has(name)) proofs.delete(name);
  }

  #encode(proofs: ReadonlyMap<string, Proof>): Uint8Array {
    const rows = Array.from(proofs, ([name, { identity, atMs, isSound }]): Row => [
      name,
      identity,
      atMs,
      isSound ? 1 : 0
    ]);
    const newest = rows.sort((a, b) => b[2] - a[2]).slice(0, MOST_PROOFS);
    return encodeColumns({ form: FORM, identity: this.#identity, facts: { rows: newest } }, []);
  }

  /** undefined: no book that can be believed. */
  #read(): Map<string, Proof> | undefined {
    const { fileSystem, place } = this.#parts;
    if (!place) return undefined;
    try {
      const path = fileSystem.join(place.directory, place.name);
      const bytes = readWholeFile(fileSystem, path, MOST_BYTES);
      const whole = bytes && new Uint8Array(bytes);
      const decoded = whole && decodeColumns<unknown>(whole, { form: FORM, identity: this.#identity });
      return decoded && proofsIn(decoded.facts);
    } catch (error) {
      requireFault(error);
      return undefined;
    }
  }

  get #identity(): string {
    return JSON.stringify(this.#parts.directories);
  }
}

/** Checked by shape: a sum over bytes says nothing of who wrote them. */
function proofsIn(facts: unknown): Map<string, Proof> | undefined {
  const rows: unknown =
    facts !== null && typeof facts === 'object' && 'rows' in facts ? facts.rows : undefined;
  if (!Array.isArray(rows) || rows.length > MOST_PROOFS || !rows.every(isRow)) return undefined;
  return new Map(
    rows.map(([name, identity, atMs, isSound]) => [name, { identity, atMs, isSound: isSound === 1 }])
  );
}

function isRow(row: unknown): row is Row {
  if (!Array.isArray(row) || row.length !== 4) return false;
  const [name, identity, atMs, isSound] = row as unknown[];
  return (
    typeof name === 'string' &&
    name.length <= LONGEST_NAME &&
    typeof identity === 'string' &&
    IDENTITY.test(identity) &&
    Number.isFinite(atMs) &&
    (isSound === 0 || isSound === 1)
  );
}
