/**
 * The sentences of an explanation: why, what would change it, and values as people write them. Decides nothing.
 */
import type { ExplainRule } from '../../units/scavenge-terms.ts';
import { DELETED_STREAM_EVENT_NUMBER, eventNumberToJson } from '../../units/event-number.ts';
import { ticksToIso } from '../../units/ticks.ts';
import type { ChunkFate } from './chunk-fate.ts';
import type { PlannedScavenge } from './planned-scavenge.ts';
import type { Reason, StreamLimitsInForce } from './discard-reason.ts';
import { counted } from '../../units/counted.ts';

const RULE_OF: Record<Reason, ExplainRule> = {
  commit: 'noRule',
  system: 'noRule',
  activeChunk: 'activeChunk',
  behindPoint: 'afterScavengePoint',
  noScavenge: 'afterScavengePoint',
  tombstoneKept: 'tombstone',
  tombstoneFreed: 'hardDelete',
  hardDeleted: 'hardDelete',
  transactionPart: 'uncommittedTransaction',
  transactionBegin: 'uncommittedTransaction',
  noRule: 'noRule',
  lastEvent: 'lastEvent',
  newestMetadata: 'lastEvent',
  metadataReplaced: 'metadataSuperseded',
  metadataHeldForPoint: 'metadataSuperseded',
  softDeleted: 'softDelete',
  truncated: 'truncateBefore',
  overCount: 'maxCount',
  expired: 'maxAge',
  givenUpEarlier: 'truncateBefore',
  stillYoung: 'maxAge',
  youngerBefore: 'maxAge',
  amongNewest: 'maxCount',
  notTruncated: 'truncateBefore'
};

export function ruleOf(reason: Reason): ExplainRule {
  return RULE_OF[reason];
}

/** The values that sentences name. */
export interface Values {
  limits: StreamLimitsInForce;
  last: number;
  discardPoint: number;
  /** First number that the calculation kept. */
  keptFrom: number;
  /** Logical chunk of the record. */
  chunk: number | null;
  /** When age discards the record, or did. */
  expiry: bigint | null;
  /** Of the last record, where a sentence is about several. */
  lastExpiry: bigint | null;
  isMany: boolean;
}

/** One sentence with the values that decide. */
export function becauseOf(reason: Reason, values: Values, { facts }: Pick<PlannedScavenge, 'facts'>): string {
  const { limits, last, isMany } = values;
  const it = isMany ? 'they' : 'it';
  const count = numberText(limits.maxCount);
  const countFrom = numberText(Math.max(0, last - limits.maxCount + 1));
  const before = numberText(limits.truncateBefore);
  const age = `$maxAge of ${durationText(limits.maxAgeSeconds)}`;
  switch (reason) {
    case 'commit':
      return 'It is a commit: commits are never removed, whatever happens to the events of their transaction.';
    case 'system':
      return 'It is a record of the server itself (an epoch): such records are never removed.';
    case 'activeChunk':
      return `Chunk ${values.chunk ?? ''} is the active chunk, which no scavenge rewrites.`;
    case 'behindPoint':
      return `${capital(it)} ${isMany ? 'are' : 'is'} at or after scavenge point ${pointText(facts)}; a scavenge removes only what is before its point.`;
    case 'noScavenge':
      return 'There is no unreached scavenge point, so this scavenge does nothing.';
    case 'tombstoneKept':
      return 'It is the tombstone of the stream: it stays, so that the stream stays deleted and its name reserved.';
    case 'tombstoneFreed':
      return 'Hard deletes are ignored (unsafe): the tombstone is removed too, and the name of the stream becomes free.';
    case 'hardDeleted':
      return 'The stream was hard-deleted: everything except the tombstone is removed.';
    case 'transactionPart':
      return 'It belongs to an explicit transaction: such a record has no number of its own, and only a hard delete of the stream removes it.';
    case 'transactionBegin':
      return 'It begins an explicit transaction: it stays although the stream was hard-deleted, because the commit, which always stays, refers to it.';
    case 'noRule':
      return 'The stream has no $maxAge, $maxCount or $tb and was not deleted, so no rule discards any of it.';
    case 'lastEvent':
      return limits.truncateBefore >= DELETED_STREAM_EVENT_NUMBER
        ? 'It is the last event of the stream, which stays although the stream was soft-deleted: it holds the number at which the stream would continue.'
        : 'It is the last event of the stream, which always stays.';
    case 'newestMetadata':
      return 'It is the newest metadata of the stream, which always stays.';
    case 'metadataReplaced':
      return `Newer metadata, number ${numberText(last)}, replaced ${isMany ? 'them' : 'it'}.`;
    case 'metadataHeldForPoint':
      return 'Newer metadata replaced it, but it was in force at a scavenge point in the log that a later scavenge may still use.';
    case 'softDeleted':
      return 'The stream was soft-deleted ($tb is its maximum): everything except the last event is removed.';
    case 'truncated':
      return `$tb of ${before} discards the events before number ${before}.`;
    case 'overCount':
      return `$maxCount of ${count} keeps the newest ${count}, from number ${countFrom} on, and discards the others.`;
    case 'expired':
      return isMany
        ? `${age} discards them: the first since ${timeText(values.expiry)}, the last since ${timeText(values.lastExpiry)}.`
        : `${age} discards it since ${timeText(values.expiry)}.`;
    case 'givenUpEarlier':
      return `An earlier scavenge has discarded the events before number ${numberText(values.discardPoint)}, which is never undone.`;
    case 'stillYoung':
      return isMany
        ? `${age} keeps them: the first until ${timeText(values.expiry)}, the last until ${timeText(values.lastExpiry)}.`
        : `${age} keeps it until ${timeText(values.expiry)}.`;
    case 'youngerBefore':
      return `${capital(it)} ${isMany ? 'are' : 'is'} older than ${age}, but an event before ${isMany ? 'them' : 'it'} is not, and events are removed only from the front of a stream: number ${numberText(values.keptFrom)} is the first that stays.`;
    case 'amongNewest':
      return `$maxCount of ${count} keeps the newest ${count}, from number ${countFrom} on.`;
    case 'notTruncated':
      return `$tb of ${before} discards only events before number ${before}.`;
  }
}

