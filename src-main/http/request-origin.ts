/**
 * Whether a request was meant for this service: the name it was sent to must be one of ours, and a browser's page
 * must be our own. A foreign page that a person has open cannot call this service, whatever name it
 * resolves to this address.
 */
const LOOPBACK_NAMES = ['localhost', '127.0.0.1', '[::1]'];

export interface ServedNames {
  /** Address the service listens on. */
  host: string;
  port: number;
  isTls: boolean;
  /** Host names of this service besides the address itself. */
  publicNames: readonly string[];
}

/**
 * Whether the request line names a path of this service. A whole URL would still be routed by its path, while
 * `request.url` names another host: guards would read a different path from the router, and a forwarded call
 * would go to that host with its caller's password.
 */
export function isPath(target: string): boolean {
  return /^\/(?![/\\])/.test(target);
}

/** `rawHeaders`: names and values alternating, as Node gives them. Of two, Node shows the first and a proxy may use the other. */
export function hasOneHost(rawHeaders: readonly string[]): boolean {
  const names = rawHeaders.filter((_, index) => index % 2 === 0);
  return names.filter((name) => name.toLowerCase() === 'host').length <= 1;
}

/** `host`: the Host header. */
export function isOurHost(host: string | undefined, names: ServedNames): boolean {
  if (host === undefined) return false;
  const { name, port } = splitHost(host.toLowerCase());
  const defaultPort = names.isTls ? '443' : '80';
  if ((port ?? defaultPort) !== String(names.port)) return false;
  if (LOOPBACK_NAMES.includes(name) || name === bracketed(names.host.toLowerCase())) return true;
  if (names.publicNames.some((publicName) => publicName.toLowerCase() === name)) return true;
  // A service that listens on all addresses can be reached by any address, but only by the given names.
  return isEveryAddress(names.host) && isAddress(name);
}

/** No such header: not a browser's page, or one of the same origin. */
export function isOurOrigin(
  origin: string | undefined,
  host: string | undefined,
  names: ServedNames
): boolean {
  if (origin === undefined) return true;
  return origin.toLowerCase() === `${names.isTls ? 'https' : 'http'}://${host?.toLowerCase()}`;
}

export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127\.\d+\.\d+\.\d+$/.test(host);
}

function splitHost(host: string): { name: string; port: string | undefined } {
  const match = /^(\[[0-9a-f:.]+\]|[^:[\]]+)(?::(\d{1,5}))?$/.exec(host);
  return match ? { name: match[1]!, port: match[2] } : { name: '', port: undefined };
}

function bracketed(host: string): string {
  return host.includes(':') ? `[${host}]` : host;
}

function isEveryAddress(host: string): boolean {
  return host === '0.0.0.0' || host === '::';
}

function isAddress(name: string): boolean {
  return /^\d{1,3}(\.\d{1,3}){3}$/.test(name) || name.startsWith('[');
}
