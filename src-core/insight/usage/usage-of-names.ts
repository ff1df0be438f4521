/** What was counted of the streams and categories that somebody names, as many as there are on a screen. */
import { hashStream } from '../../index/stream-hash.ts';
import { itemOf, type UsageItem } from './usage-items.ts';
import type { Usage } from './read-usage.ts';

export interface UsageNames {
  streams: readonly string[];
  categories: readonly string[];
}

export interface NamedUsage {
  /** Those that the log has, in no particular order. */
  streams: UsageItem[];
  categories: UsageItem[];
}

export async function usageOfNames(
  { tables }: Pick<Usage, 'tables'>,
  { streams, categories }: UsageNames
): Promise<NamedUsage> {
  const found: NamedUsage = { streams: [], categories: [] };
  const wanted = streams.map((name) => ({ name, bytes: Buffer.from(name), ...hashStream(name) }));
  if (wanted.length > 0) {
    for await (const table of tables.streams()) {
      const { values, columnCount } = table;
      for (const { name, bytes, high, low } of wanted) {
        const at = table.find(high, low, bytes, 0, bytes.length);
        if (at < 0) continue;
        found.streams.push(itemOf({ name, values, row: at * columnCount }));
      }
      // Each further table is another pass over the digests.
      if (found.streams.length === wanted.length) break;
    }
  }
  const names = new Set(categories);
  if (names.size === 0) return found;
  for await (const table of tables.categories()) {
    const { values, columnCount } = table;
    for (let at = 0; at < table.count; at++) {
      const name = table.name(at);
      if (!names.has(name)) continue;
      found.categories.push(itemOf({ name, values, row: at * columnCount }));
    }
    if (found.categories.length === names.size) break;
  }
  return found;
}
