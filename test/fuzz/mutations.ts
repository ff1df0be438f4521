/**
 * Ways in which the files of a database come to harm: single bits and bytes, ranges, lengths, files that vanish,
 * change places or appear under another name, checkpoints and the index map with wrong values. All chance comes
 * from the Prng, so a seed and a case number are the whole story.
 *
 * A chunk or table may be sealed again after the change: its checksum then holds, as if someone had meant it.
 */
import { createHash } from 'node:crypto';
import { decodeChunkFileName, encodeChunkFileName } from '../../src-core/chunks/chunk-file-name.ts';
import type { Prng } from '../support/prng.ts';
import type { DatabaseImage, FileRole, Files } from './database-image.ts';

export interface Mutation {
  files: Files;
  /** One sentence for each change. */
  steps: string[];
  /** Files of the base whose content is not what it was, with what they were. */
  touched: Map<string, FileRole>;
  /** A checksum was made to fit: no hash can tell any more. */
  isResealed: boolean;
}

const MD5_LENGTH = 16;
/** At the edges of what fields can hold. */
export const NUMBERS: readonly bigint[] = [
  0n,
  1n,
  -1n,
  -2n,
  127n,
  255n,
  65535n,
  2n ** 31n - 1n,
  2n ** 31n,
  2n ** 32n - 1n,
  2n ** 53n - 1n,
  2n ** 53n,
  2n ** 62n,
  2n ** 63n - 2n,
  2n ** 63n - 1n,
  -(2n ** 63n)
];

type Change = (files: Files, prng: Prng, image: DatabaseImage) => string | undefined;

/** Changes one to three things in a copy of the image. */
export function mutate(image: DatabaseImage, prng: Prng): Mutation {
  const files: Files = new Map(image.files);
  const steps: string[] = [];
  let isResealed = false;
  const count = prng.chance(0.7) ? 1 : prng.between({ low: 2, high: 3 });
  for (let tries = 0; steps.length < count && tries < 20; tries++) {
    const step = prng.pick(CHANGES)(files, prng, image);
    if (step !== undefined) steps.push(step);
  }
  const touched = touchedFiles(image, files);
  for (const [file, role] of touched) {
    const bytes = files.get(file);
    const hasSeal = role === 'completedChunk' || role === 'table';
    if (!bytes || !hasSeal || bytes.length < MD5_LENGTH || !prng.chance(0.35)) continue;
    files.set(file, sealed(bytes));
    steps.push(`seal ${file} again`);
    isResealed = true;
  }
  return { files, steps, touched: touchedFiles(image, files), isResealed };
}

function touchedFiles(image: DatabaseImage, files: Files): Map<string, FileRole> {
  const touched = new Map<string, FileRole>();
  for (const [file, before] of image.files) {
    const now = files.get(file);
    if (now === before || (now && Buffer.compare(now, before) === 0)) continue;
    touched.set(file, image.roles.get(file) ?? 'other');
  }
  for (const file of files.keys()) if (!image.files.has(file)) touched.set(file, 'other');
  return touched;
}

function sealed(bytes: Uint8Array): Uint8Array {
  const copy = bytes.slice();
  const end = copy.length - MD5_LENGTH;
  copy.set(createHash('md5').update(copy.subarray(0, end)).digest(), end);
  return copy;
}

/** Chunks and tables hold most of the format, so they are chosen more often than their share. */
function pickFile(files: Files, prng: Prng, image: DatabaseImage): string {
  const names = [...files.keys()];
  const wanted: readonly FileRole[] = prng.chance(0.7)
    ? ['completedChunk', 'activeChunk', 'table']
    : ['tableFilter', 'indexMap', 'existenceFilter', 'checkpoint', 'scavengeState', 'otherChunk'];
  const candidates = names.filter((name) => wanted.includes(image.roles.get(name) ?? 'other'));
  return prng.pick(candidates.length > 0 ? candidates : names);
}

/** Head, tail, or anywhere: structure lies at both ends. */
function pickOffset(length: number, prng: Prng): number {
  if (prng.chance(0.2)) return prng.below(Math.min(length, 160));
  if (prng.chance(0.25)) return Math.max(0, length - 1 - prng.below(Math.min(length, 400)));
  return prng.below(length);
}

function changeBytes(change: (bytes: Uint8Array, at: number, prng: Prng) => string): Change {
  return (files, prng, image) => {
    const file = pickFile(files, prng, image);
    const bytes = files.get(file)!.slice();
    if (bytes.length === 0) return undefined;
    const at = pickOffset(bytes.length, prng);
    const what = change(bytes, at, prng);
    files.set(file, bytes);
    return `${file}: ${what} at ${at}`;
  };
}

const flipBit = changeBytes((bytes, at, prng) => {
  const bit = prng.below(8);
  bytes[at] = bytes[at]! ^ (1 << bit);
  return `flip bit ${bit}`;
});

