/**
 * Looks through one file, once, from the first byte to the last: its hash, every name and id that was asked for, and
 * what could not be understood. Nothing is written, nothing is kept of the file.
 */
import { createHash } from 'node:crypto';
import { CHUNK_FOOTER_LENGTH, decodeChunkFooter } from '../../chunks/chunk-footer.ts';
import { CHUNK_HEADER_LENGTH, decodeChunkHeader, transformName } from '../../chunks/chunk-header.ts';
import type { OperationControl } from '../../database/operation-control.ts';
import { requireFault } from '../../errors.ts';
import type { LogRecord } from '../../records/log-record.ts';
import { parseStreamMetadata } from '../../records/stream-metadata.ts';
import { DELETED_STREAM_EVENT_NUMBER } from '../../units/event-number.ts';
import { ChunkScan, type ByteSpan } from './chunk-scan.ts';
import { classifyRecord } from './classify-record.ts';
import type { ErasureFile, FileForm } from './erasure-file.ts';
import { isNameOf, patternsOf, type Pattern, type Subject } from './erasure-question.ts';
import type { Found, FoundWhat, PlaceKind } from './place.ts';
import { RawScan } from './raw-scan.ts';
import { firstNonZero, PatternSearch, type Hit } from './search-bytes.ts';
import type { StreamDeletions } from './stream-deletions.ts';
import { EntryScan, type WantedHashes } from './table-scan.ts';

export interface Search {
  subjects: readonly Subject[];
  all: PatternSearch;
  /** Without short ones: for files of numbers, in which those occur at random. */
  long: PatternSearch;
}

export function searchFor(subjects: readonly Subject[]): Search {
  const patterns = patternsOf(subjects);
  const long = patterns.filter(({ bytes }) => bytes.length >= SHORTEST_IN_NUMBERS);
  return { subjects, all: new PatternSearch(patterns), long: new PatternSearch(long) };
}

/** Whose hash an entry has, as far as it is that stream's; see entry-owners.ts. */
export interface EntryOwners {
  readonly highs: ReadonlySet<number>;
  /** Indexes of the subjects. */
  ownersOf(entry: { hashHigh: number; hashLow: number; position: number }): readonly number[];
}

export interface ExaminedFile {
  sha256: string;
  bytes: number;
  form: FileForm;
  /** By subject. */
  found: Map<number, Found[]>;
  /** Names of streams of the categories asked for, by subject. */
  names: Map<number, Set<string>>;
  /** Why something in the file was not examined. */
  gaps: string[];
  /** Why it was not read to its end; the hash is then not that of the file. */
  failure: string | undefined;
}

/** In files of numbers a short name occurs at random. */
const SHORTEST_IN_NUMBERS = 8;
/** Holds the footer of a chunk and the zeros before it. */
const TAIL_BYTES = 8192;
const SQLITE_MAGIC = 'SQLite format 3\0';

export interface ExamineFile {
  file: ErasureFile;
  search: Search;
  owners: EntryOwners;
  /** By subject: hear of what the log says. */
  deletions: readonly StreamDeletions[];
  control: OperationControl;
  onBytes: (count: number) => void;
}

export async function examineFile(options: ExamineFile): Promise<ExaminedFile> {
  const examination = new Examination(options);
  try {
    for await (const block of options.file.blocks()) {
      examination.take(block);
      options.onBytes(block.length);
      if (options.control.isDue) await options.control.breathe();
    }
  } catch (error) {
    // A file that cannot be read or decoded to its end is named; what was found in it until then counts.
    requireFault(error);
    return { ...examination.end(), failure: error.message };
  }
  return { ...examination.end(), failure: undefined };
}

