/**
 * Payloads of the server's own records, of which an answer depends on more than their length: epochs, scavenge points,
 * the history of scavenges. Known members stay as long as they are what they must be (a number, a word of the server's,
 * an id made at random); everything else is not there.
 */
import { HISTORY_RESTARTED, isWinnowNode, winnowNodeOf } from '../scavenge/history/history-events.ts';
import { decodeScavengePointData } from '../scavenge/points/scavenge-point.ts';
import { blankBytes, blankJson, putJson } from './blank-payload.ts';
import type { NameMap } from './name-map.ts';
import { isRunId } from './system-names.ts';

type Members = Record<string, unknown>;
/** What of a member is kept; undefined: nothing. */
type Keep = (value: unknown, names: NameMap) => unknown;

const whole: Keep = (value) => (Number.isSafeInteger(value) ? value : undefined);
const flag: Keep = (value) => (typeof value === 'boolean' ? value : undefined);
const id: Keep = (value) => (typeof value === 'string' && isRunId(value) ? value : undefined);
/** Digits and what stands between them in times and durations. */
const time: Keep = (value) =>
  typeof value === 'string' && /^[-+\d:.TZ]{1,40}$/.test(value) ? value : undefined;
const RESULTS = ['Success', 'Failed', 'Stopped', 'Errored', 'Interrupted', 'InProgress', 'Unknown'];
const result: Keep = (value) => (typeof value === 'string' && RESULTS.includes(value) ? value : undefined);
/** That there was one is kept. */
const error: Keep = (value) => {
  if (value === null) return null;
  if (typeof value !== 'string') return undefined;
  return value === HISTORY_RESTARTED ? value : '*'.repeat(value.length);
};
const node: Keep = (value, names) => {
  if (typeof value !== 'string') return undefined;
  return isWinnowNode(value)
    ? winnowNodeOf(names.text(value.slice(winnowNodeOf('').length)))
    : names.text(value);
};

const EPOCH: Record<string, Keep> = {
  epochPosition: whole,
  epochNumber: whole,
  epochId: id,
  prevEpochPosition: whole,
  timeStamp: time,
  leaderInstanceId: id
};

const HISTORY: Record<string, Keep> = {
  scavengeId: id,
  nodeEndpoint: node,
  result,
  error,
  errorMessage: error,
  timeTaken: time,
  spaceSaved: whole,
  maxChunkScavenged: whole,
  chunkStartNumber: whole,
  chunkEndNumber: whole,
  wasScavenged: flag,
  wasMerged: flag,
  level: whole,
  index: whole,
  entriesDeleted: whole,
  entriesKept: whole
};

export function replaceEpoch(data: Buffer, names: NameMap): void {
  replaceMembers(data, EPOCH, names);
}

export function replaceHistoryEvent(data: Buffer, names: NameMap): void {
  replaceMembers(data, HISTORY, names);
}

export function replaceScavengePoint(data: Buffer): void {
  const point = decodeScavengePointData(data);
  if (!point) {
    // As unreadable as it was.
    blankBytes(data);
    return;
  }
  const text = point.threshold === 0 ? '{}' : JSON.stringify({ threshold: point.threshold });
  if (!putJson(data, text)) blankBytes(data);
}

/** Unreadable stays unreadable. Members that find no room are left out, the last ones first. */
function replaceMembers(data: Buffer, keeps: Record<string, Keep>, names: NameMap): void {
  if (data.length === 0) return;
  const members = membersOf(data);
  if (!members) {
    blankBytes(data);
    return;
  }
  const kept: [string, unknown][] = [];
  for (const [name, value] of Object.entries(members)) {
    const wanted = Object.hasOwn(keeps, name) ? keeps[name]!(value, names) : undefined;
    if (wanted !== undefined) kept.push([name, wanted]);
  }
  while (!putJson(data, JSON.stringify(Object.fromEntries(kept)))) {
    if (kept.pop() === undefined) return blankJson(data);
  }
}

function membersOf(data: Buffer): Members | undefined {
  try {
    const parsed: unknown = JSON.parse(data.toString('utf8'));
    return typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed)
      ? (parsed as Members)
      : undefined;
  } catch {
    return undefined;
  }
}
