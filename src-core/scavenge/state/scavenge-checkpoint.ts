/**
 * How far a scavenge has come: one JSON text in the scavenge state, the same that the server writes, so that
 * each can go on where the other stopped. No white space; members whose value is the default of their type
 * are left out (but a chunk number 0 is written: there the default is "none").
 *
 *   {"scavengePoint":{"position":…,"eventNumber":…,"effectiveNow":"…Z","threshold":…},"schemaVersion":"V0",
 *    "checkpointStage":"Accumulating","doneLogicalChunkNumber":5}
 */
import { CHECKPOINT_STAGES, type CheckpointStage } from '../../units/scavenge-terms.ts';
import { ticksFromIso, ticksToIso, type Ticks } from '../../units/ticks.ts';
import type { ScavengePoint } from '../points/scavenge-point.ts';
import { hashFromBigInt } from '../../index/stream-hash.ts';
import { hashFromHalves, type StreamHandle } from '../decisions/stream-handle.ts';

export type ScavengeCheckpoint =
  | { stage: 'accumulating'; scavengePoint: ScavengePoint; doneChunk: number | null }
  | { stage: 'calculating'; scavengePoint: ScavengePoint; doneStream: StreamHandle | null }
  | { stage: 'executingChunks'; scavengePoint: ScavengePoint; doneChunk: number | null }
  | { stage: 'mergingChunks'; scavengePoint: ScavengePoint }
  | { stage: 'executingIndex'; scavengePoint: ScavengePoint }
  | { stage: 'cleaning'; scavengePoint: ScavengePoint }
  | { stage: 'done'; scavengePoint: ScavengePoint };

/** The server's words. */
const STAGE_NAMES: Record<CheckpointStage, string> = {
  accumulating: 'Accumulating',
  calculating: 'Calculating',
  executingChunks: 'ExecutingChunks',
  mergingChunks: 'MergingChunks',
  executingIndex: 'ExecutingIndex',
  cleaning: 'Cleaning',
  done: 'Done'
};

/** The time as the server's serializer writes it: without the zeros that end the fraction. */
function timeText(ticks: Ticks): string {
  return ticksToIso(ticks).replace(/\.?0*Z$/, 'Z');
}

/** Of points by their text: a checkpoint is written for each chunk, nearly always of the same point. */
const pointTexts = new WeakMap<ScavengePoint, string>();

function pointText(scavengePoint: ScavengePoint): string {
  const known = pointTexts.get(scavengePoint);
  if (known !== undefined) return known;
  const { position, number, effectiveNow, threshold } = scavengePoint;
  const text = [
    ...(position === 0 ? [] : [`"position":${position}`]),
    ...(number === 0 ? [] : [`"eventNumber":${number}`]),
    `"effectiveNow":"${timeText(effectiveNow)}"`,
    ...(threshold === 0 ? [] : [`"threshold":${threshold}`])
  ].join(',');
  pointTexts.set(scavengePoint, text);
  return text;
}

/** The stored text. */
export function encodeScavengeCheckpoint(checkpoint: ScavengeCheckpoint): string {
  const point = pointText(checkpoint.scavengePoint);
  const stage = STAGE_NAMES[checkpoint.stage];
  return `{"scavengePoint":{${point}},"schemaVersion":"V0","checkpointStage":"${stage}"${progressText(checkpoint)}}`;
}

function progressText(checkpoint: ScavengeCheckpoint): string {
  switch (checkpoint.stage) {
    case 'accumulating':
    case 'executingChunks':
      return checkpoint.doneChunk === null ? '' : `,"doneLogicalChunkNumber":${checkpoint.doneChunk}`;
    case 'calculating':
      return checkpoint.doneStream === null ? '' : `,"doneStreamHandle":${handleText(checkpoint.doneStream)}`;
    case 'mergingChunks':
    case 'executingIndex':
    case 'cleaning':
    case 'done':
      return '';
  }
}

