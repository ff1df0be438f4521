/**
 * Streams and categories that were named and of which the walk met no event. Without bounds of time, type or position that
 * means that the log has none: a name was mistyped, or all events of it are gone.
 */
import { EngineError, type NameCountsState } from '../../../src-core/index.ts';
import type { ExtractReport } from '../../contract/operations/extraction-reports.ts';
import type { SelectionRequest } from './extracted-selection.ts';
import type { Counts } from './tally.ts';

type Absent = ExtractReport['absent'];
type Named = Pick<SelectionRequest, 'streams' | 'categories'>;

const METASTREAM = '$$';

/** Nothing where so many names were met that not all are known. A stream with metadata alone is not absent. */
export function absentNames({ streams, categories }: Named, counted: NameCountsState): Absent {
  if (counted.others.events > 0) return { streams: [], categories: [] };
  const metStreams = new Set<string>();
  const metCategories = new Set<string>();
  for (const { name } of counted.names) {
    for (const met of name.startsWith(METASTREAM) ? [name, name.slice(METASTREAM.length)] : [name]) {
      metStreams.add(met);
      const dash = met.indexOf('-');
      if (dash >= 0) metCategories.add(met.slice(0, dash));
    }
  }
  return {
    streams: [...new Set(streams)].filter((name) => !metStreams.has(name)),
    categories: [...new Set(categories)].filter((name) => !metCategories.has(name))
  };
}

/** Nothing bounds the events but the names. */
export function isUnbounded({
  types,
  fromTime,
  toTime,
  fromPosition,
  toPosition
}: SelectionRequest): boolean {
  return (
    types.length === 0 && [fromTime, toTime, fromPosition, toPosition].every((bound) => bound === undefined)
  );
}

/** A sentence about them, with a space before it; empty if there are none. */
export function absentWords({ streams, categories }: Absent): string {
  const names = [
    ...streams.map((name) => `stream "${name}"`),
    ...categories.map((name) => `category "${name}"`)
  ];
  if (names.length === 0) return '';
  const shown = names.slice(0, MOST_SHOWN).join(', ');
  const more = names.length - MOST_SHOWN;
  return ` No event was found of ${shown}${more > 0 ? ` and ${more} more` : ''}.`;
}

const MOST_SHOWN = 10;

/**
 * What to throw where nothing at all was found of what was named, so that there would be an empty file or database;
 * undefined where something was, or where it may lie in what could not be read.
 */
export function nothingFound(named: Named, counts: Counts): EngineError | undefined {
  const { streams, categories } = named;
  const isNamed = streams.length + categories.length > 0;
  if (!isNamed || counts.events > 0 || counts.unreadableCount > 0) return undefined;
  return new EngineError({
    code: 'StreamNotFound',
    message: `Nothing was written.${absentWords(absentNames(named, counts.streams))}`,
    remedy: 'See "winnow streams" for the streams of this log; names are compared letter by letter.',
    details: { streams: streams.join(', '), categories: categories.join(', ') }
  });
}
