/**
 * The coordinator's events in WINNOW_HOME, one JSON object a line: appended and flushed before they count. At the
 * end of a cycle the file is replaced by what a restart still needs. A last line that a power cut left half
 * written was never answered for and is dropped.
 */
import {
  closeSync,
  existsSync,
  fsyncSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  writeSync
} from 'node:fs';
import path from 'node:path';
import { EngineError, type CoordinatorStore, type StoredEvent } from '../../src-core/index.ts';

const CONFIGURATION = '$configuration-updated';
const QUIET_HOURS = '$quiet-hours-updated';
const CYCLE_ENDED = '$cluster-scavenge-completed';
/** Cycles are short histories; a file beyond this is replaced when the next cycle ends. */
const COMPACT_BYTES = 256 * 1024;

export class CoordinatorFile implements CoordinatorStore {
  readonly file: string;

  constructor(file: string) {
    this.file = file;
  }

  load(): Promise<{ configuration: StoredEvent | undefined; history: StoredEvent[] }> {
    return this.#guarded(() => {
      const events = this.#read();
      const others = events.filter(({ type }) => type !== CONFIGURATION);
      const lastEnd = others.findLastIndex(({ type }) => type === CYCLE_ENDED);
      const history = others.slice(lastEnd + 1);
      // They were set for good, in whichever cycle.
      const quietHours = others.findLast(({ type }) => type === QUIET_HOURS);
      return {
        configuration: events.findLast(({ type }) => type === CONFIGURATION),
        history: quietHours && !history.includes(quietHours) ? [quietHours, ...history] : history
      };
    });
  }

  append(event: StoredEvent): Promise<'stored'> {
    return this.#guarded(() => {
      const length = this.#wholeLength();
      this.#write(length, `${JSON.stringify(event)}\n`);
      if (event.type === CYCLE_ENDED && length > COMPACT_BYTES) this.#compact();
      return 'stored';
    });
  }

  probe(): Promise<void> {
    return this.#guarded(() => this.#write(this.#wholeLength(), ''));
  }

  /** All events of the file, oldest first: for reports. */
  read(): StoredEvent[] {
    return this.#read();
  }

  #read(): StoredEvent[] {
    const text = this.#text();
    const lines = text.slice(0, text.lastIndexOf('\n') + 1).split('\n');
    return lines.flatMap((line, index) => (line === '' ? [] : [this.#parse(line, index + 1)]));
  }

  #parse(line: string, number: number): StoredEvent {
    try {
      const event = JSON.parse(line) as StoredEvent;
      if (typeof event.type === 'string' && typeof event.data === 'object') return event;
    } catch {
      // Said below, with the place.
    }
    throw new EngineError({
      code: 'StorageFailed',
      message: `Line ${number} of ${this.file} is no event of the schedule.`,
      remedy: 'Move the file away and set the schedule again.',
      details: { file: this.file, line: number }
    });
  }

  #text(): string {
    return existsSync(this.file) ? readFileSync(this.file, 'utf8') : '';
  }

  /** Bytes up to the end of the last whole line. */
  #wholeLength(): number {
    const text = this.#text();
    return Buffer.byteLength(text.slice(0, text.lastIndexOf('\n') + 1));
  }

  #write(position: number, text: string): void {
    mkdirSync(path.dirname(this.file), { recursive: true, mode: 0o700 });
    const descriptor = openSync(this.file, existsSync(this.file) ? 'r+' : 'wx+', 0o600);
    try {
      ftruncateSync(descriptor, position);
      writeSync(descriptor, text, position);
      fsyncSync(descriptor);
    } finally {
      closeSync(descriptor);
    }
  }

  #compact(): void {
    const events = this.#read();
    const kept = [CONFIGURATION, QUIET_HOURS].flatMap(
      (kind) => events.findLast(({ type }) => type === kind) ?? []
    );
    const temporary = `${this.file}.tmp`;
    const descriptor = openSync(temporary, 'w', 0o600);
    try {
      writeSync(descriptor, kept.map((event) => `${JSON.stringify(event)}\n`).join(''));
      fsyncSync(descriptor);
    } finally {
      closeSync(descriptor);
    }
    renameSync(temporary, this.file);
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
        remedy: 'Free space or restore the rights; it goes on by itself then.',
        details: { file: this.file },
        cause: error
      });
      return Promise.reject(failure);
    }
  }
}
