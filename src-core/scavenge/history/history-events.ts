/**
 * The events in which a log keeps its scavenges. Each run has a stream `$scavenges-<id>`; `$scavenges` holds a link
 * to the start and to the end of each. The texts are the server's, byte for byte: indented, members in its order,
 * null written out. Pure; what is read may be anything, so whatever does not fit is left out.
 */
import type { ServerResult } from '../../units/scavenge-terms.ts';
import type { NewEvent } from '../../database/event-appender.ts';
import { decodeTimeTaken, encodeTimeTaken } from './time-taken.ts';

export const SCAVENGES_STREAM = '$scavenges';
export const DEFAULT_HISTORY_MAX_AGE_DAYS = 30;

export const HistoryEventType = {
  started: '$scavengeStarted',
  chunksCompleted: '$scavengeChunksCompleted',
  mergeCompleted: '$scavengeMergeCompleted',
  indexCompleted: '$scavengeIndexCompleted',
  completed: '$scavengeCompleted'
} as const;

/** What old servers wrote for a run that their restart had cut; others of this result had failed. */
export const HISTORY_RESTARTED = 'The node was restarted.';

/** What runs of ours have in place of a server's `host:port`. No server's end point holds an at sign and no port. */
const WINNOW_NODE = 'winnow@';
const LINK_TYPE = '$>';
const SECONDS_PER_DAY = 86_400;

/**
 * Names this host instead of a server's end point. A server compares end points to find runs of its own that
 * never came to an end; it must never take one of ours for its own, so the name is none that a server can have.
 */
export function winnowNodeOf(hostName: string): string {
  return WINNOW_NODE + hostName;
}

export function isWinnowNode(nodeEndpoint: string): boolean {
  return nodeEndpoint.startsWith(WINNOW_NODE);
}

export function runStreamOf(scavengeId: string): string {
  return `${SCAVENGES_STREAM}-${scavengeId}`;
}

/** Metadata of `$scavenges` and of each run's stream: readable for operators, gone after the retention. */
export function historyMetadata(maxAgeDays: number): string {
  const acl = { $r: '$ops', $w: [], $d: [], $mr: [], $mw: [] };
  return JSON.stringify({ $maxAge: maxAgeDays * SECONDS_PER_DAY, $acl: acl });
}

/** Who runs what: the members that every event has. */
export interface RunOfNode {
  scavengeId: string;
  nodeEndpoint: string;
}

export function startedEvent({ scavengeId, nodeEndpoint }: RunOfNode): NewEvent {
  return jsonEvent(HistoryEventType.started, { scavengeId, nodeEndpoint });
}

export interface DoneChunks {
  chunkStart: number;
  chunkEnd: number;
  timeTaken: number;
  spaceSavedBytes: number;
}

export function chunksCompletedEvent({ scavengeId, nodeEndpoint }: RunOfNode, done: DoneChunks): NewEvent {
  return jsonEvent(HistoryEventType.chunksCompleted, {
    scavengeId,
    chunkStartNumber: done.chunkStart,
    chunkEndNumber: done.chunkEnd,
    timeTaken: encodeTimeTaken(done.timeTaken),
    wasScavenged: true,
    spaceSaved: done.spaceSavedBytes,
    nodeEndpoint,
    errorMessage: ''
  });
}

export function mergeCompletedEvent({ scavengeId, nodeEndpoint }: RunOfNode, done: DoneChunks): NewEvent {
  return jsonEvent(HistoryEventType.mergeCompleted, {
    scavengeId,
    chunkStartNumber: done.chunkStart,
    chunkEndNumber: done.chunkEnd,
    timeTaken: encodeTimeTaken(done.timeTaken),
    spaceSaved: done.spaceSavedBytes,
    wasMerged: true,
    nodeEndpoint,
    errorMessage: ''
  });
}

export interface DoneTable {
  level: number;
  order: number;
  timeTaken: number;
  entriesDeleted: number;
  entriesKept: number;
  spaceSavedBytes: number;
}