class Examination {
  readonly #options: ExamineFile;
  readonly #hash = createHash('sha256');
  readonly #result: Pick<ExaminedFile, 'found' | 'names' | 'gaps'> = {
    found: new Map(),
    names: new Map(),
    gaps: []
  };
  #form: FileForm;
  #bytes = 0;
  #tail: Buffer = Buffer.alloc(0);
  #chunk: ChunkScan | undefined;
  #raw: RawScan | undefined;
  #entries: EntryScan | undefined;
  /** Short patterns outside of records, until it is known what lies there. */
  readonly #shortBytes: { pattern: Pattern; offset: number }[] = [];

  constructor(options: ExamineFile) {
    this.#options = options;
    this.#form = options.file.form;
  }

  take(block: Uint8Array): void {
    if (block.length === 0) return;
    if (this.#bytes === 0) this.#begin(Buffer.from(block.buffer, block.byteOffset, block.length));
    this.#hash.update(block);
    this.#bytes += block.length;
    // A separate copy: the reader reuses the block.
    this.#tail = Buffer.from(Buffer.concat([this.#tail, block.subarray(-TAIL_BYTES)]).subarray(-TAIL_BYTES));
    this.#chunk?.feed(block);
    this.#raw?.feed(block);
    this.#entries?.feed(block);
  }

  end(): Omit<ExaminedFile, 'failure'> {
    this.#chunk?.finish();
    this.#raw?.finish();
    this.#entries?.finish();
    if (this.#chunk) this.#endChunk(this.#chunk);
    const problem = this.#bytes === 0 ? undefined : this.#entries?.problem;
    if (problem !== undefined) this.#result.gaps.push(`It cannot be read as an index table: ${problem}.`);
    return { sha256: this.#hash.digest('hex'), bytes: this.#bytes, form: this.#form, ...this.#result };
  }

  #begin(first: Buffer): void {
    const { file, search, owners } = this.#options;
    if (this.#form === 'unknown') this.#form = formOf(file.name, first);
    if (this.#form === 'chunk') {
      const header = decodeChunkHeader(first.subarray(0, CHUNK_HEADER_LENGTH));
      const transform = typeof header === 'string' ? undefined : transformName(header);
      if (transform !== undefined) this.#result.gaps.push(`Its records are encrypted (${transform}).`);
      this.#chunk = new ChunkScan(search.all, {
        onRecord: (record, hits, offset) => this.#onRecord(record, hits, offset),
        onBytes: (pattern, offset) => this.#shortBytes.push({ pattern, offset })
      });
      return;
    }
    const isNumbers = this.#form === 'table' || this.#form === 'numbers';
    this.#raw = new RawScan({
      subjects: search.subjects,
      search: isNumbers ? search.long : search.all,
      isState: this.#form === 'state',
      onFound: (subject, offset, isCell) => this.#add(subject, isCell ? 'name' : 'bytes', offset)
    });
    if (this.#form === 'table') {
      const hashes: WantedHashes = {
        highs: owners.highs,
        onEntry: (entry) => {
          for (const subject of owners.ownersOf(entry)) this.#add(subject, 'indexEntry', entry.offset);
        }
      };
      this.#entries = new EntryScan(file.bytes, hashes);
    }
  }

  #onRecord(record: LogRecord, hits: readonly Hit[], offset: number): void {
    const { subjects } = this.#options.search;
    for (const subject of new Set(hits.map(({ pattern }) => pattern.subject))) {
      const asked = subjects[subject]!;
      const own = hits.filter(({ pattern }) => pattern.subject === subject);
      const what = classifyRecord(record, asked, own);
      if (what === undefined) continue;
      this.#add(subject, what, offset);
      if (record.kind !== 'prepare') continue;
      if (asked.asked !== 'event' && this.#kindAt(offset) === 'log')
        this.#noteDeletion(subject, what, record);
      if (asked.asked === 'category') this.#noteName(subject, asked, record.stream);
    }
  }

  #noteDeletion(subject: number, what: FoundWhat, { stream, data, version }: LogRecord): void {
    const deletions = this.#options.deletions[subject]!;
    if (what === 'tombstone') deletions.note(stream, 'hard');
    else if (what === 'event' || what === 'redacted') deletions.noteEvent(stream);
    else if (what === 'metadata') {
      const { truncateBefore } = parseStreamMetadata(data, { recordVersion: version });
      const isSoft = truncateBefore !== null && Number(truncateBefore) >= DELETED_STREAM_EVENT_NUMBER;
      deletions.note(stream.slice(2), isSoft ? 'soft' : 'none');
    }
  }

  #noteName(subject: number, asked: Subject, stream: string): void {
    const name = stream.startsWith('$$') ? stream.slice(2) : stream;
    if (!isNameOf(asked, name)) return;
    const names = this.#result.names.get(subject);
    if (names) names.add(name);
    else this.#result.names.set(subject, new Set([name]));
  }

  #endChunk(chunk: ChunkScan): void {
    const known = this.#knownSpans(chunk.recordsEnd);
    for (const { pattern, offset } of this.#shortBytes) {
      const isByChance =
        pattern.bytes.length < SHORTEST_IN_NUMBERS &&
        known.some(({ from, end }) => offset >= from && offset < end);
      if (!isByChance) this.#add(pattern.subject, 'bytes', offset);
    }
    const rest = chunk.unclaimed
      .flatMap((span) => without(span, known))
      .filter((span) => !this.#isZeros(span));
    if (rest.length === 0) return;
    const bytes = rest.reduce((sum, { from, end }) => sum + end - from, 0);
    this.#result.gaps.push(
      `${bytes} bytes from offset ${rest[0]!.from} on belong to no complete record; they may be the remains of any event.`
    );
  }

  /** Map and footer of a completed chunk: numbers, whatever they are. */
  #knownSpans(recordsEnd: number): ByteSpan[] {
    if (this.#bytes < CHUNK_HEADER_LENGTH + CHUNK_FOOTER_LENGTH) return [];
    const footer = decodeChunkFooter(this.#tail.subarray(-CHUNK_FOOTER_LENGTH));
    if (typeof footer === 'string' || !footer.isCompleted) return [];
    const dataEnd = CHUNK_HEADER_LENGTH + footer.physicalDataSize;
    if (dataEnd !== recordsEnd) return [];
    return [
      { from: dataEnd, end: dataEnd + footer.mapSize },
      { from: this.#bytes - CHUNK_FOOTER_LENGTH, end: this.#bytes }
    ];
  }

  /** What was left between map and footer, where it is near the end. */
  #isZeros({ from, end }: ByteSpan): boolean {
    const tailStart = this.#bytes - this.#tail.length;
    if (from < tailStart) return false;
    return firstNonZero(this.#tail, from - tailStart, end - tailStart) === end - tailStart;
  }

  #kindAt(offset: number): PlaceKind {
    const { kind, dataEnd } = this.#options.file;
    return kind === 'log' && dataEnd !== undefined && offset >= dataEnd ? 'slack' : kind;
  }

  #add(subject: number, what: FoundWhat, offset: number): void {
    const kind = this.#kindAt(offset);
    let all = this.#result.found.get(subject);
    if (!all) this.#result.found.set(subject, (all = []));
    const same = all.find((found) => found.kind === kind && found.what === what);
    if (same) same.count++;
    else all.push({ kind, what, count: 1, firstOffset: offset });
  }
}

function formOf(name: string, first: Buffer): FileForm {
  if (first.toString('latin1', 0, SQLITE_MAGIC.length) === SQLITE_MAGIC || /-wal$/.test(name)) return 'state';
  if (typeof decodeChunkHeader(first.subarray(0, CHUNK_HEADER_LENGTH)) !== 'string') return 'chunk';
  return 'unknown';
}

/** What of a span lies outside of those known. */
function without(span: ByteSpan, known: readonly ByteSpan[]): ByteSpan[] {
  let rest = [span];
  for (const { from, end } of known) {
    rest = rest.flatMap((part) =>
      [
        { from: part.from, end: Math.min(part.end, from) },
        { from: Math.max(part.from, end), end: part.end }
      ].filter((piece) => piece.from < piece.end)
    );
  }
  return rest;
}
