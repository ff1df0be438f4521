/** Where a person stands in the map of space usage: at the top by something, in a category, or in a stream. Pure. */
import { USAGE_BYS, type UsageBy } from './usage-items.ts';

export type UsageInside = 'stream' | 'type';

export interface UsagePath {
  by: UsageBy;
  category: string | null;
  stream: string | null;
  /** What a category shows. */
  inside: UsageInside;
}

type Options = Readonly<Record<string, string>>;
export type PathOptions = Record<'by' | 'category' | 'stream' | 'inside', string | null>;

const FIRST: UsageBy = 'category';
/** Items of a count that are no streams, types or categories: there is nothing inside them. */
const OF_RECORDS = new Set(['(commits)', '(system)', '(others)', '']);

export function pathOf(options: Options): UsagePath {
  const by = USAGE_BYS.find((known) => known === options['by']) ?? FIRST;
  const isDown = by === 'category' || by === 'stream';
  return {
    by,
    category: by === 'category' ? (options['category'] ?? null) : null,
    stream: isDown ? (options['stream'] ?? null) : null,
    inside: options['inside'] === 'type' ? 'type' : 'stream'
  };
}

/** As the options of a place; what is the default is left out. */
export function optionsOf({ by, category, stream, inside }: UsagePath): PathOptions {
  return {
    by: by === FIRST ? null : by,
    category,
    stream,
    inside: category !== null && inside === 'type' ? 'type' : null
  };
}

export function isTop({ category, stream }: UsagePath): boolean {
  return category === null && stream === null;
}

/** What the items there are. */
export function kindOf(path: UsagePath): UsageBy {
  if (path.stream !== null) return 'type';
  return path.category === null ? path.by : path.inside;
}

/** What the engine is asked for below the top. */
export function questionOf(
  path: UsagePath
): { category: string | null; stream: string | null; by: UsageInside } | null {
  if (isTop(path)) return null;
  if (path.stream !== null) return { category: null, stream: path.stream, by: 'type' };
  return { category: path.category, stream: null, by: path.inside };
}

/** A thing of the log, and not what stands for several or for records without a stream. */
export function isNamed(name: string): boolean {
  return !OF_RECORDS.has(name);
}

/** Where an item leads; null: there is nothing inside it. */
export function below(path: UsagePath, name: string): UsagePath | null {
  if (!isNamed(name)) return null;
  const kind = kindOf(path);
  if (kind === 'category') return { ...path, category: name, stream: null, inside: 'stream' };
  return kind === 'stream' ? { ...path, stream: name } : null;
}

export interface Crumb {
  /** null: everything. */
  name: string | null;
  path: UsagePath;
}

/** From the top to where the path stands. */
export function crumbsOf(path: UsagePath): Crumb[] {
  const { by, category, stream, inside } = path;
  const crumbs: Crumb[] = [{ name: null, path: { by, category: null, stream: null, inside: 'stream' } }];
  if (category !== null) crumbs.push({ name: category, path: { by, category, stream: null, inside } });
  if (stream !== null) crumbs.push({ name: stream, path });
  return crumbs;
}

/** The path one step up, and the item there that it leads into; null at the top. */
export function above(path: UsagePath): { path: UsagePath; item: string | null } | null {
  const crumbs = crumbsOf(path);
  const parent = crumbs.at(-2);
  return parent ? { path: parent.path, item: crumbs.at(-1)!.name } : null;
}
