/** Runs one scenario of the coordinator step by step and names what differs. */
import { isDeepStrictEqual } from 'node:util';
import type { CallAnswer } from '../../src-core/index.ts';
import type { ConformanceCase, Differences } from './case-format.ts';
import type {
  CaseEvent,
  CoordinatorCase,
  CoordinatorExpectation,
  CoordinatorStep
} from './coordinator-case.ts';
import { CoordinatorWorld } from './coordinator-world.ts';

/** Stops at the first step that differs: later steps would differ because of it. */
export async function runCoordinatorScenario(conformanceCase: ConformanceCase): Promise<Differences> {
  const scenario = conformanceCase as unknown as CoordinatorCase;
  const world = new CoordinatorWorld(scenario);
  for (const [index, step] of scenario.steps.entries()) {
    world.prepare(step);
    const answer = await giveInput(world, step);
    const differences = compare(step.expect ?? {}, world, answer);
    if (differences.length > 0)
      return differences.map((text) => `step ${index + 1} (${step.input}): ${text}`);
  }
  return [];
}

async function giveInput(world: CoordinatorWorld, step: CoordinatorStep): Promise<CallAnswer | undefined> {
  switch (step.input) {
    case 'gossip':
      await world.coordinator.receiveGossip(world.gossipOf(step.gossip ?? []));
      return undefined;
    case 'tick':
      await world.coordinator.tick();
      return undefined;
    case 'restart':
      world.restart();
      return undefined;
    case 'configure':
      return world.coordinator.configure(step.schedule ?? '');
    case 'pause':
      return world.coordinator.pause();
    case 'resume':
      return world.coordinator.resume();
    case 'status':
      return world.coordinator.readStatus();
    default:
      throw new Error(`The input ${String(step.input)} is unknown.`);
  }
}

function compare(
  expected: CoordinatorExpectation,
  world: CoordinatorWorld,
  answer: CallAnswer | undefined
): Differences {
  const differences: Differences = [];
  const check = (what: string, wanted: unknown, found: unknown): void => {
    if (isDeepStrictEqual(wanted, found)) return;
    differences.push(`${what} ${JSON.stringify(found)} instead of ${JSON.stringify(wanted)}`);
  };
  check('events', (expected.events ?? []).map(comparable), world.newEvents().map(comparable));
  check('requests', expected.requests ?? [], world.newRequests());
  if ('state' in expected) check('state', expected.state, world.coordinator.status);
  if (expected.answer) check('answer', expected.answer, answerIn(expected.answer, answer));
  return differences;
}

/**
 * Lists of nodes are sets except at the start of a cycle; the order of an event's members does not count, nor does the
 * text of a schedule as entered, which a server does not keep.
 */
function comparable(event: CaseEvent): CaseEvent {
  const sorted: CaseEvent = { type: event.type };
  for (const name of Object.keys(event).sort()) {
    if (name === 'configuredSchedule') continue;
    const value = event[name];
    const isSet = Array.isArray(value) && event.type !== '$cluster-scavenge-started';
    sorted[name] = isSet ? [...(value as string[])].sort() : value;
  }
  return sorted;
}

/** The answer with only the compared members. */
function answerIn(expected: object, answer: CallAnswer | undefined): unknown {
  if (answer === undefined) return undefined;
  const found = Object.entries({ ...answer, body: withoutOwnMembers(answer.body) });
  const wanted = expected as Record<string, unknown>;
  return Object.fromEntries(
    found
      .filter(([name, value]) => name in expected && value !== undefined)
      .map(([name, value]) => [name, isAnyText(wanted[name], value) ? wanted[name] : value])
  );
}

function isAnyText(wanted: unknown, found: unknown): boolean {
  return wanted === '<any text>' && typeof found === 'string';
}

/** A status with the members that a server has. */
function withoutOwnMembers(body: unknown): unknown {
  if (typeof body !== 'object' || body === null) return body;
  return Object.fromEntries(Object.entries(body).filter(([name]) => name !== 'configuredSchedule'));
}
