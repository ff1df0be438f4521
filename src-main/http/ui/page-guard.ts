/**
 * What each request of the page has to show before anything is done for it: that the page itself sent it, and a session.
 *
 * A foreign page cannot set the header without this service's leave, which is given to nobody; and browsers name the
 * page that asks. A cookie alone is never enough: pages of other ports of this host count as the same site.
 */
import type { FastifyRequest } from 'fastify';
import type { ServedNames } from '../request-origin.ts';
import { tokenIn } from './session-cookie.ts';
import type { Sessions } from './sessions.ts';

/** The value of X-Requested-With that src-renderer/api/served-call.ts sends. */
export const PAGE_MARK = 'winnow';

/** Whether the page sent this. That Host and Origin are ours where they are given was checked before. */
export function isFromPage({ headers, method }: FastifyRequest): boolean {
  const isMarked = headers['x-requested-with'] === PAGE_MARK;
  const site = headers['sec-fetch-site'];
  const isSameOrigin = site === undefined || site === 'same-origin';
  // Browsers name the origin whenever a request could change something.
  const isNamed = method === 'GET' || method === 'HEAD' || headers.origin !== undefined;
  return isMarked && isSameOrigin && isNamed;
}

/** Notes whose session a request belongs to; false: it has none. */
export function takeSession(request: FastifyRequest, sessions: Sessions, names: ServedNames): boolean {
  request.caller = sessions.use(tokenIn(request.headers.cookie, names));
  return request.caller !== undefined;
}
