/** Comma-separated values (RFC 4180, line feeds), with a row of names at the beginning. */
import { stringify } from 'csv-stringify/sync';
import { eventNumberToJson } from '../../../src-core/index.ts';
import type { EventValues } from './event-values.ts';
import type { RowFormat, RowSink, RowWriter } from './row-writer.ts';

export const CSV_COLUMNS = [
  'stream',
  'eventNumber',
  'eventType',
  'eventId',
  'time',
  'position',
  'isJson',
  'isRedacted',
  'data',
  'dataEncoding',
  'metadata',
  'metadataEncoding'
] as const;

export const csvRows: RowFormat = {
  leftShare: 0,
  open: (sink, _options, left) => new CsvRows(sink, left !== undefined)
};

const GATHERED_ROWS = 256;
const GATHERED_LENGTH = 256 * 1024;

class CsvRows implements RowWriter {
  readonly #sink: RowSink;
  #rows: (readonly string[])[] = [];
  #length = 0;

  constructor(sink: RowSink, isContinued: boolean) {
    this.#sink = sink;
    if (!isContinued) this.#rows.push(CSV_COLUMNS);
  }

  add(event: EventValues): void {
    this.#rows.push(csvRow(event));
    this.#length += event.data.text.length + (event.metadata?.text.length ?? 0);
    if (this.#rows.length >= GATHERED_ROWS || this.#length >= GATHERED_LENGTH) this.settle();
  }

  settle(): void {
    if (this.#rows.length === 0) return;
    this.#sink(Buffer.from(stringify(this.#rows), 'utf8'));
    this.#rows = [];
    this.#length = 0;
  }

  /** A file that ends behind any row is whole. */
  get canBeLeft(): boolean {
    return true;
  }

  left(): undefined {
    return undefined;
  }

  finish(): void {
    this.settle();
  }
}

function csvRow(event: EventValues): string[] {
  const { stream, eventNumber, eventType, eventId, time, position, isJson, isRedacted, data, metadata } =
    event;
  return [
    stream,
    String(eventNumberToJson(eventNumber)),
    eventType,
    eventId,
    time,
    String(position),
    String(isJson),
    String(isRedacted),
    data.text,
    data.isJson ? 'json' : 'base64',
    metadata?.text ?? '',
    metadata === null ? '' : metadata.isJson ? 'json' : 'base64'
  ];
}
