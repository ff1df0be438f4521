/**
 * Apache Parquet, compressed with Snappy. Rows are gathered in columns and written as row groups of bounded size. The end of the file
 * says where each of them lies; until then that is kept with the state of the extraction, and a next run goes on behind the last
 * whole one.
 */
import { ByteWriter, ParquetWriter } from 'hyparquet-writer';
import { EngineError, eventNumberToBigInt } from '../../../src-core/index.ts';
import type { EventValues } from './event-values.ts';
import { groupsOf, keepGroups } from './parquet-groups.ts';
import type { LeftFile, RowFormat, RowOptions, RowSink, RowWriter } from './row-writer.ts';

export const parquetRows: RowFormat = {
  // A state names all row groups: with this share all states of a file together are some times as large as the last.
  leftShare: 1 / 16,
  open: (sink, options, left) => new ParquetRows(sink, options, left)
};

/** Characters of all texts of a row group. */
const GROUP_LENGTH = 16 * 1024 * 1024;
/** More are not kept: a next run begins behind these. Some hundred GiB of rows. */
const MOST_LEFT_GROUPS = 10_000;
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

const COLUMNS = SCHEMA.slice(1).map(({ name }) => name);
/** Of which each row group says the smallest and the largest value; those of payloads would be payloads. */
const BOUNDED = new Set(['stream', 'eventNumber', 'eventType', 'timestamp', 'position']);

type Cell = string | bigint | boolean | null;

class ParquetRows implements RowWriter {
  readonly #sink: RowSink;
  readonly #bytes = new ByteWriter();
  readonly #file: ParquetWriter;
  #columns: Cell[][] = newColumns();
  #rows = 0;
  #length = 0;
  readonly #groupRows: number;

  constructor(sink: RowSink, { groupRows }: RowOptions, left: LeftFile | undefined) {
    this.#sink = sink;
    this.#groupRows = groupRows;
    this.#file = new ParquetWriter({ writer: this.#bytes, schema: SCHEMA, createdBy: 'winnow' });
    if (left) this.#continue(left);
  }

  #continue({ left, bytes }: LeftFile): void {
    const groups = groupsOf(left, COLUMNS, bytes);
    if (!groups) {
      throw new EngineError({
        code: 'InvalidRequest',
        message: 'What is kept of the unfinished Parquet file does not fit it.',
        remedy: 'Begin again with --start-afresh, or choose another output.',
        details: { field: '--to' }
      });
    }
    this.#bytes.index = 0; // the beginning of a new file
    this.#bytes.offset = bytes;
    this.#file.row_groups = groups;
    this.#file.num_rows = groups.reduce((sum, { num_rows }) => sum + num_rows, 0n);
  }

  get canBeLeft(): boolean {
    return this.#rows === 0 && this.#file.row_groups.length <= MOST_LEFT_GROUPS;
  }

  left(): unknown {
    return keepGroups(this.#file.row_groups);
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
    if (this.#rows >= this.#groupRows || this.#length >= GROUP_LENGTH) this.settle();
  }

  settle(): void {
    if (this.#rows > 0) {
      void this.#file.write({
        columnData: this.#columns.map((data, i) => ({
          name: SCHEMA[i + 1]!.name,
          data,
          statistics: BOUNDED.has(SCHEMA[i + 1]!.name),
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
