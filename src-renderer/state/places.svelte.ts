/**
 * Where the person is and was. A place is a node, a view and perhaps an item in it; each has an address that can
 * be copied and opened. Back and forward go through the places visited, as in a browser.
 */
export const VIEWS = [
  'overview',
  'chunks',
  'streams',
  'index',
  'scavenge',
  'schedule',
  'backups',
  'verify'
] as const;
export type View = (typeof VIEWS)[number];

/** Views that only read stand left of the line, those that act right of it. */
export const READING_VIEWS: readonly View[] = ['overview', 'chunks', 'streams', 'index'];
export const WORKING_VIEWS: readonly View[] = ['scavenge', 'schedule', 'backups', 'verify'];

export interface Place {
  /** null: the first screen, where nodes are opened. */
  nodeId: string | null;
  view: View;
  /** Chunk number, stream name, table file or id of a backup, by view. */
  item: string | null;
  /** Chunks: the records of the chunk are shown. */
  hasRecords: boolean;
  /** Log position of the selected record. */
  record: number | null;
}

export const FIRST_PLACE: Place = {
  nodeId: null,
  view: 'overview',
  item: null,
  hasRecords: false,
  record: null
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
    const next: Place = { ...FIRST_PLACE, nodeId: this.current.nodeId, ...place };
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

/** `winnow://node/chunks/12/records?record=4096` */
export function addressOf(place: Place): string {
  if (place.nodeId === null) return 'winnow://';
  const item = place.item === null ? '' : `/${encodeURIComponent(place.item)}`;
  const records = place.hasRecords ? '/records' : '';
  const record = place.record === null ? '' : `?record=${place.record}`;
  return `winnow://${encodeURIComponent(place.nodeId)}/${place.view}${item}${records}${record}`;
}

/** undefined: this is no address of ours. */
export function placeOf(address: string): Place | undefined {
  const match = /^winnow:\/\/([^/?]*)(?:\/([a-z]+))?(?:\/([^/?]+))?(\/records)?(?:\?record=(\d+))?$/.exec(
    address.trim()
  );
  if (!match) return undefined;
  const [, node, view, item, records, record] = match;
  if (!node) return FIRST_PLACE;
  const known = VIEWS.find((candidate) => candidate === (view ?? 'overview'));
  if (known === undefined) return undefined;
  try {
    return {
      nodeId: decodeURIComponent(node),
      view: known,
      item: item === undefined ? null : decodeURIComponent(item),
      hasRecords: records !== undefined,
      record: record === undefined ? null : Number(record)
    };
  } catch {
    return undefined;
  }
}
