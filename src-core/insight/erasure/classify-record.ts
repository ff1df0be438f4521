/** What a record that holds a name or an id is to the stream that was asked for. Pure. */
import { PrepareFlag, type LogRecord } from '../../records/log-record.ts';
import { isNameOf, nameOf, type Subject } from './erasure-question.ts';
import type { FoundWhat } from './place.ts';
import type { Hit } from './search-bytes.ts';
import { isText, isWholeName, type Surroundings } from './whole-name.ts';

const BLANK_BYTE = 0xff;
const LINK_NUMBER = /^\d+@$/;
const LONGEST_LINK_NUMBER = 20;

/** undefined: every occurrence is part of a longer name. */
export function classifyRecord(
  record: LogRecord,
  subject: Subject,
  hits: readonly Hit[]
): FoundWhat | undefined {
  if (record.kind !== 'prepare') return 'mention';
  if (subject.asked === 'event') return record.eventId === subject.name ? eventOf(record) : 'mention';
  const { stream } = record;
  if (isNameOf(subject, stream)) return record.isTombstone ? 'tombstone' : eventOf(record);
  if (stream.startsWith('$$') && isNameOf(subject, stream.slice(2))) return 'metadata';
  if (isLinkTo(record, subject)) return 'link';
  const isNamed = hits.some(({ pattern, at }) =>
    isWholeName(subject, pattern, at, surroundingsOf(record, at))
  );
  return isNamed ? 'mention' : undefined;
}

/** Redacted data are the flag and nothing but bytes of 0xFF; the flag alone proves nothing. */
function eventOf(record: LogRecord): FoundWhat {
  const isBlank = record.data.every((byte) => byte === BLANK_BYTE);
  return isBlank && (record.flags & PrepareFlag.isRedacted) !== 0 ? 'redacted' : 'event';
}

/** The data of a link are `number@stream`. */
function isLinkTo({ data }: LogRecord, subject: Subject): boolean {
  const name = Buffer.from(nameOf(subject));
  const at = data.indexOf(0x40) + 1;
  if (at < 2 || at > LONGEST_LINK_NUMBER || !LINK_NUMBER.test(data.toString('latin1', 0, at))) return false;
  const end = at + name.length;
  return name.equals(data.subarray(at, end)) && (subject.asked === 'category' || end === data.length);
}

/** The field of the record in which an offset lies. */
function surroundingsOf(record: LogRecord, at: number): Surroundings {
  const { bytes, places } = record;
  if (at >= record.streamStart && at < record.streamEnd) {
    // Names of system streams are put together with hyphens: $persistentsubscription-NAME::group.
    const hyphenEnds = record.stream.startsWith('$') && !record.isMetastream;
    return { bytes, start: record.streamStart, end: record.streamEnd, hyphenEnds };
  }
  const fields: [number, number][] = [
    [places.type, places.typeEnd],
    [places.data, places.data + record.dataLength],
    [places.metadata, places.metadata + record.metadataLength]
  ];
  const field = fields.find(([start, end]) => at >= start && at < end);
  // Binary data has no words: what stands before or behind a name may be a length or a tag.
  if (!field || !isText(bytes, field[0], field[1])) return { bytes, start: at, end: at };
  return { bytes, start: field[0], end: field[1] };
}