export function indexCompletedEvent({ scavengeId, nodeEndpoint }: RunOfNode, done: DoneTable): NewEvent {
  return jsonEvent(HistoryEventType.indexCompleted, {
    scavengeId,
    level: done.level,
    index: done.order,
    timeTaken: encodeTimeTaken(done.timeTaken),
    entriesDeleted: done.entriesDeleted,
    entriesKept: done.entriesKept,
    spaceSaved: done.spaceSavedBytes,
    wasScavenged: done.entriesDeleted > 0,
    nodeEndpoint,
    errorMessage: ''
  });
}

export interface RunEnd {
  result: ServerResult | 'Interrupted';
  error: string | null;
  timeTaken: number;
  spaceSavedBytes: number;
  /** Highest chunk number that was executed, 0 without any. */
  maxChunkScavenged: number;
}

export function completedEvent({ scavengeId, nodeEndpoint }: RunOfNode, end: RunEnd): NewEvent {
  return jsonEvent(HistoryEventType.completed, {
    scavengeId,
    nodeEndpoint,
    result: end.result,
    error: end.error,
    timeTaken: encodeTimeTaken(end.timeTaken),
    spaceSaved: end.spaceSavedBytes,
    maxChunkScavenged: end.maxChunkScavenged
  });
}

/** The link in `$scavenges` to an event of a run. */
export function linkEvent(scavengeId: string, eventNumber: number): NewEvent {
  const data = Buffer.from(`${eventNumber}@${runStreamOf(scavengeId)}`, 'utf8');
  return { eventType: LINK_TYPE, data, isJson: false };
}

const LINK = /^\d+@\$scavenges-(.+)$/s;

/** The run that an event of `$scavenges` points to; undefined if it does not link to one. */
export function decodeLink(eventType: string, data: Uint8Array): string | undefined {
  return eventType === LINK_TYPE ? LINK.exec(textOf(data))?.[1] : undefined;
}

/** What the events of a run say, as far as they say it. */
export interface HistoryPayload {
  nodeEndpoint?: string;
  result?: string;
  error?: string;
  timeTaken?: number;
  spaceSavedBytes?: number;
  chunkEnd?: number;
  maxChunkScavenged?: number;
}

export function decodeHistoryPayload(data: Uint8Array): HistoryPayload {
  const members = membersOf(data);
  const text = (name: string): string | undefined => {
    const value = members[name];
    return typeof value === 'string' ? value : undefined;
  };
  const whole = (name: string): number | undefined => {
    const value = members[name];
    return typeof value === 'number' && Number.isSafeInteger(value) ? value : undefined;
  };
  return withoutAbsent({
    nodeEndpoint: text('nodeEndpoint'),
    result: text('result'),
    error: text('error'),
    timeTaken: decodeTimeTaken(text('timeTaken') ?? ''),
    spaceSavedBytes: whole('spaceSaved'),
    chunkEnd: whole('chunkEndNumber'),
    maxChunkScavenged: whole('maxChunkScavenged')
  });
}

/** True when metadata has this maximum age and lets operators read. */
export function isHistoryMetadata(data: Uint8Array, maxAgeDays: number): boolean {
  const { $maxAge, $acl } = membersOf(data);
  if ($maxAge !== maxAgeDays * SECONDS_PER_DAY || typeof $acl !== 'object' || $acl === null) return false;
  const readers = '$r' in $acl ? $acl.$r : undefined;
  return readers === '$ops' || (Array.isArray(readers) && readers.length === 1 && readers[0] === '$ops');
}

function jsonEvent(eventType: string, members: Record<string, string | number | boolean | null>): NewEvent {
  return { eventType, data: Buffer.from(JSON.stringify(members, null, 2), 'utf8') };
}

function membersOf(data: Uint8Array): Record<string, unknown> {
  try {
    const parsed: unknown = JSON.parse(textOf(data));
    return typeof parsed === 'object' && parsed !== null ? { ...parsed } : {};
  } catch {
    return {}; // foreign data in these streams: the history ignores it
  }
}

function textOf(data: Uint8Array): string {
  return Buffer.from(data.buffer, data.byteOffset, data.byteLength).toString('utf8');
}

function withoutAbsent(payload: {
  [K in keyof HistoryPayload]: HistoryPayload[K] | undefined;
}): HistoryPayload {
  return Object.fromEntries(Object.entries(payload).filter(([, value]) => value !== undefined));
}
