/**
 * Places of the application itself: settings, activity, about, documentation, a restore without a node, all nodes. They belong to no
 * node; the one that is shown stays beside them, so that its tabs lead back. `winnow://node/settings/users`, without a node `winnow:///settings/users`.
 */
export const APPLICATION_VIEWS = [
  'settings',
  'activity',
  'about',
  'documentation',
  'restore',
  'fleet'
] as const;
export type ApplicationView = (typeof APPLICATION_VIEWS)[number];

export interface ApplicationPlace {
  application: ApplicationView;
  nodeId: string | null;
  item: string | null;
  options: Readonly<Record<string, string>>;
}

const SEARCH = 'search';

export function applicationAddress({ application, nodeId, item, options }: ApplicationPlace): string {
  const chosen = item === null ? '' : `/${encodeURIComponent(item)}`;
  const search = options[SEARCH] ?? '';
  const question = search === '' ? '' : `?${SEARCH}=${encodeURIComponent(search)}`;
  return `winnow://${encodeURIComponent(nodeId ?? '')}/${application}${chosen}${question}`;
}

/** undefined: the address of another place, or of none. */
export function applicationPlaceOf(address: string): ApplicationPlace | undefined {
  const match = /^winnow:\/\/([^/?]*)\/([a-z]+)(?:\/([^/?]+))?(?:\?search=([^&]*))?$/.exec(address.trim());
  const application = APPLICATION_VIEWS.find((view) => view === match?.[2]);
  if (!match || application === undefined) return undefined;
  const [, node = '', , item, search] = match;
  try {
    return {
      application,
      nodeId: node === '' ? null : decodeURIComponent(node),
      item: item === undefined ? null : decodeURIComponent(item),
      options: search === undefined ? {} : { [SEARCH]: decodeURIComponent(search) }
    };
  } catch {
    return undefined;
  }
}
