/** Which records a request selects. Names are compared as bytes, so that a walk decodes only strings that it shows. */
import type { LogRecord } from '../../../src-core/index.ts';

export interface RecordFilter {
  stream?: string | undefined;
  eventType?: string | undefined;
}

const REPLACEMENT = '\ufffd';

/** Commits and system records have neither stream nor type: a filter by either excludes them. */
export function recordFilter({ stream, eventType }: RecordFilter): (record: LogRecord) => boolean {
  if (stream === undefined && eventType === undefined) return () => true;
  const streamMatches = stream === undefined ? () => true : nameMatcher(stream);
  return (record) =>
    record.kind === 'prepare' &&
    streamMatches(record) &&
    (eventType === undefined || record.eventType === eventType);
}

function nameMatcher(stream: string): (record: LogRecord) => boolean {
  // Several byte sequences decode to U+FFFD: such a name can only be compared as text.
  if (stream.includes(REPLACEMENT)) return (record) => record.stream === stream;
  const bytes = Buffer.from(stream, 'utf8');
  return (record) =>
    record.streamEnd - record.streamStart === bytes.length &&
    record.bytes.compare(bytes, 0, bytes.length, record.streamStart, record.streamEnd) === 0;
}
