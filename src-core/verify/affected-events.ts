/**
 * What damage to a chunk means for the data: which events of which streams lie there. The index knows, where it can be
 * read; names come from records of the same streams elsewhere. A few streams are named, the rest is counted.
 */
import { decodeChunkFileName } from '../chunks/chunk-file-name.ts';
import type { Database } from '../database/database.ts';
import type { OperationControl } from '../database/operation-control.ts';
import { requireFault } from '../errors.ts';
import type { IndexDirectory } from '../index/index-directory.ts';
import { hashText } from '../index/stream-hash.ts';
import { TableScan } from '../index/table-scan.ts';
import { eventNumberToJson } from '../units/event-number.ts';
import type { Finding } from './finding.ts';
import { RecordNames } from './record-names.ts';
import { counted } from '../units/counted.ts';

const NAMED_STREAMS = 5;
const MOST_RANGES = 20;
/** Beyond this they are not counted. */
const MOST_STREAMS = 100_000;
const CHUNK_CODES = new Set([
  'chunkHashMismatch',
  'chunkMissing',
  'chunkHeaderInvalid',
  'chunkFooterInvalid',
  'chunkNotCompleted',
  'chunkTruncated',
  'recordInvalid'
]);

interface NamedStream {
  name: string | undefined;
  hash: string;
  lowest: number;
  highest: number;
}

/** Log positions, the end exclusive, and what was found in them so far. */
interface AffectedRange {
  finding: Finding;
  from: number;
  end: number;
  events: number;
  /** Hashes met so far, as many as MOST_STREAMS. */
  streams: Set<string>;
  named: NamedStream[];
  /** The stream at which the walk is. */
  current: NamedStream | undefined;
}

export interface DescribeAffected {
  database: Database;
  directory: IndexDirectory;
  control: OperationControl;
}

/** Adds to the messages of findings about chunks what lies there. */
export async function describeAffected(findings: Finding[], options: DescribeAffected): Promise<void> {
  const { database, directory, control } = options;
  const ranges = findings.flatMap((finding) => rangeOf(finding, database) ?? []).slice(0, MOST_RANGES);
  if (ranges.length === 0 || directory.tables.length === 0) return;
  const names = new RecordNames(database.log);
  try {
    for (const table of directory.tables) {
      const scan = new TableScan(table);
      while (scan.next()) {
        for (const range of ranges) takeBlock(range, scan, names);
        if (control.isDue) await control.breathe();
      }
      for (const range of ranges) range.current = undefined;
    }
  } catch (error) {
    // A damaged table is told by itself, and knows nothing about the chunks.
    requireFault(error, 'IndexCorrupt');
    return;
  }
  for (const range of ranges) range.finding.message += words(range);
}

function rangeOf(finding: Finding, { chunkSet }: Database): AffectedRange | undefined {
  const { severity, code, file, position } = finding;
  const number = file === null ? undefined : decodeChunkFileName(file)?.chunkNumber;
  if (severity !== 'damage' || number === undefined || !CHUNK_CODES.has(code)) return undefined;
  const { chunkSizeBytes, chunks, writerPosition } = chunkSet;
  const start = number * chunkSizeBytes;
  const own = chunks.find(({ startNumber }) => startNumber === number);
  const next = chunks.find(({ startNumber }) => startNumber > number);
  const end = own?.endPosition ?? next?.startPosition ?? Math.max(writerPosition, start + chunkSizeBytes);
  const from = code === 'recordInvalid' && position !== null ? position : start;
  return { finding, from, end, events: 0, streams: new Set(), named: [], current: undefined };
}

function takeBlock(range: AffectedRange, { block }: TableScan, names: RecordNames): void {
  const { from, end } = range;
  for (let i = 0; i < block.count; i++) {
    const position = block.position[i]!;
    const isInside = position >= from && position < end;
    if (!isInside && range.current?.name !== undefined) continue;
    const hash = isInside || range.current ? hashText(block.hashHigh[i]!, block.hashLow[i]!) : '';
    if (!isInside) {
      // Elsewhere the record can be read, and says what its stream is called.
      if (range.current?.hash === hash) range.current.name = names.streamAt(position);
      continue;
    }
    take(range, hash, block.number[i]!);
    if (range.current && range.current.name === undefined) range.current.name = names.streamAt(position);
  }
}

function take(range: AffectedRange, hash: string, number: number): void {
  range.events++;
  let stream = range.current;
  if (stream?.hash !== hash) {
    stream = range.named.find((known) => known.hash === hash);
    if (!stream) {
      stream = { name: undefined, hash, lowest: number, highest: number };
      if (range.streams.size < MOST_STREAMS) range.streams.add(hash);
      if (range.named.length < NAMED_STREAMS) range.named.push(stream);
    }
    range.current = stream;
  }
  stream.lowest = Math.min(stream.lowest, number);
  stream.highest = Math.max(stream.highest, number);
}

function words({ events, streams, named, finding }: AffectedRange): string {
  if (events === 0) return ' The index knows no event there.';
  const listed = named.map(({ name, hash, lowest, highest }) => {
    const stream = name === undefined ? `the stream with the hash ${hash}` : `"${name}"`;
    const numbers = [...new Set([lowest, highest].map(eventNumberToJson))].join(' to ');
    return `${stream} (${numbers})`;
  });
  const more = streams.size - named.length;
  const place = finding.code === 'recordInvalid' ? 'From there on the chunk holds' : 'It holds';
  return (
    ` ${place} ${counted(events, 'event')} of ${counted(streams.size, 'stream')} that the index knows: ${listed.join(', ')}` +
    `${more > 0 ? `, and ${more} more` : ''}.`
  );
}
