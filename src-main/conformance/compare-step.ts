/** Compares the result of a step with the case, and describes each difference. */
import type { ScavengeResult } from '../../src-core/index.ts';
import type { CaseDatabase, CasePlace, WrittenRecord } from './case-database.ts';
import {
  numberOf,
  type CaseExpectation,
  type CaseStep,
  type Differences,
  type KeptOfChunk
} from './case-format.ts';
import { observe, openCaseState, type Observation } from './case-observation.ts';
import { caseCheckpoint, STATUS_NAMES } from './case-trace.ts';

export interface StepOutcome {
  result: ScavengeResult;
  error?: { code: string; stream: string };
  requested?: { eventNumber: number; threshold: number };
  /** Where the run wrote its own scavenge point. */
  writtenAt?: number;
}

const WEIGHT_TOLERANCE = 1e-6;

/** Compact JSON with sorted members, for comparing and for showing. */
function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'undefined';
  const members = Object.entries(value)
    .filter(([, member]) => member !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${canonical(member)}`).join(',')}}`;
}

function unlike(what: string, found: unknown, expected: unknown): Differences {
  const [is, wanted] = [canonical(found), canonical(expected)];
  return is === wanted ? [] : [`${what} is ${is} instead of ${wanted}`];
}

/** The same with `"max"` as in memory, at any depth. A stream with that name is not a number. */
function withNumbers(value: unknown, name = ''): unknown {
  if (value === 'max' && name !== 'stream') return numberOf('max');
  if (Array.isArray(value)) return value.map((item) => withNumbers(item));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, withNumbers(member, key)]));
}

export function compareTrace({ expect }: CaseStep, lines: unknown[]): Differences {
  if (!expect?.trace) return [];
  const shown = expect.traceComplete === false ? lines.slice(0, expect.trace.length) : lines;
  for (let i = 0; i < Math.max(shown.length, expect.trace.length); i++) {
    const found = unlike(`trace line ${i}`, shown[i], withNumbers(expect.trace[i]));
    if (found.length > 0) return found;
  }
  return [];
}

export async function compareLog(
  place: CasePlace,
  database: CaseDatabase,
  step: CaseStep,
  outcome: StepOutcome
): Promise<Differences> {
  const expect = step.expect ?? {};
  const differences: Differences = [];
  if (expect.result !== undefined) differences.push(...unlike('result', outcome.result, expect.result));
  if (expect.error) differences.push(...comparePart('error', outcome.error, expect.error));
  if (expect.requestedScavengePoint) {
    const { requested } = outcome;
    differences.push(...comparePart('requested scavenge point', requested, expect.requestedScavengePoint));
  }
  if (outcome.writtenAt !== undefined) database.added.add(outcome.writtenAt);
  const observation = await observe(place);
  try {
    differences.push(...compareKept(observation, database, step));
    differences.push(...compareIndex(place, observation, database, step));
  } finally {
    observation.close();
  }
  return differences;
}

function indexesOf(kept: KeptOfChunk, count: number): Set<number> {
  if (Array.isArray(kept)) return new Set(kept);
  const except = new Set(kept.allExcept);
  return new Set(Array.from({ length: count }, (_, i) => i).filter((i) => !except.has(i)));
}

function select(records: WrittenRecord[][], kept: KeptOfChunk[]): WrittenRecord[] {
  return records.flatMap((chunk, number) => {
    const wanted = indexesOf(kept[number] ?? [], chunk.length);
    return chunk.filter((_, i) => wanted.has(i));
  });
}

function compareKept(observation: Observation, database: CaseDatabase, step: CaseStep): Differences {
  const { expect, derived } = step;
  const differences: Differences = [];
  const kept = expect?.kept ?? derived?.kept;
  if (kept) {
    const expected = select(database.records, kept);
    const found = [...observation.records.keys()].filter((position) => !database.added.has(position));
    const wanted = expected.map(({ position }) => position);
    differences.push(...unlike('kept', nameAll(database, found), nameAll(database, wanted)));
    for (const { position, payload } of expected) {
      const bytes = observation.records.get(position);
      if (bytes && !bytes.equals(payload)) differences.push(`record at ${position} has changed`);
    }
  }
  const physical = expect?.physicalChunks ?? (expect?.kept ? eachForItself(database) : undefined);
  if (physical) differences.push(...unlike('physical chunks', observation.physicalChunks, physical));
  return differences;
}

/** An open chunk without records has no file. */
function eachForItself({ records, isCompleted }: CaseDatabase): [number, number][] {
  return records
    .map((chunk, number): [number, number] | undefined =>
      isCompleted[number] || chunk.length > 0 ? [number, number] : undefined
    )
    .filter((range) => range !== undefined);
}

