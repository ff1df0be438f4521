/** What is wrong with a name or an address as it was typed, in a sentence; empty: nothing. Pure. The gate checks the same. */
import { texts } from '../../texts.ts';

const NAME = /^[\w.-]{1,60}$/;

export function clusterNameFault(typed: string): string {
  return NAME.test(typed.trim()) ? '' : texts.clusters.ask.nameFault;
}

/** Of a node's HTTP API: scheme, host and port, and nothing else. */
export function addressFault(typed: string): string {
  const words = texts.clusters.ask.addressFaults;
  const text = typed.trim();
  // `node-1:2113` would be an address with the scheme "node-1".
  if (!text.includes('://') || !URL.canParse(text)) return words.none;
  const { protocol, host, username, password, pathname, search, hash } = new URL(text);
  if (protocol !== 'http:' && protocol !== 'https:') return words.scheme(protocol.slice(0, -1));
  const isPlain = `${username}${password}${search}${hash}` === '' && pathname === '/';
  return isPlain ? '' : words.more(`${protocol}//${host}`);
}
