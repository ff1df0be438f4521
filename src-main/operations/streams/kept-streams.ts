/**
 * The streams of a log in the order of their names, kept beside its digests until the log changes: found by all that they were
 * made of. Each part has a file; another one says how many there are.
 */
import {
  decodeColumns,
  derivedFileName,
  encodeColumns,
  KEPT_STREAMS,
  type DerivedFiles
} from '../../../src-core/index.ts';
import { StreamList } from './stream-list.ts';
import { StreamRows } from './stream-rows.ts';

const FORM = 'WNWSTL01';

interface Whole {
  partCount: number;
}

export class KeptStreams {
  readonly #files: DerivedFiles;
  readonly #identityNow: () => string;
  readonly #identity: string;

  /** `identityNow`: of the log, as it is when it is called. */
  constructor(files: DerivedFiles, identityNow: () => string) {
    this.#files = files;
    this.#identityNow = identityNow;
    this.#identity = identityNow();
  }

  /** undefined: nothing is kept, or not all of it. */
  load(): StreamList | undefined {
    const identity = this.#identity;
    const whole = this.#files.load(this.#wholeFile, (bytes) => {
      return decodeColumns<Whole>(bytes, { form: FORM, identity })?.facts;
    });
    if (!whole) return undefined;
    const parts: StreamRows[] = [];
    for (let part = 0; part < whole.partCount; part++) {
      const rows = this.#files.load(this.#partFile(part), (bytes) =>
        StreamRows.decode(bytes, this.#partIdentity(part))
      );
      if (!rows) return undefined;
      parts.push(rows);
    }
    return new StreamList(parts);
  }

  savePart(part: number, rows: StreamRows): void {
    this.#files.save(this.#partFile(part), () => rows.encode(this.#partIdentity(part)));
  }

  /** Once all parts were saved; nothing stays of a log that has changed since the streams were asked for. */
  saveWhole(partCount: number): void {
    const identity = this.#identity;
    const names: string[] = [];
    if (this.#identityNow() === identity) {
      const facts: Whole = { partCount };
      this.#files.save(this.#wholeFile, () => encodeColumns({ form: FORM, identity, facts }, []));
      names.push(this.#wholeFile, ...Array.from({ length: partCount }, (_, part) => this.#partFile(part)));
    }
    const own = new Set(names);
    this.#files.keepOnly([KEPT_STREAMS], (name) => own.has(name));
  }

  get #wholeFile(): string {
    return derivedFileName(this.#identity, KEPT_STREAMS);
  }

  #partIdentity(part: number): string {
    return `${this.#identity}\npart ${part}`;
  }

  #partFile(part: number): string {
    return derivedFileName(this.#partIdentity(part), KEPT_STREAMS);
  }
}
