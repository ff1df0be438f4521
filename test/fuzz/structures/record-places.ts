/**
 * Where the fields of records lie in the bytes of a chunk file, by walking from length to length: plainly, and with no
 * line of the engine, since the engine is what a campaign examines.
 */
export interface FieldPlace {
  what: string;
  at: number;
  width: 1 | 2 | 4 | 8;
}

export interface RecordPlace {
  /** Of the payload's first byte; its length lies four bytes before, and again behind it. */
  start: number;
  length: number;
  kind: 'prepare' | 'commit' | 'system' | 'other';
  stream: string;
  fields: FieldPlace[];
  /** Of a prepare. */
  data: { at: number; length: number } | undefined;
}

export const HEAD_LENGTH = 128;
const KINDS = ['prepare', 'commit', 'system'] as const;

/** Records from the head of the file to the first place that is none. */
export function recordPlaces(bytes: Uint8Array): RecordPlace[] {
  const view = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  const places: RecordPlace[] = [];
  for (let at = HEAD_LENGTH; at + 8 < view.length;) {
    const length = view.readInt32LE(at);
    if (length < 10 || at + length + 8 > view.length || view.readInt32LE(at + 4 + length) !== length) break;
    places.push(placeOf(view, at + 4, length));
    at += length + 8;
  }
  return places;
}

function placeOf(view: Buffer, start: number, length: number): RecordPlace {
  const kind: RecordPlace['kind'] = KINDS[view[start]!] ?? 'other';
  const fields: FieldPlace[] = [
    { what: 'length before', at: start - 4, width: 4 },
    { what: 'length behind', at: start + length, width: 4 },
    { what: 'type', at: start, width: 1 },
    { what: 'version', at: start + 1, width: 1 },
    { what: 'log position', at: start + 2, width: 8 }
  ];
  if (kind === 'commit')
    fields.push(
      { what: 'transaction position', at: start + 10, width: 8 },
      { what: 'first number', at: start + 18, width: 8 }
    );
  const none: RecordPlace = { start, length, kind, stream: '', fields, data: undefined };
  if (kind !== 'prepare' || view[start + 1] === 0 || length < 60) return none;
  const stream = textAt(view, start + 32);
  const afterIds = stream.end + 32;
  const type = textAt(view, afterIds + 8);
  const end = start + length;
  if (type.end + 8 > end) return none;
  const dataLength = view.readInt32LE(type.end);
  fields.push(
    { what: 'flags', at: start + 10, width: 2 },
    { what: 'transaction position', at: start + 12, width: 8 },
    { what: 'transaction offset', at: start + 20, width: 4 },
    { what: 'expected version', at: start + 24, width: 8 },
    { what: 'length of the name', at: start + 32, width: 1 },
    { what: 'letter of the name', at: stream.end - 1, width: 1 },
    { what: 'time', at: afterIds, width: 8 },
    { what: 'length of the type', at: afterIds + 8, width: 1 },
    { what: 'length of the data', at: type.end, width: 4 }
  );
  const dataEnd = type.end + 4 + dataLength;
  if (dataLength < 0 || dataEnd + 4 > end) return { ...none, stream: stream.text };
  fields.push({ what: 'length of the metadata', at: dataEnd, width: 4 });
  return { ...none, stream: stream.text, data: { at: type.end + 4, length: dataLength } };
}

/** Names here are shorter than 128 bytes: their length is one byte. */
function textAt(view: Buffer, at: number): { text: string; end: number } {
  const length = Math.min(view[at] ?? 0, view.length - at - 1);
  return { text: view.toString('utf8', at + 1, at + 1 + length), end: at + 1 + length };
}
