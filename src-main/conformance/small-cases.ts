/** The small cases: one function of the engine each, without a database. */
import {
  decodeScavengeCheckpoint,
  discardPoints,
  encodeScavengeCheckpoint,
  hashFromBigInt,
  StreamCollisions,
  ticksFromIso,
  TrailingCheckpoint,
  type ScavengeCheckpoint,
  type StreamHandle,
  type TrailingItem
} from '../../src-core/index.ts';
import { requests } from '../contract/operations/operation-contract.ts';
import {
  numberOf,
  type CaseHandle,
  type CaseNumber,
  type ConformanceCase,
  type Differences
} from './case-format.ts';
import { hasherNamed } from './case-hashers.ts';

type CasePoint = 'keepAll' | { before: CaseNumber } | { including: CaseNumber } | { or: CasePoint[] };

interface DiscardPointCase {
  points: Record<string, CasePoint>;
  checks?: { point: string; eventNumber: CaseNumber; discard: boolean }[];
  compare?: { a: string; op: '==' | '<' | '>'; b: string; is: boolean }[];
}

function pointOf(point: CasePoint): discardPoints.DiscardPoint {
  if (point === 'keepAll') return discardPoints.KEEP_ALL;
  if ('before' in point) return discardPoints.discardBefore(numberOf(point.before));
  if ('including' in point) return discardPoints.discardIncluding(numberOf(point.including));
  return point.or.map(pointOf).reduce(discardPoints.discardEither);
}

export function runDiscardPoints(conformanceCase: ConformanceCase): Differences {
  const { points, checks, compare } = conformanceCase as unknown as DiscardPointCase;
  const differences: Differences = [];
  for (const { point, eventNumber, discard } of checks ?? []) {
    if (discardPoints.discards(pointOf(points[point]!), numberOf(eventNumber)) === discard) continue;
    differences.push(`${point} ${discard ? 'keeps' : 'discards'} ${eventNumber}`);
  }
  for (const { a, op, b, is } of compare ?? []) {
    const [left, right] = [pointOf(points[a]!), pointOf(points[b]!)];
    const found = op === '==' ? left === right : op === '<' ? left < right : left > right;
    if (found !== is) differences.push(`${a} ${op} ${b} is ${found}`);
  }
  return differences;
}

interface CollisionCase {
  hasher: string;
  steps: { see: string; result: string; collisions: string[]; collidesWith?: string }[];
}

export function runCollisions(conformanceCase: ConformanceCase): Differences {
  const { hasher, steps } = conformanceCase as unknown as CollisionCase;
  const hashOf = hasherNamed(hasher);
  const users = new Map<number, string>();
  const names = new Set<string>();
  const tracker = new StreamCollisions(
    { get: (_high, low) => users.get(low), put: (_high, low, stream) => void users.set(low, stream) },
    { add: (stream) => void names.add(stream), all: () => [...names] },
    (stream) => hashOf(stream, { high: 0, low: 0 })
  );
  const differences: Differences = [];
  for (const { see, result, collisions, collidesWith } of steps) {
    const { high, low } = hashOf(see);
    const found = tracker.detect(see, high, low);
    if (found.kind !== result) differences.push(`${see} is "${found.kind}" instead of "${result}"`);
    if (collidesWith !== undefined && (found.kind !== 'new' || found.collidesWith !== collidesWith)) {
      differences.push(`${see} does not collide with ${collidesWith}`);
    }
    const known = JSON.stringify(tracker.names);
    if (known !== JSON.stringify(collisions)) differences.push(`after ${see} the collisions are ${known}`);
  }
  return differences;
}

interface OptionsCase {
  config: {
    disableScavengeMerging?: boolean | null;
    archiveEnabled?: boolean | null;
    requestedThreshold?: number | null;
  };
  expect: { mergeChunks?: boolean; threshold?: number };
}

export function runOptions(conformanceCase: ConformanceCase): Differences {
  const { config, expect } = conformanceCase as unknown as OptionsCase;
  const { disableScavengeMerging: isOff, archiveEnabled, requestedThreshold } = config;
  const options = requests.planScavenge.parse({
    dataDirectory: 'database',
    ...(isOff || archiveEnabled ? { merge: false } : {}),
    ...(requestedThreshold === undefined || requestedThreshold === null
      ? {}
      : { threshold: requestedThreshold })
  });
  const found: Record<string, unknown> = { mergeChunks: options.merge, threshold: options.threshold };
  return Object.entries(expect)
    .filter(([name, value]) => found[name] !== value)
    .map(([name, value]) => `${name} is ${String(found[name])} instead of ${String(value)}`);
}

interface CheckpointTextCase {
  checkpoint: {
    stage: ScavengeCheckpoint['stage'];
    scavengePoint: { position: number; eventNumber: number; effectiveNow: string; threshold: number };
    done?: number | null | CaseHandle;
  };
  text: string;
}

export function runCheckpointText(conformanceCase: ConformanceCase): Differences {
  const { checkpoint, text } = conformanceCase as unknown as CheckpointTextCase;
  const expected = checkpointOf(checkpoint);
  const written = encodeScavengeCheckpoint(expected);
  const differences: Differences = written === text ? [] : [`the text is ${written}`];
  const read = decodeScavengeCheckpoint(text);
  const show = (value: unknown) =>
    JSON.stringify(value, (_, member: unknown) => (typeof member === 'bigint' ? member.toString() : member));
  if (show(read) !== show(expected)) differences.push(`it reads back as ${show(read)}`);
  return differences;
}

function checkpointOf({
  stage,
  scavengePoint: given,
  done
}: CheckpointTextCase['checkpoint']): ScavengeCheckpoint {
  const { position, eventNumber, effectiveNow, threshold } = given;
  const scavengePoint = {
    position,
    number: eventNumber,
    effectiveNow: ticksFromIso(effectiveNow)!,
    threshold
  };
  if (stage === 'calculating') {
    return {
      stage,
      scavengePoint,
      doneStream: typeof done === 'object' && done !== null ? handleOf(done) : null
    };
  }
  if (stage === 'accumulating' || stage === 'executingChunks') {
    return { stage, scavengePoint, doneChunk: typeof done === 'number' ? done : null };
  }
  return { stage, scavengePoint };
}

export function handleOf(handle: CaseHandle): StreamHandle {
  return 'hash' in handle
    ? { kind: 'hash', ...hashFromBigInt(BigInt(handle.hash)) }
    : { kind: 'id', stream: handle.stream };
}

interface TrailingCase {
  workers: number;
  items: number[];
  finishOrder: number[];
  expectCheckpoints: number[];
}

export function runTrailingCheckpoints(conformanceCase: ConformanceCase): Differences {
  const { workers, items, finishOrder, expectCheckpoints } = conformanceCase as unknown as TrailingCase;
  const trailing = new TrailingCheckpoint();
  const waiting = items.map<TrailingItem>((item) => ({
    checkpoint: item,
    before: item === 10 ? null : item - 10
  }));
  const inWork = new Map<number, TrailingItem>();
  const take = () => {
    const item = waiting.shift();
    if (!item) return;
    trailing.start(item);
    inWork.set(item.checkpoint, item);
  };
  for (let worker = 0; worker < workers; worker++) take();
  const stored: number[] = [];
  for (const finished of finishOrder) {
    trailing.finish(inWork.get(finished)!);
    inWork.delete(finished);
    take();
    const checkpoint = trailing.take();
    if (checkpoint !== undefined) stored.push(checkpoint);
  }
  const found = JSON.stringify(stored);
  return found === JSON.stringify(expectCheckpoints) ? [] : [`the checkpoints are ${found}`];
}
