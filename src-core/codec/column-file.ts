/**
 * Columns as a file that is ours alone and can be made again: eight bytes that name the form, the length of the description
 * and its checksum, the description (JSON: what the file was made of, and each column with its length and checksum), then the
 * columns, each at a multiple of eight. Every byte is checked before any is used; what does not fit is no such file.
 */
import { crc32 } from 'node:zlib';

const FORM_BYTES = 8;
const FIXED_BYTES = 16;
const ALIGNMENT = 8;
const MOST_DESCRIPTION_BYTES = 2 ** 24;
const LONG_PIECE_BYTES = 2 ** 20;

export interface ColumnFile<Facts> {
  /** Eight characters; they change whenever what the file holds, or how, changes. */
  form: string;
  /** Of what the columns were made. */
  identity: string;
  /** Whatever else there is to know, as JSON. */
  facts: Facts;
}

interface Description<Facts> {
  identity: string;
  facts: Facts;
  columns: [bytes: number, sum: number][];
}

/** The whole file. */
export function encodeColumns<Facts>(
  file: ColumnFile<Facts>,
  columns: readonly ArrayBufferView[]
): Uint8Array {
  return Buffer.concat(columnPieces(file, columns));
}

/** The file in pieces that lie one behind the other: long columns are not copied. */
export function columnPieces<Facts>(
  { form, identity, facts }: ColumnFile<Facts>,
  columns: readonly ArrayBufferView[]
): Uint8Array[] {
  const parts = columns.map(bytesOf);
  const description: Description<Facts> = {
    identity,
    facts,
    columns: parts.map((bytes) => [bytes.length, crc32(bytes)])
  };
  const text = Buffer.from(JSON.stringify(description), 'utf8');
  const fixed = Buffer.alloc(FIXED_BYTES);
  fixed.write(form, 0, FORM_BYTES, 'latin1');
  fixed.writeUInt32LE(text.length, FORM_BYTES);
  fixed.writeUInt32LE(crc32(text), FORM_BYTES + 4);
  const paddingAfter = (length: number) => new Uint8Array(aligned(length) - length);
  return joinedShort([
    ...[fixed, text, paddingAfter(FIXED_BYTES + text.length)],
    ...parts.flatMap((bytes) => [bytes, paddingAfter(bytes.length)])
  ]);
}

/** Each piece is written by itself, so short neighbours become one. */
function joinedShort(pieces: readonly Uint8Array[]): Uint8Array[] {
  const joined: Uint8Array[] = [];
  let short: Uint8Array[] = [];
  const join = () => {
    if (short.length > 0) joined.push(Buffer.concat(short));
    short = [];
  };
  for (const piece of pieces) {
    if (piece.length >= LONG_PIECE_BYTES) {
      join();
      joined.push(piece);
    } else short.push(piece);
  }
  join();
  return joined;
}

export interface DecodedColumns<Facts> {
  facts: Facts;
  /** How many there are. */
  count: number;
  /** The columns from the first on, each once: they lie in the file. */
  next: ColumnsInTurn['next'];
}

interface ColumnOver<T> {
  new (buffer: ArrayBuffer, from: number, length: number): T;
  BYTES_PER_ELEMENT: number;
}

class ColumnsInTurn {
  readonly #buffer: ArrayBuffer;
  readonly #places: readonly { from: number; length: number }[];
  #at = 0;

  constructor(buffer: ArrayBuffer, places: readonly { from: number; length: number }[]) {
    this.#buffer = buffer;
    this.#places = places;
  }

