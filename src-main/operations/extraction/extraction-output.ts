/**
 * The files of an extraction. Each grows under the name of an unfinished one and gets its own when it is whole and on the
 * disk; what is there already is replaced at that moment and not before. Cut anywhere, the next extraction with the same
 * question continues at the last state that was written, and its result is the same.
 *
 * Order at the end of a file: its bytes, the state that says it is whole, its name, the directory. At the end of a part of a
 * directory: its bytes, its name, the directory, the state that counts it; a part that has its name and is not counted is
 * taken back as the unfinished one.
 */
import path from 'node:path';
import { EngineError, replaceFile, type FileSystem } from '../../../src-core/index.ts';
import type { PartReport } from '../../contract/operations/extraction-reports.ts';
import type { EventValues } from './event-values.ts';
import type { ExtractionState } from './extraction-state.ts';
import { writeState } from './extraction-state.ts';
import { OutputFile } from './output-file.ts';
import { MANIFEST, UNFINISHED, type OutputPlace } from './output-place.ts';
import type { RowFormat, RowWriter } from './row-writer.ts';

export interface ExtractionOutputParts {
  fileSystem: FileSystem;
  place: OutputPlace;
  format: RowFormat;
  /** Kept up to date by the caller but for `parts` and `current`. */
  state: ExtractionState;
  partBytes: number;
  checkpointBytes: number;
  groupRows: number;
}

export class ExtractionOutput {
  readonly #parts: ExtractionOutputParts;
  readonly #state: ExtractionState;
  #file: OutputFile | undefined;
  #writer: RowWriter | undefined;
  /** Of rows, as far as they are known before they are encoded: since the last state, and of the part. */
  #sinceState = 0;
  #ofPart = 0;
  #events = 0;

  constructor(parts: ExtractionOutputParts) {
    this.#parts = parts;
    this.#state = parts.state;
  }

