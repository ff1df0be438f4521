/**
 * Which rule decides on a record, out of the state that the planned scavenge has calculated. Whether the record goes
 * is asked of the scavenger's decision, never worked out here; this names the reason by asking the same decision about
 * each limit for itself. What becomes of the chunk is not considered: see chunk-fate.ts.
 */
import { MAX_TICKS, TICKS_PER_SECOND, ticksFromHalves } from '../../units/ticks.ts';
import { PrepareFlag, type RecordKind } from '../../records/log-record.ts';
import type { RecordHead } from '../../records/record-head.ts';
import {
  cutoffOf,
  decideEvent,
  EventDecision,
  isBeforeCutoff,
  shouldDiscardRecord,
  type CalculationRules,
  type StreamVerdict,
  type TimeRanges
} from '../../scavenge/decisions/should-discard.ts';
import { isMetastreamName, type StreamHandle } from '../../scavenge/decisions/stream-handle.ts';
import {
  discardLimitsOf,
  isTombstone,
  reasonToDiscard,
  type LimitName,
  type Reason,
  type StreamLimitsInForce
} from './discard-reason.ts';
import type { Decisions, PlannedScavenge } from './planned-scavenge.ts';

/** What is kept of a record while its stream is looked into; the view itself moves on. */
export interface RecordFacts {
  position: number;
  kind: RecordKind;
  /** Empty where there is none. */
  stream: string;
  /** As the record says; of a part of a transaction it means nothing. */
  eventNumber: number;
  flags: number;
  timeHigh: number;
  timeLow: number;
}

export interface StreamRules extends StreamLimitsInForce {
  isMetastream: boolean;
  isTombstoned: boolean;
  /** Number of the last event before the scavenge point, -1 without one. */
  last: number;
  /** First number that is kept, by number alone and by age. */
  discardPoint: number;
  maybeDiscardPoint: number;
}

export interface RecordRuling {
  isDiscarded: boolean;
  reason: Reason;
  /** When age discards it. */
  until: bigint | null;
  /** undefined for records that no stream's rules are asked about. */
  rules: StreamRules | undefined;
}

/** What holds for all records of a stream. */
interface StreamRuling {
  verdict: StreamVerdict;
  rules: StreamRules;
}

export interface StreamByStream {
  /** The prepares that follow are of the stream that this record names. */
  enter(record: RecordHead): void;
  of(record: RecordHead): RecordRuling;
}

/** Streams whose rules are kept in memory. */
const REMEMBERED_STREAMS = 10_000;
const NOT_SET = -1;
const NO_LIMITS: StreamLimitsInForce = { maxAgeSeconds: NOT_SET, maxCount: NOT_SET, truncateBefore: NOT_SET };

export function factsOf(record: RecordHead): RecordFacts {
  const { position, kind, eventNumber, flags, timeHigh, timeLow } = record;
  const stream = kind === 'prepare' ? record.stream : '';
  return { position, kind, stream, eventNumber, flags, timeHigh, timeLow };
}

export class RecordRulings {
  readonly #planned: PlannedScavenge;
  readonly #rules = new Map<string, StreamRules>();

  constructor(planned: PlannedScavenge) {
    this.#planned = planned;
  }