  next<T>(Column: ColumnOver<T>): T {
    const { from, length } = this.#places[this.#at++]!;
    return new Column(this.#buffer, from, Math.floor(length / Column.BYTES_PER_ELEMENT));
  }
}

/** undefined unless `file` is whole, unchanged, of this form and made of just this. */
export function decodeColumns<Facts>(
  file: Uint8Array<ArrayBuffer>,
  { form, identity }: Pick<ColumnFile<Facts>, 'form' | 'identity'>
): DecodedColumns<Facts> | undefined {
  const description = describe<Facts>(file, form);
  if (description?.identity !== identity) return undefined;
  let at = firstColumn(file);
  if (at > file.length || !isEmpty(file.subarray(textEnd(file), at))) return undefined;
  const places: { from: number; length: number }[] = [];
  for (const [length, sum] of description.columns) {
    const end = at + length;
    if (end > file.length || crc32(file.subarray(at, end)) !== sum) return undefined;
    if (!isEmpty(file.subarray(end, aligned(end)))) return undefined;
    places.push({ from: file.byteOffset + at, length });
    at = aligned(end);
  }
  const columns = new ColumnsInTurn(file.buffer, places);
  return {
    facts: description.facts,
    count: places.length,
    next: (Column) => columns.next(Column)
  };
}

/**
 * One column, checked, without the others: undefined unless the file is of this form and made of just this. `read`: so many
 * bytes at a place, fewer at the end of the file.
 */
export function readColumn(
  read: ReadPart,
  made: Pick<ColumnFile<unknown>, 'form' | 'identity'>,
  number: number
): Uint8Array<ArrayBuffer> | undefined {
  const wanted = columnPlaces(read, made)?.[number];
  if (!wanted) return undefined;
  const column = read(wanted.from, wanted.length);
  return column.length === wanted.length && crc32(column) === wanted.sum ? column : undefined;
}

/** So many bytes at a place, fewer at the end of the file. */
export type ReadPart = (from: number, length: number) => Uint8Array<ArrayBuffer>;

/** Where a column lies in its file, and its checksum. */
export interface ColumnPlace {
  from: number;
  length: number;
  sum: number;
}

/** Of all columns; undefined unless the file is of this form and made of just this. */
export function columnPlaces(
  read: ReadPart,
  { form, identity }: Pick<ColumnFile<unknown>, 'form' | 'identity'>
): ColumnPlace[] | undefined {
  const fixed = read(0, FIXED_BYTES);
  if (fixed.length < FIXED_BYTES) return undefined;
  const textBytes = new DataView(fixed.buffer, fixed.byteOffset).getUint32(FORM_BYTES, true);
  if (textBytes > MOST_DESCRIPTION_BYTES) return undefined;
  const head = read(0, FIXED_BYTES + textBytes);
  const description = describe(head, form);
  if (description?.identity !== identity) return undefined;
  let at = firstColumn(head);
  return description.columns.map(([length, sum]) => {
    const from = at;
    at = aligned(from + length);
    return { from, length, sum };
  });
}

/** A column that is read a piece at a time. What it gave is to be believed once all of it was read and `isSound`. */
export class ColumnPieces {
  readonly #place: ColumnPlace;
  #done = 0;
  #sum = 0;

  constructor(place: ColumnPlace) {
    this.#place = place;
  }

  get length(): number {
    return this.#place.length;
  }

  /** The next `length` bytes; undefined where there are not so many. */
  next(read: ReadPart, length: number): Uint8Array<ArrayBuffer> | undefined {
    if (length < 0 || this.#done + length > this.length) return undefined;
    const bytes = read(this.#place.from + this.#done, length);
    if (bytes.length !== length) return undefined;
    this.#done += length;
    this.#sum = crc32(bytes, this.#sum);
    return bytes;
  }

  get isSound(): boolean {
    return this.#done === this.length && this.#sum === this.#place.sum;
  }
}

/** The size that the file must have, from its first bytes; undefined when they are not those of it. */
export function columnFileSize(
  head: Uint8Array<ArrayBuffer>,
  { form, identity }: Pick<ColumnFile<unknown>, 'form' | 'identity'>
): number | undefined {
  const description = describe(head, form);
  if (description?.identity !== identity) return undefined;
  return description.columns.reduce((end, [length]) => aligned(end + length), firstColumn(head));
}

/** The length of each column in bytes, from the first bytes of the file; undefined when they are not those of it. */
export function columnBytes(
  head: Uint8Array<ArrayBuffer>,
  { form, identity }: Pick<ColumnFile<unknown>, 'form' | 'identity'>
): number[] | undefined {
  const description = describe(head, form);
  return description?.identity === identity ? description.columns.map(([length]) => length) : undefined;
}

function describe<Facts>(file: Uint8Array<ArrayBuffer>, form: string): Description<Facts> | undefined {
  if (file.length < FIXED_BYTES || file.byteOffset % ALIGNMENT !== 0) return undefined;
  const view = new DataView(file.buffer, file.byteOffset, file.length);
  for (let i = 0; i < FORM_BYTES; i++) if (file[i] !== form.charCodeAt(i)) return undefined;
  const end = FIXED_BYTES + view.getUint32(FORM_BYTES, true);
  if (end > file.length) return undefined;
  const text = file.subarray(FIXED_BYTES, end);
  if (crc32(text) !== view.getUint32(FORM_BYTES + 4, true)) return undefined;
  return JSON.parse(Buffer.from(text).toString('utf8')) as Description<Facts>;
}

function firstColumn(file: Uint8Array<ArrayBuffer>): number {
  return aligned(textEnd(file));
}

function textEnd(file: Uint8Array<ArrayBuffer>): number {
  return FIXED_BYTES + new DataView(file.buffer, file.byteOffset).getUint32(FORM_BYTES, true);
}

function isEmpty(bytes: Uint8Array): boolean {
  return bytes.every((byte) => byte === 0);
}

function bytesOf({ buffer, byteOffset, byteLength }: ArrayBufferView): Uint8Array {
  return new Uint8Array(buffer, byteOffset, byteLength);
}

function aligned(at: number): number {
  return Math.ceil(at / ALIGNMENT) * ALIGNMENT;
}
