/**
 * The cookie of a session. No script can read it, no other site can make the browser send it, and under TLS only this
 * host can set it. Browsers keep cookies by host, not by port: the port is in its name, so that two services on one
 * machine do not log each other out.
 */
import type { ServedNames } from '../request-origin.ts';

const LONGEST_HEADER = 8192;

export function cookieName({ port, isTls }: ServedNames): string {
  return `${isTls ? '__Host-' : ''}winnow-session-${port}`;
}

/** The header that keeps a session until the browser is closed; with `token` undefined, the one that deletes it. */
export function setCookie(names: ServedNames, token: string | undefined): string {
  const parts = [`${cookieName(names)}=${token ?? ''}`, 'Path=/', 'HttpOnly', 'SameSite=Strict'];
  if (names.isTls) parts.push('Secure');
  if (token === undefined) parts.push('Max-Age=0');
  return parts.join('; ');
}

/** The token in a request's header. */
export function tokenIn(header: string | undefined, names: ServedNames): string | undefined {
  if (header === undefined || header.length > LONGEST_HEADER) return undefined;
  const start = `${cookieName(names)}=`;
  const cookie = header
    .split(';')
    .map((part) => part.trim())
    .find((part) => part.startsWith(start));
  const token = cookie?.slice(start.length);
  return token === undefined || token === '' ? undefined : token;
}
