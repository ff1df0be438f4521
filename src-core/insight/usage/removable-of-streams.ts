/** What a scavenge could free of every stream of which it could free anything: what a list of streams is ordered by. */
import { itemOf } from './usage-items.ts';
import type { Usage } from './read-usage.ts';

export interface RemovableOfStream {
  /** As records have it, valid until the next one. */
  name: Buffer;
  bytes: number;
}

export async function* removableOfStreams({
  tables
}: Pick<Usage, 'tables'>): AsyncGenerator<RemovableOfStream> {
  for await (const table of tables.streams()) {
    const { values, columnCount, names } = table;
    for (let at = 0; at < table.count; at++) {
      const { discardableBytes: bytes } = itemOf({ name: '', values, row: at * columnCount });
      if (bytes > 0) yield { name: names.subarray(table.nameStart(at), table.nameEnd(at)), bytes };
    }
  }
}
