/** Changes of chunk files and checkpoints: records, headers, footers, position maps. */
import type { FileRole } from '../database-image.ts';
import { NUMBERS } from '../mutations.ts';
import { changeOf, setField, type Change } from './change.ts';
import { HEAD_LENGTH, recordPlaces, type FieldPlace, type RecordPlace } from './record-places.ts';

const CHUNKS: readonly FileRole[] = ['completedChunk', 'completedChunk', 'activeChunk'];

/** One of the fields whose names match, of any record. */
export function recordField(wanted: RegExp): Change {
  return changeOf(CHUNKS, (bytes, prng) => {
    const fields = recordPlaces(bytes).flatMap((place) =>
      place.fields.filter(({ what }) => wanted.test(what))
    );
    const step = fields.length === 0 ? undefined : setField(bytes, prng.pick(fields), prng);
    return step === undefined ? undefined : { step };
  });
}

/** Both lengths of a record alike, so that one does not contradict the other. */
export const recordLengths = changeOf(CHUNKS, (bytes, prng) => {
  const places = recordPlaces(bytes);
  if (places.length === 0) return undefined;
  const { start, length } = prng.pick(places);
  const value = prng.chance(0.4)
    ? Number(BigInt.asIntN(32, prng.pick(NUMBERS)))
    : length + prng.between({ low: -length, high: 400 });
  bytes.writeInt32LE(value, start - 4);
  if (value > 0 && start + value + 4 <= bytes.length) bytes.writeInt32LE(value, start + value);
  return { step: `both lengths from ${length} to ${value} at ${start - 4}` };
});

/** The data of a record of a stream become another text of the same length. */
export function recordData(isWanted: (place: RecordPlace) => boolean, texts: readonly string[]): Change {
  return changeOf(CHUNKS, (bytes, prng) => {
    const places = recordPlaces(bytes).filter((place) => place.data && isWanted(place));
    if (places.length === 0) return undefined;
    const { stream, data } = prng.pick(places);
    const fitting = texts.filter((text) => Buffer.byteLength(text) <= data!.length);
    const text = prng.pick(fitting.length === 0 ? [' '] : fitting);
    bytes.fill(' ', data!.at, data!.at + data!.length);
    bytes.write(text, data!.at);
    return { step: `data of ${stream} at ${data!.at} are now ${text}` };
  });
}

export const METADATA = ['$maxCount', '$maxAge', '$tb', '$cacheControl', '$acl'].flatMap((key) =>
  [
    ...['0', '1', '2', '-1', '1.5', '1e9', '9007199254740993', '9223372036854775807', '9223372036854775808'],
    ...['null', 'true', '"1"', '[]', '{}', '00', '1e400', `1,"${key}":9`]
  ].map((value) => `{"${key}":${value}}`)
);
export const ODD_TEXTS = [
  '',
  '{',
  '[]',
  'null',
  '0',
  '"',
  '{}',
  '{"":0}',
  '\u0000',
  '{"a":'.repeat(4),
  '[[[[[[[['
];

export const isMetadata = ({ kind, stream }: RecordPlace): boolean =>
  kind === 'prepare' && stream.startsWith('$$');
const isPoint = ({ stream }: RecordPlace): boolean => stream === '$scavengePoints';

export const scavengePoint: Change = (files, prng, image) =>
  prng.chance(0.5)
    ? recordData(isPoint, [
        ...['0', '-1', '100', '2147483648', 'null', '"0"', '1e3'].map((value) => `{"threshold":${value}}`),
        ...ODD_TEXTS
      ])(files, prng, image)
    : changeOf(CHUNKS, (bytes, own) => {
        const fields = recordPlaces(bytes)
          .filter(isPoint)
          .flatMap((place) => place.fields);
        const step = fields.length === 0 ? undefined : setField(bytes, own.pick(fields), own);
        return step === undefined ? undefined : { step: `scavenge point, ${step}` };
      })(files, prng, image);

