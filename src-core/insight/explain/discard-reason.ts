/**
 * Which rule discards a record that the scavenger discards, for explanations and for the sums of a plan alike. Asked in
 * the order of the decision: a deleted stream first, then superseded metadata, then the limits of the stream. Numbers
 * only and nothing made, since a plan asks for each record that goes.
 */
import { DELETED_STREAM_EVENT_NUMBER } from '../../units/event-number.ts';
import { PrepareFlag, type RecordKind } from '../../records/log-record.ts';
import {
  isBeforeCutoff,
  type PrepareFacts,
  type StreamVerdict
} from '../../scavenge/decisions/should-discard.ts';

/** The limits of a stream as the scavenge holds them; -1: not set. */
export interface StreamLimitsInForce {
  maxAgeSeconds: number;
  maxCount: number;
  truncateBefore: number;
}

export type LimitName = 'truncateBefore' | 'maxCount' | 'maxAge';

/** Finer than the rules of the contract: each reason has a sentence of its own. */
export type Reason =
  | DiscardReason
  | 'commit'
  | 'system'
  | 'activeChunk'
  | 'behindPoint'
  | 'noScavenge'
  | 'tombstoneKept'
  | 'transactionPart'
  | 'transactionBegin'
  | 'noRule'
  | 'lastEvent'
  | 'newestMetadata'
  | 'metadataHeldForPoint'
  | 'stillYoung'
  | 'youngerBefore'
  | 'amongNewest'
  | 'notTruncated';

export type DiscardReason =
  | 'tombstoneFreed'
  | 'hardDeleted'
  | 'metadataReplaced'
  | 'softDeleted'
  | 'truncated'
  | 'overCount'
  | 'expired'
  | 'givenUpEarlier';

/** First numbers that the limits of a stream keep; 0: they discard none. */
export interface DiscardLimits {
  truncate: number;
  count: number;
  isSoftDeleted: boolean;
}

/** `last`: number of the last event before the point; it matters only where a maximum count is set. */
export function discardLimitsOf(limits: StreamLimitsInForce, last: number): DiscardLimits {
  const { truncateBefore, maxCount } = limits;
  return {
    truncate: Math.max(0, truncateBefore),
    count: maxCount < 0 ? 0 : Math.max(0, last - maxCount + 1),
    isSoftDeleted: isSoftDeleted(limits)
  };
}

/** Why a record goes of which the scavenger says that it does. */
export function reasonToDiscard(
  { eventNumber, flags, timeHigh, timeLow }: PrepareFacts,
  { isTombstoned, isMetastream, cutoff }: StreamVerdict,
  limits: DiscardLimits
): DiscardReason {
  if (isTombstoned) return (flags & PrepareFlag.streamDelete) !== 0 ? 'tombstoneFreed' : 'hardDeleted';
  if (isMetastream) return 'metadataReplaced';
  if (eventNumber < limits.truncate) return reasonToTruncate(limits.isSoftDeleted);
  if (eventNumber < limits.count) return 'overCount';
  return cutoff.isSet && isBeforeCutoff(cutoff, timeHigh, timeLow) ? 'expired' : 'givenUpEarlier';
}

export function reasonOfLimit(limit: LimitName, limits: StreamLimitsInForce): DiscardReason {
  if (limit === 'maxCount') return 'overCount';
  return limit === 'maxAge' ? 'expired' : reasonToTruncate(isSoftDeleted(limits));
}

function isSoftDeleted({ truncateBefore }: StreamLimitsInForce): boolean {
  return truncateBefore >= DELETED_STREAM_EVENT_NUMBER;
}

function reasonToTruncate(ofDeleted: boolean): DiscardReason {
  return ofDeleted ? 'softDeleted' : 'truncated';
}

export function isTombstone({ kind, flags }: { kind: RecordKind; flags: number }): boolean {
  return kind === 'prepare' && (flags & PrepareFlag.streamDelete) !== 0;
}