const setByte = changeBytes((bytes, at, prng) => {
  const value = prng.pick([0, 0xff, prng.below(256)]);
  bytes[at] = value;
  return `set byte to ${value}`;
});

const overwriteRange = changeBytes((bytes, at, prng) => {
  const length = Math.min(bytes.length - at, prng.chance(0.7) ? prng.below(64) + 1 : prng.below(4096) + 1);
  const fill = prng.pick(['zeros', 'ones', 'noise', 'copy'] as const);
  if (fill === 'noise') bytes.set(prng.bytes(length), at);
  else if (fill === 'copy') bytes.copyWithin(at, prng.below(bytes.length - length + 1));
  else bytes.fill(fill === 'zeros' ? 0 : 0xff, at, at + length);
  return `overwrite ${length} bytes with ${fill}`;
});

const writeNumber = changeBytes((bytes, at, prng) => {
  const value = prng.pick(NUMBERS);
  const number = new Uint8Array(8);
  new DataView(number.buffer).setBigInt64(0, value, true);
  const width = prng.pick([4, 8]);
  bytes.set(number.subarray(0, Math.min(width, bytes.length - at)), at);
  return `write ${value} in ${width} bytes`;
});

const cut: Change = (files, prng, image) => {
  const file = pickFile(files, prng, image);
  const bytes = files.get(file)!;
  const length = pickOffset(bytes.length + 1, prng);
  files.set(file, bytes.slice(0, length));
  return `${file}: cut to ${length} bytes`;
};

const extend: Change = (files, prng, image) => {
  const file = pickFile(files, prng, image);
  const bytes = files.get(file)!;
  const more = prng.pick([1, 16, 24, 128, 4096, prng.below(8192) + 1]);
  const longer = new Uint8Array(bytes.length + more);
  longer.set(bytes);
  if (prng.chance(0.5)) longer.set(prng.bytes(more), bytes.length);
  files.set(file, longer);
  return `${file}: extend by ${more} bytes`;
};

const swapFiles: Change = (files, prng, image) => {
  const first = pickFile(files, prng, image);
  const role = image.roles.get(first);
  const others = [...files.keys()].filter(
    (name) => name !== first && (image.roles.get(name) === role || prng.chance(0.1))
  );
  if (others.length === 0) return undefined;
  const second = prng.pick(others);
  const bytes = files.get(first)!;
  files.set(first, files.get(second)!);
  files.set(second, bytes);
  return `swap ${first} and ${second}`;
};

const remove: Change = (files, prng, image) => {
  const file = pickFile(files, prng, image);
  files.delete(file);
  return `delete ${file}`;
};

/** The bytes of one chunk under the name of another number or version. */
const copyChunk: Change = (files, prng, image) => {
  const chunks = [...files.keys()].filter((name) => decodeChunkFileName(name));
  if (chunks.length === 0) return undefined;
  const from = prng.pick(chunks);
  const name = decodeChunkFileName(prng.chance(0.6) ? from : prng.pick(chunks))!;
  const to = encodeChunkFileName({
    chunkNumber: prng.chance(0.9) ? name.chunkNumber : name.chunkNumber + prng.below(30),
    fileVersion: name.fileVersion + prng.between({ low: -1, high: 2 })
  });
  if (to.includes('-1') || to === from || image.files.has(to)) return undefined;
  files.set(to, files.get(from)!);
  return `copy ${from} to ${to}`;
};

const setCheckpoint: Change = (files, prng, image) => {
  const names = [...files.keys()].filter((name) => name.endsWith('.chk') && !name.includes('/'));
  if (names.length === 0) return undefined;
  const file = prng.pick(names);
  const bytes = new Uint8Array(8);
  const end = [...image.roles].filter(([, role]) => role === 'completedChunk').length * 65536;
  const value = prng.chance(0.5) ? prng.pick(NUMBERS) : BigInt(prng.below(end + 100_000));
  new DataView(bytes.buffer).setBigInt64(0, value, true);
  files.set(file, bytes);
  return `${file}: set to ${value}`;
};

/** Text of the map changed and its checksum made to fit, so that what it says is what is tested. */
const editIndexMap: Change = (files, prng) => {
  const bytes = files.get('index/indexmap');
  if (!bytes) return undefined;
  const lines = new TextDecoder().decode(bytes).trimEnd().split('\n');
  const at = 1 + prng.below(lines.length - 1);
  const numbers = [...NUMBERS.map(String), 'x', '', '1,2,3,4', '..', '99999999999999999999'];
  const edit = prng.pick(['number', 'repeat', 'remove', 'text'] as const);
  if (edit === 'number') lines[at] = lines[at]!.replace(/-?\d+/, prng.pick(numbers));
  else if (edit === 'repeat') lines.push(lines[at]!);
  else if (edit === 'remove') lines.splice(at, 1);
  else lines[at] = prng.pick(numbers);
  const content = Buffer.from(lines.map((line) => `${line}\n`).join(''));
  const hash = createHash('md5').update(content.subarray(32)).digest('hex').toUpperCase();
  content.write(hash, 0, 'latin1');
  files.set('index/indexmap', new Uint8Array(content));
  return `indexmap: ${edit} line ${at}, now ${JSON.stringify(lines.slice(1).join('|'))}`;
};

