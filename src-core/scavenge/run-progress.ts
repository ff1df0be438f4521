/**
 * What a run leaves for the one that resumes it, beside its state, so that beginning again costs no more than beginning.
 *
 * A seal on the state: a run that made its state, or compared all of it with the log, need not be followed by one that
 * compares it again. The seal is a hash of the state's file as the run closed it, of the point, and of which files the log
 * before the point is in; a byte of the state that was changed, or a file of the log that was replaced, breaks it, and then the
 * state is compared as any other that was found. And how far the log was searched for records that stop a scavenge: that
 * search comes before the first write, and would otherwise begin at the start of the log each time.
 *
 * And which log the newest scavenge point was reached of: as long as its files and the end of the writer are the same, a run
 * toward an existing point has nothing to do, and no log is searched for a newer one.
 *
 * Decision: docs/decisions/0054-a-stopped-run-seals-its-state.md.
 */
import { createHash } from 'node:crypto';
import type { Chunk } from '../chunks/chunk.ts';
import { requireFault } from '../errors.ts';
import type { LogReader } from '../log/log-reader.ts';
import { readWholeFile, type FileSystem } from '../storage/file-system.ts';
import type { ScavengePoint } from './points/scavenge-point.ts';

/** Of one database. */
export interface KeptProgress {
  /** Of the state of an unfinished scavenge; null: none, or one that nothing is known of. */
  seal: string | null;
  /** The first `chunks` files of the log, which are these, hold nothing that stops a scavenge. */
  searched: { chunks: number; files: string } | null;
  /** A log of just these files, active chunk and writer included, holds no scavenge point after this one. */
  reached?: { point: number; log: string } | null | undefined;
}

/** Kept by the caller between runs. Neither throws: what cannot be kept is found out again. */
export interface ProgressStore {
  read: () => KeptProgress | undefined;
  write: (kept: KeptProgress) => void;
}

export interface SealedScavenge {
  point: ScavengePoint;
  /** What is removed goes by it too. */
  ignoreHardDeletes: boolean;
  log: LogReader;
}

export interface EndedRun {
  sealed?: (SealedScavenge & { statePath: string }) | undefined;
  reached?: ScavengePoint | undefined;
}

const PIECE_BYTES = 1024 * 1024;

export class RunProgress {
  readonly #fileSystem: FileSystem;
  readonly #store: ProgressStore;
  readonly #mayWrite: boolean;
  readonly #kept: KeptProgress | undefined;
  /** By path: hash of a state before it was opened. */
  readonly #found = new Map<string, string>();
  /** Nothing that stops a scavenge is before this position. */
  #searchedTo = 0;

  /** undefined where nothing is kept. A plan writes nothing (`mayWrite`). */
  static of(
    { fileSystem, progress }: { fileSystem: FileSystem; progress?: ProgressStore | undefined },
    { mayWrite }: { mayWrite: boolean }
  ): RunProgress | undefined {
    return progress && new RunProgress(fileSystem, progress, { mayWrite });
  }

  private constructor(fileSystem: FileSystem, store: ProgressStore, { mayWrite }: { mayWrite: boolean }) {
    this.#fileSystem = fileSystem;
    this.#store = store;
    this.#mayWrite = mayWrite;
    this.#kept = store.read();
  }

