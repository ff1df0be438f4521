/**
 * A finding about the next start: what verification says, and besides what the server makes of it, in our words and
 * in its own. Pure values.
 */
import { damage, hint, type Finding } from '../../verify/finding.ts';

/**
 * - `refuses`: the process ends before the node is ready.
 * - `diesLater`: it comes up, or is about to, and ends itself when its background check gets there.
 * - `truncates`: the log is cut first.
 * - `rebuildsIndex`: the index is put aside and read from the log again.
 * - `none`: the start continues.
 */
export type StartEffect = 'refuses' | 'diesLater' | 'truncates' | 'rebuildsIndex' | 'none';

export interface StartFinding extends Finding {
  effect: StartEffect;
  /** What the server would do about it, one sentence. */
  wouldDo: string;
  /** Its own words, as in its log; null if it says nothing. */
  serverSays: string | null;
}

type StartParts = Partial<Finding> &
  Pick<StartFinding, 'message' | 'remedy' | 'effect' | 'wouldDo'> & { serverSays?: string | null };

export function startDamage(
  code: string,
  { effect, wouldDo, serverSays = null, ...rest }: StartParts
): StartFinding {
  return { ...damage(code, rest), effect, wouldDo, serverSays };
}

export function startHint(
  code: string,
  { effect, wouldDo, serverSays = null, ...rest }: StartParts
): StartFinding {
  return { ...hint(code, rest), effect, wouldDo, serverSays };
}

/** Adds to a finding of verification what it means for a start. */
export function asStartFinding(
  { severity, code, file, offset, position, message, remedy, command }: Finding,
  { effect, wouldDo, serverSays = null }: { effect: StartEffect; wouldDo: string; serverSays?: string | null }
): StartFinding {
  return {
    severity,
    code,
    file,
    offset,
    position,
    message,
    remedy,
    command,
    effect,
    wouldDo,
    serverSays
  };
}

export const NOTHING_CHANGES = 'It continues.';
export const REFUSES = 'It ends with exit code 1 before it is ready.';
/** Of a chunk that is scavenged by its header and has no position map: the map says which records are there. */
export const TAKEN_FOR_EMPTY = {
  effect: 'none' as const,
  wouldDo: 'It treats the chunk as empty and continues: readers miss its records.'
};
