/**
 * Walks the records of one side by their frames alone: length before and after, and the position that each record
 * carries. Nothing of a record is decoded, so that a walk costs little more than reading. Where no record is found the
 * walk tells of a hole and continues at the next bytes that are a record of this place.
 *
 * The bytes of the current record, and of those before it since the last `next`, lie in `buffer`: a caller compares many
 * at once and calls `step` until it returns false.
 */
import { EngineError } from '../../errors.ts';
import { readInt64 } from '../../codec/int64.ts';
import type { OperationControl } from '../../database/operation-control.ts';
import { FRAME_LENGTH, LogRecord, MAX_RECORD_LENGTH } from '../../records/log-record.ts';
import type { DifferenceSide, Hole, OpenedChunk, SideChunk } from './difference-side.ts';

const WINDOW_BYTES = 1024 * 1024;
/** Length field, type and version lie before the position of a record. */
export const POSITION_IN_FRAME = 6;
/** What has to be there before a frame is looked at: up to the end of the position. */
const HEAD_BYTES = 14;
/** Payload of a system record without data: no record is shorter. */
const SHORTEST_RECORD = 32;
const HIGH = 2 ** 32;

export interface FrameWalkParts {
  side: DifferenceSide;
  control: OperationControl;
  /** Walked in this order; what lies between them is missing. */
  chunks: readonly SideChunk[];
  from: number;
  /** Exclusive: records that begin here or later are not seen. */
  to: number;
  onHole: (hole: Hole) => void;
  /** Hears of each read. */
  onBytes: (count: number) => void;
}

export class FrameWalk {
  buffer: Buffer = Buffer.allocUnsafe(WINDOW_BYTES);
  view: DataView = viewOf(this.buffer);
  /** Of the current record; Infinity at the end. */
  position = -1;
  /** Of the current record with both length fields. */
  framedLength = 0;
  /** Where its frame begins in `buffer`. */
  at = 0;
  readonly #parts: FrameWalkParts;
  /** Those that the other side has not passed yet. */
  #holes: Hole[] = [];
  #index = 0;
  #opened: OpenedChunk | undefined;
  /** Everything before this is walked, or a hole. */
  #walkedTo: number;
  /** In the buffer. */
  #nextAt = 0;
  #bufferLength = 0;
  /** Physical offset of the first byte in the buffer. */
  #bufferStart = 0;
  /** Of the open chunk. */
  #start = 0;
  #end = 0;
  #isScavenged = false;
  #lastPosition = -1;

  constructor(parts: FrameWalkParts) {
    this.#parts = parts;
    this.#walkedTo = parts.from;
  }

  /** Name of the file of the current record. */
  get fileName(): string {
    return this.#parts.chunks[this.#index]?.fileName ?? '';
  }