export const epoch = changeOf(CHUNKS, (bytes, prng) => {
  const places = recordPlaces(bytes).filter(({ kind }) => kind === 'system');
  if (places.length === 0) return undefined;
  const { start, length } = prng.pick(places);
  const text = bytes.toString('latin1', start, start + length);
  const numbers = [...text.matchAll(/-?\d+/g)].filter(({ index }) => index > 10);
  if (numbers.length === 0 || prng.chance(0.3)) {
    const at = start + prng.below(length);
    bytes[at] = prng.below(256);
    return { step: `byte ${at} of an epoch` };
  }
  const { index, 0: digits } = prng.pick(numbers);
  const value = String(prng.pick(NUMBERS)).slice(0, digits.length).padEnd(digits.length, '9');
  bytes.write(value, start + index, 'latin1');
  return { step: `a number of an epoch from ${digits} to ${value}` };
});

const HEADER_FIELDS: readonly FieldPlace[] = [
  { what: 'type', at: 0, width: 1 },
  { what: 'least version', at: 1, width: 1 },
  { what: 'chunk size', at: 2, width: 4 },
  { what: 'first number', at: 6, width: 4 },
  { what: 'last number', at: 10, width: 4 },
  { what: 'is scavenged', at: 14, width: 4 },
  { what: 'version and transform', at: 34, width: 4 }
];

export const chunkHeader = changeOf([...CHUNKS, 'otherChunk'], (bytes, prng) => {
  const step = setField(bytes, prng.pick(HEADER_FIELDS), prng);
  return step === undefined ? undefined : { step: `header, ${step}` };
});

export const chunkFooter = changeOf(['completedChunk'], (bytes, prng) => {
  const footer = bytes.length - 128;
  const field = prng.pick<FieldPlace>([
    { what: 'flags', at: footer, width: 1 },
    { what: 'physical size', at: footer + 1, width: 4 },
    { what: 'logical size', at: footer + 5, width: 8 },
    { what: 'map size', at: footer + 13, width: 4 }
  ]);
  const step = setField(bytes, field, prng);
  return step === undefined ? undefined : { step: `footer, ${step}` };
});

export const mapEntries = changeOf(['completedChunk'], (bytes, prng) => {
  const footer = bytes.length - 128;
  const isWide = (bytes[footer]! & 2) === 2;
  const [width, physical] = [isWide ? 12 : 8, bytes.readInt32LE(footer + 1)];
  const size = bytes.readInt32LE(footer + (isWide ? 13 : 9));
  const count = Math.floor(size / width);
  const first = HEAD_LENGTH + physical;
  if (count < 2 || first + size > footer) return undefined;
  const at = first + width * prng.below(count);
  const kind = prng.below(4);
  if (kind === 0) {
    const other = first + width * prng.below(count);
    const entry = Buffer.from(bytes.subarray(at, at + width));
    bytes.copy(bytes, at, other, other + width);
    if (prng.chance(0.5)) entry.copy(bytes, other);
    return { step: `map entries at ${at} and ${other} have changed places, or are one` };
  }
  if (kind === 1) {
    // One entry fewer, and everything behind it closer.
    const shorter = Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + width)]);
    shorter.writeInt32LE(size - width, shorter.length - 128 + (isWide ? 13 : 9));
    return { step: `map entry at ${at} is gone`, bytes: shorter };
  }
  const field: FieldPlace =
    kind === 2
      ? { what: 'physical offset', at, width: 4 }
      : { what: 'logical offset', at: at + 4, width: isWide ? 8 : 4 };
  const step = setField(bytes, field, prng);
  return step === undefined ? undefined : { step: `map, ${step}` };
});

export const checkpoints: Change = (files, prng, image) => {
  const names = [...files.keys()].filter((name) => name.endsWith('.chk'));
  if (names.length === 0) return undefined;
  const file = prng.pick(names);
  const chunks = [...image.roles].filter(([, role]) => /Chunk$/.test(role)).map(([name]) => name);
  const chunk = prng.pick(chunks);
  const bytes = Buffer.from(files.get(chunk)!);
  const starts = recordPlaces(bytes).map(({ start }) => bytes.readBigInt64LE(start + 2));
  const near = prng.chance(0.7) && starts.length > 0 ? prng.pick(starts) : undefined;
  const value = near === undefined ? prng.pick(NUMBERS) : near + BigInt(prng.pick([0, 0, 1, -1, 4]));
  const content = Buffer.alloc(8);
  content.writeBigInt64LE(value);
  files.set(file, new Uint8Array(content));
  return `${file}: set to ${value}`;
};
