/**
 * Rows of a table as a text for the clipboard or as a file. The rows are asked for in steps and written at once: of a
 * million only one step is held.
 */
import type { SavedForm } from '../../src-main/contract/verbs/workbench-contract.ts';
import { ask } from '../api/engine-client.ts';
import { openSavedFile } from '../api/saved-file.ts';
import { csvLine, jsonObject, tabbedLine, type TextValue } from '../format/table-text.ts';

/** Rows asked for at once. */
const STEP = 500;
/** What the clipboard takes (validate.ts), with some room. */
const MOST_COPIED = 4_000_000;

/** Columns as texts need them. */
export interface TextColumn<Row> {
  key: string;
  title: string;
  /** In JSON; else the key. */
  member?: string;
  value: (row: Row) => TextValue;
  /** In JSON only: what the cell shows beside its value, as the end of a range. */
  further?: { member: string; value: (row: Row) => TextValue };
}

export interface RowSource<Row> {
  columns: readonly TextColumn<Row>[];
  /** Half-open ranges of indices. */
  ranges: readonly (readonly [from: number, end: number])[];
  read: (offset: number, limit: number, signal: AbortSignal) => Promise<readonly Row[]>;
  signal: AbortSignal;
  /** Of lists that tell no row by its index: all rows in steps, instead of those of the ranges. */
  all?: ((signal: AbortSignal) => AsyncIterable<readonly Row[]>) | undefined;
}

async function* stepsOf<Row>({ ranges, read, signal }: RowSource<Row>): AsyncGenerator<readonly Row[]> {
  for (const [from, end] of ranges) {
    for (let offset = from; offset < end;) {
      signal.throwIfAborted();
      const rows = await read(offset, Math.min(STEP, end - offset), signal);
      // The list has become shorter meanwhile.
      if (rows.length === 0) break;
      yield rows;
      offset += rows.length;
    }
  }
}

const valuesOf = <Row>(columns: readonly TextColumn<Row>[], row: Row): TextValue[] =>
  columns.map((column) => column.value(row));

/** What is written of a row: a cell each, and in JSON what some cells show beside their value. */
const writtenOf = <Row>(columns: readonly TextColumn<Row>[], form: SavedForm): readonly TextColumn<Row>[] =>
  form === 'csv'
    ? columns
    : columns.flatMap((column) =>
        column.further === undefined
          ? [column]
          : [column, { key: column.further.member, title: column.title, value: column.further.value }]
      );

/** Copies the rows under a line of titles. Answers how many; null: they are too many for the clipboard. */
export async function copyRows<Row>(source: RowSource<Row>): Promise<number | null> {
  const lines = [tabbedLine(source.columns.map(({ title }) => title))];
  let characters = 0;
  for await (const rows of stepsOf(source)) {
    for (const row of rows) {
      const line = tabbedLine(valuesOf(source.columns, row));
      characters += line.length + 1;
      lines.push(line);
    }
    if (characters > MOST_COPIED) return null;
  }
  await ask('copyText', { text: lines.join('\n') });
  return lines.length - 1;
}

export interface FileRequest {
  /** Without extension. */
  name: string;
  form: SavedForm;
  /** Hears how many rows are written. */
  onrows: (count: number) => void;
}

/** Writes the rows to a file that a person chooses; its name, or null where nobody chose or it was stopped. */
export async function exportRows<Row>(
  source: RowSource<Row>,
  { name, form, onrows }: FileRequest
): Promise<string | null> {
  const file = await openSavedFile(name, form);
  if (file === null) return null;
  const columns = writtenOf(source.columns, form);
  const keys = columns.map(({ key, member }) => member ?? key);
  let count = 0;
  try {
    await file.write(form === 'csv' ? csvLine(columns.map(({ title }) => title)) : '[');
    for await (const rows of source.all?.(source.signal) ?? stepsOf(source)) {
      source.signal.throwIfAborted();
      const pieces = rows.map((row, at) => {
        const values = valuesOf(columns, row);
        return form === 'csv'
          ? csvLine(values)
          : `${count + at === 0 ? '' : ','}\n${jsonObject(keys, values)}`;
      });
      await file.write(pieces.join(''));
      count += rows.length;
      onrows(count);
    }
    if (form === 'json') await file.write(count === 0 ? ']\n' : '\n]\n');
    return await file.end(true);
  } catch (error) {
    await file.end(false).catch(() => undefined);
    if (source.signal.aborted) return null;
    throw error;
  }
}

export { errorReportOf as errorOf } from '../api/engine-client.ts';
