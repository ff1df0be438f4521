/**
 * A record's verdict: what the rules say of it, then what becomes of its chunk. The words come from wording.ts, the
 * decisions from the scavenger.
 */
import type { ExplainRule } from '../../units/scavenge-terms.ts';
import type { RecordHead } from '../../records/record-head.ts';
import { chunkNumberOf } from '../../units/log-position.ts';
import { ChunkFates, type ChunkFate } from './chunk-fate.ts';
import type { ChainStep, Explanation } from './explanation.ts';
import type { PlannedScavenge } from './planned-scavenge.ts';
import type { StreamLimitsInForce } from './discard-reason.ts';
import { chainOf } from './record-chain.ts';
import {
  expiryOf,
  factsOf,
  isNumbered,
  RecordRulings,
  type RecordFacts,
  type RecordRuling
} from './record-ruling.ts';
import { reasonAtEnd, streamAtEnd, type StreamAtEnd } from './stream-at-end.ts';
import {
  although,
  becauseOf,
  becauseOfChunk,
  changeOf,
  changeOfChunk,
  durationText,
  numberText,
  ruleOf,
  type Values
} from './wording.ts';

/** What is decided on a record, before words are made of it. */
export interface Decided {
  facts: RecordFacts;
  ruling: RecordRuling;
  /** Of the chunk, if rules discard the record; undefined: they do not. */
  fate: ChunkFate | undefined;
  isKept: boolean;
  rule: ExplainRule;
}

const NO_LIMITS: StreamLimitsInForce = { maxAgeSeconds: -1, maxCount: -1, truncateBefore: -1 };

export class RecordExplainer {
  readonly fates: ChunkFates;
  readonly rulings: RecordRulings;
  readonly #planned: PlannedScavenge;
  readonly #atEnd = new Map<string, StreamAtEnd | undefined>();

  constructor(planned: PlannedScavenge) {
    this.#planned = planned;
    this.fates = new ChunkFates(planned);
    this.rulings = new RecordRulings(planned);
  }

  /** Decides on a record of the log; its view is no longer used once this returns its promise. */
  decide(record: RecordHead): Promise<Decided> {
    const facts = factsOf(record);
    return this.#follow(facts, this.rulings.of(record));
  }

  /** The words for what was decided; `last`: of the last of several records that the same is said of. */
  explain(decided: Decided, several?: { last: Decided }): Explanation {
    const { ruling, fate, isKept, rule } = decided;
    const because = this.#because(decided, several?.last);
    const held = fate && isKept ? becauseOfChunk(fate) : undefined;
    const change =
      fate && isKept
        ? changeOfChunk(fate, this.#planned.facts)
        : changeOf(ruling.reason, { expiry: ruling.until });
    return {
      verdict: isKept ? 'keep' : 'discard',
      rule,
      until: ruling.until,
      because: held === undefined ? because : although(held, because),
      change: this.#withLaterRules(change, decided)
    };
  }

  chain(decided: Decided): ChainStep[] {
    const because = this.#because(decided);
    return chainOf({ planned: this.#planned, ...decided, because });
  }

  /** What holds for a stream at the end of the log. */
  atEnd(stream: string): StreamAtEnd | undefined {
    if (!this.#atEnd.has(stream)) {
      this.#atEnd.set(stream, streamAtEnd(this.#planned.session.index, stream));
    }
    return this.#atEnd.get(stream);
  }

  async #follow(facts: RecordFacts, ruling: RecordRuling): Promise<Decided> {
    const chunk = ruling.isDiscarded ? this.#planned.session.database.log.chunkAt(facts.position) : undefined;
    const fate = chunk && (await this.fates.of(chunk));
    const isKept = !ruling.isDiscarded || fate?.kind !== 'rewritten';
    return { facts, ruling, fate, isKept, rule: finalRule(ruling, fate) };
  }

  #because(decided: Decided, last?: Decided): string {
    return becauseOf(decided.ruling.reason, this.#valuesOf(decided, last), this.#planned);
  }

  #valuesOf({ facts, ruling }: Decided, last: Decided | undefined): Values {
    const { rules } = ruling;
    const age = rules?.maxAgeSeconds ?? -1;
    const expiry = (one: RecordFacts) => (age < 0 ? null : expiryOf(one, age));
    return {
      limits: rules ?? NO_LIMITS,
      last: rules?.last ?? -1,
      discardPoint: rules?.discardPoint ?? 0,
      keptFrom: Math.max(rules?.discardPoint ?? 0, rules?.maybeDiscardPoint ?? 0),
      chunk: chunkNumberOf(facts.position, this.#planned.session.database.log.chunkSizeBytes),
      expiry: expiry(facts),
      lastExpiry: last ? expiry(last.facts) : null,
      isMany: last !== undefined
    };
  }

  /** Rules that were set behind the scavenge point do not count for it; people wonder most about just those. */
  #withLaterRules(change: string | null, { facts, ruling, isKept }: Decided): string | null {
    if (!isKept || facts.kind !== 'prepare' || !isNumbered(facts)) return change;
    const atEnd = this.atEnd(facts.stream);
    if (!atEnd) return change;
    const joined = (note: string) => (change === null ? note : `${change} ${note}`);
    if (!ruling.rules) {
      const reason = reasonAtEnd(atEnd, { eventNumber: facts.eventNumber, facts }, this.#planned.now);
      if (!reason) return change;
      const values = {
        ...this.#valuesOf({ facts, ruling, fate: undefined, isKept, rule: 'noRule' }, undefined)
      };
      const { limits, last } = atEnd;
      const expiry = limits.maxAgeSeconds < 0 ? null : expiryOf(facts, limits.maxAgeSeconds);
      const then = becauseOf(reason, { ...values, limits, last, expiry }, this.#planned);
      return joined(`By the rules at the end of the log it is removed then: ${then}`);
    }
    if (atEnd.isDeleted && !ruling.rules.isTombstoned) {
      return joined(
        'The stream was hard-deleted after the scavenge point, which counts only for a later point.'
      );
    }
    if (atEnd.isMetastream || atEnd.isDeleted || isSame(atEnd.limits, ruling.rules)) return change;
    return joined(
      `After the scavenge point the metadata was changed to ${limitsText(atEnd.limits)}, which counts only for a later point.`
    );
  }
}

function finalRule(ruling: RecordRuling, fate: ChunkFate | undefined): ExplainRule {
  if (!ruling.isDiscarded || !fate || fate.kind === 'rewritten') return ruleOf(ruling.reason);
  if (fate.kind === 'keptLarger') return 'keptLarger';
  return fate.kind === 'active' ? 'activeChunk' : 'belowThreshold';
}

function isSame(a: StreamLimitsInForce, b: StreamLimitsInForce): boolean {
  return (
    a.maxAgeSeconds === b.maxAgeSeconds && a.maxCount === b.maxCount && a.truncateBefore === b.truncateBefore
  );
}

function limitsText({ maxAgeSeconds, maxCount, truncateBefore }: StreamLimitsInForce): string {
  const parts = [
    ...(maxAgeSeconds >= 0 ? [`$maxAge ${durationText(maxAgeSeconds)}`] : []),
    ...(maxCount >= 0 ? [`$maxCount ${numberText(maxCount)}`] : []),
    ...(truncateBefore >= 0 ? [`$tb ${numberText(truncateBefore)}`] : [])
  ];
  return parts.length === 0 ? 'no limits' : parts.join(', ');
}
