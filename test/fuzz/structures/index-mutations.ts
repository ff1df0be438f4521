/** Changes of the index: entries and midpoints of tables, filters, the map. */
import { NUMBERS } from '../mutations.ts';
import { changeOf, setField, type Change } from './change.ts';
import { HEAD_LENGTH, type FieldPlace } from './record-places.ts';
import { sealedMap, sealFilterLine } from './repair-checksums.ts';

const MD5_AND_FOOTER = 144;
const ENTRY = 24;

/** Entries and midpoints of a table of version 4. */
function shapeOf(bytes: Buffer): { count: number; midpoints: number } | undefined {
  if (bytes[1] !== 4 || bytes.length < HEAD_LENGTH + MD5_AND_FOOTER) return undefined;
  const midpoints = bytes.readInt32LE(bytes.length - MD5_AND_FOOTER + 2);
  const count = (bytes.length - HEAD_LENGTH - MD5_AND_FOOTER) / ENTRY - midpoints;
  return Number.isInteger(count) && count > 1 && midpoints > 1 ? { count, midpoints } : undefined;
}

export const tableEntries = changeOf(['table'], (bytes, prng) => {
  const shape = shapeOf(bytes);
  if (!shape) return undefined;
  const at = HEAD_LENGTH + ENTRY * prng.below(shape.count);
  const kind = prng.below(5);
  if (kind === 0) {
    const other = HEAD_LENGTH + ENTRY * prng.below(shape.count);
    const entry = Buffer.from(bytes.subarray(at, at + ENTRY));
    bytes.copy(bytes, at, other, other + ENTRY);
    if (prng.chance(0.5)) entry.copy(bytes, other);
    return { step: `entries at ${at} and ${other} have changed places, or are one` };
  }
  if (kind === 1) {
    const isGone = prng.chance(0.5);
    const rest = bytes.subarray(isGone ? at + ENTRY : at);
    return {
      step: `entry at ${at} is ${isGone ? 'gone' : 'there twice'}`,
      bytes: Buffer.concat([bytes.subarray(0, isGone ? at : at + ENTRY), rest])
    };
  }
  const field = prng.pick<FieldPlace>([
    { what: 'number', at, width: 8 },
    { what: 'hash', at: at + 8, width: 8 },
    { what: 'position', at: at + 16, width: 8 }
  ]);
  const step = setField(bytes, field, prng);
  return step === undefined ? undefined : { step: `entry, ${step}` };
});

export const midpoints = changeOf(['table'], (bytes, prng) => {
  const shape = shapeOf(bytes);
  if (!shape) return undefined;
  const at = HEAD_LENGTH + ENTRY * (shape.count + prng.below(shape.midpoints));
  const footer = bytes.length - MD5_AND_FOOTER;
  const field = prng.pick<FieldPlace>([
    { what: 'number', at, width: 8 },
    { what: 'hash', at: at + 8, width: 8 },
    { what: 'index', at: at + 16, width: 8 },
    { what: 'count of midpoints', at: footer + 2, width: 4 }
  ]);
  const step = setField(bytes, field, prng);
  return step === undefined ? undefined : { step: `midpoint, ${step}` };
});

export const tableForm = changeOf(['table'], (bytes, prng) => {
  const footer = bytes.length - MD5_AND_FOOTER;
  const step = setField(
    bytes,
    prng.pick<FieldPlace>([
      { what: 'type', at: 0, width: 1 },
      { what: 'version', at: 1, width: 1 },
      { what: 'type behind', at: footer, width: 1 },
      { what: 'version behind', at: footer + 1, width: 1 }
    ]),
    prng
  );
  return step === undefined ? undefined : { step };
});

export const filter = changeOf(['tableFilter', 'tableFilter', 'existenceFilter'], (bytes, prng) => {
  if (bytes.length < 128 || prng.chance(0.3)) {
    const step = setField(
      bytes,
      prng.pick<FieldPlace>([
        { what: 'version', at: 0, width: 1 },
        { what: 'rebuild count', at: 1, width: 1 },
        { what: 'bits', at: 8, width: 8 },
        { what: 'check point, or bits', at: 0, width: 8 }
      ]),
      prng
    );
    return step === undefined ? undefined : { step };
  }
  const line = 64 * (1 + prng.below(bytes.length / 64 - 1));
  const isEmptied = prng.chance(0.6);
  bytes.fill(isEmptied ? 0 : 0xff, line, line + 60);
  if (!isEmptied) bytes[line + prng.below(60)] = prng.below(255);
  sealFilterLine(bytes, line);
  return { step: `line at ${line} is ${isEmptied ? 'empty' : 'nearly full'}` };
});

/** Files of the index that are there, and names that lead elsewhere. */
const PLACES = [
  '../writer.chk',
  '/etc/passwd',
  '..',
  '.',
  'a/b',
  'indexmap',
  '',
  'x'.repeat(300),
  'a\\..\\b'
];

export const indexMap: Change = (files, prng) => {
  const bytes = files.get('index/indexmap');
  if (!bytes) return undefined;
  const lines = Buffer.from(bytes).toString('utf8').trimEnd().split('\n');
  const at = 1 + prng.below(lines.length - 1);
  const kind = prng.pick(['number', 'number', 'repeat', 'remove', 'text', 'name', 'swap'] as const);
  const digits = [...lines[at]!.matchAll(/-?\d+/g)].slice(0, 2);
  if (kind === 'number' && digits.length > 0) {
    const { index, 0: old } = prng.pick(digits);
    const value = prng.chance(0.5)
      ? prng.pick(NUMBERS)
      : BigInt(old) + BigInt(prng.between({ low: -300, high: 300 }));
    lines[at] = lines[at]!.slice(0, index) + String(value) + lines[at]!.slice(index + old.length);
  } else if (kind === 'repeat') lines.push(lines[at]!);
  else if (kind === 'remove') lines.splice(at, 1);
  else if (kind === 'swap') lines.push(...lines.splice(at, 1));
  else if (kind === 'name') lines[lines.length - 1] = `0,0,${prng.pick([...PLACES, 'b/../indexmap'])}`;
  else lines[at] = prng.pick([...NUMBERS.map(String), 'x', '1,2,3,4', '..', '\u0000', ',,']);
  files.set('index/indexmap', sealedMap(lines));
  return `indexmap: ${kind} in line ${at}, now ${JSON.stringify(lines.slice(1).join('|')).slice(0, 200)}`;
};
