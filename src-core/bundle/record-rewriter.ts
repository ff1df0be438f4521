/**
 * A record of the log as it is in a bundle, written over the bytes where it lies: the same length, position, flags, numbers
 * and time; other names and ids; no payload but what rules, links and the server's own records need. Every byte between its
 * two lengths is either a number of the format or written again.
 */
import { SCAVENGE_POINTS_STREAM } from '../database/event-appender.ts';
import { PrepareFlag, type LogRecord } from '../records/log-record.ts';
import { SCAVENGES_STREAM } from '../scavenge/history/history-events.ts';
import { blankBytes, blankJson, blankMessage } from './blank-payload.ts';
import { replaceEpoch, replaceHistoryEvent, replaceScavengePoint } from './known-payload.ts';
import { replaceMetadata } from './metadata-payload.ts';
import type { NameMap } from './name-map.ts';

const EPOCH_STREAM = '$epoch-information';
const LINK_TYPE = '$>';
/** Names a stream instead of an event. */
const REFERENCE_TYPE = '$@';
const AT_SIGN = 0x40;
/** In the payload of a system record: eight bytes that mean nothing. */
const RESERVED_START = 20;
const RESERVED_END = 28;
const GUID_LENGTH = 16;
const DOLLAR = 0x24;

export interface RewriteCounts {
  records: number;
  payloadBytes: number;
  /** Metadata whose rights found no room. */
  metadataWithoutRights: number;
}

export class RecordRewriter {
  readonly counts: RewriteCounts = { records: 0, payloadBytes: 0, metadataWithoutRights: 0 };
  readonly #names: NameMap;
  /** Payloads are zeros also where they were JSON, and ids follow from positions: such bytes take no room when packed. */
  readonly #headersOnly: boolean;

  constructor(names: NameMap, { headersOnly }: { headersOnly: boolean }) {
    this.#names = names;
    this.#headersOnly = headersOnly;
  }

  /** Writes over the bytes of the record; the view is of no use afterwards but for its place and length. */
  rewrite(record: LogRecord): void {
    this.counts.records++;
    this.counts.payloadBytes += record.dataLength + record.metadataLength;
    if (record.kind === 'prepare') this.#rewritePrepare(record);
    else if (record.kind === 'commit') this.#replaceIds(record, record.places.eventId, 1);
    else {
      record.bytes.fill(0, record.start + RESERVED_START, record.start + RESERVED_END);
      replaceEpoch(record.data, this.#names);
    }
  }

  #rewritePrepare(record: LogRecord): void {
    const { bytes, streamStart, streamEnd, stream, eventType, places } = record;
    this.#rewriteData(record, stream, eventType);
    const { metadata } = record;
    if ((record.flags & PrepareFlag.isPropertyMetadata) !== 0) blankMessage(metadata);
    else if ((record.flags & PrepareFlag.isJson) !== 0 && !this.#headersOnly) blankJson(metadata);
    else blankBytes(metadata);
    this.#replaceIds(record, places.eventId, 2);
    this.#names.replaceType(bytes, places.type, places.typeEnd);
    this.#names.replaceStream(bytes, streamStart, streamEnd);
  }

  #rewriteData(record: LogRecord, stream: string, eventType: string): void {
    const { data } = record;
    if (data.length === 0) return;
    if (record.isMetastream) {
      if (replaceMetadata(data, record.version, this.#names) !== 'same') this.counts.metadataWithoutRights++;
    } else if (eventType === LINK_TYPE && this.#rewriteLink(data)) return;
    else if (eventType === REFERENCE_TYPE) this.#names.replaceStream(data, 0, data.length);
    else if (stream === SCAVENGE_POINTS_STREAM) replaceScavengePoint(data);
    else if (stream.startsWith(`${SCAVENGES_STREAM}-`)) replaceHistoryEvent(data, this.#names);
    else if (stream === EPOCH_STREAM) replaceEpoch(data, this.#names);
    else this.#blank(record);
  }

  /** Systems read JSON of the server's own streams, which is little: only what users wrote is cut to nothing. */
  #blank({ bytes, data, flags, streamStart }: LogRecord): void {
    const isJson = (flags & PrepareFlag.isJson) !== 0;
    if (isJson && (!this.#headersOnly || bytes[streamStart] === DOLLAR)) blankJson(data);
    else blankBytes(data);
  }

  /** `<number>@<stream>`; false for data that is not a link. */
  #rewriteLink(data: Buffer): boolean {
    const at = data.indexOf(AT_SIGN);
    if (at < 1 || at + 1 >= data.length || !/^-?\d{1,19}$/.test(data.toString('latin1', 0, at))) return false;
    this.#names.replaceStream(data, at + 1, data.length);
    return true;
  }

  #replaceIds({ bytes, start }: LogRecord, from: number, count: number): void {
    for (let i = 0; i < count; i++) {
      const at = from + i * GUID_LENGTH;
      if (this.#headersOnly) {
        // The position, which stands in the record anyway, and what makes it no empty id.
        bytes.fill(0, at, at + GUID_LENGTH);
        bytes.copy(bytes, at, start + 2, start + 10);
        bytes[at + GUID_LENGTH - 1] = i + 1;
      } else this.#names.replaceId(bytes, at);
    }
  }
}
