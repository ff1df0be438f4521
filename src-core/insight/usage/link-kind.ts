/** Which kind of links a stream holds, by its name: the rows of `LogCounts.links`. */
import { LINK_KINDS } from './log-counts.ts';

export const NO_LINK_KIND = LINK_KINDS.indexOf('(no links)');
const OTHER_KIND = LINK_KINDS.indexOf('(other links)');
/** Of the other kinds, how a name begins, or the whole of it. */
const NAMES = (['$ce-', '$et-', '$streams'] as const).map((name) => ({
  kind: LINK_KINDS.indexOf(name),
  bytes: Buffer.from(name),
  isWhole: name === '$streams'
}));

export function linkKindOf(name: Uint8Array, start: number, end: number): number {
  for (const { kind, bytes, isWhole } of NAMES) {
    if (isWhole ? end - start !== bytes.length : end - start < bytes.length) continue;
    let at = 0;
    while (at < bytes.length && name[start + at] === bytes[at]) at++;
    if (at === bytes.length) return kind;
  }
  return OTHER_KIND;
}
