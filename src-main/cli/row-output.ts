/** The answer of a stream command: one JSON object per line, or a table that grows batch by batch. */
import type { RequestOf, StreamOperation, StreamRows } from '../contract/operations/operation-contract.ts';
import type { CommandLine } from './command-line.ts';
import type { GlobalOptions } from './global-options.ts';
import { StreamTable, type Column } from './tables.ts';
import { jsonLine } from './visible-text.ts';

export interface RowLayout<Row> {
  columns: Column[];
  cells: (row: Row) => string[];
}

/** Runs the stream operation and writes its rows as they arrive. */
export async function writeRows<N extends StreamOperation>(
  line: CommandLine,
  name: N,
  request: RequestOf<N>,
  options: GlobalOptions,
  layout: RowLayout<StreamRows[N]>
): Promise<void> {
  const table = new StreamTable(layout.columns, line.colours);
  await line.stream(name, request, options, async (rows) => {
    if (options.json) await line.writeExactly(rows.map(jsonLine).join(''));
    else await line.write(table.format(rows.map(layout.cells)));
  });
}