/** Positions as chunk:index, the form of the cases. */
function nameAll({ records }: CaseDatabase, positions: number[]): string[] {
  const names = new Map<number, string>();
  records.forEach((chunk, number) =>
    chunk.forEach(({ position }, i) => names.set(position, `${number}:${i}`))
  );
  return positions.map((position) => names.get(position) ?? `position ${position}`);
}

function compareIndex(
  { hasher }: CasePlace,
  observation: Observation,
  database: CaseDatabase,
  { expect, derived }: CaseStep
): Differences {
  const keptInIndex = indexExpectation(expect) ?? indexExpectation(derived);
  if (!keptInIndex) return [];
  const leading = select(database.records, keptInIndex).filter(({ indexNumber }) => indexNumber !== null);
  const shadowed = derived?.shadowedInIndex ? select(database.records, derived.shadowedInIndex) : [];
  const text = (low: number, number: number, position: number) => `${low}/${number}@${position}`;
  const wanted = [...leading, ...shadowed].map(({ stream, indexNumber, position }) =>
    text(hasher(stream).low, indexNumber!, position)
  );
  const found = observation.entries.map(({ low, number, position }) => text(low, number, position));
  const differences = unlike('index entries', found.sort(), wanted.sort());
  for (const { stream, indexNumber, position } of leading) {
    // Emptied chunks: the entry stays, but its record is gone.
    if (!observation.records.has(position)) continue;
    const led = observation.lookUp(stream, indexNumber!);
    if (led !== position)
      differences.push(`event ${indexNumber} of ${stream} leads to ${led}, not to ${position}`);
  }
  return differences;
}

/** undefined: not stated here. null in a case leaves it open, which is not a statement either. */
function indexExpectation(expectation: CaseExpectation | undefined): KeptOfChunk[] | undefined {
  if (!expectation || expectation.keptInIndex === null) return undefined;
  return expectation.keptInIndex ?? expectation.kept;
}

export function compareState(place: CasePlace, { expect }: CaseStep): Differences {
  if (!expect) return [];
  const state = openCaseState(place, { create: false });
  const differences: Differences = [];
  try {
    if (expect.collisions)
      differences.push(...unlike('collisions', state?.collisions.names ?? [], expect.collisions));
    if (!state) return expect.checkpoint ? [...differences, 'no state is stored'] : differences;
    if (expect.checkpoint === null && state.checkpoint)
      differences.push('a checkpoint is stored, which must not be');
    if (expect.checkpoint) {
      const found: Record<string, unknown> = state.checkpoint ? caseCheckpoint(state.checkpoint) : {};
      const stated = Object.keys(expect.checkpoint);
      const part = Object.fromEntries(stated.map((name) => [name, found[name]]));
      differences.push(...unlike('checkpoint', part, expect.checkpoint));
    }
    for (const [stream, wanted] of Object.entries(expect.streams ?? {})) {
      const data = state.originals.get(state.handleOf(stream));
      const found = data && {
        status: STATUS_NAMES[data.status],
        tombstoned: data.isTombstoned,
        discardBefore: data.discardPoint,
        maybeDiscardBefore: data.maybeDiscardPoint,
        maxCount: orNull(data.maxCount),
        maxAgeSeconds: orNull(data.maxAgeSeconds),
        truncateBefore: orNull(data.truncateBefore)
      };
      differences.push(...comparePart(`state of ${stream}`, found, wanted));
    }
    for (const [stream, wanted] of Object.entries(expect.metastreams ?? {})) {
      const data = state.metastreams.get(state.handleOf(stream));
      const found = data && { tombstoned: data.isTombstoned, discardBefore: data.discardPoint };
      differences.push(...comparePart(`state of ${stream}`, found, wanted));
    }
    for (const { from, to, weight } of expect.chunkWeights ?? []) {
      const found = state.weights.sum(from, to);
      if (Math.abs(found - weight) > WEIGHT_TOLERANCE) {
        differences.push(`weight of chunks ${from} to ${to} is ${found} instead of ${weight}`);
      }
    }
    return differences;
  } finally {
    state?.close();
  }
}

/** Limits that are not set are stored as -1 in memory. */
function orNull(limit: number): number | null {
  return limit < 0 ? null : limit;
}

/** Only the known members that the case names. */
function comparePart(what: string, found: object | undefined, wanted: object | null): Differences {
  if (wanted === null) return found ? [`${what} is stored, which must not be`] : [];
  if (!found) return [`${what} is missing`];
  const members = Object.entries(found) as [string, unknown][];
  const part = Object.fromEntries(members.filter(([name]) => name in wanted));
  const expected = Object.fromEntries(
    Object.entries(wanted as Record<string, unknown>)
      .filter(([name]) => name in found)
      .map(([name, value]) => [name, withNumbers(value)])
  );
  return unlike(what, part, expected);
}
