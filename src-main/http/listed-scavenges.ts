/**
 * `$scavenges` as one stream: the links in the log and the starts and ends in our own history, by time. An event in
 * the log has the number of its link, plus the number of ours before it; so if the log records all runs the numbers
 * are the log's, and no number changes when older events expire. Pure.
 */
import type { ListedOwnEvent } from './recorded-runs.ts';
import type { FeedEvent } from './scavenge-feed.ts';

/** A link in the log to the start or the end of a run. */
export interface LogLink {
  number: number;
  at: string;
  stream: string;
  eventNumber: number;
}

export type ListedEvent = { number: number } & ({ link: LogLink } | { event: FeedEvent });

/** Both oldest first; so is the answer. `total`: number of our own events, including those already removed. */
export function listScavenges(
  links: readonly LogLink[],
  own: { events: readonly ListedOwnEvent[]; total: number }
): ListedEvent[] {
  const listed: ListedEvent[] = [];
  let at = 0;
  let ownBefore = own.events[0]?.index ?? own.total;
  let linksBefore = links[0]?.number ?? 0;
  const takeOwn = (until: string | undefined): void => {
    for (; at < own.events.length; at++) {
      const { index, event } = own.events[at]!;
      if (until !== undefined && event.updated >= until) return;
      listed.push({ number: linksBefore + index, event });
      ownBefore = index + 1;
    }
  };
  for (const link of links) {
    takeOwn(link.at);
    listed.push({ number: link.number + ownBefore, link });
    linksBefore = link.number + 1;
  }
  takeOwn(undefined);
  return listed;
}

const LINK = /^(\d{1,15})@(\$scavenges-.+)$/s;

/** What an event of `$scavenges` points to; undefined if it is not a link to a run. */
export function linkOf(row: {
  eventNumber: number | string;
  time: string;
  data?: string | undefined;
}): LogLink | undefined {
  const match = LINK.exec(row.data ?? '');
  if (!match) return undefined;
  return {
    number: Number(row.eventNumber),
    at: row.time,
    eventNumber: Number(match[1]),
    stream: match[2]!
  };
}
