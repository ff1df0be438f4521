/**
 * The coordinator's events in WINNOW_HOME, one JSON object per line: appended and flushed before they count. At the
 * end of a cycle the file is replaced by what a restart still needs. A last line that a power cut left half
 * written was never acknowledged and is discarded.
 */
import {
  EngineError,
  NodeFileSystem,
  readLines,
  sizeOf,
  type CoordinatorStore,
  type FileSystem,
  type StoredEvent
} from '../../src-core/index.ts';
import { appendPrivateLine, makePrivateDirectory, writePrivateFile } from '../settings/private-file.ts';
import path from 'node:path';

const CONFIGURATION = '$configuration-updated';
/** What stays set, whichever cycle it was set in: the last of each. */
const KEPT = ['$quiet-hours-updated', '$cycle-skipped'];
const CYCLE_ENDED = '$cluster-scavenge-completed';
/** Cycles are short histories; a file beyond this is replaced when the next cycle ends. */
const COMPACT_BYTES = 256 * 1024;
/** Histories are short. */
const MOST_BYTES = 64 * 1024 * 1024;

export class CoordinatorFile implements CoordinatorStore {
  readonly file: string;
  readonly #fileSystem: FileSystem;

  /** Only the holder of the cluster's lease appends. */
  constructor(file: string, fileSystem: FileSystem = new NodeFileSystem()) {
    this.file = file;
    this.#fileSystem = fileSystem;
  }

  load(): Promise<{ configuration: StoredEvent | undefined; history: StoredEvent[] }> {
    return this.#guarded(() => {
      const events = this.#read();
      const others = events.filter(({ type }) => type !== CONFIGURATION);
      const lastEnd = others.findLastIndex(({ type }) => type === CYCLE_ENDED);
      const history = others.slice(lastEnd + 1);
      const kept = KEPT.flatMap((name) => others.findLast(({ type }) => type === name) ?? []);
      return {
        configuration: events.findLast(({ type }) => type === CONFIGURATION),
        history: [...kept.filter((event) => !history.includes(event)), ...history]
      };
    });
  }

  append(event: StoredEvent): Promise<'stored'> {
    return this.#guarded(() => {
      const length = sizeOf(this.#fileSystem, this.file);
      appendPrivateLine(
        { file: this.file, line: JSON.stringify(event), isSoleWriter: true },
        this.#fileSystem
      );
      if (event.type === CYCLE_ENDED && length > COMPACT_BYTES) this.#compact();
      return 'stored';
    });
  }

  /** Whether an event could be stored: writes the existing content again. */
  probe(): Promise<void> {
    return this.#guarded(() => {
      makePrivateDirectory(path.dirname(this.file), this.#fileSystem);
      this.#replace(this.#lines());
    });
  }

  /** All events of the file, oldest first: for reports. */
  read(): StoredEvent[] {
    return this.#read();
  }

  #read(): StoredEvent[] {
    return this.#lines().flatMap((line, index) => (line === '' ? [] : [this.#parse(line, index + 1)]));
  }

  #lines(): string[] {
    return readLines(this.#fileSystem, this.file, MOST_BYTES);
  }

  #replace(lines: readonly string[]): void {
    const content = lines.map((line) => `${line}\n`).join('');
    writePrivateFile({ file: this.file, content }, this.#fileSystem);
  }

  #parse(line: string, number: number): StoredEvent {
    try {
      const event = JSON.parse(line) as StoredEvent;
      if (typeof event.type === 'string' && typeof event.data === 'object') return event;
    } catch {
      // Reported below, with the place.
    }
    throw new EngineError({
      code: 'StorageFailed',
      message: `Line ${number} of ${this.file} is not an event of the schedule.`,
      remedy: 'Move the file away, then set the schedule again.',
      details: { file: this.file, line: number }
    });
  }

  #compact(): void {
    const events = this.#read();
    const kept = [CONFIGURATION, ...KEPT].flatMap(
      (kind) => events.findLast(({ type }) => type === kind) ?? []
    );
    this.#replace(kept.map((event) => JSON.stringify(event)));
  }

  /** The port promises rejected promises, not exceptions, and errors that name the file. */
  #guarded<T>(work: () => T): Promise<T> {
    try {
      return Promise.resolve(work());
    } catch (error) {
      if (error instanceof EngineError) return Promise.reject(error);
      const reason = error instanceof Error ? error.message : String(error);
      const failure = new EngineError({
        code: 'StorageFailed',
        message: `The schedule's events cannot be stored in ${this.file}: ${reason}`,
        remedy: 'Free space or restore write access; the schedule then continues by itself.',
        details: { file: this.file },
        cause: error
      });
      return Promise.reject(failure);
    }
  }
}
