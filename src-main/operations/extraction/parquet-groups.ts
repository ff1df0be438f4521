/**
 * Where the row groups of an unfinished Parquet file lie: what its end will say of them, kept with the state of the extraction, so
 * that the next run writes on behind the last one. Read as something that anybody may have written.
 */
import type { ColumnChunk, RowGroup } from 'hyparquet';
import { z } from 'zod';

const whole = z
  .string()
  .regex(/^-?\d{1,19}$/)
  .transform(BigInt);
const count = z
  .string()
  .regex(/^\d{1,16}$/)
  .transform(BigInt);
const encoding = z.enum(['PLAIN', 'RLE', 'RLE_DICTIONARY']);
const bound = z.union([z.string(), z.object({ whole })]).optional();

const keptColumn = z.object({
  type: z.enum(['BYTE_ARRAY', 'INT64', 'BOOLEAN']),
  encodings: z.array(encoding),
  values: count,
  bytes: count,
  compressedBytes: count,
  at: count,
  dataAt: count,
  dictionaryAt: count.optional(),
  statistics: z
    .object({
      min: bound,
      max: bound,
      nulls: count,
      pages: z.array(
        z.object({ type: z.enum(['DICTIONARY_PAGE', 'DATA_PAGE_V2']), encoding, count: z.number().int() })
      )
    })
    .optional()
});
const keptGroup = z.object({
  rows: count,
  bytes: count,
  compressedBytes: count,
  columns: z.array(keptColumn)
});
const keptGroups = z.array(keptGroup);
type KeptColumn = z.input<typeof keptColumn>;

/** As JSON. */
export function keepGroups(groups: readonly RowGroup[]): z.input<typeof keptGroups> {
  return groups.map(({ columns, num_rows, total_byte_size, total_compressed_size }) => ({
    rows: String(num_rows),
    bytes: String(total_byte_size),
    compressedBytes: String(total_compressed_size),
    columns: columns.map(keepColumn)
  }));
}

function keepColumn({ file_offset, meta_data }: ColumnChunk): KeptColumn {
  const { type, encodings, num_values, statistics, encoding_stats, ...rest } = meta_data!;
  const keepBound = (value: unknown): z.input<typeof bound> =>
    value === undefined
      ? undefined
      : typeof value === 'bigint'
        ? { whole: String(value) }
        : (value as string);
  return {
    type: type as KeptColumn['type'],
    encodings: encodings as KeptColumn['encodings'],
    values: String(num_values),
    bytes: String(rest.total_uncompressed_size),
    compressedBytes: String(rest.total_compressed_size),
    at: String(file_offset),
    dataAt: String(rest.data_page_offset),
    ...(rest.dictionary_page_offset !== undefined && { dictionaryAt: String(rest.dictionary_page_offset) }),
    ...(statistics && {
      statistics: {
        min: keepBound(statistics.min_value),
        max: keepBound(statistics.max_value),
        nulls: String(statistics.null_count),
        pages: encoding_stats!.map(({ page_type, encoding: of, count: pages }) => ({
          type: page_type as 'DATA_PAGE_V2',
          encoding: of as 'PLAIN',
          count: pages
        }))
      }
    })
  };
}

/**
 * `columns`: their names in order; `bytes`: of the file. undefined: it is not what `keepGroups` has made of a file of this length with
 * these columns.
 */
export function groupsOf(kept: unknown, columns: readonly string[], bytes: number): RowGroup[] | undefined {
  const parsed = keptGroups.safeParse(kept);
  if (!parsed.success) return undefined;
  const fits = parsed.data.every(
    (group) =>
      group.columns.length === columns.length &&
      group.columns.every(({ at, compressedBytes }) => at >= 4n && at + compressedBytes <= BigInt(bytes))
  );
  if (!fits) return undefined;
  return parsed.data.map((group) => ({
    columns: group.columns.map((column, i) => columnChunk(column, columns[i]!)),
    num_rows: group.rows,
    total_byte_size: group.bytes,
    total_compressed_size: group.compressedBytes
  }));
}

function columnChunk(column: z.output<typeof keptColumn>, name: string): ColumnChunk {
  const { type, encodings, values, bytes, compressedBytes, at, dataAt, dictionaryAt, statistics } = column;
  const boundOf = (value: z.output<typeof bound>) => (typeof value === 'object' ? value.whole : value);
  return {
    file_offset: at,
    meta_data: {
      type,
      encodings,
      path_in_schema: [name],
      codec: 'SNAPPY',
      num_values: values,
      total_compressed_size: compressedBytes,
      total_uncompressed_size: bytes,
      data_page_offset: dataAt,
      ...(dictionaryAt !== undefined && { dictionary_page_offset: dictionaryAt }),
      ...(statistics && {
        statistics: statisticsOf(boundOf(statistics.min), boundOf(statistics.max), statistics.nulls),
        encoding_stats: statistics.pages.map((page) => ({
          page_type: page.type,
          encoding: page.encoding,
          count: page.count
        }))
      })
    }
  };
}

function statisticsOf(min: string | bigint | undefined, max: string | bigint | undefined, nulls: bigint) {
  return {
    ...(min !== undefined && { min_value: min }),
    ...(max !== undefined && { max_value: max }),
    null_count: nulls
  };
}
