/**
 * Goes through the bytes of a chunk file from the first to the last, whatever state the file is in, and tells which
 * whole records hold a pattern, which patterns lie outside of records, and which bytes belong to no record at all.
 * It trusts no footer and no checkpoint: records behind the end of the data are found like all others.
 *
 * A record is recognised by its frame: a length, a head that can be one, and the same length behind it. Memory: one
 * block and one record.
 */
import { CHUNK_HEADER_LENGTH, decodeChunkHeader } from '../../chunks/chunk-header.ts';
import { readInt64 } from '../../codec/int64.ts';
import { FRAME_LENGTH, LogRecord, MAX_RECORD_LENGTH } from '../../records/log-record.ts';
import type { Pattern } from './erasure-question.ts';
import { firstNonZero, lastNonZeroEnd, type Hit, type PatternSearch } from './search-bytes.ts';

/** Length, type, version and position of a record. */
const HEAD_LENGTH = 14;
const LAST_TYPE = 2;
const LAST_VERSION = 1;
/** Bytes without a record that are this close together are told of as one range. */
const JOIN_BYTES = 4096;

export interface ByteSpan {
  from: number;
  /** Exclusive. */
  end: number;
}

export interface ChunkScanListener {
  /** A whole record with patterns in it; valid during the call. `offset` is that of its first length field. */
  onRecord(record: LogRecord, hits: readonly Hit[], offset: number): void;
  /** A pattern outside of records. */
  onBytes(pattern: Pattern, offset: number): void;
}

export class ChunkScan {
  /** Bytes other than zero that belong to no record and not to the header, in order. */
  readonly unclaimed: ByteSpan[] = [];
  /** Offset behind the records that follow each other from the header on. */
  recordsEnd = CHUNK_HEADER_LENGTH;
  readonly #search: PatternSearch;
  readonly #longest: number;
  readonly #listener: ChunkScanListener;
  readonly #record = new LogRecord();
  #window: Buffer = Buffer.alloc(0);
  #view = viewOf(this.#window);
  /** Offset in the file of the window's first byte. */
  #base = 0;
  #isHeaderRead = false;
  #startPosition = 0;
  #endPosition = Number.MAX_SAFE_INTEGER;

  constructor(search: PatternSearch, listener: ChunkScanListener) {
    this.#search = search;
    this.#longest = Math.max(search.longest, HEAD_LENGTH);
    this.#listener = listener;
  }

  /** Takes the next bytes of the file. */
  feed(block: Uint8Array): void {
    this.#window = Buffer.concat([this.#window, block]);
    this.#process(false);
  }

  /** Signals the end of the bytes. */
  finish(): void {
    this.#process(true);
  }

  #process(isLast: boolean): void {
    const window = this.#window;
    this.#view = viewOf(window);
    let at = 0;
    if (!this.#isHeaderRead) {
      if (window.length < CHUNK_HEADER_LENGTH && !isLast) return;
      at = this.#readHeader();
    }
    const hits = this.#search.find(window, at);
    let next = 0;
    for (;;) {
      const length = this.#frameAt(at, isLast);
      if (length > 0) {
        const end = at + length + FRAME_LENGTH;
        const first = next;
        while (next < hits.length && hits[next]!.at < end) next++;
        if (next > first) this.#tellRecord(at, length, hits.slice(first, next));
        if (this.#base + at === this.recordsEnd) this.recordsEnd = this.#base + end;
        at = end;
        continue;
      }
      if (length < 0) break;
      const gapEnd = this.#gapEnd(at, isLast);
      for (; next < hits.length && hits[next]!.at < gapEnd; next++) {
        this.#listener.onBytes(hits[next]!.pattern, this.#base + hits[next]!.at);
      }
      this.#noteUnclaimed(at, gapEnd);
      // Nothing more can be told before the next block; what may be the begin of a pattern is kept.
      if (gapEnd === at || gapEnd >= window.length) {
        at = gapEnd;
        break;
      }
      at = gapEnd;
    }
    this.#window = window.subarray(at);
    this.#base += at;
  }

  /** Gives where the records begin. */
  #readHeader(): number {
    this.#isHeaderRead = true;
    const header = decodeChunkHeader(this.#window.subarray(0, CHUNK_HEADER_LENGTH));
    if (typeof header === 'string') return 0;
    this.#startPosition = header.startNumber * header.chunkSizeBytes;
    this.#endPosition = (header.endNumber + 1) * header.chunkSizeBytes;
    return CHUNK_HEADER_LENGTH;
  }

  /** Payload length of the record at `at`; 0: there is none; -1: more bytes are needed to tell. */
  #frameAt(at: number, isLast: boolean): number {
    const view = this.#view;
    const have = view.byteLength - at;
    if (have < HEAD_LENGTH) return isLast ? 0 : -1;
    if (!this.#isHead(at)) return 0;
    const length = view.getInt32(at, true);
    if (have < length + FRAME_LENGTH) return isLast ? 0 : -1;
    return view.getInt32(at + 4 + length, true) === length ? length : 0;
  }

  #isHead(at: number): boolean {
    const view = this.#view;
    const length = view.getInt32(at, true);
    if (length < HEAD_LENGTH || length > MAX_RECORD_LENGTH) return false;
    if (view.getUint8(at + 4) > LAST_TYPE || view.getUint8(at + 5) > LAST_VERSION) return false;
    const position = readInt64(view, at + 6);
    return position >= this.#startPosition && position < this.#endPosition;
  }

  /** Where the bytes without a record that begin at `at` end: at a head, or as far as can be told by now. */
  #gapEnd(at: number, isLast: boolean): number {
    const { length } = this.#window;
    const last = isLast ? length : length - this.#longest;
    let here = at + 1;
    while (here < last) {
      if (this.#window[here] === 0) {
        // The low byte of a length may be zero, the three that follow it are not all.
        const filled = firstNonZero(this.#window, here, last);
        here = Math.max(here, filled - 3);
        if (filled === last) break;
      }
      if (here + HEAD_LENGTH <= length && this.#isHead(here) && this.#frameAt(here, isLast) !== 0)
        return here;
      here++;
    }
    return isLast ? length : Math.max(at, last);
  }

  #tellRecord(at: number, length: number, hits: readonly Hit[]): void {
    if (this.#record.parse(this.#window, this.#view, at + 4, length) === undefined) {
      this.#listener.onRecord(this.#record, hits, this.#base + at);
      return;
    }
    for (const hit of hits) this.#listener.onBytes(hit.pattern, this.#base + hit.at);
  }

  #noteUnclaimed(from: number, end: number): void {
    const first = firstNonZero(this.#window, from, end);
    if (first === end) return;
    const span = { from: this.#base + first, end: this.#base + lastNonZeroEnd(this.#window, first, end) };
    const before = this.unclaimed.at(-1);
    if (before && span.from - before.end < JOIN_BYTES) before.end = span.end;
    else this.unclaimed.push(span);
  }
}

function viewOf(bytes: Buffer): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
}