/** What would change the verdict of a record; null where nothing has to. */
export function changeOf(reason: Reason, { expiry }: Pick<Values, 'expiry'>): string | null {
  switch (reason) {
    case 'activeChunk':
      return 'The chunk is completed when it is full or a new scavenge point is written; a scavenge after that judges it.';
    case 'behindPoint':
    case 'metadataHeldForPoint':
      return 'A later scavenge with a point after it.';
    case 'noScavenge':
      return 'A new scavenge point ("--scavenge-point new"), or a detached scavenge.';
    case 'tombstoneKept':
      return 'Only a scavenge that ignores hard deletes ("--unsafe-ignore-hard-deletes") removes tombstones.';
    case 'transactionPart':
      return 'Only a hard delete of the stream.';
    case 'transactionBegin':
      return 'Only a scavenge that ignores hard deletes ("--unsafe-ignore-hard-deletes").';
    case 'noRule':
      return '$maxAge, $maxCount or $tb in the metadata of the stream, or its deletion, then a scavenge.';
    case 'lastEvent':
      return 'A newer event in the stream, or a hard delete of the stream.';
    case 'newestMetadata':
      return 'Newer metadata, or a hard delete of the stream.';
    case 'stillYoung':
      return `A scavenge point written after ${timeText(expiry)}.`;
    case 'youngerBefore':
      return 'A scavenge point written when the events before it are also too old, or $tb.';
    case 'amongNewest':
      return 'Newer events in the stream, or a smaller $maxCount.';
    case 'notTruncated':
      return 'A higher $tb.';
    default:
      return null;
  }
}

/** Why a chunk stays as it is although rules would discard records of it; undefined if it is rewritten. */
export function becauseOfChunk({ kind, chunk, weight, threshold, sizes }: ChunkFate): string | undefined {
  const named = `chunk ${chunkText(chunk)}`;
  switch (kind) {
    case 'belowThreshold':
      return weight === 0
        ? `${named} has weight 0: an earlier scavenge has already discarded what could go, and the file is not rewritten for it`
        : `${named} has weight ${weight}, below the threshold of ${threshold}, so it is not rewritten`;
    case 'keptLarger':
      return `${named} stays as it is because its new file would not be smaller (${sizes.after} bytes instead of ${sizes.before})`;
    case 'passed':
      return `${named} was processed by this scavenge before it was stopped, and is not visited again`;
    default:
      return undefined;
  }
}

export function changeOfChunk(
  { kind, weight }: ChunkFate,
  { placement }: { placement: string }
): string | null {
  switch (kind) {
    case 'belowThreshold': {
      const threshold = weight === 0 ? '-1' : weight === 1 ? '1 or 0' : `${weight} or less`;
      const how = placement === 'existing' ? ' and a new scavenge point, which stores it' : '';
      return `A threshold of ${threshold} ("--threshold")${how}; or more discardable records in the chunk.`;
    }
    case 'keptLarger':
      return 'Run with "--always-keep-scavenged", which replaces a chunk whatever its size, or wait until more of it can go.';
    case 'passed':
      return 'The next scavenge.';
    default:
      return null;
  }
}

/** Two sentences as one: the second is what would be otherwise. */
export function although(outer: string, inner: string): string {
  const lower = /^(It|They|The|An|Newer|Hard)\b/.test(inner)
    ? inner.charAt(0).toLowerCase() + inner.slice(1)
    : inner;
  return `${capital(outer)}, although ${lower}`;
}

export function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

export function chunkText({ startNumber, endNumber }: { startNumber: number; endNumber: number }): string {
  return startNumber === endNumber ? String(startNumber) : `${startNumber}-${endNumber}`;
}

export function numberText(value: number): string {
  return String(eventNumberToJson(value));
}

/** "2026-12-01 10:00:00 UTC"; a midnight is its date alone. */
export function timeText(ticks: bigint | null): string {
  if (ticks === null) return 'an unknown time';
  const iso = ticksToIso(ticks);
  if (iso.endsWith('T00:00:00.0000000Z')) return iso.slice(0, 10);
  return `${iso.slice(0, 10)} ${iso.slice(11, 19)} UTC`;
}

const SPANS: readonly [number, string][] = [
  [86_400, 'day'],
  [3600, 'hour'],
  [60, 'minute'],
  [1, 'second']
];

/** In the largest unit that it is a whole number of. */
export function durationText(seconds: number): string {
  const [length, name] = SPANS.find(([unit]) => seconds % unit === 0) ?? [1, 'second'];
  return counted(seconds / length, name);
}

export function pointText({ point, placement }: PlannedScavenge['facts']): string {
  if (!point) return '';
  return placement === 'detached'
    ? `at position ${point.position} (detached)`
    : `${point.number} at position ${point.position}`;
}
