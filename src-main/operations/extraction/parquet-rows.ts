/**
 * Apache Parquet, compressed with Snappy. Rows are gathered in columns and written as row groups of bounded size. A file
 * cannot be continued in its middle: what lies behind the last row group is only complete with the end of the file.
 */
import { ByteWriter, ParquetWriter } from 'hyparquet-writer';
import { eventNumberToBigInt } from '../../../src-core/index.ts';
import type { EventValues } from './event-values.ts';
import type { RowFormat, RowSink, RowWriter } from './row-writer.ts';

export const parquetRows: RowFormat = {
  isContinuable: false,
  open: (sink) => new ParquetRows(sink)
};

const GROUP_ROWS = 50_000;
/** Characters of all texts of a row group. */
const GROUP_LENGTH = 16 * 1024 * 1024;
/** Ticks of 1970-01-01, and ticks in a microsecond. */
const UNIX_EPOCH_TICKS = 621_355_968_000_000_000n;
const TICKS_PER_MICROSECOND = 10n;

const text = (name: string, isNullable = false) =>
  ({
    name,
    type: 'BYTE_ARRAY',
    converted_type: 'UTF8',
    repetition_type: isNullable ? 'OPTIONAL' : 'REQUIRED'
  }) as const;
const required = (name: string, type: 'INT64' | 'BOOLEAN') =>
  ({ name, type, repetition_type: 'REQUIRED' }) as const;

const SCHEMA = [
  { name: 'events', num_children: 13 },
  text('stream'),
  required('eventNumber', 'INT64'),
  text('eventType'),
  text('eventId'),
  text('time'),
  {
    name: 'timestamp',
    type: 'INT64',
    converted_type: 'TIMESTAMP_MICROS',
    logical_type: { type: 'TIMESTAMP', isAdjustedToUTC: true, unit: 'MICROS' },
    repetition_type: 'REQUIRED'
  } as const,
  required('position', 'INT64'),
  required('isJson', 'BOOLEAN'),
  required('isRedacted', 'BOOLEAN'),
  text('data'),
  text('dataEncoding'),
  text('metadata', true),
  text('metadataEncoding', true)
];

type Cell = string | bigint | boolean | null;

class ParquetRows implements RowWriter {
  readonly #sink: RowSink;
  readonly #bytes = new ByteWriter();
  readonly #file: ParquetWriter;
  #columns: Cell[][] = newColumns();
  #rows = 0;
  #length = 0;

  constructor(sink: RowSink) {
    this.#sink = sink;
    this.#file = new ParquetWriter({ writer: this.#bytes, schema: SCHEMA, createdBy: 'winnow' });
  }

  add(event: EventValues): void {
    const { data, metadata, stream, eventType } = event;
    const cells: Cell[] = [
      stream,
      eventNumberToBigInt(event.eventNumber),
      eventType,
      event.eventId,
      event.time,
      (event.ticks - UNIX_EPOCH_TICKS) / TICKS_PER_MICROSECOND,
      BigInt(event.position),
      event.isJson,
      event.isRedacted,
      data.text,
      data.isJson ? 'json' : 'base64',
      metadata?.text ?? null,
      metadata === null ? null : metadata.isJson ? 'json' : 'base64'
    ];
    for (let i = 0; i < cells.length; i++) this.#columns[i]!.push(cells[i]!);
    this.#rows++;
    this.#length += data.text.length + (metadata?.text.length ?? 0) + stream.length + eventType.length + 100;
    if (this.#rows >= GROUP_ROWS || this.#length >= GROUP_LENGTH) this.settle();
  }

  settle(): void {
    if (this.#rows > 0) {
      void this.#file.write({
        columnData: this.#columns.map((data, i) => ({
          name: SCHEMA[i + 1]!.name,
          data,
          // Pages are found by their column chunk; lists of them would stay in memory to the end.
          offsetIndex: false
        })),
        rowGroupSize: this.#rows
      });
      this.#columns = newColumns();
      this.#rows = 0;
      this.#length = 0;
    }
    this.#drain();
  }

  finish(): void {
    this.settle();
    void this.#file.finish();
    this.#drain();
  }

  #drain(): void {
    if (this.#bytes.index === 0) return;
    this.#sink(Buffer.from(this.#bytes.getBytes()));
    this.#bytes.index = 0;
  }
}

function newColumns(): Cell[][] {
  return SCHEMA.slice(1).map(() => []);
}
