/**
 * What each request of the page must prove before anything is done: that the page itself sent it, and a session.
 *
 * A foreign page cannot set the header without this service's permission, which is never given; and browsers name the
 * origin of the page. A cookie alone is never enough: pages on other ports of this host count as the same site.
 */
import type { FastifyRequest } from 'fastify';
import type { ServedNames } from '../request-origin.ts';
import { tokenIn } from './session-cookie.ts';
import type { Sessions } from './sessions.ts';

/** The value of X-Requested-With that src-renderer/api/served-call.ts sends. */
export const PAGE_MARK = 'winnow';

/** Whether the page sent this. Host and Origin, if present, were checked before. */
export function isFromPage({ headers, method }: FastifyRequest): boolean {
  const isMarked = headers['x-requested-with'] === PAGE_MARK;
  const site = headers['sec-fetch-site'];
  const isSameOrigin = site === undefined || site === 'same-origin';
  // Browsers name the origin whenever a request could change something.
  const isNamed = method === 'GET' || method === 'HEAD' || headers.origin !== undefined;
  return isMarked && isSameOrigin && isNamed;
}

/** Assigns the request to its session's user; false: it has none. */
export function takeSession(request: FastifyRequest, sessions: Sessions, names: ServedNames): boolean {
  request.caller = sessions.use(tokenIn(request.headers.cookie, names));
  return request.caller !== undefined;
}
