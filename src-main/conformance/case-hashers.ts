/** The weak hashes of the cases, which collide on purpose. */
import { hashStream, type StreamHasher } from '../../src-core/index.ts';

function characterHasher(indexOf: (stream: string) => number): StreamHasher {
  return (stream, into = { high: 0, low: 0 }) => {
    into.high = 0;
    into.low = stream.length === 0 ? 0 : stream.charCodeAt(indexOf(stream)) || 0;
    return into;
  };
}

/** Code of the second character, of metadata streams the third. */
export const humanHasher = characterHasher((stream) => (stream.startsWith('$$') ? 2 : 1));
export const firstCharacterHasher = characterHasher(() => 0);

export function hasherNamed(name: string | undefined): StreamHasher {
  if (name === 'human') return humanHasher;
  return name === 'firstChar' ? firstCharacterHasher : hashStream;
}