  /** Puts in order what an earlier run left. */
  begin(): void {
    const { fileSystem, place } = this.#parts;
    if (place.kind === 'directory' && !fileSystem.describe(place.path)) {
      fileSystem.makeDirectory(place.path);
      fileSystem.syncDirectory(path.dirname(place.path));
    }
    if (this.#state.isWhole) return;
    // Parts without a state beside them would be somebody else's.
    if (place.kind === 'directory') writeState(fileSystem, place.stateFile, this.#state);
    const unfinished = this.#pathOf(this.#unfinishedName);
    const named = this.#pathOf(this.#currentName);
    if (place.kind === 'directory' && !fileSystem.describe(unfinished) && fileSystem.describe(named)) {
      fileSystem.rename(named, unfinished);
      // Before it is cut to what the state counts: half a part must not come back under the name of a whole one.
      fileSystem.syncDirectory(place.directory);
    }
    const left = fileSystem.describe(unfinished);
    if (!left && this.#state.current.bytes > 0) throw missing(unfinished);
    if (place.kind === 'file' || left) this.#open();
  }

  /** Bytes of all files. */
  get length(): number {
    return this.#state.parts.reduce((sum, { bytes }) => sum + bytes, 0) + (this.#file?.length ?? 0);
  }

  add(event: EventValues): void {
    if (!this.#writer) this.#open();
    this.#writer!.add(event);
    this.#events++;
    const bytes = roughBytes(event);
    this.#sinceState += bytes;
    this.#ofPart += bytes;
  }

  /** Enough has been written since the last state. */
  get isCheckpointDue(): boolean {
    const { checkpointBytes, format } = this.#parts;
    const least = Math.max(checkpointBytes, this.#ofPart * format.leftShare);
    return this.#sinceState >= least && this.#writer?.canBeLeft === true;
  }

  /** A directory gets its next part. */
  get isPartFull(): boolean {
    const { place, partBytes } = this.#parts;
    return place.kind === 'directory' && this.#ofPart >= partBytes;
  }

  /** Everything up to the state's position is on the disk, and the next run begins there. */
  checkpoint(): void {
    const { fileSystem, place } = this.#parts;
    this.#writer?.settle();
    if (this.#writer && !this.#writer.canBeLeft) return;
    this.#file?.sync();
    this.#sinceState = 0;
    const bytes = this.#file?.length ?? 0;
    this.#state.current = { events: this.#events, bytes, rough: this.#ofPart, left: this.#writer?.left() };
    writeState(fileSystem, place.stateFile, this.#state);
  }

  endPart(): void {
    const { fileSystem, place } = this.#parts;
    const part = this.#endFile();
    if (!part) return;
    fileSystem.rename(this.#pathOf(this.#unfinishedName), this.#pathOf(part.file));
    fileSystem.syncDirectory(place.directory);
    this.#count(part);
    writeState(fileSystem, place.stateFile, this.#state);
  }

  /** Afterwards everything is in place and no state is left. */
  finish(manifest: object): void {
    const { fileSystem, place } = this.#parts;
    if (place.kind === 'directory') {
      this.endPart();
      replaceFile(fileSystem, {
        directory: place.directory,
        name: MANIFEST,
        temporaryName: `${MANIFEST}.tmp`,
        bytes: Buffer.from(`${JSON.stringify({ ...manifest, files: this.#state.parts }, null, 2)}\n`, 'utf8')
      });
    } else {
      const part = this.#endFile();
      if (part) {
        this.#count(part);
        this.#state.isWhole = true;
        writeState(fileSystem, place.stateFile, this.#state);
      }
      const unfinished = `${place.path}${UNFINISHED}`;
      // A run that was cut here has given it its name already.
      if (fileSystem.describe(unfinished)) fileSystem.rename(unfinished, place.path);
      fileSystem.syncDirectory(place.directory);
    }
    fileSystem.remove(place.stateFile);
    fileSystem.syncDirectory(place.directory);
  }

  /** Closes what is open; what is on the disk stays for the next run. */
  close(): void {
    this.#file?.close();
    this.#file = undefined;
    this.#writer = undefined;
  }

  #open(): void {
    const { fileSystem, format, place, groupRows } = this.#parts;
    const { events, bytes, rough, left } = this.#state.current;
    const file = new OutputFile(fileSystem, this.#pathOf(this.#unfinishedName), bytes);
    // Before anything else may fail: its lock ends with `close`, not with the process alone.
    this.#file = file;
    // A state that counts what is in the file must never be there without it.
    fileSystem.syncDirectory(place.directory);
    this.#sinceState = 0;
    this.#ofPart = rough;
    this.#events = events;
    const sink = (block: Uint8Array): void => file.write(block);
    this.#writer = format.open(sink, { groupRows }, bytes > 0 ? { bytes, left } : undefined);
  }

  #endFile(): PartReport | undefined {
    const file = this.#file;
    if (!file) return undefined;
    this.#writer?.finish();
    file.sync();
    const part = {
      file: this.#currentName,
      events: this.#events,
      bytes: file.length,
      sha256: file.digest()
    };
    this.close();
    return part;
  }

  #count(part: PartReport): void {
    this.#state.parts.push(part);
    this.#state.current = { events: 0, bytes: 0, rough: 0 };
    this.#events = 0;
  }

  get #currentName(): string {
    return this.#parts.place.partName(this.#state.parts.length);
  }

  get #unfinishedName(): string {
    return `${this.#currentName}${UNFINISHED}`;
  }

  #pathOf(name: string): string {
    return path.join(this.#parts.place.directory, name);
  }
}

function missing(file: string): EngineError {
  return new EngineError({
    code: 'InvalidRequest',
    message: `${file}, which an unfinished extraction had begun, is gone.`,
    remedy: 'Begin again with --start-afresh.',
    details: { field: '--to', file }
  });
}

/** What a row takes without its payloads, about. */
const ROW_BYTES = 200;

function roughBytes({ data, metadata, stream, eventType }: EventValues): number {
  return ROW_BYTES + data.text.length + (metadata?.text.length ?? 0) + stream.length + eventType.length;
}
