/** The report of a redaction, planned or done, in the shape of the contract. Pure but for who runs it. */
import os from 'node:os';
import packageFacts from '../../../package.json' with { type: 'json' };
import {
  eventNumberToJson,
  REDACTION_REFUSALS,
  ticksToIso,
  type FoundRecord,
  type RedactedChunk,
  type RedactionPlan
} from '../../../src-core/index.ts';
import type { RedactionReport } from '../../contract/operations/redaction-reports.ts';

export interface RedactionParts extends Pick<
  RedactionReport,
  | 'dataDirectory'
  | 'indexDirectory'
  | 'result'
  | 'startedAt'
  | 'endedAt'
  | 'elsewhere'
  | 'swept'
  | 'freeBytes'
> {
  plan: RedactionPlan;
  chunks: readonly RedactedChunk[];
}

export function redactionReportOf(parts: RedactionParts): RedactionReport {
  const { plan, chunks } = parts;
  const done = new Map(chunks.map((redacted) => [redacted.before.fileName, redacted]));
  return {
    dataDirectory: parts.dataDirectory,
    indexDirectory: parts.indexDirectory,
    result: parts.result,
    startedAt: parts.startedAt,
    endedAt: parts.endedAt,
    toolVersion: packageFacts.version,
    by: whoRuns(),
    asked: plan.asked,
    notFound: plan.notFound,
    events: plan.records.map((record) => eventOf(record, done.get(record.chunk.fileName))),
    chunks: plan.chunks.filter(({ records }) => records.length > 0).map((planned) => chunkOf(planned, done)),
    swept: parts.swept,
    scratchBytes: plan.scratchBytes,
    freeBytes: parts.freeBytes,
    elsewhere: parts.elsewhere,
    notCovered: [...NOT_COVERED]
  };
}

function eventOf(
  record: FoundRecord,
  redacted: RedactedChunk | undefined
): RedactionReport['events'][number] {
  const { state, refusal, chunk } = record;
  return {
    eventId: record.eventId,
    stream: record.stream,
    eventNumber: eventNumberToJson(record.eventNumber),
    eventType: record.eventType,
    position: record.position,
    file: redacted?.after.fileName ?? chunk.fileName,
    fileOffset: record.fileOffset,
    time: ticksToIso(record.ticks),
    dataLength: record.dataLength,
    metadataLength: record.metadataLength,
    state: state === 'redacted' ? 'alreadyRedacted' : state === 'toRedact' && redacted ? 'redacted' : state,
    refusal: refusal === null ? null : { reason: refusal, ...REDACTION_REFUSALS[refusal] }
  };
}

function chunkOf(
  { chunk, records }: RedactionPlan['chunks'][number],
  done: ReadonlyMap<string, RedactedChunk>
): RedactionReport['chunks'][number] {
  const redacted = done.get(chunk.fileName);
  return {
    chunkStart: chunk.startNumber,
    chunkEnd: chunk.endNumber,
    oldFile: chunk.fileName,
    newFile: redacted?.after.fileName ?? null,
    records: records.length,
    dataBytes: records.reduce((sum, { dataLength }) => sum + dataLength, 0),
    fileSize: chunk.fileSize,
    sha256Before: redacted?.before.sha256 ?? null,
    sha256After: redacted?.after.sha256 ?? null,
    md5Before: redacted?.before.md5 ?? null,
    md5After: redacted?.after.md5 ?? null
  };
}

function whoRuns(): RedactionReport['by'] {
  try {
    return { user: os.userInfo().username, host: os.hostname() };
  } catch {
    // A user without an entry in the system's list, as in containers.
    return { user: `user ${process.getuid?.() ?? 'unknown'}`, host: os.hostname() };
  }
}

const NOT_COVERED: RedactionReport['notCovered'] = [
  {
    place: 'the rest of each record',
    why: 'Only the data of an event are overwritten. Its stream, type, id, time and metadata stay.'
  },
  {
    place: 'other events',
    why: 'Copies of the data in other events (projections, results, links with data) are not known by this id.'
  },
  {
    place: 'backups',
    why: 'They hold the event as it was. "winnow erasure --event ID --backup TARGET" names them.'
  },
  {
    place: 'other members of the cluster',
    why: 'Each member has its own files: redact on every one of them, while it is stopped.'
  },
  {
    place: 'the disk',
    why: 'The old file is removed, its blocks are not overwritten. Snapshots of the volume keep it.'
  }
];
