/**
 * The streams of scavenges as the server's AtomPub feeds: entries newest first, links to the previous and next pages,
 * an ETag at the head. Pure.
 */

export interface FeedEvent {
  eventId: string;
  eventType: string;
  eventNumber: number;
  /** JSON, or what the event holds instead. */
  data: string;
  streamId: string;
  updated: string;
}

/** An event as a feed shows it: in its own stream, or through a link in `$scavenges`. */
export interface FeedEntry {
  event: FeedEvent;
  positionStreamId: string;
  positionEventNumber: number;
}

export interface Feed {
  streamId: string;
  /** Newest first. */
  entries: FeedEntry[];
  /** Number of the stream's newest event. */
  last: number;
  /** Start of the page of older events; undefined: there are none. */
  olderFrom: number | undefined;
  /** Start of the page of newer events, which may not exist yet. */
  newerFrom: number;
  /** Whether they include the newest event of the stream. */
  isHead: boolean;
  count: number;
}

/** Events of one stream by number. */
export interface FeedSource {
  streamId: string;
  /** Number of the newest event; undefined: there is no such stream. */
  last: () => Promise<number | undefined>;
  /** Up to `count` events from `from` on, in that direction; numbers may have gaps. */
  read: (from: number, count: number, direction: 'backward' | 'forward') => Promise<FeedEntry[]>;
}

export type Embed = 'none' | 'content' | 'rich' | 'body';

const SCAVENGES = '$scavenges';
/** The server's hash of `application/json`, the second part of its ETags. */
const JSON_HASH = 248368668;
const AUTHOR = { name: 'Winnow' };

export function streamOfRun(scavengeId: string): string {
  return `${SCAVENGES}-${scavengeId}`;
}

/** One page. undefined: there is no such stream. */
export async function readFeed(
  source: FeedSource,
  page: { from: 'head' | number; count: number; direction: 'backward' | 'forward' }
): Promise<Feed | undefined> {
  const last = await source.last();
  if (last === undefined) return undefined;
  const { streamId } = source;
  const { count, direction } = page;
  const from = page.from === 'head' ? last : page.from;
  if (direction === 'forward') {
    const found = await source.read(from, count, 'forward');
    const newest = found.at(-1)?.positionEventNumber;
    return {
      ...{ streamId, last, count },
      entries: found.reverse(),
      olderFrom: from > 0 ? from - 1 : undefined,
      newerFrom: newest === undefined ? from : newest + 1,
      isHead: newest === last || from > last
    };
  }
  const found = await source.read(from, count + 1, 'backward');
  const entries = found.slice(0, count);
  return {
    ...{ streamId, last, count, entries },
    olderFrom: found[count]?.positionEventNumber,
    newerFrom: Math.min(from, last) + 1,
    isHead: from >= last
  };
}

/** Of the newest event, so that a reader can check whether there is more. */
export function eTagOf({ last }: Pick<Feed, 'last'>): string {
  return `${last};${JSON_HASH}`;
}

/** The document of a feed. `baseUrl` without a slash at its end. */
export function feedDocument(feed: Feed, baseUrl: string, embed: Embed): object {
  const self = `${baseUrl}/streams/${encodeURIComponent(feed.streamId)}`;
  const { count, olderFrom, newerFrom } = feed;
  const links = [
    link(self, 'self'),
    link(`${self}/head/backward/${count}`, 'first'),
    ...(olderFrom === undefined
      ? []
      : [link(`${self}/0/forward/${count}`, 'last'), link(`${self}/${olderFrom}/backward/${count}`, 'next')]),
    ...(feed.entries.length === 0 ? [] : [link(`${self}/${newerFrom}/forward/${count}`, 'previous')]),
    link(`${self}/metadata`, 'metadata')
  ];
  return {
    title: `Event stream '${feed.streamId}'`,
    id: self,
    updated: feed.entries[0]?.event.updated ?? '0001-01-01T00:00:00.0000000Z',
    streamId: feed.streamId,
    author: AUTHOR,
    headOfStream: feed.isHead,
    selfUrl: self,
    eTag: feed.isHead ? eTagOf(feed) : null,
    links,
    entries: feed.entries.map((entry) => entryDocument(entry, baseUrl, embed))
  };
}

export function entryDocument(
  { event, positionStreamId, positionEventNumber }: FeedEntry,
  baseUrl: string,
  embed: Embed
): object {
  const { eventId, eventType, eventNumber, streamId, data } = event;
  const id = `${baseUrl}/streams/${encodeURIComponent(streamId)}/${eventNumber}`;
  const rich = {
    ...{ eventId, eventType, eventNumber },
    ...(embed === 'body' ? { data, metaData: null, linkMetaData: null } : {}),
    streamId,
    isJson: true,
    isMetaData: false,
    isLinkMetaData: false,
    isRedacted: false,
    positionEventNumber,
    positionStreamId
  };
  return {
    ...(embed === 'rich' || embed === 'body' ? rich : {}),
    title: `${eventNumber}@${streamId}`,
    id,
    updated: event.updated,
    author: AUTHOR,
    summary: positionStreamId === streamId ? eventType : '$>',
    retryCount: null,
    content:
      embed === 'content'
        ? { eventStreamId: streamId, eventNumber, eventType, eventId, data: parsed(data), metadata: '' }
        : null,
    links: [link(id, 'edit'), link(id, 'alternate')]
  };
}

/** `pretty` and `tryharder` of the server add indentation, which these events have anyway. */
export function embedOf(text: string | undefined): Embed {
  const name = text?.toLowerCase();
  if (name === 'content' || name === 'rich') return name;
  return name === 'body' || name === 'pretty' || name === 'tryharder' ? 'body' : 'none';
}

function link(uri: string, relation: string): object {
  return { uri, relation, type: null };
}

function parsed(data: string): unknown {
  try {
    return JSON.parse(data);
  } catch {
    return data;
  }
}