  /** Offset in its file of the frame that lies at `at` in the buffer. */
  fileOffsetOf(at: number): number {
    return (this.#opened?.chunk.dataStart ?? 0) + this.#bufferStart + at;
  }

  /** Moves to the next record if it lies in the buffer and is sound; changes nothing otherwise. */
  step(): boolean {
    const at = this.#nextAt;
    if (at + HEAD_BYTES > this.#bufferLength) return false;
    const { view } = this;
    const length = view.getInt32(at, true);
    const framedLength = length + FRAME_LENGTH;
    const end = at + framedLength;
    if (length < SHORTEST_RECORD || length > MAX_RECORD_LENGTH || end > this.#bufferLength) return false;
    if (view.getInt32(end - 4, true) !== length) return false;
    const position = view.getUint32(at + POSITION_IN_FRAME, true) + view.getInt32(at + 10, true) * HIGH;
    const expected = this.#start + this.#bufferStart + at;
    const isInPlace = this.#isScavenged
      ? position >= expected && position > this.#lastPosition && position < this.#end
      : position === expected;
    if (!isInPlace || position >= this.#parts.to) return false;
    this.at = at;
    this.position = position;
    this.framedLength = framedLength;
    this.#lastPosition = position;
    this.#nextAt = end;
    return true;
  }

  /** Moves to the next record, reading what is needed. Bytes of earlier records are gone from the buffer. */
  async next(): Promise<void> {
    if (this.step()) return;
    this.#forgetPassedHoles();
    for (;;) {
      if (!this.#opened && !(await this.#openNext())) {
        this.position = Infinity;
        return;
      }
      if (!this.#opened) continue;
      const physical = this.#bufferStart + this.#nextAt;
      if (physical >= this.#opened.chunk.dataSize || this.#isBehindWalkAt(physical)) this.#closeChunk();
      else if (this.step()) return;
      else await this.#skipDamage(physical);
      if (this.#parts.control.isDue) await this.#parts.control.breathe();
    }
  }

  close(): void {
    this.#opened?.close();
    this.#opened = undefined;
  }

  /** The hole of this side in which a record of the other lies. */
  holeAt(position: number): Hole | undefined {
    return this.#holes.find(({ from, to }) => position >= from && position < to);
  }

  #forgetPassedHoles(): void {
    if (this.#holes.length > 0) this.#holes = this.#holes.filter(({ to }) => to > this.position);
  }

  /** Reads on. True when the record there, and so every later one, begins behind the walk. */
  #isBehindWalkAt(physical: number): boolean {
    const left = this.#opened!.chunk.dataSize - physical;
    this.#load(physical, WINDOW_BYTES);
    const length = this.#bufferLength >= HEAD_BYTES ? this.view.getInt32(0, true) : 0;
    const framedLength = length + FRAME_LENGTH;
    const isPossible = length >= SHORTEST_RECORD && length <= MAX_RECORD_LENGTH && framedLength <= left;
    if (!isPossible || !this.#mayBelongHere(physical, 0)) return false;
    if (framedLength > this.#bufferLength) this.#load(physical, framedLength);
    if (readInt64(this.view, POSITION_IN_FRAME) < this.#parts.to) return false;
    return framedLength <= this.#bufferLength && this.view.getInt32(framedLength - 4, true) === length;
  }

  #mayBelongHere(physical: number, at: number): boolean {
    const position = readInt64(this.view, at + POSITION_IN_FRAME);
    const expected = this.#start + physical;
    return this.#isScavenged ? position >= expected && position < this.#end : position === expected;
  }

  /** Tells of the hole that begins at a physical offset, and moves behind it. */
  async #skipDamage(physical: number): Promise<void> {
    const { chunk } = this.#opened!;
    const from = this.#isScavenged
      ? Math.max(this.#lastPosition + 1, this.#start + physical)
      : this.#start + physical;
    const found = await this.#findFrame(physical + 1);
    this.#tell({
      from,
      to: Math.min(found?.position ?? this.#end, this.#parts.to),
      kind: 'damaged',
      fileName: chunk.fileName,
      fileOffset: chunk.dataStart + physical,
      because:
        chunk.dataStart + physical >= chunk.fileSize
          ? `${chunk.fileName} ends before its data does.`
          : `${chunk.fileName} has no record at offset ${chunk.dataStart + physical}, where one should be.`
    });
    this.#bufferStart = found?.physical ?? chunk.dataSize;
    this.#bufferLength = 0;
    this.#nextAt = 0;
  }

  /** The next place where bytes are a record of just this place. */
  async #findFrame(from: number): Promise<{ physical: number; position: number } | undefined> {
    const { chunk, file } = this.#opened!;
    const record = new LogRecord();
    for (let physical = from; physical + HEAD_BYTES <= chunk.dataSize;) {
      this.#load(physical, WINDOW_BYTES);
      if (this.#bufferLength < HEAD_BYTES) return undefined;
      const last = this.#bufferLength - HEAD_BYTES;
      for (let at = 0; at <= last; at++) {
        const length = this.view.getInt32(at, true);
        if (length < SHORTEST_RECORD || length > MAX_RECORD_LENGTH) continue;
        const framedLength = length + FRAME_LENGTH;
        if (physical + at + framedLength > chunk.dataSize || !this.#mayBelongHere(physical + at, at))
          continue;
        const position = readInt64(this.view, at + POSITION_IN_FRAME);
        if (position <= this.#lastPosition) continue;
        const frame = Buffer.allocUnsafe(framedLength);
        const count = file.read(frame, 0, framedLength, chunk.dataStart + physical + at);
        if (count < framedLength || frame.readInt32LE(framedLength - 4) !== length) continue;
        // Bytes of a payload may look like a frame; like a whole record only if somebody has put one there.
        if (record.parse(frame, viewOf(frame), 4, length) !== undefined) continue;
        return { physical: physical + at, position };
      }
      physical += last + 1;
      await this.#parts.control.breathe();
    }
    return undefined;
  }

  async #openNext(): Promise<boolean> {
    const { chunks, side, to } = this.#parts;
    const next = chunks[this.#index];
    const size = side.chunkSizeBytes;
    const start = next ? next.startNumber * size : to;
    if (start > this.#walkedTo) {
      const hole = missing(this.#walkedTo, Math.min(start, to), size);
      const because = side.whyMissing?.(this.#walkedTo) ?? hole.because;
      this.#tell({ ...hole, because, fileName: null, fileOffset: null });
      this.#walkedTo = start;
    }
    if (!next || start >= to) return false;
    this.#start = start;
    this.#end = (next.endNumber + 1) * size;
    this.#isScavenged = next.isScavenged;
    this.#lastPosition = -1;
    this.#bufferStart = 0;
    this.#bufferLength = 0;
    this.#nextAt = 0;
    try {
      this.#opened = await side.open(next);
    } catch (error) {
      const kind = kindOf(error);
      if (!kind || !(error instanceof EngineError)) throw error;
      this.#tell({
        from: start,
        to: Math.min(this.#end, to),
        kind,
        fileName: next.fileName,
        fileOffset: null,
        because: error.message
      });
      this.#walkedTo = this.#end;
      this.#index++;
    }
    return true;
  }

  #closeChunk(): void {
    this.close();
    this.#walkedTo = this.#end;
    this.#index++;
    this.#bufferLength = 0;
    this.#nextAt = 0;
  }

  #load(physical: number, wanted: number): void {
    const { chunk, file } = this.#opened!;
    const length = Math.min(wanted, chunk.dataSize - physical);
    if (this.buffer.length < length) {
      this.buffer = Buffer.allocUnsafe(length);
      this.view = viewOf(this.buffer);
    }
    this.#bufferLength = file.read(this.buffer, 0, length, chunk.dataStart + physical);
    this.#bufferStart = physical;
    this.#nextAt = 0;
    this.#parts.onBytes(this.#bufferLength);
  }

  #tell(hole: Hole): void {
    if (hole.to <= hole.from) return;
    this.#holes.push(hole);
    this.#parts.onHole(hole);
  }
}

function missing(from: number, to: number, chunkSizeBytes: number) {
  const first = Math.floor(from / chunkSizeBytes);
  const last = Math.ceil(to / chunkSizeBytes) - 1;
  const which = last > first ? `chunks ${first} to ${last}` : `chunk ${first}`;
  return { from, to, kind: 'missing' as const, because: `No file holds ${which}.` };
}

function kindOf(error: unknown): Hole['kind'] | undefined {
  if (!(error instanceof EngineError)) return undefined;
  if (error.code === 'LogCorrupt') return 'damaged';
  return error.code === 'UnsupportedFormat' ? 'encrypted' : undefined;
}

function viewOf(buffer: Buffer): DataView {
  return new DataView(buffer.buffer, buffer.byteOffset, buffer.length);
}
