/** The rules that a record meets on its way, each with its values and what it says. Decides nothing by itself. */
import type { ExplainRule } from '../../units/scavenge-terms.ts';
import { cutoffOf } from '../../scavenge/decisions/should-discard.ts';
import type { ChunkFate } from './chunk-fate.ts';
import type { ChainStep } from './explanation.ts';
import type { PlannedScavenge } from './planned-scavenge.ts';
import { isTombstone, type LimitName } from './discard-reason.ts';
import {
  expiryOf,
  isDiscardedBy,
  isNumbered,
  LIMITS,
  type RecordFacts,
  type RecordRuling,
  type StreamRules
} from './record-ruling.ts';
import {
  becauseOfChunk,
  capital,
  chunkText,
  durationText,
  numberText,
  pointText,
  ruleOf,
  timeText
} from './wording.ts';

export interface ChainQuestion {
  planned: PlannedScavenge;
  facts: RecordFacts;
  ruling: RecordRuling;
  /** Of the chunk, if rules discard the record. */
  fate: ChunkFate | undefined;
  /** What the ruling says, in a sentence. */
  because: string;
}

/** From the scavenge point to the chunk; ends with the rule that keeps. */
export function chainOf({ planned, facts, ruling, fate, because }: ChainQuestion): ChainStep[] {
  const { rules, reason, isDiscarded } = ruling;
  const { decisions } = planned;
  const verdict: ChainStep = {
    rule: ruleOf(reason),
    says: isDiscarded ? 'discards' : 'keeps',
    text: because
  };
  if (!rules || !decisions) return [verdict];
  const chain: ChainStep[] = [
    passes('afterScavengePoint', `It is before scavenge point ${pointText(planned.facts)}.`)
  ];
  if (!rules.isTombstoned) chain.push(passes('hardDelete', 'The stream was not hard-deleted.'));
  if (isTombstone(facts) || !isNumbered(facts) || rules.isTombstoned || rules.isMetastream) {
    chain.push(verdict);
  } else if (reason === 'lastEvent' || reason === 'noRule') {
    chain.push(verdict, ...limitSteps(facts, rules, decisions.point.effectiveNow));
  } else {
    chain.push(passes('lastEvent', `The last event before the point is number ${numberText(rules.last)}.`));
    const limits = limitSteps(facts, rules, decisions.point.effectiveNow);
    chain.push(...limits.filter(({ rule }) => rule !== verdict.rule), verdict);
  }
  if (fate) chain.push(chunkStep(fate));
  return chain;
}

/** What each limit that is set says by itself. */
function limitSteps(facts: RecordFacts, rules: StreamRules, now: bigint): ChainStep[] {
  const cutoff = cutoffOf(now, rules.maxAgeSeconds, { isSet: false, high: 0, low: 0 });
  return LIMITS.filter((limit) => valueOf(limit, rules) >= 0).map((limit) => {
    const isDiscarded = isDiscardedBy(limit, facts, rules, cutoff);
    return { rule: limit, says: isDiscarded ? 'discards' : 'passes', text: limitText(limit, facts, rules) };
  });
}

function valueOf(limit: LimitName, rules: StreamRules): number {
  return limit === 'maxAge' ? rules.maxAgeSeconds : rules[limit];
}

function limitText(limit: LimitName, facts: RecordFacts, rules: StreamRules): string {
  const number = numberText(facts.eventNumber);
  switch (limit) {
    case 'truncateBefore':
      return `$tb is ${numberText(rules.truncateBefore)}; the event has number ${number}.`;
    case 'maxCount':
      return `$maxCount is ${numberText(rules.maxCount)}: numbers from ${numberText(Math.max(0, rules.last - rules.maxCount + 1))} on; the event has number ${number}.`;
    case 'maxAge':
      return `$maxAge is ${durationText(rules.maxAgeSeconds)}: the event is young enough until ${timeText(expiryOf(facts, rules.maxAgeSeconds))}.`;
  }
}

function chunkStep(fate: ChunkFate): ChainStep {
  const { kind, chunk, weight, threshold } = fate;
  const named = `Chunk ${chunkText(chunk)} has weight ${weight}; the threshold is ${threshold}`;
  if (kind === 'rewritten')
    return { rule: 'belowThreshold', says: 'passes', text: `${named}: it is rewritten.` };
  const rule = kind === 'keptLarger' ? 'keptLarger' : kind === 'active' ? 'activeChunk' : 'belowThreshold';
  return { rule, says: 'keeps', text: `${capital(becauseOfChunk(fate) ?? named)}.` };
}

function passes(rule: ExplainRule, text: string): ChainStep {
  return { rule, says: 'passes', text };
}