  /** Takes note of a state before SQLite opens it. */
  beforeOpening(statePath: string): void {
    if (!this.#kept?.seal) return;
    const hash = this.#hashOfState(statePath);
    if (hash !== undefined) this.#found.set(statePath, hash);
  }

  /** The state was found as the run before this one left it, and so was the log. */
  isSealed(statePath: string, scavenge: SealedScavenge): boolean {
    const seal = this.#kept?.seal;
    const hash = this.#found.get(statePath);
    if (!seal || hash === undefined) return false;
    return this.#guarded(() => this.#sealOf(hash, scavenge) === seal) ?? false;
  }

  /** A search for what stops a scavenge need not begin before this position. */
  get searchedTo(): number {
    return this.#searchedTo;
  }

  /** Compares the log as it is found with what was kept of it. */
  look(log: LogReader): void {
    const searched = this.#kept?.searched;
    if (!searched) return;
    const files = log.chunks.slice(0, searched.chunks);
    if (files.length < searched.chunks || this.#guarded(() => this.#describe(files)) !== searched.files)
      return;
    this.#searchedTo = files.at(-1)!.endPosition;
  }

  /** Nothing was found before this position; kept at once, since a run may end before there is a state. */
  searched(log: LogReader, position: number): void {
    if (position <= this.#searchedTo) return;
    this.#searchedTo = position;
    this.#keep(log, this.#kept?.seal ?? null);
  }

  /**
   * The run has ended and its state is closed. `sealed`: it is unfinished, and what its state says is true. `reached`: it is
   * finished, and no point of the log is newer.
   */
  ended(log: LogReader, { sealed, reached }: EndedRun): void {
    const hash = sealed && this.#hashOfState(sealed.statePath);
    const seal = sealed && hash !== undefined ? this.#guarded(() => this.#sealOf(hash, sealed)) : undefined;
    this.#keep(log, seal ?? null, reached);
  }

  /** The log is as it was when no newer point than this one was in it. */
  isNewestReached(log: LogReader, { number }: ScavengePoint): boolean {
    const reached = this.#kept?.reached;
    return reached?.point === number && reached.log === this.#describeWhole(log);
  }

  /** Found out for this log: no point of it is newer. */
  newestReached(log: LogReader, point: ScavengePoint): void {
    if (!this.#mayWrite) return;
    const { seal = null, searched = null } = this.#kept ?? {};
    this.#store.write({ seal, searched, reached: this.#reachedOf(log, point) });
  }

  #reachedOf(log: LogReader, { number }: ScavengePoint): KeptProgress['reached'] {
    const whole = this.#describeWhole(log);
    return whole === undefined ? null : { point: number, log: whole };
  }

  #describeWhole({ chunks }: LogReader): string | undefined {
    return this.#guarded(() => {
      const first = chunks[0];
      if (!first) return undefined;
      const writer = readWholeFile(this.#fileSystem, this.#fileSystem.join(first.path, '..', 'writer.chk'));
      return `${this.#describe(chunks)} ${Buffer.from(writer ?? []).toString('hex')}`;
    });
  }

  #keep(log: LogReader, seal: string | null, reached?: ScavengePoint): void {
    if (!this.#mayWrite) return;
    const open = log.chunks.findIndex(
      ({ isCompleted, endPosition }) => !isCompleted || endPosition > this.#searchedTo
    );
    const files = open === -1 ? log.chunks : log.chunks.slice(0, open);
    const described = this.#guarded(() => this.#describe(files));
    const isNothing = files.length === 0 || described === undefined;
    const searched = isNothing ? null : { chunks: files.length, files: described };
    if (seal === null && searched === null && !reached && this.#kept === undefined) return;
    this.#store.write({ seal, searched, reached: reached ? this.#reachedOf(log, reached) : null });
  }

  #sealOf(stateHash: string, { point, ignoreHardDeletes, log }: SealedScavenge): string {
    const { number, position, effectiveNow, threshold } = point;
    const files = this.#describe(log.chunks.filter(({ startPosition }) => startPosition < position));
    const parts = [stateHash, number, position, effectiveNow, threshold, ignoreHardDeletes, files];
    return createHash('sha256').update(parts.join('\n')).digest('hex');
  }

  /** Which files these are: names, lengths, times, and the files behind the names. */
  #describe(chunks: readonly Chunk[]): string {
    const hash = createHash('sha256');
    for (const { path, fileName } of chunks) {
      const { size, modifiedMs, inode } = this.#fileSystem.describe(path) ?? {};
      hash.update(`${fileName} ${size} ${modifiedMs} ${inode}\n`);
    }
    return hash.digest('hex');
  }

  /** undefined: there is none, or part of it is still in its write-ahead log. */
  #hashOfState(path: string): string | undefined {
    return this.#guarded(() => {
      if (!this.#fileSystem.describe(path)?.size || this.#fileSystem.describe(`${path}-wal`)?.size) {
        return undefined;
      }
      const file = this.#fileSystem.open(path, 'read');
      try {
        const hash = createHash('sha256');
        const piece = new Uint8Array(PIECE_BYTES);
        for (let at = 0; ;) {
          const count = file.read(piece, 0, piece.length, at);
          if (count === 0) return hash.digest('hex');
          hash.update(piece.subarray(0, count));
          at += count;
        }
      } finally {
        file.close();
      }
    });
  }

  /** What cannot be read has no seal; the run itself says what the matter is. */
  #guarded<T>(look: () => T): T | undefined {
    try {
      return look();
    } catch (error) {
      requireFault(error);
      return undefined;
    }
  }
}