/** A hash of 0 and the kind "None" would be left out; handles that exist always have a kind. */
function handleText(handle: StreamHandle): string {
  if (handle.kind === 'id') return `{"kind":"Id","streamId":${JSON.stringify(handle.stream)}}`;
  const hash = hashFromHalves(handle.high, handle.low);
  return hash === 0n ? '{"kind":"Hash"}' : `{"kind":"Hash","streamHash":${hash}}`;
}

type Members = Record<string, unknown>;

function membersOf(value: unknown): Members | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Members)
    : undefined;
}

function whole(value: unknown, whenMissing: number): number | undefined {
  if (value === undefined || value === null) return whenMissing;
  return typeof value === 'number' && Number.isSafeInteger(value) ? value : undefined;
}

/** Reads a stored text; undefined when it cannot be understood, which counts as "no checkpoint". */
export function decodeScavengeCheckpoint(text: string): ScavengeCheckpoint | undefined {
  let root: Members | undefined;
  try {
    root = membersOf(JSON.parse(text, keepHashDigits));
  } catch {
    return undefined; // the documented meaning of an unreadable checkpoint: a fresh run over the same state
  }
  const point = membersOf(root?.['scavengePoint']);
  if (!root || !point || root['schemaVersion'] !== 'V0') return undefined;
  const time = point['effectiveNow'];
  const effectiveNow = typeof time === 'string' ? ticksFromIso(time) : (0n as Ticks);
  const position = whole(point['position'], 0);
  const number = whole(point['eventNumber'], 0);
  const threshold = whole(point['threshold'], 0);
  if (
    effectiveNow === undefined ||
    position === undefined ||
    number === undefined ||
    threshold === undefined
  ) {
    return undefined;
  }
  return withProgress(root, { position, number, effectiveNow, threshold });
}

function withProgress(root: Members, scavengePoint: ScavengePoint): ScavengeCheckpoint | undefined {
  const stage = CHECKPOINT_STAGES.find((candidate) => STAGE_NAMES[candidate] === root['checkpointStage']);
  switch (stage) {
    case 'accumulating':
    case 'executingChunks': {
      const stored = root['doneLogicalChunkNumber'] ?? null;
      if (stored === null) return { stage, scavengePoint, doneChunk: null };
      // Below 0 there are no chunks: reading would begin there.
      return typeof stored === 'number' && Number.isSafeInteger(stored) && stored >= 0
        ? { stage, scavengePoint, doneChunk: stored }
        : undefined;
    }
    case 'calculating': {
      const stored = root['doneStreamHandle'] ?? null;
      const doneStream = stored === null ? null : handleOf(stored);
      return doneStream === undefined ? undefined : { stage, scavengePoint, doneStream };
    }
    case 'mergingChunks':
    case 'executingIndex':
    case 'cleaning':
    case 'done':
      return { stage, scavengePoint };
    case undefined:
      return undefined;
  }
}

function handleOf(value: unknown): StreamHandle | null | undefined {
  const members = membersOf(value);
  if (!members) return undefined;
  if (members['kind'] === undefined || members['kind'] === 'None') return null;
  if (members['kind'] === 'Id') {
    return typeof members['streamId'] === 'string' ? { kind: 'id', stream: members['streamId'] } : undefined;
  }
  if (members['kind'] !== 'Hash') return undefined;
  const digits = members['streamHash'] ?? '0';
  return typeof digits === 'string' && /^\d+$/.test(digits)
    ? { kind: 'hash', ...hashFromBigInt(BigInt(digits)) }
    : undefined;
}

/** A hash needs all of its 64 bits: the digits are taken from the text before they become a double. */
function keepHashDigits(this: unknown, key: string, value: unknown, context?: { source?: string }): unknown {
  return key === 'streamHash' && typeof value === 'number' ? (context?.source ?? String(value)) : value;
}
