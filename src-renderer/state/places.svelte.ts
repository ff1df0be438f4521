/**
 * Where the person is and was. A place is a node (or a cluster), a view and perhaps an item in it; each has an address
 * that can be copied and opened. Back and forward go through the places visited, as in a browser.
 */
import { applicationAddress, applicationPlaceOf, type ApplicationView } from './application-place.ts';

/** Views that only show. */
export const LOOK_VIEWS = ['overview', 'chunks', 'records', 'streams', 'index', 'usage'] as const;
/** Views from which something is carried out. */
export const DO_VIEWS = ['scavenge', 'backups', 'restore', 'verify', 'erasure', 'rescue'] as const;
/** All views of a node, in the order of their keys. The last three are reached from others: they stand in no list. */
export const VIEWS = [...LOOK_VIEWS, ...DO_VIEWS, 'schedule', 'node', 'extract'] as const;
export type View = (typeof VIEWS)[number];

export interface Place {
  /** null: a cluster, or the first screen, where nodes are opened. */
  nodeId: string | null;
  /** Name of a registered cluster; null: a node. Its views are `overview` and `schedule`. */
  cluster: string | null;
  view: View;
  /** Settings, activity or about, in place of a view of the node. */
  application: ApplicationView | null;
  /** Chunk number, stream name, table file or id of a backup, by view. */
  item: string | null;
  /** Chunks: the records of the chunk are shown. */
  hasRecords: boolean;
  /** Log position of the selected record. */
  record: number | null;
  /** What else the view shows: a filter, a search, an order. Names are lower-case words; absent: the default. */
  options: Readonly<Record<string, string>>;
}

export const FIRST_PLACE: Place = {
  nodeId: null,
  cluster: null,
  view: 'overview',
  application: null,
  item: null,
  hasRecords: false,
  record: null,
  options: {}
};

/** Places remembered; older ones are forgotten. */
const LIMIT = 200;

export class Places {
  #visited = $state.raw<Place[]>([FIRST_PLACE]);
  #at = $state(0);

  get current(): Place {
    return this.#visited[this.#at] ?? FIRST_PLACE;
  }

  get canGoBack(): boolean {
    return this.#at > 0;
  }

  get canGoForward(): boolean {
    return this.#at < this.#visited.length - 1;
  }

  /** Goes to a place; what is not named is empty there. */
  go(place: Partial<Place>): void {
    const next: Place = { ...FIRST_PLACE, ...this.#whose(place), ...place };
    if (isSame(next, this.current)) return;
    this.#visited = [...this.#visited.slice(0, this.#at + 1), next].slice(-LIMIT);
    this.#at = this.#visited.length - 1;
  }

  /** Changes the current place without a step back to it: selections while moving through a list. */
  adjust(change: Partial<Place>): void {
    const next = { ...this.current, ...change };
    if (isSame(next, this.current)) return;
    this.#visited = this.#visited.with(this.#at, next);
  }

  /** Changes options of the current place, without a step back to it. An empty one is the default again. */
  setOptions(changes: Record<string, string | null>): void {
    const all = Object.entries({ ...this.current.options, ...changes });
    const kept = all.filter((option): option is [string, string] => option[1] !== null && option[1] !== '');
    this.adjust({ options: Object.fromEntries(kept) });
  }

  /** A place that names neither node nor cluster is one of those shown. */
  #whose({ nodeId, cluster }: Partial<Place>): Pick<Place, 'nodeId' | 'cluster'> {
    const isNamed = nodeId !== undefined || cluster !== undefined;
    return isNamed
      ? { nodeId: null, cluster: null }
      : { nodeId: this.current.nodeId, cluster: this.current.cluster };
  }

  back(): void {
    if (this.canGoBack) this.#at--;
  }

  forward(): void {
    if (this.canGoForward) this.#at++;
  }
}

function isSame(a: Place, b: Place): boolean {
  return addressOf(a) === addressOf(b);
}

/** `winnow://node/chunks/12/records?record=4096&filter=kind%3Aprepare` */
export function addressOf(place: Place): string {
  if (place.application !== null) return applicationAddress({ ...place, application: place.application });
  const whose = place.cluster === null ? place.nodeId : `${CLUSTER}${place.cluster}`;
  if (whose === null) return 'winnow://';
  const item = place.item === null ? '' : `/${encodeURIComponent(place.item)}`;
  const records = place.hasRecords ? '/records' : '';
  const options = [
    ...(place.record === null ? [] : [['record', String(place.record)] as const]),
    ...Object.entries(place.options).sort(([a], [b]) => (a < b ? -1 : 1))
  ].map(([name, value]) => `${name}=${encodeURIComponent(value)}`);
  const question = options.length === 0 ? '' : `?${options.join('&')}`;
  return `winnow://${encodeURIComponent(whose)}/${place.view}${item}${records}${question}`;
}

/** Before the name of a cluster, where an id of a node would stand; those have no tilde. */
const CLUSTER = '~';

const OPTION = /^([a-z]{1,20})=(.*)$/;
/** Longer ones are no options of ours. */
const LONGEST_OPTION = 4096;

/** undefined: not written by us. */
function optionsOf(question: string): Record<string, string> | undefined {
  const options: Record<string, string> = {};
  for (const part of question === '' ? [] : question.split('&')) {
    const [, name, value] = OPTION.exec(part) ?? [];
    if (name === undefined || value === undefined || value.length > LONGEST_OPTION) return undefined;
    options[name] = decodeURIComponent(value);
  }
  return options;
}

/** undefined: this is no address of ours. */
export function placeOf(address: string): Place | undefined {
  const ofApplication = applicationPlaceOf(address);
  if (ofApplication) return { ...FIRST_PLACE, ...ofApplication };
  const match = /^winnow:\/\/([^/?]*)(?:\/([a-z]+))?(?:\/([^/?]+))?(\/records)?(?:\?(.*))?$/s.exec(
    address.trim()
  );
  if (!match) return undefined;
  const [, node, view, item, records, question] = match;
  if (!node) return FIRST_PLACE;
  const known = VIEWS.find((candidate) => candidate === (view ?? 'overview'));
  if (known === undefined) return undefined;
  try {
    const options = optionsOf(question ?? '');
    if (options === undefined) return undefined;
    const { record, ...others } = options;
    if (record !== undefined && !/^\d+$/.test(record)) return undefined;
    const whose = decodeURIComponent(node);
    const isCluster = whose.startsWith(CLUSTER);
    return {
      nodeId: isCluster ? null : whose,
      cluster: isCluster ? whose.slice(CLUSTER.length) : null,
      view: known,
      application: null,
      item: item === undefined ? null : decodeURIComponent(item),
      hasRecords: records !== undefined,
      record: record === undefined ? null : Number(record),
      options: others
    };
  } catch {
    return undefined;
  }
}
