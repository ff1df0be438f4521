/**
 * How a node is, as a shape and a word: the only place that turns what an inspection said into what is shown of it.
 * What is known besides comes as short pieces of a line.
 */
import type {
  ErrorReport,
  HealthReport,
  InspectReport
} from '../../src-main/contract/verbs/workbench-contract.ts';
import { texts } from '../texts.ts';
import { formatBytes } from './bytes.ts';
import { formatAge, formatAsOf } from './time.ts';

/** What is known of a node beside its health; null: not known, or never. */
export interface NodeFacts {
  lastScavenged: string | null;
  /** What tells of it; null: the node was not looked at. */
  lastScavengedFrom: InspectReport['lastScavengedFrom'] | null;
  lastBackup: string | null;
  freeBytes: number | null;
}

/** The shape. `soundSoFar`: as far as was looked at, which is no proof. */
export type HealthShape =
  | 'unknown'
  | 'notChecked'
  | 'sound'
  | 'soundSoFar'
  | 'findings'
  | 'willNotStart'
  | 'unclean'
  | 'running'
  | 'failed';

export interface NodeSight {
  shape: HealthShape;
  /** Short: `sound`. */
  word: string;
  /** With the check and its time: `sound as of 06:10 (doctor)`. */
  words: string;
  /** The sentence of the check. */
  because: string;
}

/** undefined: not inspected yet. */
export function sightOf(seen: InspectReport | ErrorReport | undefined, nowMs: number): NodeSight {
  const { word: names } = texts.health;
  if (seen === undefined) return plain('unknown', names.unknown, '');
  if ('code' in seen) return plain('failed', names.failed, seen.message);
  const { health, inUse } = seen;
  const sight = healthSight(health, nowMs);
  if (!inUse) return sight;
  const isKnown = sight.shape !== 'notChecked' || health.before !== null;
  return {
    ...sight,
    shape: 'running',
    word: health.state === 'findings' ? texts.health.runningWith(names.findings) : names.running,
    words: isKnown ? texts.health.runningWith(sight.words) : names.running
  };
}

function plain(shape: HealthShape, word: string, because: string): NodeSight {
  return { shape, word, words: word, because };
}

function healthSight(health: HealthReport, nowMs: number): NodeSight {
  const { state, before, words: because } = health;
  if (state === 'notChecked') {
    const word = texts.health.word.notChecked;
    const words = before === null ? word : texts.health.changedSince(word, asOf(before, nowMs));
    return { shape: 'notChecked', word, words, because };
  }
  const isInPart = state === 'sound' && health.isPartial;
  const word = wordOf(health);
  const full = asOf(health, nowMs, word);
  return {
    shape: isInPart ? 'soundSoFar' : state,
    word,
    words: isInPart ? texts.health.inPart(full) : full,
    because
  };
}

/** A cut that waits was set on purpose, by a restore or by the server itself. */
function wordOf({ state, code }: HealthReport): string {
  const isCut = state === 'unclean' && code === 'truncatePending';
  return isCut ? texts.health.word.cuts : texts.health.word[state];
}

function asOf(
  { state, checkedAt, by }: Pick<HealthReport, 'state' | 'checkedAt' | 'by'>,
  nowMs: number,
  word: string = texts.health.word[state]
): string {
  return checkedAt === null
    ? word
    : texts.health.asOf(word, formatAsOf(checkedAt, nowMs), texts.health.by[by]);
}

/** Only what is known; `lastVerifiedMs`: of this session. */
export function factWords(facts: NodeFacts, lastVerifiedMs: number | null, nowMs: number): string[] {
  const words = texts.clusters.node;
  const since = (name: string, time: string | number | null): string[] =>
    time === null ? [] : [`${texts.language.within(name)} ${formatAge(time, nowMs)}`];
  return [
    ...since(words.lastScavenge, facts.lastScavenged).map((text) =>
      facts.lastScavengedFrom === 'files' ? `${text} ${words.atTheLatest}` : text
    ),
    ...since(words.lastBackup, facts.lastBackup),
    ...since(words.lastVerify, lastVerifiedMs),
    ...(facts.freeBytes === null ? [] : [texts.work.freeDisk(formatBytes(facts.freeBytes))])
  ];
}
