/**
 * Which projection wrote the links of a stream, by the stream's name: `docs/operations/projections.md` says what each writes.
 * Links of streams with other names come from projections of the users' own, or from clients.
 */
export const LINK_SOURCES = ['$ce-', '$et-', '$bc-', '$streams', '(other links)'] as const;
export type LinkSource = (typeof LINK_SOURCES)[number];

/** Row of what projections write about themselves: checkpoints, results, states, definitions. */
export const STATE_SOURCE = LINK_SOURCES.length;
export const SOURCE_COUNT = LINK_SOURCES.length + 1;

const OTHER = LINK_SOURCES.indexOf('(other links)');
const NAMED = LINK_SOURCES.slice(0, OTHER).map((name, source) => ({
  source,
  bytes: Buffer.from(name),
  isWhole: name === '$streams'
}));
const STATE_PREFIX = Buffer.from('$projections-');

/** Of a stream that holds links. */
export function linkSourceOf(names: Uint8Array, start: number, end: number): number {
  for (const { source, bytes, isWhole } of NAMED) {
    if (isWhole && end - start !== bytes.length) continue;
    if (beginsWith(names, start, end, bytes)) return source;
  }
  return OTHER;
}

/** Of a stream or its metastream: projections write it about themselves. */
export function isProjectionState(names: Uint8Array, start: number, end: number): boolean {
  const isMetastream = end - start >= 2 && names[start] === 0x24 && names[start + 1] === 0x24;
  const at = isMetastream && names[start + 2] === 0x24 ? start + 2 : start;
  return beginsWith(names, at, end, STATE_PREFIX);
}

function beginsWith(names: Uint8Array, start: number, end: number, prefix: Uint8Array): boolean {
  if (end - start < prefix.length) return false;
  for (let i = 0; i < prefix.length; i++) if (names[start + i] !== prefix[i]) return false;
  return true;
}