  /** What the rules say of a record of the log. The record is no longer used once this returns. */
  of(record: RecordHead): RecordRuling {
    const { decisions } = this.#planned;
    const { position, kind } = record;
    if (kind !== 'prepare') return keep(kind);
    if (!decisions || position >= decisions.point.position) return keep(this.#reasonBehindPoint(position));
    const facts = factsOf(record); // looking up the rules may read other records through the same view
    const verdict = copyOf(decisions.verdicts.ofRecord(record));
    return rulingOn(facts, { verdict, rules: this.rulesOf(facts.stream, decisions) }, decisions);
  }

  /** The same for who goes through records stream by stream, in the rising order of hashes. */
  streamByStream(): StreamByStream {
    const { decisions } = this.#planned;
    const walk = decisions?.entries.newWalk();
    let stream: StreamRuling | undefined;
    return {
      enter: (record) => {
        if (!decisions || !walk) return;
        const verdict = copyOf(decisions.verdicts.ofRecord(record));
        const last = (handle: StreamHandle): number => {
          walk.start(handle);
          return walk.last;
        };
        stream = { verdict, rules: rulesAtPoint(record.stream, decisions, last) };
      },
      of: (record) => {
        const { position } = record;
        if (!stream || !decisions || position >= decisions.point.position) {
          return keep(this.#reasonBehindPoint(position));
        }
        return rulingOn(record, stream, decisions);
      }
    };
  }

  /** What the scavenge knows of a stream at its point. */
  rulesOf(stream: string, decisions: Decisions): StreamRules {
    let rules = this.#rules.get(stream);
    if (rules) return rules;
    if (this.#rules.size >= REMEMBERED_STREAMS) this.#rules.clear();
    const last = (handle: StreamHandle): number => decisions.entries.last(handle)?.number ?? -1;
    rules = rulesAtPoint(stream, decisions, last);
    this.#rules.set(stream, rules);
    return rules;
  }

  #reasonBehindPoint(position: number): Reason {
    const chunk = this.#planned.session.database.log.chunkAt(position);
    if (chunk && (chunk.isActive || !chunk.isCompleted)) return 'activeChunk';
    return this.#planned.decisions ? 'behindPoint' : 'noScavenge';
  }
}

function copyOf(shared: StreamVerdict): StreamVerdict {
  return { ...shared, cutoff: { ...shared.cutoff } }; // valid until the next question only
}

function rulesAtPoint(
  stream: string,
  { state }: Decisions,
  last: (handle: StreamHandle) => number
): StreamRules {
  const handle = state.handleOf(stream);
  const isMetastream = isMetastreamName(stream);
  const original = isMetastream ? undefined : state.originals.get(handle);
  const metastream = isMetastream ? state.metastreams.get(handle) : undefined;
  const row = original ?? metastream;
  return {
    ...(original ? limitsOf(original) : NO_LIMITS),
    isMetastream,
    isTombstoned: row?.isTombstoned ?? false,
    last: last(handle),
    discardPoint: row?.discardPoint ?? 0,
    maybeDiscardPoint: original?.maybeDiscardPoint ?? 0
  };
}

/** Of a prepare before the point. */
function rulingOn(
  record: RecordFacts,
  { verdict, rules }: StreamRuling,
  { judging, point }: Decisions
): RecordRuling {
  const isDiscarded = shouldDiscardRecord(record, verdict, judging.ignoreHardDeletes);
  const reason = isDiscarded
    ? reasonToDiscard(record, verdict, discardLimitsOf(rules, rules.last))
    : reasonToKeep(record, verdict, rules, point.effectiveNow);
  const until = reason === 'stillYoung' ? expiryOf(record, rules.maxAgeSeconds) : null;
  return { isDiscarded, reason, until, rules };
}

function keep(reason: Reason): RecordRuling {
  return { isDiscarded: false, reason, until: null, rules: undefined };
}

function limitsOf({ maxAgeSeconds, maxCount, truncateBefore }: StreamLimitsInForce): StreamLimitsInForce {
  return { maxAgeSeconds, maxCount, truncateBefore };
}

function reasonToKeep(
  facts: RecordFacts,
  verdict: StreamVerdict,
  rules: StreamRules,
  effectiveNow: bigint
): Reason {
  if (isTombstone(facts)) return 'tombstoneKept';
  if ((facts.flags & PrepareFlag.isCommitted) === 0) {
    return verdict.isTombstoned ? 'transactionBegin' : 'transactionPart';
  }
  const isLast = facts.eventNumber >= rules.last;
  if (rules.isMetastream) return isLast ? 'newestMetadata' : 'metadataHeldForPoint';
  const { maxAgeSeconds, maxCount, truncateBefore } = rules;
  if (maxAgeSeconds < 0 && maxCount < 0 && truncateBefore < 0) return 'noRule';
  if (isLast) return 'lastEvent';
  const cutoff = cutoffOf(effectiveNow, maxAgeSeconds, { isSet: false, high: 0, low: 0 });
  if (isDiscardedBy('maxAge', facts, rules, cutoff)) return 'youngerBefore';
  if (maxAgeSeconds >= 0) return 'stillYoung';
  return maxCount >= 0 ? 'amongNewest' : 'notTruncated';
}

/** In the order in which the decision asks. */
export const LIMITS: readonly LimitName[] = ['truncateBefore', 'maxCount', 'maxAge'];

/**
 * What the one decision says if this were the stream's only limit, with the event's own time instead of its chunk's.
 */
export function isDiscardedBy(
  limit: LimitName,
  { position, eventNumber, timeHigh, timeLow }: RecordFacts,
  { last, truncateBefore, maxCount }: StreamLimitsInForce & { last: number },
  cutoff: StreamVerdict['cutoff']
): boolean {
  const rules: CalculationRules = {
    pointPosition: Infinity,
    last,
    isTombstoned: false,
    truncateBefore: limit === 'truncateBefore' ? truncateBefore : NOT_SET,
    maxCount: limit === 'maxCount' ? maxCount : NOT_SET,
    cutoff: limit === 'maxAge' ? cutoff : { isSet: false, high: 0, low: 0 },
    isTombstoneAt: () => false
  };
  const isBefore = isBeforeCutoff(cutoff, timeHigh, timeLow);
  const ownTime: TimeRanges = {
    has: () => true,
    isAllSince: () => !isBefore,
    isAllBefore: () => isBefore
  };
  return decideEvent(rules, ownTime, eventNumber, position, 0) === EventDecision.discard;
}

/** Has a number of its own. */
export function isNumbered({ kind, flags }: RecordFacts): boolean {
  return kind === 'prepare' && (flags & PrepareFlag.isCommitted) !== 0;
}

/** The time after which age discards an event. */
export function expiryOf({ timeHigh, timeLow }: RecordFacts, maxAgeSeconds: number): bigint {
  const expiry = ticksFromHalves(timeHigh, timeLow) + BigInt(maxAgeSeconds) * TICKS_PER_SECOND;
  return expiry > MAX_TICKS ? MAX_TICKS : expiry;
}