/** One field of one record or of one index entry, with a number at the edge of what it may hold. */
const setField: Change = (files, prng, image) => {
  const file = prng.pick([...image.roles].filter(([, role]) => FIELDS[role]).map(([name]) => name));
  const bytes = files.get(file)?.slice();
  const place = bytes && FIELDS[image.roles.get(file)!]!(bytes, prng);
  if (!bytes || !place || place.at + place.width > bytes.length) return undefined;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const old = place.width === 8 ? view.getBigInt64(place.at, true) : BigInt(view.getInt32(place.at, true));
  const value = prng.chance(0.5) ? prng.pick(NUMBERS) : old + BigInt(prng.between({ low: -200, high: 200 }));
  if (place.width === 8) view.setBigInt64(place.at, value, true);
  else view.setInt32(place.at, Number(BigInt.asIntN(32, value)), true);
  files.set(file, bytes);
  return `${file}: ${place.what} from ${old} to ${value} at ${place.at}`;
};

interface FieldPlace {
  what: string;
  at: number;
  width: 4 | 8;
}
type FindField = (bytes: Uint8Array, prng: Prng) => FieldPlace | undefined;

/** Fields of prepares and commits, from the first byte of the payload on. */
const RECORD_FIELDS: readonly (readonly [string, number, 4 | 8])[] = [
  ['length', -4, 4],
  ['log position', 2, 8],
  ['transaction position', 12, 8],
  ['transaction position of a commit', 10, 8],
  ['first number of a commit', 18, 8],
  ['flags and more', 10, 4],
  ['transaction offset', 20, 4],
  ['expected version', 24, 8]
];
const HEAD_LENGTH = 128;

const findRecordField: FindField = (bytes, prng) => {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const starts: number[] = [];
  for (let at = HEAD_LENGTH; at + 8 < bytes.length;) {
    const length = view.getInt32(at, true);
    if (length <= 0 || at + length + 8 > bytes.length) break;
    starts.push(at + 4);
    at += length + 8;
  }
  if (starts.length === 0) return undefined;
  const [what, offset, width] = prng.pick(RECORD_FIELDS);
  return { what, at: prng.pick(starts) + offset, width };
};

/** Number, hash or position of an entry; of the midpoints behind them, too. Version 3 and 4 lay them out alike. */
const findEntryField: FindField = (bytes, prng) => {
  const entry =
    HEAD_LENGTH + 24 * prng.below(Math.max(1, Math.floor((bytes.length - HEAD_LENGTH - 144) / 24)));
  const [what, offset] = prng.pick([['number', 0] as const, ['hash', 8] as const, ['position', 16] as const]);
  return { what, at: entry + offset, width: 8 };
};

const CHUNK_HEADER_FIELDS: readonly (readonly [string, number, 4 | 8])[] = [
  ['chunk size', 2, 4],
  ['first number', 6, 4],
  ['last number', 10, 4],
  ['is scavenged', 14, 4],
  ['version and transform', 34, 4]
];
/** From the end of the file. */
const CHUNK_FOOTER_FIELDS: readonly (readonly [string, number, 4 | 8])[] = [
  ['physical size', 127, 4],
  ['logical size', 123, 8],
  ['map size', 115, 4]
];

const findChunkField: FindField = (bytes, prng) => {
  if (prng.chance(0.6)) return findRecordField(bytes, prng);
  if (prng.chance(0.5)) {
    const [what, at, width] = prng.pick(CHUNK_HEADER_FIELDS);
    return { what, at, width };
  }
  const [what, fromEnd, width] = prng.pick(CHUNK_FOOTER_FIELDS);
  return fromEnd > bytes.length ? undefined : { what, at: bytes.length - fromEnd, width };
};

const FIELDS: Partial<Record<FileRole, FindField>> = {
  completedChunk: findChunkField,
  activeChunk: findChunkField,
  table: findEntryField
};

const CHANGES: readonly Change[] = [
  setField,
  setField,
  setField,
  setField,
  setField,
  setField,
  flipBit,
  flipBit,
  setByte,
  setByte,
  overwriteRange,
  overwriteRange,
  writeNumber,
  writeNumber,
  writeNumber,
  cut,
  cut,
  extend,
  swapFiles,
  remove,
  copyChunk,
  setCheckpoint,
  setCheckpoint,
  editIndexMap
];
