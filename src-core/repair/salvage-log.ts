/**
 * A walk over what reads as records in a whole log, past damaged records, unreadable headers and missing chunks.
 * Where opening refuses a file, its records are read under its name's number all the same; which of several versions
 * serves is decided by which of them can be read. Never changes anything.
 *
 * The writer checkpoint ends the walk where it agrees with the other checkpoints; otherwise the last unbroken chain
 * of records does.
 */
import type { Chunk } from '../chunks/chunk.ts';
import { decodeChunkFileName } from '../chunks/chunk-file-name.ts';
import type { Database } from '../database/database.ts';
import type { LogRecord } from '../records/log-record.ts';
import { entriesIn } from '../storage/directory-entries.ts';
import type { FileSystem } from '../storage/file-system.ts';
import { assumeChunk, withWholeArea, type AssumedChunk } from './assumed-chunk.ts';
import { SalvageChunk, type SkippedRange } from './salvage-chunk.ts';

interface Place {
  /** Log positions, half-open. */
  start: number;
  end: number;
  /** undefined where no file holds this range. */
  chunk: Chunk | undefined;
  /** Physical offset up to which records must lie, by the footer; undefined without one. */
  dataEnd: number | undefined;
}

export class SalvageLog {
  readonly from: number;
  /** Infinity when no checkpoint can be trusted. */
  #to: number;
  readonly #requestedTo: number;
  readonly #database: Database;
  readonly #places: Place[];
  /** Records must lie below; behind it only an unbroken chain counts. */
  readonly #known: number;
  #at = 0;
  #walk: SalvageChunk | undefined;
  /** Set when `next` answers `skipped`. */
  skipped: SkippedRange | undefined;

  constructor(database: Database, range: { from?: number | undefined; to?: number | undefined } = {}) {
    this.#database = database;
    const { writer, chaser } = database.checkpoints;
    const { end } = database.log;
    const isTrusted = isWriterTrusted(database);
    this.#known = isTrusted ? end : Math.max(writer ?? 0, chaser ?? 0);
    this.from = range.from ?? 0;
    this.#requestedTo = range.to ?? Infinity;
    this.#to = Math.min(this.#requestedTo, isTrusted ? end : Infinity);
    this.#places = placesOf(database, { isTrusted, known: this.#known });
  }

  /** Where the walk ends; Infinity when only the records can tell. */
  get to(): number {
    return this.#to;
  }

  /** Valid after `next` answered `record`, until the next call. */
  get record(): LogRecord {
    return this.#current().record;
  }

  get chunk(): Chunk {
    return this.#current().chunk;
  }

  get fileOffset(): number {
    return this.#current().fileOffset;
  }

