/** What a scavenge could free of every stream of which it could free anything: what a list of streams is ordered by. */
import { itemOf } from './usage-items.ts';
import type { Usage } from './read-usage.ts';

/** Bytes by name. `breathe` is called between tables of streams, of which each holds some thousands. */
export async function removableOfStreams(
  { tables }: Pick<Usage, 'tables'>,
  breathe: () => Promise<void>
): Promise<ReadonlyMap<string, number>> {
  const found = new Map<string, number>();
  for await (const table of tables.streams()) {
    const { values, columnCount } = table;
    for (let at = 0; at < table.count; at++) {
      const { discardableBytes } = itemOf({ name: '', values, row: at * columnCount });
      if (discardableBytes > 0) found.set(table.name(at), discardableBytes);
    }
    await breathe();
  }
  return found;
}