  next(): 'record' | 'skipped' | 'end' {
    for (;;) {
      const place = this.#places[this.#at];
      if (!place || place.start >= this.#to) return 'end';
      if (!this.#walk && place.end <= this.from) {
        this.#at++;
        continue;
      }
      if (!place.chunk) {
        this.#at++;
        const last = Math.min(place.end, Math.max(this.#known, place.start));
        if (
          this.#skip({ file: fileNameAt(this.#database, place), from: place.start, to: last, why: MISSING })
        )
          return 'skipped';
        continue;
      }
      this.#walk ??= this.#enter(place, place.chunk);
      const before = this.#walk.position;
      const found = this.#walk.next();
      if (found === 'end') {
        const { chunk, position, isFooterWrong } = this.#walk;
        this.#walk = undefined;
        this.#at++;
        const isOpen = place.dataEnd === undefined || isFooterWrong;
        if (isOpen && this.#skipCutEnd(place, chunk, position)) return 'skipped';
        continue;
      }
      if (found === 'skipped') {
        if (this.#walk.skipped && this.#skip(this.#walk.skipped)) return 'skipped';
        continue;
      }
      const { position } = this.#walk.record;
      // A checkpoint within a record says nothing: the walk continues as far as the chain of records does.
      if (position >= this.#to && before > this.#to && this.#to < this.#requestedTo)
        this.#to = this.#requestedTo;
      if (position >= this.#to) {
        this.close();
        return 'end';
      }
      if (position >= this.from) return 'record';
    }
  }

  close(): void {
    this.#walk?.close();
    this.#walk = undefined;
    this.#at = this.#places.length;
  }

  #current(): SalvageChunk {
    if (!this.#walk) throw new RangeError('The walk stands on no record.');
    return this.#walk;
  }

  #enter(place: Place, chunk: Chunk): SalvageChunk {
    const searchEnd = place.dataEnd ?? Math.max(0, this.#known - place.start);
    const isEndOfFooter = place.dataEnd !== undefined;
    return new SalvageChunk({ fileSystem: this.#database.fileSystem, chunk, searchEnd, isEndOfFooter });
  }

  /** The file is shorter than the checkpoints say, and no footer says that it should be. */
  #skipCutEnd({ end }: Place, chunk: Chunk, position: number): boolean {
    const to = Math.min(end, this.#known);
    if (chunk.startPosition + chunk.fileSize - chunk.dataStart >= to) return false;
    return this.#skip({
      file: chunk.fileName,
      from: position,
      to,
      why: `the file ends after ${chunk.fileSize} bytes`
    });
  }

  /** False when nothing of the range was asked for. */
  #skip({ file, from, to, why }: SkippedRange): boolean {
    const first = Math.max(from, this.from);
    const last = Math.min(to, this.#to);
    if (first >= last) return false;
    this.skipped = { file, from: first, to: last, why };
    return true;
  }
}

const MISSING = 'this chunk has no file';

/** Checkpoints that contradict each other or the files say nothing about where the log ends. */
export function isWriterTrusted({ checkpoints, problems }: Database): boolean {
  const { writer, chaser } = checkpoints;
  if (writer === null || writer < (chaser ?? 0)) return false;
  return !problems.some(
    ({ code, severity }) =>
      severity === 'damage' && (code === 'surplusChunk' || code === 'writerCheckpointBeyondEnd')
  );
}

function fileNameAt({ log }: Database, { start }: Place): string {
  return `chunk-${String(Math.floor(start / log.chunkSizeBytes)).padStart(6, '0')}`;
}

function placesOf(database: Database, { isTrusted, known }: { isTrusted: boolean; known: number }): Place[] {
  const { chunkSet, fileSystem, log } = database;
  const { directory, chunkSizeBytes } = chunkSet;
  const versions = new Map<number, string[]>();
  for (const { name, isDirectory } of entriesIn(fileSystem, directory)) {
    const decoded = isDirectory ? undefined : decodeChunkFileName(name);
    if (!decoded) continue;
    const names = versions.get(decoded.chunkNumber) ?? [];
    names.push(name);
    versions.set(decoded.chunkNumber, names);
  }
  const byNumber = new Map(chunkSet.chunks.map((chunk) => [chunk.startNumber, chunk]));
  const last = Math.floor(log.end / chunkSizeBytes);
  const assume = (fileName: string) => assumeChunk({ fileSystem, directory, fileName, chunkSizeBytes });
  const places: Place[] = [];
  let covered = 0;
  const missingUpTo = (number: number) => {
    if (number <= covered) return;
    const start = covered * chunkSizeBytes;
    places.push({ start, end: number * chunkSizeBytes, chunk: undefined, dataEnd: undefined });
    covered = number;
  };
  for (const number of [...versions.keys()].sort((a, b) => a - b)) {
    if (number < covered || (isTrusted && number > last)) continue;
    const opened = byNumber.get(number);
    // Of the chunk being written the checkpoint may be what is wrong: its records are taken for themselves.
    const found: AssumedChunk | undefined =
      opened?.isCompleted && !opened.isActive
        ? { chunk: withWholeArea(opened), dataEnd: opened.dataSize }
        : readable(fileSystem, versions.get(number)!.sort().reverse().map(assume), opened?.isActive);
    if (!found) continue;
    missingUpTo(number);
    const { chunk, dataEnd } = found;
    covered = chunk.endNumber + 1;
    places.push({ start: chunk.startPosition, end: chunk.endPosition, chunk, dataEnd });
  }
  missingUpTo(Math.ceil(known / chunkSizeBytes));
  return places;
}

/** The newest version whose first record reads; the newest of all when none does. */
function readable(
  fileSystem: FileSystem,
  candidates: (AssumedChunk | undefined)[],
  isActive = false
): AssumedChunk | undefined {
  const chunks = candidates.filter((candidate) => candidate !== undefined);
  const beginsWell = chunks.find(({ chunk }) => {
    const walk = new SalvageChunk({ fileSystem, chunk, searchEnd: 0 });
    try {
      return walk.next() === 'record';
    } finally {
      walk.close();
    }
  });
  const chosen = beginsWell ?? chunks[0];
  // An old footer may lie behind the records of a chunk that is being written; it means nothing.
  return chosen && isActive ? { chunk: chosen.chunk, dataEnd: undefined } : chosen;
}
